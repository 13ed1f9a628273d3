/* daemons.c - what modules learn of the site's daemons and of its database (<stet/daemons.h>). */
#include "base/clock.h"
#include "call/call.h"
#include "call/site.h"
#include "config.h"
#include "db/driver.h"
#include "work/watch.h"
#include <stdlib.h>
#include <stet/daemons.h>
#include <string.h>
#include <unistd.h>

/* How long after it was seen a daemon is listed. */
#define SEEN_MS "60000"
#define NAME_MAX_BYTES 256

static int64_t began; /* clock_monotonic */

__attribute__((constructor)) static void
begin(void)
{
	began = clock_monotonic();
}

static json_t *
time_of(int64_t ms)
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(ms, text);
	return json_string(text);
}

/* A site whose database nobody else uses. */
static json_t *
alone(void)
{
	char name[NAME_MAX_BYTES] = "";

	(void)gethostname(name, sizeof(name) - 1);
	return json_pack("[{s:s, s:s, s:s, s:o, s:o, s:b, s:[], s:[]}]", "id", watch_id(), "name",
	    name, "version", PACKAGE_VERSION, "startedAt",
	    time_of(clock_now() - (clock_monotonic() - began)), "seenAt", time_of(clock_now()),
	    "isSelf", 1, "leases", "lacks");
}

static void
add(json_t *all, struct stet_rows *rows, int64_t now)
{
	const char *id = stet_col_str(rows, 0), *lease = stet_col_str(rows, 5);
	json_t *last = json_array_get(all, json_array_size(all) - 1);
	bool self = strcmp(id, watch_id()) == 0;

	if (last == NULL || strcmp(json_string_value(json_object_get(last, "id")), id) != 0) {
		last = json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:[], s:[]}", "id", id, "name",
		    stet_col_str(rows, 1), "version", stet_col_str(rows, 2), "startedAt",
		    time_of(stet_col_int(rows, 3)), "seenAt", time_of(stet_col_int(rows, 4)),
		    "isSelf", self, "leases", "lacks");
		if (!stet_col_null(rows, 7))
			json_object_set_new(last, "indexLag", json_integer(stet_col_int(rows, 7)));
		if (self)
			json_object_set_new(
			    last, "clockOffsetMs", json_integer(now - stet_col_int(rows, 6)));
		json_array_append_new(all, last);
	}
	if (lease != NULL)
		json_array_append_new(json_object_get(last, "leases"), json_string(lease));
}

/* Which modules of the site they do not have. */
static enum stet_status
add_lacks(struct stet_call *call, json_t *all)
{
	struct stet_rows rows;
	json_t *one;
	size_t i;

	STET_TRY(stet_query(
	    call, &rows, "SELECT daemon, module FROM site_lack ORDER BY module", STET_NO_ARGS));
	while (stet_row(&rows))
		json_array_foreach(
		    all, i, one) if (strcmp(json_string_value(json_object_get(one, "name")),
					 stet_col_str(&rows, 0)) == 0)
		    json_array_append_new(
			json_object_get(one, "lacks"), json_string(stet_col_str(&rows, 1)));
	return stet_rows_end(&rows);
}

json_t *
stet_daemons(struct stet_call *call)
{
	const char *clock = db_driver_of(call->site->db_place)->clock;
	json_t *all;
	struct stet_rows rows;

	if (!call->site->shared)
		return stet_json_own(call, alone());
	all = stet_json_own(call, json_array());
	if (stet_query(call, &rows,
		stet_printf(call,
		    "SELECT n.id, n.name, n.version, n.started, n.seen, l.name, %s, n.lag"
		    " FROM site_node AS n LEFT JOIN site_lease AS l"
		    " ON l.holder = n.id AND l.until > %s WHERE n.seen > %s - " SEEN_MS
		    " ORDER BY n.started, n.id, l.name",
		    clock, clock, clock),
		STET_NO_ARGS) != STET_OK)
		return NULL;
	while (stet_row(&rows))
		add(all, &rows, clock_now());
	if (stet_rows_end(&rows) != STET_OK || add_lacks(call, all) != STET_OK)
		return NULL;
	return all;
}

json_t *
stet_database(struct stet_call *call)
{
	char *why = NULL;
	json_t *all = db_describe(call->site->db_place, &why);

	if (all == NULL) {
		(void)stet_fail(call, STET_UNAVAILABLE, NULL, "The database does not answer: %s",
		    why != NULL ? why : "unknown");
		free(why);
		return NULL;
	}
	json_object_del(all, "findings");
	return stet_json_own(call, all);
}
