/*
 * clean.c - the job that deletes old records: those that are too old, and of a thing those beyond
 * the number that is kept. Records of items are bounded by their age alone, since items have
 * revisions.
 */
#include "history.h"

#define EVERY 3600000 /* milliseconds */
#define PART 500 /* records in one transaction, so that other writes need not wait long */
#define DAY 86400000

static enum stet_status
expire(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const int64_t days = json_integer_value(stet_setting(call, DAYS));
	const char *since = stet_time_text(call, stet_now(call) - days * DAY);
	int64_t *n = arg;
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM (SELECT 1 FROM history WHERE created_at < ?1 LIMIT ?2) AS o",
	    STET_ARGS(since, (int64_t)PART)));
	*n = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (*n > 0)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM history WHERE id IN (SELECT id FROM history WHERE created_at < ?1"
		    " ORDER BY created_at LIMIT ?2)",
		    STET_ARGS(since, (int64_t)PART)));
	else
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM assistant_session WHERE last_at < ?1 AND NOT EXISTS"
		    " (SELECT 1 FROM history AS h WHERE h.session = assistant_session.id)",
		    STET_ARGS(since)));
	return STET_OK;
}

int64_t
clean_due(struct stet_call *call)
{
	struct history_state *s = stet_state(call);
	int64_t now = stet_now(call), due = s->due;

	/* If the clock was set back, do not wait for the old time. */
	return due > now + EVERY ? now : due > now ? due : now;
}

enum stet_status
clean_run(struct stet_call *call)
{
	struct history_state *s = stet_state(call);
	int64_t n = 0;

	s->due = stet_now(call) + EVERY;
	if (json_integer_value(stet_setting(call, DAYS)) == 0)
		return STET_OK;
	do
		STET_TRY(stet_write_lane(call, expire, &n));
	while (n == PART);
	return STET_OK;
}
