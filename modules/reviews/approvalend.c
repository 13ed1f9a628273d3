/* approvalend.c - requests for approval that end by themselves: with their item, with the access of
 * their program, by their time; and the job that deletes old ones. */
#include "approval.h"
#include <string.h>

#define EVERY (INT64_C(60) * 60 * 1000) /* milliseconds */
#define DAY INT64_C(86400000)
#define PART "500" /* rows of one transaction */

enum stet_status
approvals_withdraw(
    struct stet_call *call, struct stet_tx *tx, const char *collection, const char *entry)
{
	const char *now = stet_time_text(call, stet_now(call));

	if (entry == NULL)
		return stet_exec(call, tx,
		    "UPDATE approval SET state = 'withdrawn', decided_at = ?1"
		    " WHERE state = 'open' AND collection = ?2",
		    STET_ARGS(now, collection));
	return stet_exec(call, tx,
	    "UPDATE approval SET state = 'withdrawn', decided_at = ?1"
	    " WHERE state = 'open' AND collection = ?2 AND entry_id = ?3",
	    STET_ARGS(now, collection, entry));
}

static const char *
kept_since(struct stet_call *call)
{
	return stet_time_text(call, stet_now(call) - DAY * APPROVAL_KEPT_DAYS);
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 WHERE EXISTS (SELECT 1 FROM approval WHERE state = 'open' AND ends_at <= ?1)"
	    " OR EXISTS (SELECT 1 FROM approval WHERE created_at <= ?2)",
	    STET_ARGS(stet_time_text(call, stet_now(call)), kept_since(call))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

int64_t
approvals_due(struct stet_call *call)
{
	struct reviews_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->swept, EVERY, look);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	STET_TRY(stet_exec(call, tx,
	    "UPDATE approval SET state = 'expired' WHERE id IN (SELECT id FROM approval"
	    " WHERE state = 'open' AND ends_at <= ?1 LIMIT " PART ")",
	    STET_ARGS(stet_time_text(call, stet_now(call)))));
	return stet_exec(call, tx,
	    "DELETE FROM approval WHERE id IN (SELECT id FROM approval WHERE created_at <= ?1"
	    " LIMIT " PART ")",
	    STET_ARGS(kept_since(call)));
}

enum stet_status
approvals_sweep(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}
