/* note.c - writes changes to the feed: a row for each, in the transaction of the change. */
#include "changes.h"
#include <string.h>

/* What readers see who see only published content, by the row after the change: an SQL
 * expression. NULL: nothing. */
static const struct {
	const char *change, *shown;
} shown[] = {
	{ "create", "CASE WHEN status = 'published' THEN 'publish' END" },
	{ "update", "CASE WHEN status = 'published' THEN 'update' END" },
	{ "publish", "'publish'" },
	/* Without a publishing date the item was only scheduled, so it was never public. */
	{ "unpublish", "CASE WHEN published_at IS NOT NULL THEN 'remove' END" },
	{ "delete", "CASE WHEN status = 'published' THEN 'remove' END" },
	{ "restore", "CASE WHEN status = 'published' THEN 'publish' END" },
};

static const char *
shown_by(const char *change)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (strcmp(shown[i].change, change) == 0)
			return shown[i].shown;
	return "NULL";
}

static enum stet_status
put(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *collection,
    const char *id, const char *change, const char *shown_as)
{
	return stet_exec(call, tx,
	    "INSERT INTO change_feed (at, kind, collection, id, change, shown)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	    STET_ARGS(
		stet_time_text(call, stet_now(call)), kind, collection, id, change, shown_as));
}

enum stet_status
note_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct stet_sql *sql;

	if (strcmp(change, "purge") ==
	    0) /* it was in the trash, so it left the public view before */
		return put(call, tx, "content", collection->slug, id, change, NULL);
	sql = stet_sql_new(call);
	stet_sql_add(sql,
	    "INSERT INTO change_feed"
	    " (kind, at, collection, id, change, version, locale, slug, shown) SELECT 'content', ");
	stet_sql_bind(sql, stet_val_str(stet_time_text(call, stet_now(call))));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(collection->slug));
	stet_sql_add(sql, ", id, ");
	stet_sql_bind(sql, stet_val_str(change));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_int(version));
	stet_sql_add(sql, ", locale, slug, ");
	stet_sql_add(sql, shown_by(change));
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	return stet_sql_exec(sql, tx);
}

/* A change of a field is reported as one of its collection. A new collection has no items to
 * show yet. */
enum stet_status
note_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	const char *as = "update";

	if (field != NULL)
		return put(call, tx, "collection", NULL, collection, "update", as);
	if (strcmp(change, "create") == 0)
		as = NULL;
	else if (strcmp(change, "delete") == 0)
		as = "remove";
	return put(call, tx, "collection", NULL, collection, change, as);
}

static enum stet_status
note(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *id,
    const char *change)
{
	return put(call, tx, kind, NULL, id, change, change);
}

static enum stet_status
renamed(
    struct stet_call *call, struct stet_tx *tx, const char *kind, const char *was, const char *id)
{
	if (strcmp(was, id) == 0)
		return note(call, tx, kind, id, "update");
	STET_TRY(note(call, tx, kind, was, "delete"));
	return note(call, tx, kind, id, "create");
}

const struct stet_changes_1 changes_service = { .note = note, .renamed = renamed };
