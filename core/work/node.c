/*
 * node.c - see node.h. The row of a daemon is written every BEAT_MS. Times are those of the
 * database's clock, so it does not matter if the clocks of machines differ.
 */
#include "work/node.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "config.h"
#include "db/driver.h"
#include "db/rows.h"
#include "work/watch.h"
#include <stdlib.h>

#define BEAT_MS 2000
#define KEPT_MS 60000 /* rows of those who are not */

static char *name;
static int64_t started; /* clock_monotonic */

void
node_name(const char *said)
{
	free(name);
	name = xstrdup(said);
	started = clock_monotonic();
}

const char *
node_own_name(void)
{
	return name != NULL ? name : "";
}

/* ---- counting ---- */

/* Counts those who are there, and rows that have to go. */
static enum stet_status
count(struct stet_call *call, unsigned *live, unsigned *dead)
{
	const char *clock = db_driver_of(call->site->db_place)->clock;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    stet_printf(call,
		"SELECT SUM(CASE WHEN ABS(seen - %s) < %d THEN 1 ELSE 0 END),"
		" SUM(CASE WHEN ABS(seen - %s) > %d THEN 1 ELSE 0 END) FROM site_node",
		clock, NODE_LIVES_MS, clock, KEPT_MS),
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		*live = (unsigned)stet_col_int(&rows, 0);
		*dead = (unsigned)stet_col_int(&rows, 1);
	}
	return stet_rows_end(&rows);
}

/* ---- the row of this daemon ---- */

static enum stet_status
put(struct stet_call *call)
{
	const char *clock = db_driver_of(call->site->db_place)->clock;

	return stet_exec(call, stet_write_tx(call),
	    stet_printf(call,
		"INSERT INTO site_node (id, name, version, started, seen, lag)"
		" VALUES (?1, ?2, ?3, %s - ?4, %s, ?5)"
		" ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, lag = excluded.lag",
		clock, clock),
	    STET_ARGS(watch_id(), node_own_name(), PACKAGE_VERSION, clock_monotonic() - started,
		atomic_load(&call->site->lag)));
}

static enum stet_status
drop_dead(struct stet_call *call)
{
	return stet_exec(call, stet_write_tx(call),
	    stet_printf(call, "DELETE FROM site_node WHERE ABS(seen - %s) > %d",
		db_driver_of(call->site->db_place)->clock, KEPT_MS),
	    STET_NO_ARGS);
}

static void
beat(struct site *site)
{
	struct stet_call *call = watch_begin(site);
	unsigned live = 0, dead = 0;
	enum stet_status status;

	if (call == NULL)
		return;
	status = put(call);
	if (status == STET_OK)
		status = count(call, &live, &dead);
	if (status == STET_OK && dead > 0)
		status = drop_dead(call);
	if (status == STET_OK)
		atomic_store(&site->daemons, live > 0 ? live : 1);
	watch_end(call);
}

static void
leave(struct site *site)
{
	struct stet_call *call = watch_begin(site);

	if (call == NULL)
		return;
	if (stet_exec(call, stet_write_tx(call), "DELETE FROM site_node WHERE id = ?1",
		STET_ARGS(watch_id())) != STET_OK)
		log_line(STET_WARN, "site %s: this daemon is counted among its others for %d s",
		    site_name(site), NODE_LIVES_MS / 1000);
	watch_end(call);
}

static struct watch_beat node = { .every_ms = BEAT_MS, .beat = beat, .end = leave };

WATCH_BEAT_ADD(node)
