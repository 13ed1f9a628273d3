/*
 * failures.c - limits that guard secrets are counted over all daemons of a site: once a second, the
 * table site_failure gets what was taken from them here, and what others have taken is read.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/site.h"
#include "db/driver.h"
#include "op/limit.h"
#include "work/watch.h"
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 1024 /* at once */
#define PORTION 64 /* rows of the longest statement */
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

/* The numbers of rows that one statement adds, so that few texts are prepared. */
static const size_t portions[] = { PORTION, 8, 1 };

/* Adds `many` rows. */
static enum stet_status
add(struct stet_call *call, const struct failures *f, const struct limit_taken *taken, size_t many)
{
	struct stet_val value[2 * PORTION];
	struct buf sql = { 0 };
	enum stet_status status;

	buf_str(&sql, "INSERT INTO site_failure (key, until, changed) VALUES ");
	for (size_t i = 0; i < many; i++) {
		value[2 * i] = stet_val_blob(taken[i].key, LIMIT_KEY);
		value[2 * i + 1] = stet_val_int((taken[i].us + 999) / 1000);
		buf_printf(&sql, "%s(?%zu, %s + ?%zu, %s)", i > 0 ? ", " : "", 2 * i + 1, f->clock,
		    2 * i + 2, f->clock);
	}
	/* excluded.until - excluded.changed is what was taken, but for the time between. */
	buf_printf(&sql,
	    " ON CONFLICT (key) DO UPDATE SET changed = excluded.changed, until = CASE WHEN"
	    " site_failure.until > excluded.changed THEN site_failure.until + excluded.until -"
	    " excluded.changed ELSE excluded.until END");
	status = stet_exec(call, stet_write_tx(call), sql.data, value, 2 * many);
	buf_free(&sql);
	return status;
}

/* Other daemons lock the same rows in the same order. */
static int
by_key(const void *a, const void *b)
{
	return memcmp(
	    ((const struct limit_taken *)a)->key, ((const struct limit_taken *)b)->key, LIMIT_KEY);
}

/* Each portion is a transaction of its own. *stored: how many rows are stored, also after a
 * failure. */
static enum stet_status
store(struct stet_call *call, struct failures *f, size_t *stored)
{
	size_t k = 0;

	*stored = 0;
	qsort(f->taken, f->count, sizeof(f->taken[0]), by_key);
	while (*stored < f->count) {
		while (portions[k] > f->count - *stored)
			k++;
		STET_TRY(add(call, f, f->taken + *stored, portions[k]));
		*stored += portions[k];
	}
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
		"SELECT key, until - %s, changed, until < %s - " OLD_MS ", %s"
		" FROM site_failure WHERE changed > ?1 OR until < %s - " OLD_MS,
		f->clock, f->clock, f->clock, f->clock),
	    STET_ARGS(from)));
	while (stet_row(&rows)) {
		int64_t ms = stet_col_int(&rows, 1), changed = stet_col_int(&rows, 2);
		size_t len;
		const void *key = stet_col_blob(&rows, 0, &len);

		*old |= stet_col_int(&rows, 3) != 0;
		/* Rows of a time to come are from before the clock was set back. */
		if (changed <= stet_col_int(&rows, 4))
			*seen = changed > *seen ? changed : *seen;
		if (ms > 0 && len == LIMIT_KEY)
			limit_learn(call->site, key, ms * 1000);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
exchange(struct stet_call *call, struct failures *f)
{
	enum stet_status status;
	bool old = false;
	size_t stored;

	f->count = limit_unstored(call->site, f->taken, ROWS_MOST);
	status = store(call, f, &stored);
	limit_stored(call->site, f->taken, stored);
	if (status == STET_OK)
		status = learn(call, f, &old);
	if (status != STET_OK || !old)
		return status;
	return stet_exec(call, stet_write_tx(call),
	    stet_printf(call, "DELETE FROM site_failure WHERE until < %s - " OLD_MS, f->clock),
	    STET_NO_ARGS);
}

static void
beat(struct site *site)
{
	struct stet_call *call = watch_begin(site);
	struct failures *f;

	if (call == NULL)
		return;
	f = xcalloc(1, sizeof(*f));
	f->clock = db_driver_of(site->db_place)->clock;
	(void)exchange(call, f); /* what was not stored stays for the next time */
	free(f);
	watch_end(call);
}

static struct watch_beat failures = { .every_ms = EVERY_MS, .beat = beat };

WATCH_BEAT_ADD(failures)
