/* moves.c - writes a row when a published item leaves its address, and deletes rows. */
#include "redirects.h"
#include <string.h>

/* Deletes the rows of an item beyond the newest ones. */
static enum stet_status
trim(struct stet_call *call, struct stet_tx *tx, const char *id)
{
	return stet_exec(call, tx,
	    "DELETE FROM redirect WHERE entry_id = ?1 AND (left_at, slug, locale) <"
	    " (SELECT left_at, slug, locale FROM (SELECT left_at, slug, locale FROM redirect"
	    " WHERE entry_id = ?1 ORDER BY left_at DESC, slug DESC, locale DESC LIMIT ?2) AS newest"
	    " ORDER BY left_at, slug, locale LIMIT 1)",
	    STET_ARGS(id, ROWS_MAX));
}

enum stet_status
move_left(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *slug, const char *locale)
{
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO redirect (collection, slug, locale, entry_id, left_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (collection, slug, locale) DO UPDATE"
	    " SET entry_id = excluded.entry_id, left_at = excluded.left_at",
	    STET_ARGS(collection->slug, slug, locale, id, stet_time_text(call, stet_now(call)))));
	return trim(call, tx, id);
}

enum stet_status
move_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	(void)collection;
	(void)version;
	if (strcmp(change, "purge") != 0)
		return STET_OK;
	return stet_exec(call, tx, "DELETE FROM redirect WHERE entry_id = ?1", STET_ARGS(id));
}

enum stet_status
move_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	return stet_exec(
	    call, tx, "DELETE FROM redirect WHERE collection = ?1", STET_ARGS(collection));
}

/* ---- rows from files ---- */

static const char *
text(const json_t *key, const char *name)
{
	return json_string_value(json_object_get(key, name));
}

/* Fails unless the collection has the item. */
static enum stet_status
check_item(struct stet_call *call, const char *collection, const char *id)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *found;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool there;

	STET_TRY(schema->collection(call, collection, &found));
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, found->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	there = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return there ? STET_OK
		     : stet_fail(call, STET_VALIDATION_ERROR, "entryId",
			   "The collection %s has no item %.100s", collection, id);
}

enum stet_status
move_loaded(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	const char *collection = text(key, "collection"), *id;
	struct stet_rows rows;

	(void)tx;
	(void)arg;
	if (strcmp(change, "delete") == 0)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT entry_id FROM redirect WHERE collection = ?1 AND slug = ?2 AND locale = ?3",
	    STET_ARGS(collection, text(key, "slug"), text(key, "locale"))));
	id = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return check_item(call, collection, id);
}
