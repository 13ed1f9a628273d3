/* doctor_engine.c - what the engine of a site's database finds wrong with it. */
#include "base/words.h"
#include "command/doctor.h"
#include "conf/confdatabase.h"
#include "db/ask.h"
#include "db/db.h"
#include "db/driver.h"
#include "work/node.h"
#include <stdlib.h>
#include <string.h>

#define LAG_MAX 1024 /* changes; a search applies so many itself */
#define BESIDE 2 /* connections of a daemon that do not read: a writer, and one that listens */

/* All daemons together must find room on the server. */
static void
check_connections(struct doctor *d, const json_t *facts)
{
	json_int_t most = json_integer_value(json_object_get(facts, "maxConnections"));
	json_int_t each = d->site->database_connections + BESIDE;

	if (most > 0 && 2 * each > most)
		doctor_say(d, "connections", STET_WARNING,
		    "Raise max_connections there, or lower database-connections here: two daemons"
		    " need twice as many while one is replaced.",
		    "the server takes %lld connections, and each daemon opens up to %lld",
		    (long long)most, (long long)each);
	else if (most > 0)
		doctor_say(d, "connections", STET_FINE, NULL,
		    "%lld for each daemon: the server takes %lld, enough for %lld daemons",
		    (long long)each, (long long)most, (long long)(most / each));
}

/* ---- the daemons of the site, as they describe themselves in its database ---- */

struct lacks {
	struct doctor *d;
	size_t count;
};

static void
take_lack(void *arg, const char *const *column)
{
	struct lacks *l = arg;

	l->count++;
	doctor_say(l->d, "daemons", STET_WARNING,
	    "Install it there, or leave it out everywhere: what is written there does not reach"
	    " it.",
	    "the daemon %s lacks the module %s, which others use", column[0], column[1]);
}

static void
take_lag(void *arg, const char *const *column)
{
	struct doctor *d = arg;

	if (strtoll(column[1], NULL, 10) > LAG_MAX)
		doctor_say(d, "search-index", STET_WARNING,
		    "It is busy, or cannot write DATA/index.db: its log says so.",
		    "the search index of the daemon %s is %s changes behind", column[0], column[1]);
	else
		doctor_say(d, "search-index", STET_FINE, NULL,
		    "that of the daemon %s is %s changes behind", column[0], column[1]);
}

static void
check_daemons(struct doctor *d, const char *place)
{
	const char *clock = db_driver_of(place)->clock;
	struct lacks lacks = { .d = d };
	char *why = NULL, *sql;
	bool has = false, good;

	/* An older version has not made the tables yet. */
	if (!db_ask_table(place, "site_lack", &has, &why) || !has) {
		free(why);
		return;
	}
	/* What all lack is left out on purpose. */
	sql = words_format(
	    "WITH live AS (SELECT DISTINCT name FROM site_node WHERE ABS(seen - %s) < %d)"
	    " SELECT daemon, module FROM site_lack AS l WHERE daemon IN (SELECT name FROM live)"
	    " AND EXISTS (SELECT 1 FROM live WHERE name NOT IN (SELECT o.daemon FROM site_lack AS o"
	    " WHERE o.module = l.module)) ORDER BY daemon, module",
	    clock, NODE_LIVES_MS);
	good = db_ask(place, sql, 2, take_lack, &lacks, &why);
	free(sql);
	sql = words_format("SELECT name, lag FROM site_node WHERE ABS(seen - %s) < %d AND lag IS"
			   " NOT NULL ORDER BY name",
	    clock, NODE_LIVES_MS);
	good = good && db_ask(place, sql, 2, take_lag, d, &why);
	free(sql);
	if (!good)
		doctor_say(d, "daemons", STET_TROUBLE, NULL, "%s", why);
	else if (lacks.count == 0)
		doctor_say(d, "daemons", STET_FINE, NULL, "all have the modules of the site");
	free(why);
}

void
doctor_engine(struct doctor *d)
{
	char *place, *why = NULL;
	json_t *facts, *f;
	size_t i;

	if (d->site->database == NULL)
		return;
	place = confdatabase_place(d->site);
	facts = db_describe(place, &why);
	if (facts != NULL)
		check_daemons(d, place);
	free(place);
	if (facts == NULL)
		doctor_say(d, "server", STET_TROUBLE,
		    "Until it answers, so does the site with 503.", "%s",
		    why != NULL ? why : "no module brings the engine of the database");
	else
		check_connections(d, facts);
	json_array_foreach(json_object_get(facts, "findings"), i, f)
	    doctor_say(d, json_string_value(json_object_get(f, "check")),
		(enum stet_grade)json_integer_value(json_object_get(f, "grade")),
		json_string_value(json_object_get(f, "advice")), "%s",
		json_string_value(json_object_get(f, "text")));
	json_decref(facts);
	free(why);
}
