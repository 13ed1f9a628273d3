/*
 * lazydb.h - write connections that are opened when there is something to write. With many sites,
 * idle ones keep no connection.
 */
#ifndef CORE_LAZYDB_H
#define CORE_LAZYDB_H

#include <stdbool.h>

struct db;

/* Opens the connection if it is not open. Returns false on error; the reason was logged. */
bool lazydb_open(struct db **, const char *path);
/* The site is idle: does what waits (db_idle) and releases memory. If many sites have open
 * connections, closes this one. */
void lazydb_rest(struct db **);
/* The last write is done: leaves the database as one file (db_settle), opening the connection for
 * that if necessary. */
void lazydb_settle(struct db **, const char *path);
void lazydb_close(struct db **); /* sets it to NULL */

#endif
