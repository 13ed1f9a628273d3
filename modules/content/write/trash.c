/*
 * trash.c - the trash: moves items there, lists them, restores them, and deletes them
 * permanently.
 */
#include "write/write.h"
#include <string.h>

const struct stet_member delete_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
const struct stet_member delete_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member trash_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before" },
	{ "limit", STET_INTEGER, .about = "Items a page", STET_RANGE(1, 100), .fallback = "50" },
	{ 0 },
};
static const struct stet_member trashed_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "data", STET_OBJECT, STET_REQUIRED },
	{ "authorId", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ "publishedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "deletedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member trash_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = trashed_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member restore_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	VIEW_FIELDS,
	{ 0 },
};
const struct stet_member restore_out[] = {
	{ "restored", STET_BOOLEAN, STET_REQUIRED },
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	{ "_rev", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member purge_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ 0 },
};

/* ---- deleting ---- */

static enum stet_status
remove_item(struct stet_call *call, struct stet_tx *tx, const struct now *now)
{
	struct stet_sql *sql = now_update(call, now);
	const struct change c = now_change(now, now->slug, now->status);

	now_set(sql, ", deleted_at = ", stet_time_text(call, stet_now(call)));
	/* Removes the schedule, so that a restored item is not published unexpectedly. */
	now_turn_schedule(sql, now, NULL, NULL);
	return now_write(call, tx, sql, now, &c, NULL, "delete");
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
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	bool hooked = stet_hooked(call, STET_AT_entry_before_delete);
	json_t *data = NULL;
	struct now now = { 0 };
	struct change c;
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &now.collection, &now.plan));
	STET_TRY(item_find(call, now.plan, stet_arg(call, "id"), locale, &rows));
	now_row(call, &rows, &now);
	if (hooked)
		data = row_data(call, &rows, now.plan);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_require_owned(call, "content:delete_own", "content:delete_any", now.author));
	c = now_change(&now, now.slug, now.status);
	if (hooked)
		STET_TRY(hook_before_delete(call, tx, &c, data));
	STET_TRY(remove_item(call, tx, &now));
	STET_TRY(hook_after_delete(call, tx, &c, false));
	reply(call, now.id);
	return STET_OK;
}

/* ---- the list ---- */

static void
put_trashed(struct stet_json *out, struct stet_rows *rows, const struct plan *plan)
{
	static const struct {
		const char *name;
		int column;
	} after[] = { { "authorId", C_AUTHOR }, { "createdAt", C_CREATED },
		{ "updatedAt", C_UPDATED }, { "publishedAt", C_PUBLISHED },
		{ "locale", C_LOCALE } };

	stet_object(out, NULL);
	stet_put_str(out, "id", stet_col_str(rows, C_ID));
	stet_put_str(out, "type", plan->slug);
	stet_put_str(out, "slug", stet_col_str(rows, C_SLUG));
	stet_put_str(out, "status", stet_col_str(rows, C_STATUS));
	item_put_fields(out, "data", rows, plan, &view_all);
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		stet_put_str(out, after[i].name, stet_col_str(rows, after[i].column));
	stet_put_str(out, "deletedAt", stet_col_str(rows, C_FIELDS + (int)plan->count));
	stet_close(out);
}

static char *
next_cursor(struct stet_call *call, struct stet_rows *rows, const struct plan *plan)
{
	json_t *key = json_string(stet_col_str(rows, C_FIELDS + (int)plan->count));
	char *cursor = stet_cursor_make(
	    call, stet_printf(call, "trash:%s", plan->slug), key, stet_col_str(rows, C_ID));

	json_decref(key);
	return cursor;
}

static enum stet_status
read_cursor(
    struct stet_call *call, const struct plan *plan, const char **deleted_at, const char **id)
{
	const char *cursor = stet_arg(call, "cursor");
	const json_t *key;

	*deleted_at = "~"; /* sorts after all times */
	*id = "";
	if (cursor == NULL)
		return STET_OK;
	STET_TRY(
	    stet_cursor_read(call, cursor, stet_printf(call, "trash:%s", plan->slug), &key, id));
	*deleted_at = json_string_value(key);
	if (*deleted_at == NULL)
		return stet_fail(call, STET_INVALID_CURSOR, "cursor", "Invalid pagination cursor");
	return STET_OK;
}

enum stet_status
content_list_trashed(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	int64_t limit = stet_arg_int(call, "limit"), n = 0;
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *deleted_at, *id;
	char *next = NULL;
	bool more = false;
	struct stet_rows rows;

	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	STET_TRY(read_cursor(call, plan, &deleted_at, &id));
	STET_TRY(stet_query(call, &rows, plan->trash, STET_ARGS(deleted_at, id, limit + 1)));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (!more && stet_row(&rows)) {
		more = n == limit;
		if (more)
			break;
		put_trashed(out, &rows, plan);
		if (++n == limit)
			next = next_cursor(call, &rows, plan);
	}
	stet_close(out);
	if (more)
		stet_put_str(out, "nextCursor", next);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- restoring ---- */

/* Returns the id of the item in the trash with this slug; without a locale, of the lowest
 * locale. */
static enum stet_status
trashed_id(struct stet_call *call, const struct plan *plan, const char *slug, const char *locale,
    const char **id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, plan->slug);
	now_set(sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NOT NULL AND slug = ", slug);
	if (locale != NULL)
		now_set(sql, " AND locale = ", locale);
	stet_sql_add(sql, " ORDER BY locale LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : slug;
	return stet_rows_end(&rows);
}

/* Finds an item in the trash by id or slug. */
static enum stet_status
find_trashed(struct stet_call *call, struct now *now, json_t **data)
{
	const char *name = stet_arg(call, "id"),
		   *locale = stet_locale(call, stet_arg(call, "locale"));
	struct stet_rows rows;
	bool found = false;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &now->collection, &now->plan));
	if (!stet_is_id(name))
		STET_TRY(trashed_id(call, now->plan, name, locale, &name));
	STET_TRY(stet_query(call, &rows, now->plan->by_id_trashed, STET_ARGS(name)));
	found = stet_row(&rows);
	if (!found) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, NULL,
		    "Content item not found in the trash: %s", stet_arg(call, "id"));
	}
	now_row(call, &rows, now);
	*data = row_data(call, &rows, now->plan);
	return stet_rows_end(&rows);
}

/* Restores the row. Fails if another item has taken one of its unique values. */
static enum stet_status
write_restored(
    struct stet_call *call, struct stet_tx *tx, const struct now *now, const struct change *c)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct values values;
	enum stet_status status;

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, now->plan->slug);
	/* Removes the schedule: its time may have passed while the item was in the trash. */
	stet_sql_add(sql, " SET deleted_at = NULL");
	now_turn_schedule(sql, now, NULL, NULL);
	now_set(sql, " WHERE id = ", now->id);
	stet_sql_add(sql, " AND deleted_at IS NOT NULL");
	status = stet_sql_exec(sql, tx);
	if (status == STET_OK) {
		STET_TRY(count_add(call, tx, now->plan, now->id));
		return many_settle(call, tx, now->plan, now->id);
	}
	if (status != STET_CONFLICT)
		return status;
	now_diff(call, &(struct now){ .collection = now->collection, .plan = now->plan },
	    now->columns, &values);
	return taken_conflict(call, c, &values);
}

enum stet_status
content_restore(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct now now = { 0 };
	struct view view;
	struct change c;
	struct stet_rows rows;

	STET_TRY(find_trashed(call, &now, &now.columns));
	STET_TRY(view_fields(call, now.collection, &view));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now.author));
	c = now_change(&now, now.slug, now.status);
	c.version = now.version;
	STET_TRY(hook_before_restore(call, tx, &c, now.columns));
	STET_TRY(write_restored(call, tx, &now, &c));
	STET_TRY(hook_changed(call, tx, &c, "restore"));
	STET_TRY(translation_rejoin(call, tx, &now));
	STET_TRY(hook_after_restore(call, tx, &c));
	STET_TRY(left_row(call, now.plan, now.id, &rows));
	return item_answer_restored(call, now.collection, now.plan, &rows, &view);
}

enum stet_status
content_purge(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct now now = { 0 };
	struct change c;
	json_t *data;

	STET_TRY(find_trashed(call, &now, &data));
	c = now_change(&now, now.slug, now.status);
	STET_TRY(hook_before_purge(call, tx, &c, data));
	STET_TRY(revision_forget(call, tx, now.id));
	STET_TRY(scheduler_forget(call, tx, PUBLISHES, now.id));
	STET_TRY(scheduler_forget(call, tx, UNPUBLISHES, now.id));
	STET_TRY(byline_forget(call, tx, now.plan->slug, now.id));
	stet_sql_add(sql, "DELETE FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, now.plan->slug);
	now_set(sql, " WHERE id = ", now.id);
	stet_sql_add(sql, " AND deleted_at IS NOT NULL");
	STET_TRY(stet_sql_exec(sql, tx));
	STET_TRY(hook_changed(call, tx, &c, "purge"));
	STET_TRY(hook_after_delete(call, tx, &c, true));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_put_str(out, "id", now.id);
	stet_close(out);
	return STET_OK;
}
