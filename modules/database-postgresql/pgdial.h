/* pgdial.h - connects to a server. */
#ifndef PGDIAL_H
#define PGDIAL_H

#include "pgconn.h"

/* Returns a connection that can be used, or NULL after the reason was logged. */
PGconn *pgdial(struct pg_db *);

#endif
