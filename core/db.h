/*
 * db.h - SQLite connections, statement caches, rows. The only file besides writer.c and migrate.c
 * that sees sqlite3.h. A connection is used by one thread at a time.
 */
#ifndef CORE_DB_H
#define CORE_DB_H

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

/* This thread's read connection to the site, opened on first use. NULL: the reason was logged. */
struct db *db_reader(struct site *);
/* Close this thread's connections: to one site, or all (NULL). */
void db_reader_close(struct site *);

/* Transactions on a connection. Faults are logged and returned as STET_FAULT, or
 * STET_INSUFFICIENT_STORAGE when the disk or quota is full. */
enum stet_status db_begin(struct db *, bool immediate);
enum stet_status db_commit(struct db *);
void db_rollback(struct db *);
enum stet_status db_savepoint(struct db *); /* one level */
enum stet_status db_release(struct db *);
enum stet_status db_rollback_savepoint(struct db *);
bool db_in_transaction(struct db *); /* false after SQLite rolled back by itself */

/* Let go of the statements that this call left open, and end the read transaction it began. */
void db_call_end(struct stet_call *);

/* Run several statements of SQL (migrations). */
enum stet_status db_script(struct db *, const char *sql, char **why);
/* Checkpoint policy: to be called when the writer has nothing to do (idle), or after a commit. */
void db_checkpoint(struct db *, bool idle);
/* The statement texts prepared on this connection since the last call, for snapshot tests; and for
 * each its EXPLAIN QUERY PLAN. NULL unless the environment variable STET_SQL_TRACE is set. */
uint64_t db_statement_count(struct db *); /* statements run so far */

#endif
