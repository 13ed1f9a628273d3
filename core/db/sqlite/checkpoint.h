/*
 * checkpoint.h - when the write-ahead log (WAL) of a database is copied into the database file, and
 * restarted from its beginning (sqlite.org/wal.html). Used by the writer of the database.
 */
#ifndef CORE_DB_CHECKPOINT_H
#define CORE_DB_CHECKPOINT_H

#include "db/sqlite/liteconn.h"

/* Returns true if the log holds so many pages that the database lacks that a checkpoint should run.
 */
bool checkpoint_full(const struct sqlite_db *);
/* The same test after a commit. If readers keep checkpoints from finishing, logs that now and
 * then. */
bool checkpoint_due(const struct sqlite_db *);
/* Tells this connection that another one has copied `done` pages of the log. The log is started
 * over once no reader needs its end. */
void checkpoint_copied(struct sqlite_db *, int done);
/* The writer is idle: copies the log on this connection if that is worth the cost. */
void checkpoint_idle(struct sqlite_db *);
/* The size in bytes of a database's log file, or 0 if there is none. */
uint64_t checkpoint_log_size(const char *path);
/* The number of pages in the log after the last commit. */
int checkpoint_log_pages(const struct sqlite_db *);
/* Copies all of the log and truncates it, unless readers prevent that. */
void checkpoint_empty_log(struct sqlite_db *);

#endif
