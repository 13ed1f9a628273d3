/*
 * check.c - checks of the library for `stet doctor`: its size and limit, the newest files,
 * unconfirmed uploads that were not swept, images without a size.
 */
#include "media.h"
#include <inttypes.h>
#include <stet/check.h>
#include <string.h>
#include <unistd.h>

#define NEWEST 100 /* items whose files are looked for; "stet media verify" reads all of them */
#define LATE (3 * TARGET_LIFETIME)
#define FULL 0.9 /* share of the limit from which it warns */
#define MIB 1048576.0

static enum stet_status
check_size(struct stet_call *call)
{
	uint64_t most = stet_media_most(call);
	int64_t count, bytes;
	struct stet_rows rows;
	bool full;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count(*), coalesce(sum(size), 0) FROM media_items", STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	bytes = stet_col_int(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	full = most > 0 && (double)bytes >= FULL * (double)most;
	stet_finding(call, full ? STET_WARNING : STET_FINE,
	    full ? "Delete items, or raise max-media-bytes in stet.conf." : NULL,
	    "%" PRId64 " items, %.1f MiB%s", count, (double)bytes / MIB,
	    most > 0 ? stet_printf(call, " of the %.1f MiB of max-media-bytes", (double)most / MIB)
		     : "");
	return STET_OK;
}

static enum stet_status
check_pending(struct stet_call *call)
{
	struct stet_rows rows;
	bool late;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM media_items WHERE status = 'pending' AND created_at <= ?1 LIMIT 1",
	    STET_ARGS(stet_time_text(call, stet_now(call) - LATE))));
	late = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (late)
		stet_finding(call, STET_NOTE,
		    "Is stetd running? \"stet media sweep\" does it at once.",
		    "uploads that were never confirmed are not swept");
	return STET_OK;
}

/* Images of the types that stet-image decodes, without a size: stored before broken ones were
 * refused, or where images could not be decoded. */
static enum stet_status
check_unread(struct stet_call *call)
{
	struct stet_rows rows;
	const char *first;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count(*), coalesce(min(id), '') FROM media_items WHERE status = 'ready'"
	    " AND width IS NULL AND mime_type IN ('image/jpeg', 'image/png', 'image/gif',"
	    " 'image/webp', 'image/avif', 'image/heic', 'image/heif')",
	    STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	first = stet_col_dup(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	if (count > 0)
		stet_finding(call, STET_NOTE,
		    "They are broken, or were stored where images could not be decoded: look at"
		    " them, delete them and upload them again.",
		    "%" PRId64 " images have no size, the first is %s", count, first);
	return STET_OK;
}

static enum stet_status
newest(struct stet_call *call, const char **key, size_t *count)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT kept_key FROM media_items WHERE status = 'ready' ORDER BY created_at DESC, id DESC"
	    " LIMIT ?1",
	    STET_ARGS(NEWEST)));
	while (*count < NEWEST && stet_row(&rows))
		key[(*count)++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
check_files(struct stet_call *call)
{
	const char *key[NEWEST];
	size_t count = 0, missing = 0;
	int fd;

	STET_TRY(newest(call, key, &count));
	for (size_t i = 0; i < count; i++)
		if (stet_file_open(call, key[i], &fd) == STET_OK)
			close(fd);
		else {
			missing++;
			stet_error_clear(call);
		}
	if (missing > 0)
		stet_finding(call, STET_TROUBLE,
		    "\"stet media verify\" names them; restore them from a backup.",
		    "files of %zu of the newest %zu items are missing", missing, count);
	return STET_OK;
}

enum stet_status
check_run(struct stet_call *call)
{
	STET_TRY(check_size(call));
	STET_TRY(check_pending(call));
	STET_TRY(check_unread(call));
	return check_files(call);
}
