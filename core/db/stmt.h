/*
 * stmt.h - a connection and its prepared statements. Only db.c, checkpoint.c, stmt.c, rows.c and
 * files of this room use the members. A connection and everything that belongs to it is used by one
 * thread at a time.
 */
#ifndef CORE_STMT_H
#define CORE_STMT_H

#include "base/arena.h"
#include "base/buf.h"
#include "db/db.h"
#include "db/extension.h"
#include "db/stamp.h"
#include <sqlite3.h>

#define DB_BUSY_MS 10000 /* how long to wait for another process that writes */
#define STMT_CACHE_MAX 256
#define STMT_BUCKETS 128 /* a power of two */

/* A prepared statement. Idle ones form a list in order of their last use; busy ones are in the
 * list of their call. */
struct stmt {
	struct stmt *chain; /* the next of its hash bucket */
	struct stmt *prev, *next; /* idle: from db->latest; busy: from db_part(call)->open */
	struct db *db;
	sqlite3_stmt *handle;
	struct kept *kept; /* rows.c: not a statement but a copied row */
	uint64_t hash;
	size_t len;
	bool busy;
	bool alters; /* changes something other than rows, such as a table */
	int64_t took; /* microseconds that its steps have taken since it was started */
	uint64_t rows; /* rows that it has returned */
	char *sql; /* the text; stored behind the structure */
};

/* Statements of the core itself, prepared once per connection. */
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

/* A value that a module caches with a snapshot. */
struct db_slot {
	const void *key;
	void *value;
};

struct db {
	sqlite3 *handle;
	char *path;
	enum db_mode mode;
	bool trusted; /* true while the core's own statements run: the authorizer allows them */
	/* The plugin whose SQL is being prepared; NULL: none. */
	const char *plugin;
	bool renames; /* the statement being prepared renames a table */
	bool denied; /* the statement was refused because of `plugin` */
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
	struct arena memory;
	struct call_defer *defers;
	unsigned slots;
	struct db_slot slot[DB_SLOTS];
	int64_t deadline; /* deadline of the call whose statement runs; clock_monotonic, 0: none */
	const atomic_bool *stop; /* db_set_interrupt */
	uint64_t statements;
	uint64_t altered; /* number of changes to something other than rows */
	sqlite3_stmt *word[DB_WORDS];

	struct stmt *bucket[STMT_BUCKETS];
	struct stmt *latest, *oldest; /* idle statements */
	unsigned cached; /* statements in buckets, idle or not */
	unsigned busy; /* busy ones among them */

	struct extensions extensions; /* extensions of modules */

	const volatile uint32_t *index; /* the WAL's index (stamp.c); NULL: not mapped yet */
	int wal_pages; /* in the log after the last commit */
	int wal_done; /* frames of the WAL that are copied into the database */
	int wal_next; /* a restart is tried again when the WAL has so many pages */

	struct buf *trace; /* NULL: not traced */
};

/* Returns an idle statement of this text, prepared if necessary; it is busy until stmt_put.
 * Returns NULL on error: see sqlite3_errcode, where SQLITE_OK means that the text is not exactly
 * one statement. *again tells whether another statement of the same text is busy. */
struct stmt *stmt_get(struct db *, const char *sql, bool *again);
/* sqlite3_prepare_v3 with the rules for tables of db->plugin. */
int stmt_prepare(
    struct db *, const char *sql, int size, unsigned flags, sqlite3_stmt **, const char **tail);
/* The reason in words why the last stmt_prepare failed. */
const char *stmt_error(const struct db *);
/* Resets the statement and returns it to the cache. */
void stmt_put(struct stmt *);
void stmt_free_idle(struct db *);
/* Runs one of the core's own statements. Returns SQLite's result code, SQLITE_OK on success. */
int db_say(struct db *, enum db_word);
/* Converts an (extended) result code to a status: CONFLICT for a key that exists, REQUEST_TIMEOUT
 * for an interrupt, INSUFFICIENT_STORAGE, UNAVAILABLE for a database that another process locks,
 * FAULT for all others. Logs nothing. */
enum stet_status db_status(struct db *, int rc);

#endif
