/* part.c - registers the part of a call that belongs to db/. */
#include "db/part.h"
#include "base/log.h"

/* rows_end_call has closed all statements: none can be read with a freed call. */
static void
end(struct stet_call *call)
{
	const struct db_part *part = db_part(call);

	stet_assert(part->open == NULL && part->db == NULL);
}

struct call_part db_part_id = { .size = sizeof(struct db_part), .end = end };

CALL_PART_ADD(db_part_id)
