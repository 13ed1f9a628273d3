/* failed.c - items that could not be indexed at all. */
#include "search.h"

enum stet_status
failed_any(struct stet_call *call, const char *collection, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(call, &rows,
	    "SELECT 1 FROM search_failed WHERE collection = ?1 LIMIT 1", STET_ARGS(collection)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
failed_add(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	return stet_exec(call, tx,
	    "INSERT INTO search_failed (collection, entry) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
	    STET_ARGS(collection, id));
}

enum stet_status
failed_forget(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	return stet_exec(
	    call, tx, "DELETE FROM search_failed WHERE collection = ?1", STET_ARGS(collection));
}

enum stet_status
failed_clear(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *const *id, size_t count)
{
	bool any;

	STET_TRY(failed_any(call, collection, &any));
	for (size_t i = 0; any && i < count; i++)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM search_failed WHERE collection = ?1 AND entry = ?2",
		    STET_ARGS(collection, id[i])));
	return STET_OK;
}
