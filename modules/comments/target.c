/*
 * target.c - the item that comments are about; the public must not learn of items that it cannot
 * see.
 */
#include "comments.h"

#define DAY 86400000 /* milliseconds */

static bool
is_open(struct stet_call *call, const struct stet_collection *c, const char *published)
{
	int64_t since;

	if (c->comments_closed_after_days <= 0)
		return true;
	if (published == NULL || !stet_time_parse(published, &since))
		return false;
	return (stet_now(call) - since) / DAY < c->comments_closed_after_days;
}

enum stet_status
target_find(struct stet_call *call, struct target *t)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool found;

	t->id = stet_arg(call, "contentId");
	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &t->collection));
	stet_sql_add(sql, "SELECT published_at FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, t->collection->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND status = 'published' AND id = ");
	stet_sql_bind(sql, stet_val_str(t->id));
	STET_TRY(stet_sql_query(sql, &rows));
	found = stet_row(&rows);
	t->open = found && is_open(call, t->collection, stet_col_str(&rows, 0));
	STET_TRY(stet_rows_end(&rows));
	if (!found)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %s", t->id);
	if (!t->collection->comments_enabled)
		return stet_fail(call, stet_code(call, "COMMENTS_DISABLED"), NULL,
		    "Comments are not enabled for \"%s\"", t->collection->slug);
	return STET_OK;
}
