/* litecare.c - asks for checkpoints after batches and while a site is idle. */
#include "db/sqlite/litecare.h"
#include "db/sqlite/checkpoint.h"

#define OUTRUN 16384 /* pages (64 MiB) by which the WAL may grow during a checkpoint */

/* Returns true if the WAL grows faster than it is copied. The checkpoint would then never finish,
 * so the writer waits for it. */
static bool
outruns(const struct sqlite_db *c)
{
	int grown = checkpoint_log_pages(c) - c->wal_asked;

	return grown > OUTRUN && grown > c->wal_asked;
}

static void
ask(struct sqlite_db *c)
{
	c->wal_asked = checkpoint_log_pages(c);
	checkpointer_ask(&c->checkpoint);
}

/* While the daemon runs, the checkpointer copies the WAL and this thread continues. */
void
litecare_tend(struct db *db)
{
	struct sqlite_db *c = liteconn(db);
	int done;

	if (!checkpointer_runs()) {
		checkpoint_idle(c);
		return;
	}
	switch (checkpointer_look(&c->checkpoint, &done)) {
	case CHECKPOINT_OVER:
		checkpoint_copied(c, done);
		break;
	case CHECKPOINT_ASKED:
		if (outruns(c))
			checkpointer_wait(&c->checkpoint);
		break;
	case CHECKPOINT_NONE:
		if (checkpoint_due(c))
			ask(c);
	}
}

bool
litecare_rest(struct db *db)
{
	struct sqlite_db *c = liteconn(db);
	int done;

	switch (checkpointer_look(&c->checkpoint, &done)) {
	case CHECKPOINT_ASKED:
		return false;
	case CHECKPOINT_OVER:
		checkpoint_copied(c, done);
		break;
	case CHECKPOINT_NONE:
		if (checkpoint_full(c)) {
			ask(c);
			return false;
		}
	}
	return true;
}

void
litecare_idle(struct db *db)
{
	checkpoint_idle(liteconn(db));
}

void
litecare_settle(struct db *db)
{
	checkpoint_empty_log(liteconn(db));
}
