/* live.h - whether daemons serve a site: for commands that must be alone with it. */
#ifndef CORE_SITE_LIVE_H
#define CORE_SITE_LIVE_H

#include "conf/conf.h"

/* Returns true, with *why to be freed, if a daemon has the site open. *lock is then -1; otherwise
 * it keeps daemons of this data directory from starting until it is closed. */
bool site_daemons_live(const struct conf_site *, int *lock, char **why);

/* Returns true, with *why to be freed, if daemons of any machine have noted in the database that
 * they serve the site, or that cannot be found out. */
bool site_others_live(const struct conf_site *, char **why);

#endif
