/*
 * pgsite.h - what the driver itself keeps in the schema of a site: site_state, whose row is the
 * state of the database and the lock of its writers; site_ddl, the statements that made its tables;
 * and functions that statements of modules use.
 */
#ifndef PGSITE_H
#define PGSITE_H

#include "pgconn.h"

/* A struct pg_state; the second locks it. */
#define PGSITE_NOW "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
#define PGSITE_COLUMNS         \
	"n, mark, generation," \
	" CASE WHEN closed > 0 AND closed > " PGSITE_NOW " THEN closed ELSE 0 END"
#define PGSITE_STATE "SELECT " PGSITE_COLUMNS " FROM site_state WHERE one"
#define PGSITE_LOCK "SELECT " PGSITE_COLUMNS ", at FROM site_state WHERE one FOR UPDATE"
#define PGSITE_MARKS 32 /* marks that site_state keeps, the newest first */

/* Returns true if the schema is that of a site. For a writer, makes a new one. Otherwise logs what
 * is wrong. `conn` is not in pipeline mode yet. */
bool pgsite_ready(struct pg_db *, PGconn *conn);

/* How many relations of this name, or with NULL of any, are in the schema; -1: the server does not
 * say. */
int pgsite_count(struct pg_db *, PGconn *conn, const char *name);
/* Makes the schema and the driver's own tables and functions, in the transaction of the caller. */
bool pgsite_define(struct pg_db *, PGconn *conn);
/* To be run after tables or columns were renamed: their defaults name them. */
extern const char pgsite_renamed[];
/* Returns true for the driver's own tables. */
bool pgsite_is_own(const char *table);

#endif
