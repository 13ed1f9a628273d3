/*
 * pgpool.h - poolers between us and the server. One that lends a session for a single transaction
 * loses what the driver keeps in its session: prepared statements and settings.
 */
#ifndef PGPOOL_H
#define PGPOOL_H

#include "pgconn.h"

/* Returns true if a pooler loses nothing of what the driver keeps in a session, or if there is
 * none; otherwise logs what. A place that was good is not asked again. */
bool pgpool_good(struct pg_db *, PGconn *);
/* Returns what a pooler on this connection loses, in words; NULL: nothing, or there is none. Takes
 * no longer than connecting may. */
const char *pgpool_flaw(struct pg_db *, PGconn *);

#endif
