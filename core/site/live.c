/*
 * live.c - whether daemons serve a site. The lock of the data directory tells it of the daemon that
 * has this directory. Daemons of a site in PostgreSQL may be on other machines, too; those note
 * themselves in site_node (work/node.h).
 */
#include "site/live.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include "conf/confdatabase.h"
#include "db/ask.h"
#include "db/driver.h"
#include "work/node.h"
#include <stdlib.h>
#include <unistd.h>

static void
take_names(void *names, const char *const *column)
{
	*(char **)names = column[0] != NULL ? xstrdup(column[0]) : NULL;
}

/* See site_others_live. */
static bool
others_live(const char *place, char **why)
{
	const struct db_driver *driver = db_driver_of(place);
	char *sql, *names = NULL;
	bool has = false, good;

	if (driver == NULL || !driver->shared || db_there(place) == DB_NOT_THERE)
		return false;
	if (!db_ask_table(place, "site_node", &has, why))
		return true;
	if (!has)
		return false;
	sql = words_format("SELECT MIN(name) FROM site_node WHERE ABS(seen - %s) <= %d",
	    driver->clock, NODE_LIVES_MS);
	good = db_ask(place, sql, 1, take_names, &names, why);
	free(sql);
	if (good && names != NULL)
		*why = words_format("the daemon %s serves the site: stop it first (one that was"
				    " killed counts for %d seconds)",
		    names, NODE_LIVES_MS / 1000);
	free(names);
	return !good || *why != NULL;
}

bool
site_others_live(const struct conf_site *site, char **why)
{
	char *place = confdatabase_place(site);
	bool live = others_live(place, why);

	free(place);
	return live;
}

bool
site_daemons_live(const struct conf_site *site, int *lock, char **why)
{
	bool live = site_others_live(site, why);

	*lock = -1;
	/* There is nothing to lock before the first daemon has made the directory. */
	if (live || access(site->data, F_OK) != 0)
		return live;
	*lock = dir_lock(site->data, why);
	return *lock < 0;
}
