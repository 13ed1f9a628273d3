/*
 * pgsite.h - what the driver itself keeps in the schema of a site: site_state, whose row is the
 * state of the database and the lock of its writers; site_ddl, the statements that made its tables;
 * and functions that statements of modules use.
 */
#ifndef PGSITE_H
#define PGSITE_H

#include "pgconn.h"

/* n and mark of the last transaction that wrote; the second locks it. */
#define PGSITE_STATE "SELECT n, mark FROM site_state"
#define PGSITE_LOCK "SELECT n, mark FROM site_state FOR UPDATE"
#define PGSITE_MARKS 32 /* marks that site_state keeps, the newest first */

/* Returns true if the schema is that of a site. For a writer, makes a new one. Otherwise logs what
 * is wrong. `conn` is not in pipeline mode yet. */
bool pgsite_ready(struct pg_db *, PGconn *conn);

#endif
