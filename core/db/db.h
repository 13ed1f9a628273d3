/*
 * db.h - connections to databases: opening, transactions, scripts. What an engine does for these is
 * in its driver (driver.h). A connection is used by one thread at a time.
 */
#ifndef CORE_DB_H
#define CORE_DB_H

#include <jansson.h>
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
/* The daemon's writers start, and have ended. */
void db_start(void);
void db_stop(void);

/* DB_ASIDE, for drivers that are `shared`: each statement is a transaction of its own, which waits
 * for no writer and leaves the state of the database (stamp.h) as it is. So it may change only rows
 * that nobody caches. */
enum db_mode { DB_READ, DB_WRITE, DB_ASIDE };
/* Opens the database at this place, which is the path of a file for SQLite; a writer creates it.
 * Returns NULL on error; the reason was logged. */
struct db *db_open(const char *place, enum db_mode);
/* The same, but gives up at a time (clock_monotonic, 0: when the engine does), where opening may
 * wait. */
struct db *db_open_by(const char *place, enum db_mode, int64_t by);
/* The same; *damaged tells whether it cannot be opened because of what is in the file. */
struct db *db_try(const char *place, enum db_mode, bool *damaged);
void db_close(struct db *);
/* Returns true if the state of the database there costs a round trip to another process: threads
 * must not ask for it between events. */
bool db_far(const char *place);

/* Sets the most memory for pages of the database, in KiB. A writer begins with 8,000, a reader with
 * 4,000. */
void db_set_cache(struct db *, int kib);

/* Returns true if the database can be read and is as a writer leaves it. */
bool db_alive(struct db *);

/* Releases the memory that an idle connection does not need. */
void db_release_memory(struct db *);

/* Transactions on a connection. Errors are logged and returned: INSUFFICIENT_STORAGE if the disk
 * or a quota is full, UNAVAILABLE if another process locks the database for too long, otherwise
 * FAULT. */
enum stet_status db_begin(struct db *, enum db_mode);
enum stet_status db_commit(struct db *);
void db_rollback(struct db *);
enum stet_status db_savepoint(struct db *); /* one level */
enum stet_status db_release(struct db *);
enum stet_status db_rollback_savepoint(struct db *);
/* Keeps or undoes what was written since the savepoint. Fails if the engine has rolled back the
 * whole transaction by itself. */
enum stet_status db_savepoint_end(struct db *, bool keep);
bool db_in_transaction(struct db *); /* false also after the engine rolled back by itself */
/* From now on, a change that fails leaves the transaction as it was before. Otherwise an error may
 * end it: that is faster with some engines. */
void db_careful(struct db *, bool);
/* From now on, names may count as free without a question (stet_free_name), where the answer is a
 * round trip away: a UNIQUE index refuses one that is not, and all jobs run again without hope. */
void db_hopeful(struct db *, bool);
/* An error has ended the last transaction, and would not have if it had been careful. */
bool db_broken(const struct db *);
/* Whether the last transaction was committed could not be found out. */
bool db_unresolved(const struct db *);
/* The time that others have reached who have written to the database before, in milliseconds since
 * 1970, if the clock of this machine is behind them; 0: not known. */
int64_t db_floor(const struct db *);
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
 * Otherwise only in pages that are written anyway. */
void db_overwrite(struct db *, bool all);

/* What is committed on this connection from now on may be lost if the machine fails; the database
 * stays whole. For what can be made again. */
void db_relax(struct db *);

/* What a connection that writes needs besides: after a batch; when its site has been idle, where
 * false means that work goes on, and it is to be asked again later; the same at once and in this
 * thread; and after the last write, so that the database is one file. */
void db_tend(struct db *);
bool db_rest(struct db *);
void db_idle(struct db *);
void db_settle(struct db *);
/* The number of bytes that db_settle would move into the database. */
uint64_t db_log_size(const char *place);
/* What administrators see of a database, on a connection of its own: an object with the members of
 * stet_database (<stet/daemons.h>), and `findings`, an array of {check, grade, text, advice} as
 * `stet doctor` shows them. NULL: it cannot be reached, and *why, which the caller frees, is the
 * reason. */
json_t *db_describe(const char *place, char **why);

/* The number of statements that calls have run on this connection. */
uint64_t db_statement_count(const struct db *);
/* For tests: the texts of the statements prepared since the last call, each with its query plan
 * in indented lines. The caller frees it. NULL unless STET_SQL_TRACE is set in the environment. */
char *db_trace_take(struct db *);

#endif
