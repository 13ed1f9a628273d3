/*
 * snapshot.c - read transactions that calls share (adr/0005). Calls that come one after the other
 * read in the same transaction, and modules cache in it what they have looked up (stet_call_slot):
 * the cache is right as long as the transaction is open, since its state does not change.
 */
#include "db/snapshot.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/stamp.h"
#include "db/stmt.h"

/* maximum age of a shared transaction: a longer one keeps the WAL from restarting */
#define SHARED_US 5000

static _Thread_local struct {
	void (*arm)(void *);
	void *arg;
	struct db *held; /* list by db->next_held: transactions between two calls */
} mine;

void
snapshot_share(void (*arm)(void *), void *arg)
{
	mine.arm = arm;
	mine.arg = arg;
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

static void
end(struct db *db)
{
	for (struct call_defer *d = db->defers; d != NULL; d = d->next)
		d->fn(d->arg);
	db->defers = NULL;
	arena_free(&db->memory);
	db->slots = 0;
	if (db_say(db, DB_COMMIT) != SQLITE_OK)
		db_rollback(db);
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
	if (call->seen == SEEN_NONE && db->stamped) {
		call->seen = SEEN_ONE;
		call->stamp = db->stamp;
	} else if (!db->stamped || !stamp_same(&call->stamp, &db->stamp)) {
		call->seen = SEEN_MORE;
	}
}

int
snapshot_begin(struct stet_call *call, struct db *db)
{
	/* Read before the transaction begins: if a commit comes in between, the stamp is older
	 * than the snapshot, and the transaction is only not shared. */
	uint64_t commits = atomic_load_explicit(&call->site->commits, memory_order_acquire);
	struct stamp stamp;
	bool stamped = stamp_read(db, &stamp);
	int rc;

	if (db->held) {
		unhold(db);
		if (stamped && db->stamped && stamp_same(&stamp, &db->stamp) &&
		    call->begun - db->since < SHARED_US) {
			db->reading = call;
			see(call, db);
			return SQLITE_OK;
		}
		end(db);
	}
	/* A transaction whose COMMIT ran out of memory is still open, and SQLite does not nest
	 * them. */
	db_rollback(db);
	if ((rc = db_say(db, DB_BEGIN)) != SQLITE_OK)
		return rc;
	db->commits = commits;
	db->stamp = stamp;
	db->stamped = stamped;
	db->since = call->begun;
	db->reading = call;
	see(call, db);
	return SQLITE_OK;
}

void
snapshot_leave(struct db *db)
{
	db->reading = NULL;
	if (mine.arm == NULL || !db_in_transaction(db)) {
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

bool
snapshot_seen(struct stet_call *call, uint64_t *commits, struct snapshot_state *state)
{
	if (rows_begin_read(call) != STET_OK)
		return false;
	*commits = call->db->commits;
	*state = (struct snapshot_state){ call->db->stamp, call->db->stamped };
	return true;
}

struct snapshot_state
snapshot_now(struct site *site)
{
	struct db *db = reader_get(site);
	struct snapshot_state state = { 0 };

	state.known = db != NULL && stamp_read(db, &state.stamp);
	return state;
}

bool
snapshot_same(const struct snapshot_state *a, const struct snapshot_state *b)
{
	return a->known && b->known && stamp_same(&a->stamp, &b->stamp);
}

/* ---- what modules cache with a snapshot ---- */

static struct db *
reading(struct stet_call *call)
{
	return !call->writing && call->db != NULL && call->db->reading == call ? call->db : NULL;
}

void **
stet_snapshot_slot(struct stet_call *call, const void *key)
{
	enum stet_status status = call->writing ? STET_DECLINED : rows_begin_read(call);
	struct db *db = status == STET_OK ? reading(call) : NULL;

	if (db == NULL)
		return NULL;
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
