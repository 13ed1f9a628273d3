/* moved.c - where imported items were in their source: the table import_moved. */
#include "state/moved.h"
#include <string.h>

#define PATH_LENGTH 2000 /* bytes; longer ones are no addresses that anybody links to */

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

/* ---- the service ---- */

static void
select_moved(struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, "SELECT m.path AS place, m.item AS id, CAST(NULL AS TEXT) AS slug,"
			  " CAST(NULL AS TEXT) AS locale,"
			  " e.published_at, e.slug AS at_slug, e.locale AS at_locale"
			  " FROM import_moved AS m JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS e ON e.id = m.item AND e.deleted_at IS NULL"
			  " AND e.status = 'published' WHERE m.collection = ");
	stet_sql_bind(sql, stet_val_str(c->slug));
}

const struct stet_import_moved_1 moved_service = { select_moved };
