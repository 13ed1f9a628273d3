/*
 * snapshotslot.c - what modules cache with a snapshot: values that they have looked up in it. They
 * are right as long as the read transaction is open, or the next one shows the same state, and
 * calls of one generation share them.
 */
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/stmt.h"

static struct db *
reading(struct stet_call *call)
{
	return !call->writing && db_part(call)->db != NULL && db_part(call)->db->reading == call
		   ? db_part(call)->db
		   : NULL;
}

void **
stet_snapshot_slot(struct stet_call *call, const void *key)
{
	enum stet_status status = call->writing ? STET_DECLINED : rows_begin_read(call);
	struct db *db = status == STET_OK ? reading(call) : NULL;

	if (db == NULL)
		return NULL;
	/* Calls with other modules or another configuration have not cached this. */
	if (call->gen != NULL && db->slots_of != call->gen->number) {
		db->slots = 0;
		db->slots_of = call->gen->number;
	}
	for (unsigned i = 0; i < db->slots; i++)
		if (db->slot[i].key == key)
			return &db->slot[i].value;
	if (db->slots == DB_SLOTS)
		return NULL;
	db->slot[db->slots] = (struct db_slot){ .key = key };
	return &db->slot[db->slots++].value;
}

void *
stet_snapshot_alloc(struct stet_call *call, size_t size)
{
	struct db *db = reading(call);

	stet_assert(db != NULL);
	return arena_alloc(&db->memory, size);
}

void
stet_snapshot_defer(struct stet_call *call, void (*fn)(void *), void *arg)
{
	struct db *db = reading(call);
	struct call_defer *d = stet_snapshot_alloc(call, sizeof(*d));

	*d = (struct call_defer){ db->defers, fn, arg };
	db->defers = d;
}
