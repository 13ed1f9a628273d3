/*
 * live.c - whether daemons serve a site. The lock of the data directory tells it of the daemon that
 * has this directory. A site in PostgreSQL may have daemons on other machines, of which nothing
 * here knows: what needs to be alone with it also looks whether its state changes (stamp.h).
 */
#include "site/live.h"
#include "base/dir.h"
#include <unistd.h>

bool
site_daemons_live(const struct conf_site *site, int *lock, char **why)
{
	*lock = -1;
	/* There is nothing to lock before the first daemon has made the directory. */
	if (access(site->data, F_OK) != 0)
		return false;
	*lock = dir_lock(site->data, why);
	return *lock < 0;
}
