/* moved.c - where imported items were in their source: the table import_moved. */
#include "state/moved.h"
#include <stet/content.h>
#include <string.h>

#define PATH_LENGTH 2000 /* bytes; longer ones are no addresses that anybody links to */

const struct stet_member moved_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "limit", STET_INTEGER, .about = "Addresses a page", STET_RANGE(1, 1000),
	    .fallback = "100" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
static const struct stet_member moved_shape[] = {
	{ "from", STET_STRING, STET_REQUIRED, .about = "Path and query in the source" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Of the item" },
	{ 0 },
};
const struct stet_member moved_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = moved_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* ---- addresses ---- */

const char *
moved_path(struct stet_call *call, const char *address)
{
	bool bare = address != NULL && address[0] == '/' && address[1] != '/';
	const char *host = address != NULL ? strstr(address, "://") : NULL, *path = address;
	size_t len;

	if (!bare && host == NULL)
		return NULL;
	if (!bare)
		path = host + 3 + strcspn(host + 3, "/?#");
	len = strcspn(path, "#");
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)path[i] <= ' ' || strchr("\"\\\x7f", path[i]) != NULL)
			return NULL;
	return *path == '?' ? stet_printf(call, "/%.*s", (int)len, path)
	       : len > 1    ? stet_strndup(call, path, len)
			    : NULL; /* the home page needs no redirect */
}

const char *
moved_renamed(struct stet_call *call, const char *path, const char *slug)
{
	size_t len = path != NULL ? strlen(path) : 0, end;
	bool slash = len > 1 && path[len - 1] == '/';

	if (*slug == '/') /* a whole path */
		return moved_path(call, stet_printf(call, "://%s", slug));
	if (path == NULL || strchr(path, '?') != NULL ||
	    slug[strcspn(slug, "/?# \"\\\r\n\t")] != '\0' || *slug == '\0')
		return NULL;
	end = len - slash;
	while (end > 0 && path[end - 1] != '/')
		end--;
	return stet_printf(call, "%.*s%s%s", (int)end, path, slug, slash ? "/" : "");
}

/* ---- the table ---- */

static enum stet_status
put(struct stet_call *call, struct stet_tx *tx, const struct moved *m, const char *path,
    bool permalink)
{
	if (path == NULL || strlen(path) > PATH_LENGTH)
		return STET_OK;
	return stet_exec(call, tx,
	    "INSERT INTO import_moved (collection, path, item, permalink) VALUES (?1, ?2, ?3, ?4)"
	    " ON CONFLICT (collection, path) DO UPDATE SET item = excluded.item,"
	    " permalink = excluded.permalink WHERE excluded.permalink >= import_moved.permalink",
	    STET_ARGS(m->collection, path, m->item, permalink ? 1 : 0));
}

enum stet_status
moved_put(struct stet_call *call, struct stet_tx *tx, const struct moved *m)
{
	const char *path = moved_path(call, m->address), *old;

	STET_TRY(put(call, tx, m, path, true));
	for (size_t i = 0; i < json_array_size(m->old_slugs); i++) {
		old = json_string_value(json_array_get(m->old_slugs, i));
		if (old != NULL)
			STET_TRY(put(call, tx, m, moved_renamed(call, path, old), false));
	}
	return STET_OK;
}

/* ---- the op ---- */

enum stet_status
moved_list(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_page page = { .listing = "import redirects",
		.key = "path",
		.key_column = 0,
		.id_column = 1,
		.ascending = true };
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *collection;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &collection));
	stet_sql_add(sql, "SELECT m.path, e.id FROM import_moved AS m JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " AS e ON e.id = m.item AND e.deleted_at IS NULL"
			  " AND e.status = 'published' WHERE m.collection = ");
	stet_sql_bind(sql, stet_val_str(collection->slug));
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, moved_shape);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}
