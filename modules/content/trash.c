/* trash.c - move an item to the trash. */
#include "content.h"

const struct stet_member delete_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
const struct stet_member delete_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ 0 },
};

static enum stet_status
remove_item(struct stet_call *call, struct stet_tx *tx, const struct change *c)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->plan->slug);
	/* Nothing publishes behind the editor's back. */
	stet_sql_add(sql, " SET scheduled_at = NULL, deleted_at = ");
	stet_sql_bind(sql, stet_val_str(stet_time_text(call, stet_now(call))));
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(c->id));
	return stet_sql_exec(sql, tx);
}

static void
reply(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_bool(out, "deleted", true);
	stet_put_str(out, "id", id);
	stet_close(out);
}

enum stet_status
content_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	const char *locale = item_locale(call, stet_arg(call, "locale"));
	bool hooked = stet_hooked(call, STET_AT_entry_before_delete);
	json_t *data = NULL;
	struct change c = { 0 };
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &c.collection, &c.plan));
	STET_TRY(item_find(call, c.plan, stet_arg(call, "id"), locale, &rows));
	c.id = stet_col_dup(&rows, C_ID);
	c.slug = stet_col_dup(&rows, C_SLUG);
	c.status = stet_col_dup(&rows, C_STATUS);
	c.locale = stet_col_dup(&rows, C_LOCALE);
	c.author = stet_col_dup(&rows, C_AUTHOR);
	if (hooked)
		data = hook_data(call, &rows, c.plan);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_require_owned(call, "content:delete_own", "content:delete_any", c.author));
	if (hooked)
		STET_TRY(hook_before_delete(call, tx, &c, data));
	STET_TRY(remove_item(call, tx, &c));
	STET_TRY(hook_after_delete(call, tx, &c));
	reply(call, c.id);
	return STET_OK;
}
