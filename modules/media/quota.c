/*
 * quota.c - max-media-bytes: the most bytes of all files of the library together. The sum is read
 * from an index, only on sites with a limit, and in the write lane, so that no other write comes
 * between. Also the job that measures the library for its metrics.
 */
#include "media.h"

enum stet_status
quota_check(struct stet_call *call, int64_t bytes)
{
	uint64_t most = stet_media_most(call), now;
	struct stet_rows rows;

	if (most == 0)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT coalesce(sum(size), 0) FROM media_items", STET_NO_ARGS));
	now = (uint64_t)stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (now + (uint64_t)bytes <= most)
		return STET_OK;
	return stet_fail(call, STET_INSUFFICIENT_STORAGE, NULL,
	    "The media library has %llu of the %llu bytes that it may have: no room for %lld more",
	    (unsigned long long)now, (unsigned long long)most, (long long)bytes);
}

/* ---- metrics ---- */

#define EVERY (10 * MINUTE)

int64_t
measure_due(struct stet_call *call)
{
	struct media_state *state = stet_state(call);

	return state->measured;
}

enum stet_status
measure_run(struct stet_call *call)
{
	struct media_state *state = stet_state(call);
	struct stet_rows rows;

	state->measured = stet_now(call) + EVERY;
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count(*), coalesce(sum(size), 0) FROM media_items", STET_NO_ARGS));
	stet_metric_set(call, "items", stet_col_int(&rows, 0));
	stet_metric_set(call, "bytes", stet_col_int(&rows, 1));
	return stet_rows_end(&rows);
}
