/*
 * stmt.h - a connection and its prepared statements. Only db.c, checkpoint.c, stmt.c and rows.c
 * look inside; a connection, and all that hangs on it, is used by one thread at a time.
 */
#ifndef CORE_STMT_H
#define CORE_STMT_H

#include "base/arena.h"
#include "base/buf.h"
#include "db/db.h"
#include "db/stamp.h"
#include <sqlite3.h>

#define DB_BUSY_MS 10000 /* for another process that writes */
#define STMT_CACHE_MAX 256
#define STMT_BUCKETS 128 /* a power of two */

/* A prepared statement. Idle ones are in order of their last use; those in use hang on their call.
 */
struct stmt {
	struct stmt *chain; /* others of its bucket */
	struct stmt *prev, *next; /* idle: db->latest …; in use: call->open … */
	struct db *db;
	sqlite3_stmt *handle;
	struct kept *kept; /* rows.c: not a statement but a row that outlives its statement */
	uint64_t hash;
	size_t len;
	bool busy;
	bool alters; /* it changes something that is no row */
	int64_t took; /* microseconds that its steps have taken since it was taken from the cache */
	uint64_t rows; /* that they gave */
	char *sql; /* behind it */
};

/* What the core itself says to SQLite, prepared once a connection. */
enum db_word {
	DB_BEGIN,
	DB_BEGIN_IMMEDIATE,
	DB_COMMIT,
	DB_ROLLBACK,
	DB_SAVEPOINT,
	DB_RELEASE,
	DB_ROLLBACK_TO,
	DB_DATA_VERSION,
	DB_WORDS
};

#define DB_SLOTS 8

/* What a module remembers with a snapshot. */
struct db_slot {
	const void *key;
	void *value;
};

struct db {
	sqlite3 *handle;
	char *path;
	enum db_mode mode;
	bool trusted; /* while our own words run: the authorizer lets them pass */
	/* The plugin whose SQL is prepared, which may change tables of its own only; NULL: none. */
	const char *plugin;
	bool renames; /* what is being prepared renames a table */
	bool denied; /* it was refused because of `plugin` */
	struct stet_call *reading; /* the call that reads; its read transaction has begun */
	/* The read transaction (snapshot.c): its age; the site's commits and the state of the
	 * database just before it began; what hangs on it; held while it is between two calls. */
	int64_t since; /* clock_monotonic_us */
	uint64_t commits;
	struct stamp stamp;
	bool stamped; /* the state could be told */
	bool held;
	struct db *next_held;
	struct arena memory;
	struct call_defer *defers;
	unsigned slots;
	struct db_slot slot[DB_SLOTS];
	int64_t deadline; /* of the call whose statement runs; clock_monotonic, 0: none */
	const atomic_bool *stop; /* db_set_interrupt */
	uint64_t statements;
	uint64_t altered; /* times that something was changed that is no row */
	sqlite3_stmt *word[DB_WORDS];

	struct stmt *bucket[STMT_BUCKETS];
	struct stmt *latest, *oldest; /* idle statements */
	unsigned cached; /* statements in buckets, idle or not */
	unsigned busy; /* of these, in use */

	const volatile uint32_t *index; /* of the log (stamp.c); NULL: not mapped yet */
	int wal_pages; /* in the log after the last commit */
	int wal_done; /* of these, copied into the database */
	int wal_next; /* a checkpoint is tried again when the log has so many */

	struct buf *trace; /* NULL: not traced */
};

/* A statement for this text that nobody uses, prepared if need be; it is busy until stmt_put. NULL:
 * see sqlite3_errcode; SQLITE_OK means that the text is not one statement. *again tells whether
 * another one of the same text is in use. */
struct stmt *stmt_get(struct db *, const char *sql, bool *again);
/* sqlite3_prepare_v3, and the rules for the tables of db->plugin. */
int stmt_prepare(
    struct db *, const char *sql, int size, unsigned flags, sqlite3_stmt **, const char **tail);
/* Why the last stmt_prepare failed, in words. */
const char *stmt_error(const struct db *);
/* Reset it and keep it for the next user. */
void stmt_put(struct stmt *);
void stmt_free_idle(struct db *);
/* One of our own words: SQLite's result code, SQLITE_OK on success. */
int db_say(struct db *, enum db_word);
/* What an (extended) result code of this connection means: CONFLICT for a key that is taken,
 * REQUEST_TIMEOUT for an interrupt, INSUFFICIENT_STORAGE, UNAVAILABLE for a database that another
 * process keeps; FAULT for the rest. Nothing is logged. */
enum stet_status db_status(struct db *, int rc);

#endif
