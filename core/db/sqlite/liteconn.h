/*
 * liteconn.h - a connection of SQLite. Only files of this folder use the members; tests take the
 * handle.
 *
 * Only SQLite may open and close the database file in this process: closing any descriptor of the
 * file drops all POSIX locks of the process on it, SQLite's included (fcntl(2)).
 */
#ifndef CORE_DB_LITECONN_H
#define CORE_DB_LITECONN_H

#include "base/buf.h"
#include "db/sqlite/checkpointer.h"
#include "db/sqlite/extension.h"
#include "db/stmt.h"
#include <sqlite3.h>

#define LITECONN_BUSY_MS 10000 /* how long to wait for another process that writes */

/* Statements of the core itself, prepared once per connection. */
enum lite_word {
	LITE_BEGIN,
	LITE_BEGIN_IMMEDIATE,
	LITE_COMMIT,
	LITE_ROLLBACK,
	LITE_SAVEPOINT,
	LITE_RELEASE,
	LITE_ROLLBACK_TO,
	LITE_DATA_VERSION,
	LITE_WORDS
};

struct sqlite_db {
	struct db db;
	sqlite3 *handle;
	bool trusted; /* true while the core's own statements run: the authorizer allows them */
	bool renames; /* the statement being prepared renames a table */
	uint64_t writes; /* tables that the statement being prepared writes (txslot.h) */
	bool denied; /* the statement was refused because of db.plugin */
	int rc; /* the (extended) result code of the last error */
	const char *why; /* what SQLite does not say of it; NULL: its own words */
	struct buf said; /* the words of litecode_message */
	sqlite3_stmt *word[LITE_WORDS];
	unsigned left; /* the number of the database's version after the last commit (litetx.c) */
	struct extensions extensions; /* extensions of modules */

	const volatile uint32_t *index; /* the WAL's index (litestate.c); NULL: not mapped yet */
	int wal_pages; /* in the log after the last commit */
	int wal_done; /* frames of the WAL that are copied into the database */
	int wal_next; /* a restart is tried again when the WAL has so many pages */
	int wal_asked; /* pages in the log when the last checkpoint was asked for */
	struct checkpoint checkpoint;
};

static inline struct sqlite_db *
liteconn(struct db *db)
{
	return (struct sqlite_db *)db;
}

void liteconn_init(void);
bool liteconn_open(struct db *);
void liteconn_close(struct db *);
void liteconn_erase(const char *path);
void liteconn_release_memory(struct db *);
bool liteconn_alive(struct db *);
void liteconn_set_cache(struct db *, int kib);
void liteconn_overwrite(struct db *, bool all);
void liteconn_relax(struct db *);
/* Runs a PRAGMA that statements of calls may not. Returns SQLite's result code. */
int liteconn_pragma(struct sqlite_db *, const char *pragma);

#endif
