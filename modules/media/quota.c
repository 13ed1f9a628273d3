/*
 * quota.c - max-media-bytes: what all files of the library may have together. The sum of an index,
 * asked for in the write lane where nobody comes between, and only on sites with a limit.
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
