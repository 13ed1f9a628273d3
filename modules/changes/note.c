/* note.c - writes changes to the feed: a row for each, in the transaction of the change. */
#include "changes.h"
#include <stet/taxonomies.h>
#include <string.h>

/* The change that readers without drafts see: an SQL expression on the row after the change. NULL:
 * none. */
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

/* ---- terms ---- */

/* Writes the column `terms`. had NULL: unchanged. */
static const char *
terms_text(struct stet_call *call, const json_t *has, const json_t *had)
{
	struct stet_json *out = stet_json_new(call);

	stet_array(out, NULL);
	stet_put_json(out, NULL, has);
	if (had != NULL && !json_equal(had, has))
		stet_put_json(out, NULL, had);
	stet_close(out);
	return stet_json_text(out, NULL);
}

/* Reads the terms that the item had when the save began; NULL: they have not changed. */
static enum stet_status
take_had(struct stet_call *call, struct stet_tx *tx, const char *id, const char *change,
    const json_t **had)
{
	struct changes_state *state = stet_state_of(call, "changes");
	struct stet_rows rows;
	const char *text;
	size_t len;

	*had = NULL;
	if (!state->had)
		return STET_OK;
	STET_TRY(
	    stet_query(call, &rows, "SELECT terms FROM change_had WHERE item = ?1", STET_ARGS(id)));
	if (stet_row(&rows)) {
		text = stet_col_text(&rows, 0, &len);
		*had = stet_json_stored(call, text, len);
	}
	STET_TRY(stet_rows_end(&rows));
	if (*had == NULL)
		return STET_OK;
	if (strcmp(change, "create") == 0) /* a new item had no terms */
		*had = NULL;
	STET_TRY(stet_exec(call, tx, "DELETE FROM change_had WHERE item = ?1", STET_ARGS(id)));
	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM change_had LIMIT 1", STET_NO_ARGS));
	state->had = stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
read_terms(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const char *change, const char **out)
{
	const struct stet_taxonomies_1 *service = stet_service(call, STET_TAXONOMIES_1);
	const json_t *had;
	json_t *has;

	*out = NULL;
	if (service == NULL)
		return STET_OK;
	STET_TRY(service->groups(call, collection, id, &has));
	STET_TRY(take_had(call, tx, id, change, &had));
	*out = terms_text(call, has, had);
	return STET_OK;
}

/* ---- changes ---- */

/* Adds a row for a purged item. It was in the trash, so it had left the lists already. */
static enum stet_status
note_purge(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	return stet_exec(call, tx,
	    "INSERT INTO change_feed (at, kind, collection, id, change, terms)"
	    " VALUES (?1, 'content', ?2, ?3, 'purge', '[[]]')",
	    STET_ARGS(stet_time_text(call, stet_now(call)), collection, id));
}

/* Begins the row of an item, up to its version. */
static struct stet_sql *
begin_row(struct stet_call *call, const char *collection, const char *change, const char *terms)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "INSERT INTO change_feed"
			  " (kind, at, collection, terms, change, id, locale, slug, shown, version)"
			  " SELECT 'content', ");
	stet_sql_bind(sql, stet_val_str(stet_time_text(call, stet_now(call))));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(terms));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(change));
	stet_sql_add(sql, ", id, locale, slug, ");
	stet_sql_add(sql, shown_by(change));
	stet_sql_add(sql, ", ");
	return sql;
}

enum stet_status
note_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct stet_sql *sql;
	const char *terms;

	if (strcmp(change, "purge") == 0)
		return note_purge(call, tx, collection->slug, id);
	STET_TRY(read_terms(call, tx, collection->slug, id, change, &terms));
	sql = begin_row(call, collection->slug, change, terms);
	stet_sql_bind(sql, stet_val_int(version));
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	return stet_sql_exec(sql, tx);
}

/* Adds a row for each item with changed terms. Its version is the public one: a change of terms
 * does not increase it. */
static enum stet_status
retagged(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const char *item, const json_t *had, const json_t *has)
{
	struct stet_sql *sql = begin_row(call, collection, "update", terms_text(call, has, had));
	struct changes_state *state = stet_state_of(call, "changes");

	if (item != NULL) {
		struct stet_json *text = stet_json_new(call);

		stet_put_json(text, NULL, had);
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO change_had (item, terms) VALUES (?1, ?2)"
		    " ON CONFLICT (item) DO NOTHING",
		    STET_ARGS(item, stet_json_text(text, NULL))));
		state->had = true;
	}
	stet_sql_add(sql, "COALESCE(live_version, version) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE translation_group = ");
	stet_sql_bind(sql, stet_val_str(entry_group));
	stet_sql_add(sql, " AND " STET_UNINDEXED("deleted_at") " IS NULL");
	if (item != NULL) {
		stet_sql_add(sql, " AND id <> ");
		stet_sql_bind(sql, stet_val_str(item));
	}
	return stet_sql_exec(sql, tx);
}

/* Reports a change of a field as an update of its collection. A new collection has no items yet. */
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

const struct stet_changes_1 changes_service = {
	.note = note, .renamed = renamed, .retagged = retagged
};
