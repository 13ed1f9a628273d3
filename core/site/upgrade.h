/*
 * upgrade.h - copies of the database made before migrations, in DATA/upgrades, and progress reports
 * while a site is migrated.
 */
#ifndef CORE_UPGRADE_H
#define CORE_UPGRADE_H

#include "call/site.h"
#include <stdatomic.h>

#define UPGRADE_KEPT 3 /* the newest copies are kept */

/* Copies the database, once per opening of the site. Returns false with *why, to be freed; then
 * no migration may run. */
bool upgrade_copy(struct site *, char **why);
/* Call it after the migrations of a module. `applied`: some were applied. If none was applied since
 * the copy, removes it, so that failed attempts do not displace earlier copies; otherwise removes
 * the oldest copies. */
void upgrade_ended(struct site *, bool applied);

/* The process ends: no copy and no migration begins any more, and running ones are interrupted
 * and rolled back. The next start tries again. Any thread. */
void upgrade_stop(void);
/* True after upgrade_stop; for loops that take long. */
extern atomic_bool upgrade_stopped;

struct buf;
/* Sets the text of what is being done to the site's tables, for waiting users; NULL: done. */
void upgrade_tell(const struct site *, const char *what);
/* Appends a line "site NAME: WHAT" for each site that is being migrated. Returns false if there
 * is none. Any thread. */
bool upgrade_told(struct buf *);

#endif
