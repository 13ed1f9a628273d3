/* history.c - the revisions of an item: lists, reads and restores them. */
#include "write/write.h"
#include <string.h>

#define OF_ITEM                                                                          \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	    { "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },     \
	    { "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },  \
	{                                                                                \
		"cursor", STET_STRING, .about = "nextCursor of the page before"          \
	}

const struct stet_member revisions_in[] = {
	OF_ITEM,
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ 0 },
};
const struct stet_member revision_list_in[] = {
	OF_ITEM,
	{ "limit", STET_INTEGER, STET_RANGE(1, 50), .fallback = "20" },
	{ 0 },
};
const struct stet_member revisions_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = revision_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "total", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
const struct stet_member revision_in[] = {
	{ "revisionId", STET_STRING, STET_REQUIRED, .about = "Id of the revision" },
	{ 0 },
};
const struct stet_member revision_restore_in[] = {
	{ "revisionId", STET_STRING, STET_REQUIRED, .about = "Id of the revision" },
	VIEW_FIELDS,
	{ 0 },
};
const struct stet_member revision_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = revision_shape },
	{ 0 },
};

/* ---- list ---- */

static enum stet_status
put_list(
    struct stet_call *call, const struct stet_collection *c, const char *entry, const char *before)
{
	struct stet_json *out = stet_reply(call);
	int64_t limit = stet_arg_int(call, "limit"), n = 0, total;
	const char *last = NULL, *listing = stet_printf(call, "revisions:%s", entry);
	struct revision r;
	struct stet_rows rows;

	STET_TRY(revision_count(call, entry, &total));
	STET_TRY(revision_walk(call, entry, before, limit + 1, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (n <= limit && revision_next(&rows, &r)) {
		if (n++ == limit)
			break;
		fit_forget_newer(c, r.data, r.created);
		revision_put(out, NULL, &r);
		last = r.id;
	}
	stet_close(out);
	if (n > limit)
		stet_put_str(out, "nextCursor", stet_cursor_make(call, listing, json_null(), last));
	stet_put_int(out, "total", total);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
list(struct stet_call *call, bool must_support)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	const char *cursor = stet_arg(call, "cursor"), *before = NULL, *entry;
	const struct stet_collection *collection;
	const struct plan *plan;
	const json_t *key;
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	if (must_support && !collection->revisions)
		return stet_fail(call, STET_VALIDATION_ERROR, "collection",
		    "The collection \"%s\" does not support revisions", collection->slug);
	STET_TRY(item_find(call, plan, stet_arg(call, "id"), locale, &rows));
	entry = stet_col_dup(&rows, C_ID);
	STET_TRY(stet_rows_end(&rows));
	if (cursor != NULL)
		STET_TRY(stet_cursor_read(
		    call, cursor, stet_printf(call, "revisions:%s", entry), &key, &before));
	return put_list(call, collection, entry, before);
}

enum stet_status
revision_list(struct stet_call *call)
{
	return list(call, false);
}

enum stet_status
revision_list_tool(struct stet_call *call)
{
	return list(call, true);
}

/* ---- one ---- */

static enum stet_status
not_found(struct stet_call *call)
{
	return stet_fail(
	    call, STET_NOT_FOUND, NULL, "Revision not found: %s", stet_arg(call, "revisionId"));
}

/* Finds the revision that the argument names, and its item, which must exist and not be in the
 * trash. */
static enum stet_status
find(struct stet_call *call, struct revision *r, struct now *now, struct stet_rows *rows)
{
	bool found;

	STET_TRY(revision_read_named(call, stet_arg(call, "revisionId"), r, &found));
	if (!found)
		return not_found(call);
	if (plan_get(call, r->collection, &now->collection, &now->plan) != STET_OK) {
		stet_error_clear(call);
		return not_found(call);
	}
	STET_TRY(stet_query(call, rows, now->plan->by_id, STET_ARGS(r->entry)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return not_found(call);
}

enum stet_status
revision_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct now now = { 0 };
	struct stet_rows rows;
	struct revision r;

	STET_TRY(find(call, &r, &now, &rows));
	STET_TRY(stet_rows_end(&rows));
	stet_object(out, NULL);
	fit_forget_newer(now.collection, r.data, r.created);
	revision_put(out, "item", &r);
	stet_close(out);
	return STET_OK;
}

/* Writes the restored values as a new revision. If the item is published it becomes the draft;
 * otherwise the row gets the values too. */
static enum stet_status
write_restored(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const struct revision *r, const json_t *data, const struct change *c)
{
	bool stages = now->collection->revisions && (now->is_published || now->draft != NULL);
	struct stet_sql *sql = stages ? now_update_hidden(call, now) : now_update(call, now);
	const char *live = now->live, *id = NULL;
	const json_t *staged = staged_of(call, r->data);
	struct values values;

	now_diff(call, now, data, &values);
	if (stages && live == NULL && now->is_published)
		STET_TRY(revision_keep(call, tx, now, &live));
	if (stages) {
		STET_TRY(revision_write(
		    call, tx, now, staged_with(call, data, staged), r->slug, live, &id));
		now_set(sql, ", live_revision_id = ", live);
		now_set(sql, ", draft_revision_id = ", id);
		return now_write(call, tx, sql, now, c, NULL, "stage");
	}
	if (staged != NULL)
		STET_TRY(translation_spare(call, now->plan, now->group, now->id));
	STET_TRY(revision_replace(call, tx, now, staged_with(call, data, staged), r->slug, &id));
	STET_TRY(staged_store(call, tx, now->plan->slug, now->group, now->id, staged));
	now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
	now_set_fields(call, sql, now, &values);
	if (r->slug != NULL && *r->slug != '\0')
		now_set(sql, ", slug = ", r->slug);
	STET_TRY(now_write(call, tx, sql, now, c, &values, "update"));
	return translation_share(call, tx, c, now->group, now->columns, data);
}

enum stet_status
revision_restore(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct now now = { 0 };
	struct stet_rows rows;
	struct revision r;
	struct change c;
	const char *slug;
	json_t *data;

	STET_TRY(find(call, &r, &now, &rows));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now.author));
	data = fit_overlay(call, now.collection, now.plan, now.columns, &r);
	slug = r.slug != NULL && *r.slug != '\0' ? r.slug : now.slug;
	c = now_change(&now, slug, now.status);
	c.live = now.is_published && !now.collection->revisions;
	if ((c.live || now.scheduled != NULL) && stet_drafts_only(call))
		return stet_refuse_public(call);
	STET_TRY(hook_before_save(call, tx, &c, data));
	STET_TRY(write_restored(call, tx, &now, &r, data, &c));
	STET_TRY(hook_after_save(call, tx, &c));
	return now_reply_part(call, &now);
}
