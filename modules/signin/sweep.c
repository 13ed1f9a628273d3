/*
 * sweep.c - the job that deletes expired sessions, links and challenges. After a time in which the
 * module was off it deletes all sessions and links, since it has missed which users were disabled.
 */
#include "signin.h"

#define EVERY INT64_C(3600000) /* milliseconds */
#define PART 500 /* rows in one transaction, so that other writes need not wait long */

/* Rows that ended before this time are to be deleted: after an absence, all of them. */
static enum stet_status
ended_before(struct stet_call *call, struct stet_absence *absence, const char **time)
{
	STET_TRY(stet_absence(call, absence));
	*time = absence->open ? "9999" : stet_time_text(call, stet_now(call));
	return STET_OK;
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_absence absence;
	struct stet_rows rows;
	const char *time;

	STET_TRY(ended_before(call, &absence, &time));
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 WHERE EXISTS (SELECT 1 FROM sessions WHERE ends_at <= ?1)"
	    " OR EXISTS (SELECT 1 FROM signin_links WHERE expires_at <= ?1)"
	    " OR EXISTS (SELECT 1 FROM used_challenges WHERE expires_at <= ?2)",
	    STET_ARGS(time, stet_time_text(call, stet_now(call)))));
	*found = stet_row(&rows) || absence.open;
	return stet_rows_end(&rows);
}

int64_t
sweep_due(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->swept, EVERY, look);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_absence absence;
	const char *time;
	int64_t deleted;

	(void)arg;
	STET_TRY(ended_before(call, &absence, &time));
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ends_at <= ?1"
	    " LIMIT ?2)",
	    STET_ARGS(time, PART)));
	deleted = stet_changes(call);
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM signin_links WHERE id IN (SELECT id FROM signin_links WHERE"
	    " expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(time, PART)));
	deleted += stet_changes(call);
	/* Challenges that have not expired stay even after an absence: these rows mark them as
	 * used. */
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM used_challenges WHERE nonce IN (SELECT nonce FROM used_challenges WHERE"
	    " expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(stet_time_text(call, stet_now(call)), PART)));
	if (absence.open && deleted == 0)
		return stet_absence_over(call, tx, absence.number);
	return STET_OK;
}

enum stet_status
sweep_run(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}
