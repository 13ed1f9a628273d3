/* lazydb.h - write connections that are opened when there is something to write. */
#ifndef CORE_LAZYDB_H
#define CORE_LAZYDB_H

#include <stdbool.h>

struct db;

/* Open it unless it is. false: the reason was logged. */
bool lazydb_open(struct db **, const char *path);
/* Nothing is to be written for a while: let go of what can be had again, of the memory, and where
 * many are open, of all. */
void lazydb_rest(struct db **);
/* Nothing is to be written any more: leave nothing in the log of the database, open or not. */
void lazydb_settle(struct db **, const char *path);
void lazydb_close(struct db **); /* NULL then */

#endif
