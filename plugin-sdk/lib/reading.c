/* reading.c - who may read the items of a collection, and what readers see of a change. */
#include <stet/content.h>
#include <stet/module.h>
#include <stet/sql.h>
#include <string.h>

bool
stet_may_read(struct stet_call *call, const struct stet_collection *collection)
{
	return collection->public_read ||
	       (stet_may(call, "content:read") && stet_covers(call, collection->slug));
}

bool
stet_collection_open(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = stet_route_arg(call, "collection");
	const struct stet_collection *collection;
	enum stet_status status;

	if (schema == NULL || slug == NULL)
		return false;
	status = schema->collection(call, slug, &collection);
	if (status == STET_OK)
		return collection->public_read;
	/* The gate passes on what is a failure of ours. */
	if (stet_status_http(status) < 500)
		stet_error_clear(call);
	return false;
}

static bool
is_one_of(const char *change, const char *const *names)
{
	while (*names != NULL && strcmp(*names, change) != 0)
		names++;
	return *names != NULL;
}

enum stet_status
stet_change_is_seen(struct stet_call *call, const struct stet_collection *collection,
    const char *id, const char *change, bool *out)
{
	static const char *const always[] = { "publish", "unpublish", NULL };
	static const char *const if_live[] = { "create", "update", "delete", "restore", NULL };
	struct stet_sql *sql;
	struct stet_rows rows;

	*out = is_one_of(change, always);
	if (*out || !is_one_of(change, if_live))
		return STET_OK;
	/* In the trash an item keeps its status. */
	sql = stet_sql_new(call);
	stet_sql_add(sql, "SELECT status FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = strcmp(stet_col_str(&rows, 0), "published") == 0;
	return stet_rows_end(&rows);
}
