/*
 * db.h - SQLite connections: how they are opened, one for each thread and site, transactions,
 * checkpoints. A connection is used by one thread at a time. Nobody but SQLite may open and close a
 * database file in this process: POSIX would drop SQLite's locks with it.
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

/* Once per process, before the first connection. */
void db_global_init(void);

enum db_mode { DB_READ, DB_WRITE };
/* Open `path` with our pragmas (a writer creates it). NULL: the reason was logged. */
struct db *db_open(const char *path, enum db_mode);
void db_close(struct db *);

/* Can it be read, and is it in the mode of a write-ahead log, as a writer leaves it? */
bool db_in_wal(struct db *);

/* Releases the memory that an idle connection does not need. */
void db_release_memory(struct db *);

/* Transactions on a connection. Faults are logged and returned as STET_FAULT,
 * STET_INSUFFICIENT_STORAGE when the disk or quota is full, STET_UNAVAILABLE when another process
 * keeps the database. */
enum stet_status db_begin(struct db *, bool immediate);
enum stet_status db_commit(struct db *);
void db_rollback(struct db *);
enum stet_status db_savepoint(struct db *); /* one level */
enum stet_status db_release(struct db *);
enum stet_status db_rollback_savepoint(struct db *);
/* Changes when another connection has committed: of the transaction that is open, or now. -1: it
 * cannot be told. */
int64_t db_data_version(struct db *);
bool db_in_transaction(struct db *); /* false after SQLite rolled back by itself */
/* Grows with whatever is written, inside a transaction too. */
uint64_t db_written(struct db *);

/* Statements on this connection end as overdue ones do once *stop is true. NULL: no such flag. */
void db_set_interrupt(struct db *, const atomic_bool *stop);

/* What is prepared from now on is SQL of this plugin: it may create, change and drop tables of its
 * own only (own.h). NULL: that of the core or of a bundled module. */
void db_set_plugin(struct db *, const char *name);

/* Run several statements of SQL (migrations). Transactions are the caller's: SQL that begins or
 * ends one is refused. *why is to be freed. */
enum stet_status db_script(struct db *, const char *sql, char **why);

/* Overwrite what is deleted wherever it was, also in pages that become free; otherwise, as ever,
 * only in pages that are written anyway. */
void db_overwrite(struct db *, bool all);

/* Statements that calls ran on this connection so far. */
uint64_t db_statement_count(const struct db *);
/* The texts of the statements prepared since the last call of this, each followed by its query plan
 * in indented lines; to be freed. NULL unless the environment variable STET_SQL_TRACE is set. */
char *db_trace_take(struct db *);

#endif
