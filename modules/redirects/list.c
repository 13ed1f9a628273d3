/*
 * list.c - the op that lists the old addresses of a collection: of imports, and old slugs. SQLite
 * merges the two indexes if columns of both SELECTs have the same affinity, and sorts nothing.
 */
#include "redirects.h"

const struct stet_member list_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "limit", STET_INTEGER, .about = "Addresses a page", STET_RANGE(1, 1000),
	    .fallback = "100" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
static const struct stet_member shape[] = {
	{ "from", STET_STRING, STET_REQUIRED,
	    .about = "Path and query in the source of an import, or the path with an old slug" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Of the item" },
	{ "slug", STET_STRING, .about = "The slug that the item had on this site" },
	{ "locale", STET_STRING, .about = "With slug: the locale in which it had it" },
	{ 0 },
};
const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

void
list_select(struct stet_call *call, struct stet_sql *sql, const struct stet_collection *c)
{
	const struct stet_import_moved_1 *imported = stet_service(call, STET_IMPORT_MOVED_1);

	if (imported != NULL) {
		imported->select(sql, c);
		stet_sql_add(sql, " UNION ALL ");
	}
	stet_sql_add(sql,
	    "SELECT r.slug AS place, r.entry_id AS id, r.slug, r.locale, e.published_at,"
	    " e.slug AS at_slug, e.locale AS at_locale FROM redirect AS r JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS e ON e.id = r.entry_id AND e.deleted_at IS NULL"
			  " AND e.status = 'published' AND e.slug <> r.slug"
			  " WHERE r.collection = ");
	stet_sql_bind(sql, stet_val_str(c->slug));
	free_condition(sql, c);
}

/* Writes a row of list_select. */
static void
put_row(struct stet_call *call, struct stet_json *out, const struct stet_collection *c,
    struct stet_rows *rows)
{
	const char *id = stet_col_str(rows, 1), *slug = stet_col_str(rows, 2),
		   *locale = stet_col_str(rows, 3);

	stet_object(out, NULL);
	stet_put_str(out, "from",
	    slug == NULL ? stet_col_str(rows, 0)
			 : place_of(call, c, id, slug, locale, stet_col_str(rows, 4)));
	stet_put_str(out, "id", id);
	if (slug != NULL) {
		stet_put_str(out, "slug", slug);
		stet_put_str(out, "locale", locale);
	}
	stet_close(out);
}

enum stet_status
list(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_page page = { .listing = "import redirects",
		.key = "place",
		.key_column = 0,
		.id_column = 1,
		.ascending = true };
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *collection;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &collection));
	stet_sql_add(sql, "SELECT place, id, slug, locale, published_at FROM (");
	list_select(call, sql, collection);
	stet_sql_add(sql, ") AS x WHERE place IS NOT NULL");
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		put_row(call, out, collection, &rows);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}
