/* pgwait.h - waiting for a server, bounded in time: it may hang, or the network may swallow all. */
#ifndef PGWAIT_H
#define PGWAIT_H

#include "pgconn.h"

/* Waits until a result of `conn` can be read. Returns false if the connection is lost, or if no
 * answer came until c->until. Cancels the statement of c->conn if its call is over. */
bool pgwait_arrive(struct pg_db *, PGconn *);
/* How many milliseconds something may take: c->place.timeout_ms, but not longer than c->until. */
int pgwait_left(const struct pg_db *);
/* Runs SQL outside of pipeline mode, with `n` text values or, if that is 0, as several statements.
 * Returns the last result, or NULL: the connection is lost, or the time is over. */
PGresult *pgwait_run(struct pg_db *, PGconn *, const char *sql, int n, const char *const *values);

/* Until when what begins now may wait (clock_monotonic). */
int64_t pgwait_until(const struct pg_db *);

#endif
