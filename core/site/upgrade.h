/* upgrade.h - the database as it was before migrations changed it, in DATA/upgrades; and what keeps
 * a site from being served meanwhile. */
#ifndef CORE_UPGRADE_H
#define CORE_UPGRADE_H

#include "call/site.h"
#include <stdatomic.h>

#define UPGRADE_KEPT 3 /* the newest of them */

/* Make a copy, once for each time that the site is opened. false: *why, to be freed; then nothing
 * must be migrated. */
bool upgrade_copy(struct site *, char **why);

/* The process ends: no copy is made any more, no migration begun, and what runs of them is given
 * up, as if it had never begun. The next start tries again. From any thread. */
void upgrade_stop(void);
/* Was it said? For those who run something long, and look again and again. */
extern atomic_bool upgrade_stopped;

struct buf;
/* What is done to the site's tables now, for those who wait for it; NULL: nothing any more. */
void upgrade_tell(const struct site *, const char *what);
/* All that is told now, a line "site NAME: WHAT" each; false: nothing is. From any thread. */
bool upgrade_told(struct buf *);

#endif
