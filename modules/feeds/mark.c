/*
 * mark.c - a mark for each collection, a revision that changes whenever its public content does.
 * Times of rows would not do: they change with drafts too, and go back when an item leaves the
 * trash.
 */
#include "feeds.h"

enum stet_status
mark_follow(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	bool seen = false;

	(void)version;
	if (site_shows(collection))
		STET_TRY(stet_change_is_seen(call, collection, id, change, &seen));
	if (!seen)
		return STET_OK;
	return stet_exec(call, tx,
	    "INSERT INTO feeds_mark (collection, mark) VALUES (?1, ?2)"
	    " ON CONFLICT (collection) DO UPDATE SET mark = excluded.mark",
	    STET_ARGS(collection->slug, stet_id(call)));
}

enum stet_status
mark_read(struct stet_call *call, const struct stet_collection *collection, const char **out)
{
	struct stet_rows rows;

	*out = NULL;
	STET_TRY(stet_query(call, &rows, "SELECT mark FROM feeds_mark WHERE collection = ?1",
	    STET_ARGS(collection->slug)));
	if (stet_row(&rows))
		*out = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}
