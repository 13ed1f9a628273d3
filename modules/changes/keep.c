/* keep.c - how far the feed reaches back: what is old, or more than enough, is deleted by and by.
 */
#include "changes.h"

#define PERIOD_MS 600000
#define AT_ONCE 1000 /* rows of one transaction */
#define DAY_MS INT64_C(86400000)

static enum stet_status
delete_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	int64_t days = json_integer_value(stet_setting(call, "keepDays"));
	int64_t count = json_integer_value(stet_setting(call, "keepRows"));
	bool *more = arg;

	/* The last row stays, and the last that everybody may hear of: who has seen all is at one
	 * of them. */
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM change_feed WHERE number IN (SELECT number FROM change_feed"
	    " WHERE number < (SELECT MAX(number) FROM change_feed)"
	    " AND number <> (SELECT number FROM change_feed WHERE shown IS NOT NULL"
	    " ORDER BY number DESC LIMIT 1)"
	    " AND (at < ?1 OR number <= (SELECT MAX(number) FROM change_feed) - ?2)"
	    " ORDER BY number LIMIT ?3)",
	    STET_ARGS(stet_time_text(call, stet_now(call) - days * DAY_MS), count, AT_ONCE)));
	*more = stet_changes(call) == AT_ONCE;
	return STET_OK;
}

int64_t
keep_due(struct stet_call *call)
{
	const struct keep_state *state = stet_state(call);

	return state->due;
}

enum stet_status
keep_run(struct stet_call *call)
{
	struct keep_state *state = stet_state(call);
	bool more = false;

	STET_TRY(stet_write_lane(call, delete_some, &more));
	state->due = more ? 0 : stet_now(call) + PERIOD_MS;
	return STET_OK;
}
