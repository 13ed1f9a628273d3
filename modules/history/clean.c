/*
 * clean.c - the job that deletes old records: those that are too old, and of a thing those beyond
 * the number that is kept. Records of items are bounded by their age alone, since items have
 * revisions.
 */
#include "history.h"

#define EVERY 3600000 /* milliseconds */
#define PART 500 /* records in one transaction, so that other writes need not wait long */
#define DAY 86400000

static const char *
oldest_kept(struct stet_call *call)
{
	const int64_t days = json_integer_value(stet_setting(call, DAYS));

	return stet_time_text(call, stet_now(call) - days * DAY);
}

/* ---- is there anything to delete? ---- */

static enum stet_status
is_there(struct stet_call *call, const char *sql, const char *since, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, sql, STET_ARGS(since)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

static const char old_records[] = "SELECT 1 FROM history WHERE created_at < ?1 LIMIT 1",
		  old_sessions[] =
		      "SELECT 1 FROM assistant_session AS s WHERE s.last_at < ?1 AND NOT EXISTS"
		      " (SELECT 1 FROM history AS h WHERE h.session = s.id) LIMIT 1";

static enum stet_status
look(struct stet_call *call, bool *found)
{
	const char *since = oldest_kept(call);

	*found = false;
	if (json_integer_value(stet_setting(call, DAYS)) == 0)
		return STET_OK;
	STET_TRY(is_there(call, old_records, since, found));
	return *found ? STET_OK : is_there(call, old_sessions, since, found);
}

/* ---- deleting ---- */

/* Deletes a part of the old records, and with the last part the old sessions that have none. */
static enum stet_status
expire(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *since = oldest_kept(call);
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
	if (*n == PART)
		return STET_OK;
	return stet_exec(call, tx,
	    "DELETE FROM assistant_session WHERE last_at < ?1 AND NOT EXISTS"
	    " (SELECT 1 FROM history AS h WHERE h.session = assistant_session.id)",
	    STET_ARGS(since));
}

int64_t
clean_due(struct stet_call *call)
{
	struct history_state *s = stet_state(call);

	return stet_cleaning_due(call, &s->due, EVERY, look);
}

enum stet_status
clean_run(struct stet_call *call)
{
	int64_t n = 0;

	if (json_integer_value(stet_setting(call, DAYS)) == 0)
		return STET_OK;
	do
		STET_TRY(stet_write_lane(call, expire, &n));
	while (n == PART && !stet_job_ends(call));
	return STET_OK;
}
