/* find.c - the item that had a slug last, and the old slugs of an item. */
#include "redirects.h"
#include <string.h>

void
free_condition(struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(
	    sql, " AS h WHERE h.slug = r.slug AND h.locale = r.locale AND " STET_UNINDEXED(
		     "h.deleted_at") " IS NULL AND " STET_UNINDEXED("h.status") " = 'published')");
}

const char *
place_of(struct stet_call *call, const struct stet_collection *c, const char *id, const char *slug,
    const char *locale, const char *published_at)
{
	const char *path = stet_item_address(call, c, id, slug, locale, published_at);

	if (path != NULL)
		return path;
	return stet_pattern_address(call,
	    strcmp(c->slug, "pages") == 0 ? "/{slug}" : "/{collection}/{slug}", c, id, slug, locale,
	    published_at);
}

/* ---- the item of a slug ---- */

/* Appends a text value, or does nothing if it is NULL. */
static void
add_text(struct stet_sql *sql, const char *before, const char *value)
{
	if (value == NULL)
		return;
	stet_sql_add(sql, before);
	stet_sql_bind(sql, stet_val_str(value));
}

/* CROSS JOIN makes SQLite begin with the row, whatever its planner estimates. */
static enum stet_status
had(struct stet_call *call, const struct stet_collection *c, const char *slug, const char *locale,
    const char *except, struct stet_moved *out, size_t size)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_moved moved = { 0 };
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT e.id, e.slug, e.locale, e.published_at"
			  " FROM redirect AS r CROSS JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	add_text(sql, " AS e WHERE r.collection = ", c->slug);
	add_text(sql, " AND r.slug = ", slug);
	add_text(sql, " AND r.locale = ", locale);
	stet_sql_add(sql, " AND e.id = r.entry_id AND e.slug <> r.slug AND " STET_UNINDEXED(
			      "e.deleted_at") " IS NULL");
	add_text(sql, " AND e.id <> ", except);
	if (!stet_may(call, "content:read_drafts"))
		stet_sql_add(sql, " AND " STET_UNINDEXED("e.status") " = 'published'");
	stet_sql_add(sql, " ORDER BY r.locale LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		moved.id = stet_col_dup(&rows, 0);
		moved.slug = stet_col_dup(&rows, 1);
		moved.locale = stet_col_dup(&rows, 2);
		moved.url = stet_item_address(
		    call, c, moved.id, moved.slug, moved.locale, stet_col_str(&rows, 3));
	}
	memcpy(out, &moved, size < sizeof(moved) ? size : sizeof(moved));
	return stet_rows_end(&rows);
}

static enum stet_status
find(struct stet_call *call, const struct stet_collection *c, const char *slug, const char *locale,
    struct stet_moved *out, size_t size)
{
	return had(call, c, slug, locale, NULL, out, size);
}

const struct stet_redirects_1 redirects_service = { find, had };

/* ---- the slugs of an item ---- */

#define OF_ITEM                                                                          \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{                                                                                \
		"id", STET_STRING, STET_REQUIRED, .about = "Id of the item"              \
	}
const struct stet_member of_item_in[] = { OF_ITEM, { 0 } };
static const struct stet_member old_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "leftAt", STET_STRING, STET_REQUIRED, .about = "When the item left the address" },
	{ "url", STET_STRING, STET_REQUIRED | STET_NULLABLE,
	    .about = "The old path; null: the collection has no addresses" },
	{ 0 },
};
static const struct stet_member replaced_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member of_item_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = old_shape,
	    .about = "The newest first, at most 20" },
	{ "replaces", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .of = replaced_shape,
	    .about = "The item that had the slug of this one before: it is not found by it any "
		     "more, once this one is published" },
	{ 0 },
};
const struct stet_member forget_in[] = {
	OF_ITEM,
	{ "slug", STET_STRING, STET_REQUIRED, .about = "The old slug" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Only in this locale" },
	{ 0 },
};
const struct stet_member forget_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

struct subject {
	const struct stet_collection *collection;
	const char *id, *slug, *locale, *author, *published_at;
};

/* Finds the item of the arguments, if the caller may see it. */
static enum stet_status
read_subject(struct stet_call *call, struct subject *s)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_sql *sql = stet_sql_new(call);
	const char *id = stet_arg(call, "id");
	struct stet_rows rows;

	*s = (struct subject){ 0 };
	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &s->collection));
	stet_sql_add(sql, "SELECT id, slug, locale, author_id, published_at FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->collection->slug);
	add_text(sql, " WHERE id = ", id);
	stet_sql_add(sql, " AND " STET_UNINDEXED("deleted_at") " IS NULL");
	if (!stet_may(call, "content:read_drafts"))
		stet_sql_add(sql, " AND " STET_UNINDEXED("status") " = 'published'");
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		s->id = stet_col_dup(&rows, 0);
		s->slug = stet_col_dup(&rows, 1);
		s->locale = stet_col_dup(&rows, 2);
		s->author = stet_col_dup(&rows, 3);
		s->published_at = stet_col_dup(&rows, 4);
	}
	STET_TRY(stet_rows_end(&rows));
	return s->id != NULL
		   ? STET_OK
		   : stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %.200s", id);
}

static enum stet_status
put_replaced(struct stet_call *call, struct stet_json *out, const struct subject *s)
{
	struct stet_moved moved = { 0 };

	if (s->slug != NULL)
		STET_TRY(
		    had(call, s->collection, s->slug, s->locale, s->id, &moved, sizeof(moved)));
	if (moved.id == NULL) {
		stet_put_null(out, "replaces");
		return STET_OK;
	}
	stet_object(out, "replaces");
	stet_put_str(out, "id", moved.id);
	stet_put_str(out, "slug", moved.slug);
	stet_close(out);
	return STET_OK;
}

/* Appends the old slugs of the item to an array. */
static enum stet_status
put_slugs(struct stet_call *call, struct stet_json *out, const struct subject *s)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	add_text(sql,
	    "SELECT r.slug, r.locale, r.left_at FROM redirect AS r WHERE r.entry_id = ", s->id);
	free_condition(sql, s->collection);
	add_text(sql, " AND r.slug <> ", s->slug);
	stet_sql_add(sql, " ORDER BY r.left_at DESC, r.slug DESC, r.locale DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(ROWS_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *slug = stet_col_str(&rows, 0), *locale = stet_col_str(&rows, 1);

		stet_object(out, NULL);
		stet_put_str(out, "slug", slug);
		stet_put_str(out, "locale", locale);
		stet_put_str(out, "leftAt", stet_col_str(&rows, 2));
		stet_put_str(out, "url",
		    stet_item_address(call, s->collection, s->id, slug, locale, s->published_at));
		stet_close(out);
	}
	return stet_rows_end(&rows);
}

enum stet_status
of_item(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct subject s;

	STET_TRY(read_subject(call, &s));
	stet_object(out, NULL);
	stet_array(out, "items");
	STET_TRY(put_slugs(call, out, &s));
	stet_close(out);
	STET_TRY(put_replaced(call, out, &s));
	stet_close(out);
	return STET_OK;
}

enum stet_status
forget(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct subject s;

	STET_TRY(read_subject(call, &s));
	STET_TRY(stet_require_owned(call, "content:publish_own", "content:publish_any", s.author));
	add_text(sql, "DELETE FROM redirect WHERE entry_id = ", s.id);
	add_text(sql, " AND slug = ", stet_arg(call, "slug"));
	add_text(sql, " AND locale = ", stet_arg(call, "locale"));
	STET_TRY(stet_sql_exec(sql, stet_write_tx(call)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "The item had no such slug");
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
