/* pgdial.h - connects to a server. */
#ifndef PGDIAL_H
#define PGDIAL_H

#include "pgconn.h"

/* Returns a connection that can be used, or NULL after the reason was logged. */
PGconn *pgdial(struct pg_db *);
/* Connects to the server that takes writes, otherwise to a standby, whatever its version, by a time
 * (clock_monotonic). PQstatus tells whether it has. */
PGconn *pgdial_any(const struct pg_place *, int64_t by);

#endif
