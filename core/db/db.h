/*
 * db.h - SQLite connections: opening, transactions, scripts.
 *
 * A connection is used by one thread at a time. Only SQLite may open and close the database file in
 * this process: closing any descriptor of the file drops all POSIX locks of the process on it,
 * SQLite's included (fcntl(2)).
 */
#ifndef CORE_DB_H
#define CORE_DB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/sql.h>

struct site;
struct db;
struct stet_call;

/* To be called once per process, before the first connection. */
void db_global_init(void);

enum db_mode { DB_READ, DB_WRITE };
/* Opens `path` with our pragmas; a writer creates the file. Returns NULL on error; the reason was
 * logged. */
struct db *db_open(const char *path, enum db_mode);
void db_close(struct db *);

/* Sets the most memory for pages of the database, in KiB. A writer begins with 8,000, a reader with
 * 4,000. */
void db_set_cache(struct db *, int kib);

/* Returns true if the database can be read and is in WAL mode, as a writer leaves it. */
bool db_in_wal(struct db *);

/* Releases the memory that an idle connection does not need. */
void db_release_memory(struct db *);

/* Transactions on a connection. Errors are logged and returned: INSUFFICIENT_STORAGE if the disk
 * or a quota is full, UNAVAILABLE if another process locks the database for too long, otherwise
 * FAULT. */
enum stet_status db_begin(struct db *, bool immediate);
enum stet_status db_commit(struct db *);
void db_rollback(struct db *);
enum stet_status db_savepoint(struct db *); /* one level */
enum stet_status db_release(struct db *);
enum stet_status db_rollback_savepoint(struct db *);
/* Keeps or undoes what was written since the savepoint. Fails if SQLite has rolled back the whole
 * transaction by itself. */
enum stet_status db_savepoint_end(struct db *, bool keep);
/* Returns SQLite's data_version, which changes when another connection has committed: that of the
 * open transaction, or the current one. -1: it cannot be read. */
int64_t db_data_version(struct db *);
bool db_in_transaction(struct db *); /* false also after SQLite rolled back by itself */
/* A number that grows with everything written on this connection, also inside a transaction. */
uint64_t db_written(struct db *);

/* From now on, statements on this connection are interrupted once *stop is true. NULL: never. */
void db_set_interrupt(struct db *, const atomic_bool *stop);

/* From now on, SQL prepared on this connection is that of this plugin, which may create, change
 * and drop only its own tables (own.h). NULL: SQL of the core or of a bundled module. */
void db_set_plugin(struct db *, const char *name);

/* Runs several SQL statements (migrations). The caller has begun a transaction; statements that
 * begin or end one are refused. On error *why is set, which the caller frees. */
enum stet_status db_script(struct db *, const char *sql, char **why);

/* With `all`, deleted content is overwritten everywhere, also in pages that become free.
 * Otherwise only in pages that are written anyway (PRAGMA secure_delete = FAST). */
void db_overwrite(struct db *, bool all);

/* The number of statements that calls have run on this connection. */
uint64_t db_statement_count(const struct db *);
/* For tests: the texts of the statements prepared since the last call, each with its query plan
 * in indented lines. The caller frees it. NULL unless STET_SQL_TRACE is set in the environment. */
char *db_trace_take(struct db *);

#endif
