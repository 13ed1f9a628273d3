/* upgrade.h - the database as it was before migrations changed it, in DATA/upgrades. */
#ifndef CORE_UPGRADE_H
#define CORE_UPGRADE_H

#include "site.h"

#define UPGRADE_KEPT 3 /* the newest of them */

/* Make a copy, once for each time that the site is opened. false: *why, to be freed; then nothing
 * must be migrated. */
bool upgrade_copy(struct site *, char **why);

#endif
