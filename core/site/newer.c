/*
 * newer.c - has a newer version of this program changed the database while the site is open? Where
 * others use the database, a daemon that finds this ends: it would misread what they write.
 */
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "db/common.h"
#include "db/rows.h"
#include "site/migrate.h"
#include "work/watch.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_MS 2000

/* Returns true for the core and for the bundled modules that the site uses. A plugin of another
 * version is left out by itself (compile.c). */
static bool
counts(const struct stet_call *call, const char *module)
{
	if (strcmp(module, "core") == 0)
		return true;
	for (size_t i = 0; i < call->gen->module_count; i++)
		if (strcmp(call->gen->module[i]->m.name, module) == 0)
			return call->gen->module[i]->bundled;
	return false;
}

static char *
look(struct stet_call *call)
{
	struct stet_rows rows;
	char *why = NULL;

	if (call->gen == NULL ||
	    stet_query(call, &rows, "SELECT module, version, digest FROM migration",
		STET_NO_ARGS) != STET_OK)
		return NULL;
	while (why == NULL && stet_row(&rows))
		if (counts(call, stet_col_str(&rows, 0)))
			why = migrate_refusal(stet_col_str(&rows, 0), stet_col_int(&rows, 1),
			    stet_col_str(&rows, 2), &(bool){ false });
	(void)!stet_rows_end(&rows);
	return why;
}

char *
migrate_newer(struct site *site)
{
	struct stet_call *call = call_new();
	char *why;

	call_enter(call, site);
	why = look(call);
	rows_end_call(call);
	call_free(call);
	return why;
}

/* Each migration raises the number of what daemons have in common (common_renew). */
static void
heard(struct site *site, const struct stamp *state)
{
	struct db_common common;

	if (!common_of(site, state, &common) || common.generation == site->journal.at)
		return;
	site->journal.at = common.generation;
	site->journal.due = true;
}

static void
beat(struct site *site)
{
	static atomic_bool ends;
	struct stet_call *call;
	char *why;

	if (!site->journal.due || atomic_load(&ends) || (call = watch_begin(site)) == NULL)
		return;
	why = look(call);
	site->journal.due = call->error.status != STET_OK;
	watch_end(call);
	if (why == NULL)
		return;
	log_line(STET_ERROR, "site %s: %s. This daemon ends", site_name(site), why);
	free(why);
	atomic_store(&ends, true);
	(void)kill(getpid(), SIGTERM); /* as when its administrator stops it */
}

static struct watch_beat newer = { .every_ms = LOOK_MS, .beat = beat, .heard = heard };

WATCH_BEAT_ADD(newer)
