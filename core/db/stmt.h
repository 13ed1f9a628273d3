/*
 * stmt.h - a connection and its prepared statements: what all engines have of them. The structures
 * of a driver (driver.h) begin with these. Only files of this room use the members. A connection
 * and everything that belongs to it is used by one thread at a time.
 */
#ifndef CORE_STMT_H
#define CORE_STMT_H

#include "base/arena.h"
#include "base/buf.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/stamp.h"

#define STMT_CACHE_MAX 256
#define STMT_BUCKETS 128 /* a power of two */

/* A prepared statement. Idle ones form a list in order of their last use; busy ones are in the
 * list of their call. */
struct stmt {
	struct stmt *chain; /* the next of its hash bucket */
	struct stmt *prev, *next; /* idle: from db->latest; busy: from db_part(call)->open */
	struct db *db;
	const struct db_driver *driver; /* that of db */
	bool copied; /* not a statement but a copied row (db_driver.keep) */
	struct stmt *rest; /* copied: the statement, at the second row; NULL: there is none */
	uint64_t hash;
	size_t len;
	bool busy;
	bool alters; /* changes something other than rows, such as a table */
	uint64_t writes; /* the tables whose rows it changes, as bits (txslot.h) */
	unsigned looked, named; /* later.c: tables that were looked for; those it names, as bits */
	int64_t took; /* microseconds that its steps have taken since it was started */
	uint64_t rows; /* rows that it has returned */
	const char *sql; /* the text */
};

#define DB_SLOTS 16

/* A value that a module caches with a snapshot or a write transaction. */
struct db_slot {
	const void *key;
	void *value;
	uint64_t tables; /* those from which it was read, as bits (txslot.h) */
};

struct db_part;

struct db {
	const struct db_driver *driver;
	char *path; /* where the database is, as db_open was told */
	enum db_mode mode;
	struct db_stats *stats; /* dbstats.h; NULL: nothing is counted */
	int64_t asked_lock; /* clock_monotonic_us, when a write transaction began, if counted */
	/* The plugin whose SQL is being prepared; NULL: none. */
	const char *plugin;
	struct stet_call *reading; /* the call that reads; its read transaction has begun */
	/* The read transaction (snapshot.c): its begin, the site's commits and the state of the
	 * database just before it began, what is cached with it. `held`: it is open between two
	 * calls. */
	int64_t since; /* clock_monotonic_us */
	uint64_t commits;
	struct stamp stamp;
	bool stamped; /* `stamp` is valid */
	bool held;
	struct db *next_held;
	/* Of a pool (connpool.h), NULL otherwise: the pool, how often this thread has borrowed it,
	 * whether it counts among the few, the next one that this thread has or that is idle. */
	struct connpool *pool;
	unsigned users;
	bool few;
	struct db *next_lent;
	bool hasty; /* others wait for this turn: no statement may take longer than beginning */
	int64_t begin_by; /* clock_monotonic: when reading must have begun; 0: as usual */
	struct arena memory;
	struct call_defer *defers;
	unsigned slots;
	uint64_t slots_of; /* the generation whose calls have filled them */
	struct db_slot slot[DB_SLOTS];
	uint64_t watched; /* the tables of all slots of a write transaction */
	/* Set by the driver: what is written now is not earlier than this time; 0: any. */
	int64_t floor;
	bool unsettled; /* a write transaction has begun, and is not committed */
	/* Counts statements that write; its value when rows of each table, by its bit, and when
	 * everything may last have changed (txslot.h). */
	uint64_t writes, changed[64], changed_all;
	int64_t deadline; /* deadline of the call whose statement runs; clock_monotonic, 0: none */
	const atomic_bool *stop; /* db_set_interrupt */
	/* Set by the batch: a change that fails must not end the transaction. Engines that undo a
	 * statement alone anyway need not look. */
	bool careful;
	bool hopeful; /* db_hopeful */
	/* Set by the driver until the next transaction begins: an error of a statement has ended
	 * this one, which `careful` would have prevented; nobody knows whether it was committed. */
	bool broken, unresolved;
	bool stale; /* statements were prepared for tables that have changed since */
	bool damaged; /* the engine has found its file damaged */
	uint64_t statements;
	struct db_part *counting; /* whose last change the engine has to count; NULL: nobody's */
	uint64_t altered; /* number of changes to something other than rows */
	unsigned savepoints; /* open ones */
	struct later *later; /* changes that were put off (later.h); NULL: none ever */
	uint64_t put_off; /* how many so far */

	struct stmt *bucket[STMT_BUCKETS];
	struct stmt *latest, *oldest; /* idle statements */
	unsigned cached; /* statements in buckets, idle or not */
	unsigned busy; /* busy ones among them */

	struct buf *trace; /* NULL: not traced */
};

/* Returns an idle statement of this text, prepared if necessary, in *out; it is busy until
 * stmt_put. *again tells whether another statement of the same text is busy. */
enum db_error stmt_get(struct db *, const char *sql, struct stmt **out, bool *again);
/* Ends the statement's run and returns it to the cache. */
void stmt_put(struct stmt *);
void stmt_free_idle(struct db *);

#endif
