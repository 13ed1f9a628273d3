/*
 * pgpool.h - poolers between us and the server. One that lends a session for a single transaction
 * loses what the driver keeps in its session: prepared statements and settings.
 */
#ifndef PGPOOL_H
#define PGPOOL_H

#include "pgplace.h"
#include <libpq-fe.h>
#include <stdbool.h>

/* Connects to the server that takes writes, otherwise to a standby, whatever its version. PQstatus
 * tells whether it has. */
PGconn *pgpool_connect(const struct pg_place *);
/* Returns true unless a pooler loses what the driver keeps in a session; logs that. A place that
 * was good is not asked again at once. */
bool pgpool_good(const struct pg_place *, PGconn *);
/* Returns what a pooler on this connection loses, in words; NULL: nothing, or there is none. */
const char *pgpool_flaw(const struct pg_place *, PGconn *);

#endif
