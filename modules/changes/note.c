/* note.c - writes changes to the feed: a row for each, in the transaction of the change. */
#include "changes.h"
#include <stet/taxonomies.h>
#include <string.h>

/* The change that readers without drafts see, if the row is like this after the change. */
enum condition { ANY, PUBLISHED, DATED };
static const struct shown {
	const char *change;
	enum condition condition;
	const char *shown;
} shown[] = {
	{ "create", PUBLISHED, "publish" },
	{ "update", PUBLISHED, "update" },
	{ "publish", ANY, "publish" },
	/* Without a publishing date the item was only scheduled, so it was never public. */
	{ "unpublish", DATED, "remove" },
	{ "delete", PUBLISHED, "remove" },
	{ "restore", PUBLISHED, "publish" },
};

/* NULL: they see no such change. */
static const struct shown *
shown_by(const char *change)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (strcmp(shown[i].change, change) == 0)
			return &shown[i];
	return NULL;
}

/* Adds an SQL expression on the row. */
static void
add_shown(struct stet_sql *sql, const char *change)
{
	static const char *const when[] = { [ANY] = "1 = 1",
		[PUBLISHED] = "status = 'published'",
		[DATED] = "published_at IS NOT NULL" };
	const struct shown *s = shown_by(change);

	if (s == NULL) {
		stet_sql_add(sql, "NULL");
		return;
	}
	stet_sql_add(sql, "CASE WHEN ");
	stet_sql_add(sql, when[s->condition]);
	stet_sql_add(sql, " THEN '");
	stet_sql_add(sql, s->shown);
	stet_sql_add(sql, "' END");
}

static const char *
shown_of(const char *change, const struct stet_item_row *row)
{
	const struct shown *s = shown_by(change);
	bool is;

	if (s == NULL)
		return NULL;
	is = s->condition == ANY ||
	     (s->condition == PUBLISHED ? strcmp(row->status, "published") == 0
					: row->published_at != NULL);
	return is ? s->shown : NULL;
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

#define NO_TERMS "[[]]"

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
    const char *change, const struct stet_item_row *row, const char **out)
{
	const struct stet_taxonomies_1 *service = stet_service(call, STET_TAXONOMIES_1);
	const struct changes_state *state = stet_state_of(call, "changes");
	const json_t *had;
	json_t *has;

	*out = NULL;
	if (service == NULL)
		return STET_OK;
	if (row != NULL && row->untagged && !state->had) {
		*out = NO_TERMS;
		return STET_OK;
	}
	STET_TRY(service->groups(call, collection, id, &has));
	STET_TRY(take_had(call, tx, id, change, &had));
	*out = terms_text(call, has, had);
	return STET_OK;
}

/* ---- changes ---- */

#define COLUMNS " (kind, at, collection, terms, change, id, locale, slug, shown, version"
#define VALUES " ('content', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9"
#define ROW 9 /* values of such a row */

/* Adds a row for a purged item. It was in the trash, so it had left the lists already. */
static enum stet_status
note_purge(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	return stet_exec(call, tx,
	    "INSERT INTO change_feed (at, kind, collection, id, change, terms)"
	    " VALUES (?1, 'content', ?2, ?3, 'purge', '" NO_TERMS "')",
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
	add_shown(sql, change);
	stet_sql_add(sql, ", ");
	return sql;
}

/* Reads the row of the item; *out NULL: it is in the trash. */
static enum stet_status
read_row(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const char *change, const struct stet_item_row **out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);

	*out = NULL;
	return content == NULL || strcmp(change, "delete") == 0
		   ? STET_OK
		   : content->row(call, collection, id, out);
}

/* Appends a row of these values with the next number, which is kept in the write lane until
 * somebody else writes the feed: asking for it costs as much as the row. */
static enum stet_status
append(struct stet_call *call, struct stet_tx *tx, const struct stet_val *row, size_t n)
{
	static const char key;
	void **slot = stet_tx_slot(call, &key, "change_feed");
	struct stet_val value[ROW + 1];
	struct stet_rows rows;
	int64_t *kept;

	memcpy(value, row, n * sizeof(*row));
	if (slot != NULL && *slot != NULL) {
		kept = *slot;
		value[n] = stet_val_int(++*kept);
		STET_TRY(stet_exec_later(call, tx, STET_LATER_ROW, "change_feed",
		    "INSERT INTO change_feed" COLUMNS ", number) VALUES" VALUES ", ?10)", value,
		    n + 1));
		*slot = kept;
		return STET_OK;
	}
	STET_TRY(stet_query(call, &rows,
	    "INSERT INTO change_feed" COLUMNS ") VALUES" VALUES ") RETURNING number", row, n));
	if (stet_row(&rows) && slot != NULL) {
		kept = *slot = stet_tx_alloc(call, sizeof(*kept));
		*kept = stet_col_int(&rows, 0);
	}
	return stet_rows_end(&rows);
}

enum stet_status
note_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	const struct stet_item_row *row;
	struct stet_sql *sql;
	const char *terms;

	if (strcmp(change, "purge") == 0)
		return note_purge(call, tx, collection->slug, id);
	STET_TRY(read_row(call, collection, id, change, &row));
	STET_TRY(read_terms(call, tx, collection->slug, id, change, row, &terms));
	if (row != NULL)
		return append(call, tx,
		    STET_ARGS(stet_time_text(call, stet_now(call)), collection->slug, terms, change,
			id, row->locale, row->slug, shown_of(change, row), version));
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

/* Adds a row that only readers of drafts see. */
static enum stet_status
within(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *collection,
    const char *id, const char *change)
{
	return put(call, tx, kind, collection, id, change, NULL);
}

const struct stet_changes_1 changes_service = {
	.note = note, .renamed = renamed, .retagged = retagged, .within = within
};
