/* sweep.c - the job that deletes expired codes, access tokens and grants. It also ends the grants
 * of users who were disabled while the module was off. */
#include "oauth.h"

#define EVERY (60 * MINUTE)
#define PART 500 /* rows of a table in one transaction, so that other writes need not wait long */

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_absence absence;
	struct stet_rows rows;

	STET_TRY(stet_absence(call, &absence));
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 WHERE EXISTS (SELECT 1 FROM oauth_tokens WHERE expires_at <= ?1)"
	    " OR EXISTS (SELECT 1 FROM oauth_codes WHERE expires_at <= ?1)"
	    " OR EXISTS (SELECT 1 FROM oauth_grants WHERE expires_at <= ?1)",
	    STET_ARGS(stet_time_text(call, stet_now(call)))));
	*found = stet_row(&rows) || absence.open;
	return stet_rows_end(&rows);
}

int64_t
sweep_due(struct stet_call *call)
{
	struct oauth_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->swept, EVERY, look);
}

/* Ends the grants of users whose rows changed while the module was off, if the grants are older:
 * the module has missed that these users were disabled, and perhaps enabled again. */
static enum stet_status
catch_up(struct stet_call *call, struct stet_tx *tx)
{
	struct stet_absence absence;

	STET_TRY(stet_absence(call, &absence));
	if (!absence.open)
		return STET_OK;
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_grants WHERE id IN (SELECT g.id FROM oauth_grants g"
	    " JOIN users u ON u.id = g.user_id WHERE u.updated_at >= ?1 AND g.created_at <= ?2"
	    " LIMIT ?3)",
	    STET_ARGS(absence.from, absence.until, PART)));
	return stet_changes(call) > 0 ? STET_OK : stet_absence_over(call, tx, absence.number);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *now = stet_time_text(call, stet_now(call));

	(void)arg;
	STET_TRY(catch_up(call, tx));
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE"
	    " expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(now, PART)));
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_codes WHERE hash IN (SELECT hash FROM oauth_codes WHERE"
	    " expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(now, PART)));
	return stet_exec(call, tx,
	    "DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE"
	    " expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(now, PART));
}

enum stet_status
sweep_run(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}
