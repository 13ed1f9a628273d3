/* savepoint.c - runs a part of a write that is rolled back alone if it fails. */
#include "op/savepoint.h"
#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include "db/rows.h"

enum stet_status
savepoint_run(struct stet_call *call, enum stet_status (*fn)(struct stet_call *))
{
	struct call_commit *last = call->on_commit, *first = last != NULL ? last->next : NULL;
	enum stet_status status;

	/* Without a transaction, a savepoint would begin one, and its release would commit. */
	if (!db_in_transaction(db_part(call)->db) || db_savepoint(db_part(call)->db) != STET_OK)
		return stet_fault(call, "no savepoint for a part of a write");
	status = fn(call);
	rows_end_call(call);
	/* SQLite has rolled back everything; the writer notices too */
	if (!db_in_transaction(db_part(call)->db))
		return stet_fault(call, "the transaction of a write was given up");
	if (db_savepoint_end(db_part(call)->db, status == STET_OK) != STET_OK)
		return stet_fault(call, "a savepoint cannot be ended");
	if (status == STET_OK)
		return STET_OK;
	call->on_commit = last;
	if (last != NULL)
		last->next = first;
	return status;
}
