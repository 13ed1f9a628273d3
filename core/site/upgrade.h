/*
 * upgrade.h - copies of the database from before migrations, in DATA/upgrades, and what delays a
 * site while it is migrated.
 */
#ifndef CORE_UPGRADE_H
#define CORE_UPGRADE_H

#include "call/site.h"
#include <stdatomic.h>

#define UPGRADE_KEPT 3 /* the newest copies are kept */

/* Copies the database, once per opening of the site. Returns false with *why, to be freed; then
 * no migration may run. */
bool upgrade_copy(struct site *, char **why);
/* Migrations of a module have ended, some of them applied or none. Removes the copy while none was
 * applied at all, which would take the place of an earlier one at each attempt; otherwise the
 * oldest ones go. */
void upgrade_ended(struct site *, bool applied);

/* The process ends: no copy and no migration begins any more, and running ones are interrupted
 * and rolled back. The next start tries again. Any thread. */
void upgrade_stop(void);
/* True after upgrade_stop; for loops that take long. */
extern atomic_bool upgrade_stopped;

struct buf;
/* Sets what is being done to the site's tables, for those who wait for the site; NULL: done. */
void upgrade_tell(const struct site *, const char *what);
/* Appends a line "site NAME: WHAT" for each site that is being migrated. Returns false if there
 * is none. Any thread. */
bool upgrade_told(struct buf *);

#endif
