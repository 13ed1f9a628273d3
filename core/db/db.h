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

/* Statements that take so long (milliseconds) are told in the log; 0: none. */
void db_slow(int64_t ms);
/* Once per process, before the first connection. */
void db_global_init(void);

enum db_mode { DB_READ, DB_WRITE };
/* Open `path` with our pragmas (a writer creates it). NULL: the reason was logged. */
struct db *db_open(const char *path, enum db_mode);
void db_close(struct db *);

/* Can it be read, and is it in the mode of a write-ahead log, as a writer leaves it? */
bool db_in_wal(struct db *);

/* Let go of the memory that a connection can do without until it is used again. */
void db_cool(struct db *);

/* This thread's read connection to the site, opened on first use. NULL: the reason was logged. */
struct db *db_reader(struct site *);
/* This thread keeps few: there are several of its kind, and what they do may take its time. */
void db_readers_few(void);
/* Close this thread's connections: to one site, or all (NULL). A thread that ends does so itself.
 */
void db_reader_close(struct site *);
/* The site is going: this thread's connection closes now, those of others when they next ask for
 * any. */
void db_retire(struct site *);

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

/* Let go of the statements that this call left open. */
void db_rows_end(struct stet_call *);
/* The same, and end the read transaction it began. */
void db_call_end(struct stet_call *);

/* Statements that run on this connection end as overdue ones do once *stop is true; NULL: nobody
 * says so. */
void db_heed(struct db *, const atomic_bool *stop);

/* Run several statements of SQL (migrations). Transactions are the caller's: SQL that begins or
 * ends one is refused. *why is to be freed. */
enum stet_status db_script(struct db *, const char *sql, char **why);

/* Is so much of the log not in the database, as far as is known, that it is to be copied? */
bool db_log_full(const struct db *);
/* Likewise, after a commit; when readers stand in the way of that it is told now and then. */
bool db_checkpoint_due(const struct db *);
/* Another connection has copied so many of its pages. The log is started over when no reader needs
 * its end any more. */
void db_checkpointed(struct db *, int done);
/* When the writer has nothing to do: copy on this connection, if it is worth it. */
void db_checkpoint_idle(struct db *);
/* Bytes of the log's file of a database; 0: there is none. */
uint64_t db_log_size(const char *path);
/* Pages of the log, after the last commit. */
int db_log_pages(const struct db *);
/* Copy all of the log, and leave it empty; unless readers stand in the way. */
void db_empty_log(struct db *);
/* Statements that calls ran on this connection so far. */
uint64_t db_statement_count(const struct db *);
/* The texts of the statements prepared since the last call of this, each followed by its query plan
 * in indented lines; to be freed. NULL unless the environment variable STET_SQL_TRACE is set. */
char *db_trace_take(struct db *);

#endif
