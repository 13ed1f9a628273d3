/* ends.c - a list of what runs before a commit. */
#include "db/ends.h"
#include "db/db.h"

void
ends_init(struct ends *ends)
{
	*ends = (struct ends){ .tail = &ends->head };
}

void
ends_add(struct ends *ends, struct end *end)
{
	end->next = NULL;
	*ends->tail = end;
	ends->tail = &end->next;
}

static enum stet_status
run(struct end *end, struct db *db)
{
	enum stet_status ran, ended;

	STET_TRY(db_savepoint(db));
	ran = end->run(end, db);
	ended = db_savepoint_end(db, ran == STET_OK);
	return ended != STET_OK && ran != STET_OK ? ran : ended;
}

enum stet_status
ends_run(struct ends *ends, struct db *db)
{
	enum stet_status status = STET_OK;

	for (struct end *end = ends->head; status == STET_OK && end != NULL; end = end->next)
		status = run(end, db);
	return status;
}

void
ends_over(struct ends *ends, bool committed)
{
	struct end *end = ends->head, *next;

	ends_init(ends);
	for (; end != NULL; end = next) {
		next = end->next;
		end->over(end, committed);
	}
}
