/* keep.c - deletes old rows of the feed, by age and by number, a few in each transaction. */
#include "changes.h"

#define PERIOD_MS 600000
#define AT_ONCE 1000 /* rows in one transaction */
#define DAY_MS INT64_C(86400000)

/* Never deletes the last row, nor the last row that everybody may see: a client that has read
 * all of the feed has one of these as its position. */
#define MAY_GO                                                                   \
	"number < (SELECT MAX(number) FROM change_feed)"                         \
	" AND number <> (SELECT number FROM change_feed WHERE shown IS NOT NULL" \
	" ORDER BY number DESC LIMIT 1)"
#define HAS_TO "(at < ?1 OR number <= (SELECT MAX(number) FROM change_feed) - ?2)"

static const char *
oldest(struct stet_call *call)
{
	int64_t days = json_integer_value(stet_setting(call, "keepDays"));

	return stet_time_text(call, stet_now(call) - days * DAY_MS);
}

static int64_t
rows_kept(struct stet_call *call)
{
	return json_integer_value(stet_setting(call, "keepRows"));
}

/* Checks the first row only, since rows are ordered by age. */
static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM (SELECT number, at FROM change_feed WHERE " MAY_GO
	    " ORDER BY number LIMIT 1) AS first WHERE " HAS_TO,
	    STET_ARGS(oldest(call), rows_kept(call))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
delete_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	bool *more = arg;

	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM change_feed WHERE number IN (SELECT number FROM change_feed WHERE " MAY_GO
	    " AND " HAS_TO " ORDER BY number LIMIT ?3)",
	    STET_ARGS(oldest(call), rows_kept(call), AT_ONCE)));
	*more = stet_changes(call) == AT_ONCE;
	return STET_OK;
}

int64_t
keep_due(struct stet_call *call)
{
	struct changes_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->due, PERIOD_MS, look);
}

enum stet_status
keep_run(struct stet_call *call)
{
	struct changes_state *state = stet_state(call);
	bool more = false;

	STET_TRY(stet_write_lane(call, delete_some, &more));
	state->due = more ? 0 : stet_now(call) + PERIOD_MS;
	return STET_OK;
}
