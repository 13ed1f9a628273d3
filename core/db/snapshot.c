/*
 * snapshot.c - read transactions that calls share (adr/0015). Calls that come one after the other
 * read in the same transaction, whose state does not change as long as it is open.
 */
#include "db/snapshot.h"
#include "base/arena.h"
#include "call/call.h"
#include "db/db.h"
#include "db/dbstats.h"
#include "db/part.h"
#include "db/stamp.h"
#include "db/stmt.h"

/* maximum age of a shared transaction: a longer one keeps the WAL from restarting */
#define SHARED_US 5000
#define CACHED_MAX 1048576 /* bytes cached with snapshots of the same state */

static _Thread_local struct {
	void (*arm)(void *);
	void *arg;
	bool turn; /* see snapshot_turn */
	struct db *held; /* list by db->next_held: transactions between two calls */
} mine;

void
snapshot_share(void (*arm)(void *), void *arg)
{
	mine.arm = arm;
	mine.arg = arg;
}

void
snapshot_turn(struct db *db, bool begins)
{
	mine.turn = begins;
	db->hasty = begins;
	if (!begins)
		snapshot_rest();
}

static void
unhold(struct db *db)
{
	struct db **link = &mine.held;

	while (*link != db)
		link = &(*link)->next_held;
	*link = db->next_held;
	db->held = false;
}

void
snapshot_forget(struct db *db)
{
	for (struct call_defer *d = db->defers; d != NULL; d = d->next)
		d->fn(d->arg);
	db->defers = NULL;
	arena_free(&db->memory);
	db->slots = 0;
}

/* With begin_read, what is cached may be right for the next transaction, too. */
static void
end(struct db *db)
{
	if (db->driver->begin_read == NULL || db->stale)
		snapshot_forget(db);
	if (db->driver->commit(db) != DB_OK)
		db_rollback(db);
	if (db->stale)
		stmt_free_idle(db);
	db->stale = false;
}

void
snapshot_drop(struct db *db)
{
	if (!db->held)
		return;
	unhold(db);
	end(db);
}

/* Notes the state that the call's answer is made from, if it is a single state. */
static void
see(struct stet_call *call, const struct db *db)
{
	struct db_part *part = db_part(call);

	if (part->seen == SEEN_NONE && db->stamped) {
		part->seen = SEEN_ONE;
		part->stamp = db->stamp;
	} else if (!db->stamped || !stamp_same(&part->stamp, &db->stamp)) {
		part->seen = SEEN_MORE;
	}
}

static void
begun(struct stet_call *call, struct db *db, uint64_t commits)
{
	db->commits = commits;
	db->since = call->begun;
	db->reading = call;
	see(call, db);
}

/* For engines that tell which state a transaction shows. If it is that of the last one, what was
 * cached with that is still right. */
static enum db_error
begin_read(struct stet_call *call, struct db *db)
{
	uint64_t commits = atomic_load_explicit(&call->site->commits, memory_order_acquire);
	struct stamp stamp;
	enum db_error error;
	int64_t then;

	if (db->held) { /* for this turn */
		unhold(db);
		db->reading = call;
		see(call, db);
		return DB_OK;
	}
	db->begin_by = db_part(call)->begin_by;
	then = dbstats_now(db);
	error = db->driver->begin_read(db, &stamp);
	dbstats_state(db, then);
	db->begin_by = 0;
	if (error != DB_OK || !db->stamped || !stamp_same(&stamp, &db->stamp) ||
	    db->memory.size > CACHED_MAX)
		snapshot_forget(db);
	db->stamped = error == DB_OK;
	if (error != DB_OK)
		return error;
	db->stamp = stamp;
	begun(call, db, commits);
	return DB_OK;
}

enum db_error
snapshot_begin(struct stet_call *call, struct db *db)
{
	/* Read before the transaction begins: if a commit comes in between, the stamp is older
	 * than the snapshot, and the transaction is only not shared. */
	uint64_t commits = atomic_load_explicit(&call->site->commits, memory_order_acquire);
	struct stamp stamp;
	bool stamped;
	enum db_error error;

	if (db->driver->begin_read != NULL)
		return begin_read(call, db);
	stamped = stamp_read(db, &stamp);
	if (db->held) {
		unhold(db);
		if (stamped && db->stamped && stamp_same(&stamp, &db->stamp) &&
		    call->begun - db->since < SHARED_US) {
			db->reading = call;
			see(call, db);
			return DB_OK;
		}
		end(db);
	}
	/* A transaction whose COMMIT failed is still open, and they do not nest. */
	db_rollback(db);
	if ((error = db->driver->begin(db, DB_READ)) != DB_OK)
		return error;
	db->stamp = stamp;
	db->stamped = stamped;
	begun(call, db, commits);
	return DB_OK;
}

/* Returns true if the transaction may outlive its call. */
static bool
may_stay(struct db *db)
{
	if (mine.arm == NULL || !db_in_transaction(db))
		return false;
	return db->driver->begin_read == NULL || (mine.turn && !db->stale);
}

void
snapshot_leave(struct db *db)
{
	db->reading = NULL;
	if (!may_stay(db)) {
		end(db);
		return;
	}
	db->held = true;
	db->next_held = mine.held;
	mine.held = db;
	mine.arm(mine.arg);
}

void
snapshot_rest(void)
{
	while (mine.held != NULL)
		snapshot_drop(mine.held);
}
