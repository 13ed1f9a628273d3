/*
 * failures.c - limits that guard secrets are counted over all daemons of a site: once a second, the
 * table site_failure gets what was taken from them here, and what others have taken is read.
 */
#include "base/arena.h"
#include "call/call.h"
#include "call/site.h"
#include "db/driver.h"
#include "db/rows.h"
#include "op/limit.h"
#include "work/watch.h"
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 1024 /* at once */
#define EVERY_MS 1000
/* Rows are read again for so long: one that was written before the newest may have been committed
 * after it was read. */
#define LATE_MS 30000
/* A row is removed so long after its bucket is full. */
#define OLD_MS "60000"

struct failures {
	const char *clock; /* of the database, as SQL */
	struct limit_taken taken[ROWS_MOST];
	size_t count;
};

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct failures *f = arg;
	const char *add = stet_printf(call,
	    "INSERT INTO site_failure (key, until, changed) VALUES (?1, %s + ?2, %s)"
	    " ON CONFLICT (key) DO UPDATE SET changed = excluded.changed, until ="
	    " CASE WHEN site_failure.until > %s THEN site_failure.until ELSE %s END + ?2",
	    f->clock, f->clock, f->clock, f->clock);

	for (size_t i = 0; i < f->count; i++)
		STET_TRY(stet_exec(call, tx, add,
		    STET_ARGS(
			stet_val_blob(f->taken[i].key, LIMIT_KEY), (f->taken[i].us + 999) / 1000)));
	return STET_OK;
}

/* Takes over what is stored. *old: there are rows to remove. */
static enum stet_status
learn(struct stet_call *call, const struct failures *f, bool *old)
{
	int64_t *seen = &call->site->shares_seen, from = *seen - LATE_MS;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    stet_printf(call,
		"SELECT key, until - %s, changed, until < %s - " OLD_MS
		" FROM site_failure WHERE changed > ?1 OR until < %s - " OLD_MS,
		f->clock, f->clock, f->clock),
	    STET_ARGS(from)));
	while (stet_row(&rows)) {
		int64_t ms = stet_col_int(&rows, 1), changed = stet_col_int(&rows, 2);
		size_t len;
		const void *key = stet_col_blob(&rows, 0, &len);

		*old |= stet_col_int(&rows, 3) != 0;
		*seen = changed > *seen ? changed : *seen;
		if (ms > 0 && len == LIMIT_KEY)
			limit_learn(call->site, key, ms * 1000);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
remove_old(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct failures *f = arg;

	return stet_exec(call, tx,
	    stet_printf(call, "DELETE FROM site_failure WHERE until < %s - " OLD_MS, f->clock),
	    NULL, 0);
}

static enum stet_status
exchange(struct stet_call *call, struct failures *f)
{
	enum stet_status status = STET_OK;
	bool old = false;

	f->count = limit_unstored(call->site, f->taken, ROWS_MOST);
	if (f->count > 0)
		status = stet_write_lane(call, store, f);
	limit_stored(call->site, status == STET_OK);
	if (status == STET_OK)
		status = learn(call, f, &old);
	return status == STET_OK && old ? stet_write_lane(call, remove_old, f) : status;
}

static void
beat(struct site *site)
{
	struct generation *gen = site_generation(site);
	struct failures *f;
	struct stet_call *call;

	if (gen == NULL)
		return;
	f = xcalloc(1, sizeof(*f));
	f->clock = db_driver_of(site->db_place)->clock;
	call = call_own(site, gen);
	call->lane = STET_SLOW;
	(void)exchange(call, f); /* what was not stored stays for the next time */
	rows_end_call(call);
	call_free(call);
	generation_put(gen);
	free(f);
}

static struct watch_beat failures = { .every_ms = EVERY_MS, .beat = beat };
WATCH_BEAT_ADD(failures)
