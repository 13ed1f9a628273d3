/*
 * sweep.c - the job that deletes items whose upload was never confirmed, with their files if there
 * are any.
 */
#include "media.h"

#define EVERY (5 * MINUTE)
#define PART 100 /* rows in one transaction, so that other writes need not wait long */

static const char *
limit(struct stet_call *call)
{
	return stet_time_text(call, stet_now(call) - TARGET_LIFETIME);
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM media_items WHERE status = 'pending' AND created_at <= ?1 LIMIT 1",
	    STET_ARGS(limit(call))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

int64_t
sweep_due(struct stet_call *call)
{
	struct media_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->swept, EVERY, look);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *before = limit(call), *id[PART], *key;
	struct stet_rows rows;
	size_t count = 0;

	(void)arg;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, kept_key FROM media_items WHERE status = 'pending' AND created_at <= ?1"
	    " ORDER BY created_at LIMIT ?2",
	    STET_ARGS(before, PART)));
	while (count < PART && stet_row(&rows)) {
		id[count++] = stet_col_dup(&rows, 0);
		if ((key = stet_col_dup(&rows, 1)) != NULL)
			stet_file_forget(call, tx, key);
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		STET_TRY(
		    stet_exec(call, tx, "DELETE FROM media_items WHERE id = ?1", STET_ARGS(id[i])));
	return STET_OK;
}

enum stet_status
sweep_run(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}

enum stet_status
sweep_all(struct stet_call *call)
{
	bool found = true;

	while (found) {
		STET_TRY(look(call, &found));
		if (found)
			STET_TRY(sweep_run(call));
	}
	return STET_OK;
}
