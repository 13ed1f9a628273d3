/*
 * changes.c - what is noted in the site's database for indexes beside it: rows of search_change, by
 * which each daemon brings its index up to date (beside.c). Numbers have no gaps and are never used
 * again, so the last row stays.
 */
#include "search.h"
#include <string.h>

#define CLEANED_MOST 5000 /* rows in one transaction, which others wait for */
#define KEPT_MS 3600000 /* how long a row is kept; a daemon that is behind by more compares all */
#define LOOK_MS 600000

enum stet_status
changes_note(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *collection,
    const char *entry)
{
	stet_job_wake(call, SEARCH_JOB);
	return stet_exec(call, tx,
	    "INSERT INTO search_change (at, kind, collection, entry) VALUES (?1, ?2, ?3, ?4)",
	    STET_ARGS(stet_now(call), kind, collection, entry));
}

/* ---- reading changes ---- */

#define CHANGES "SELECT n, at, kind, collection, entry FROM search_change "

static struct change
take(struct stet_rows *rows)
{
	return (struct change){ stet_col_int(rows, 0), stet_col_int(rows, 1), stet_col_dup(rows, 2),
		stet_col_dup(rows, 3), stet_col_dup(rows, 4) };
}

enum stet_status
changes_find(struct stet_call *call, int64_t n, struct change *out)
{
	struct stet_rows rows;

	*out = (struct change){ 0 };
	STET_TRY(stet_query(call, &rows, CHANGES "WHERE n = ?1", STET_ARGS(n)));
	if (stet_row(&rows))
		*out = take(&rows);
	return stet_rows_end(&rows);
}

/* The last change, as it is kept with a snapshot. */
struct last {
	int64_t n, at;
	char entry[];
};

enum stet_status
changes_last(struct stet_call *call, struct change *out)
{
	static const char key;
	void **slot = stet_snapshot_slot(call, &key);
	struct stet_rows rows;
	struct last *last;
	size_t size;

	*out = (struct change){ .entry = "" };
	if (slot != NULL && *slot != NULL) {
		last = *slot;
		*out = (struct change){ .n = last->n, .at = last->at, .entry = last->entry };
		return STET_OK;
	}
	STET_TRY(stet_query(call, &rows, CHANGES "ORDER BY n DESC LIMIT 1", STET_NO_ARGS));
	if (stet_row(&rows))
		*out = take(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (slot == NULL)
		return STET_OK;
	size = strlen(out->entry) + 1;
	*slot = last = stet_snapshot_alloc(call, sizeof(*last) + size);
	last->n = out->n;
	last->at = out->at;
	memcpy(last->entry, out->entry, size);
	return STET_OK;
}

enum stet_status
changes_first(struct stet_call *call, int64_t *n)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT COALESCE(MIN(n), 1) FROM search_change",
	    STET_NO_ARGS));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
changes_after(
    struct stet_call *call, int64_t n, struct change *out, size_t max, size_t *count, bool *more)
{
	struct stet_rows rows;

	*count = 0;
	STET_TRY(stet_query(call, &rows, CHANGES "WHERE n > ?1 ORDER BY n LIMIT ?2",
	    STET_ARGS(n, (int64_t)max + 1)));
	while (*count < max && stet_row(&rows))
		out[(*count)++] = take(&rows);
	*more = *count == max && stet_row(&rows);
	return stet_rows_end(&rows);
}

/* ---- the job that removes old rows ---- */

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM search_change WHERE n = (SELECT MIN(n) FROM search_change)"
	    " AND n < (SELECT MAX(n) FROM search_change) AND at < ?1",
	    STET_ARGS(stet_now(call) - KEPT_MS)));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

int64_t
changes_due(struct stet_call *call)
{
	struct search_state *state = stet_state(call);

	return stet_derived_apart(call) ? stet_cleaning_due(call, &state->cleaned, LOOK_MS, look)
					: -1;
}

static enum stet_status
clean(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_exec(call, tx,
	    "DELETE FROM search_change WHERE at < ?1 AND n < (SELECT MAX(n) FROM search_change)"
	    " AND n < (SELECT MIN(n) FROM search_change) + ?2",
	    STET_ARGS(stet_now(call) - KEPT_MS, CLEANED_MOST));
}

enum stet_status
changes_clean(struct stet_call *call)
{
	return stet_write_lane(call, clean, NULL);
}
