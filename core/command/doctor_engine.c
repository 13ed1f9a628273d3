/* doctor_engine.c - what the engine of a site's database finds wrong with it. */
#include "command/doctor.h"
#include "conf/confdatabase.h"
#include "db/db.h"
#include <stdlib.h>
#include <string.h>

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
