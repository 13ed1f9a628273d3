/*
 * similar.c - finds items similar to one: items with the words that are typical of it (typical.c).
 * The search is that of a question with these words.
 */
#include "find.h"
#include <string.h>

const struct stet_member search_similar_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED | STET_BOUNDED, .about = "Of a published item",
	    STET_RANGE(1, 64) },
	{ "collections", STET_STRING,
	    .about = "Where to look, slugs separated by commas; in its own when omitted" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .fallback = "5", STET_RANGE(1, 20) },
	{ 0 },
};

/* ---- the item ---- */

static enum stet_status
not_found(struct stet_call *call, const char *id)
{
	return stet_fail(call, STET_NOT_FOUND, "id", "Item \"%s\" not found", id);
}

/* Returns in *out whether the item is published; others are treated as missing. */
static enum stet_status
is_published(struct stet_call *call, const struct stet_collection *c, const char *id, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT status FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " AND deleted_at IS NULL");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows) && strcmp(stet_col_str(&rows, 0), "published") == 0;
	return stet_rows_end(&rows);
}

/* Reads the item's document from its index. */
static enum stet_status
read_like(struct stet_call *call, const char *id, struct like *like, const char **locale)
{
	struct stet_rows rows;
	bool shown;

	STET_TRY(stet_derived_query(call, &rows,
	    "SELECT d.shard, d.n, s.locale FROM search_doc d JOIN search_shard s ON s.id = d.shard"
	    " WHERE d.index_id = ?1 AND d.entry = ?2",
	    STET_ARGS(like->index.id, id)));
	shown = stet_row(&rows);
	if (shown) {
		like->shard = stet_col_int(&rows, 0);
		like->n = stet_col_int(&rows, 1);
		*locale = stet_col_dup(&rows, 2);
	}
	STET_TRY(stet_rows_end(&rows));
	if (!shown)
		return not_found(call, id);
	like->text = stet_alloc(call, like->index.columns * sizeof(*like->text));
	return shard_texts(call, like->shard, &like->n, 1, like->index.columns, like->text);
}

/* ---- the op ---- */

/* Fails as for a missing collection, also if the caller may not read it. */
static enum stet_status
no_collection(struct stet_call *call, const char *slug)
{
	return stet_fail(call, STET_NOT_FOUND, "collection", "Collection \"%s\" not found", slug);
}

enum stet_status
search_similar(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = stet_arg(call, "collection");
	struct like like = { 0 };
	struct finding want = { .q = "",
		.status = "published",
		.collections = scope_list(call, stet_arg(call, "collections")),
		.limit = (size_t)stet_arg_int(call, "limit"),
		.like = &like };
	const char *id = stet_arg(call, "id");
	struct index *list;
	size_t count;
	bool shown;

	STET_TRY(beside_ready(call));
	if (schema->collection(call, slug, &like.collection) != STET_OK) {
		stet_error_clear(call);
		return no_collection(call, slug);
	}
	if (!scope_shows(call, like.collection))
		return no_collection(call, slug);
	STET_TRY(is_published(call, like.collection, id, &shown));
	if (!shown)
		return not_found(call, id);
	STET_TRY(index_list(call, slug, "serving", &list, &count));
	if (count == 0)
		return stet_fail(call, stet_code(call, "SEARCH_NOT_ENABLED"), "collection",
		    "Search is off for \"%s\"", slug);
	like.index = list[0];
	STET_TRY(read_like(call, id, &like, &want.locale));
	if (want.collections == NULL)
		want.collections = scope_list(call, slug);
	return search_reply(call, &want);
}
