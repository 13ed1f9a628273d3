/* item.c - writes an item as JSON, and the replies that contain one. */
#include "item/item.h"
#include "markdown/markdown.h"
#include <string.h>

/* ---- writing JSON ---- */

/* Writes a Portable Text value as Markdown. */
static void
put_markdown(const struct view *view, struct stet_json *out, struct stet_rows *rows, int column,
    const struct plan_field *f)
{
	const json_t *blocks = row_value(view->call, rows, column, f->kind);

	if (blocks != NULL)
		stet_put_str(out, f->slug, markdown_write(view->call, blocks));
}

void
item_put_fields(struct stet_json *out, const char *key, struct stet_rows *rows,
    const struct plan *plan, const struct view *view)
{
	stet_object(out, key);
	for (size_t i = 0; i < plan->fields; i++) {
		if (!view_shows_field(view, i))
			continue;
		if (view->markdown != NULL && view->markdown[i])
			put_markdown(view, out, rows, C_FIELDS + (int)i, &plan->field[i]);
		else
			row_put_field(out, rows, plan, i);
	}
	stet_close(out);
}

void
item_put_data(struct stet_json *out, const char *key, const json_t *data)
{
	const char *name;
	json_t *v;

	stet_object(out, key);
	json_object_foreach((json_t *)(uintptr_t)data, name, v)
	{
		if (!extra_is(name))
			stet_put_json(out, name, v);
	}
	stet_close(out);
}

/* Writes the values of a draft, and the live values beside them. */
static void
put_newest(struct stet_json *out, struct stet_rows *rows, const struct plan *plan,
    const struct newest *newest, const struct view *view)
{
	if (newest->stored != NULL)
		stored_put(out, newest->stored, rows, plan);
	else if (view_shows(view, I_DATA))
		item_put_data(out, "data", view_data(view, plan, newest->data));
	if (newest->with_live && view_shows(view, I_LIVE_DATA))
		item_put_fields(out, "liveData", rows, plan, view);
	if (newest->with_live && newest->slug_staged && view_shows(view, I_LIVE_SLUG))
		row_put_text(out, "liveSlug", rows, C_SLUG);
}

static void
put_slug(struct stet_json *out, struct stet_rows *rows, const struct newest *newest)
{
	if (newest != NULL && newest->slug_staged)
		stet_put_str(out, "slug", newest->slug);
	else
		row_put_text(out, "slug", rows, C_SLUG);
}

/* Writes a column that is a member of answers. */
static void
put_column(struct stet_json *out, struct stet_rows *rows, const struct item_part *part, bool drafts,
    const struct newest *newest)
{
	const char *name = part->shape.name;

	if ((part->use & STET_ITEM_SECRET) != 0 && !drafts) {
		if ((part->shape.flags & STET_REQUIRED) != 0)
			stet_put_null(out, name);
	} else if (part->at == C_VERSION)
		stet_put_int(out, name, row_version(rows, drafts || newest != NULL));
	else if (part->at == C_BYLINE_ID && newest != NULL &&
		 json_object_get(newest->staged, BYLINES) != NULL)
		stet_put_str(out, name, staged_primary(newest->staged));
	else
		row_put_member(out, rows, part);
}

static void
put_columns(struct stet_json *out, struct stet_rows *rows, bool drafts, const struct newest *newest,
    const struct view *view)
{
	for (const struct item_part *part = item_parts; part->column != NULL; part++)
		if (part->member != I_COUNT && (part->use & STET_ITEM_OWN) == 0 &&
		    view_shows(view, part->member))
			put_column(out, rows, part, drafts, newest);
}

static void
put_extra(struct stet_json *out, struct stet_rows *rows, const struct plan *plan, size_t i,
    const struct newest *newest, const struct view *view)
{
	const struct extra *e = plan->field[i].extra;

	if (newest != NULL && newest->with_live && view_shows(view, e->live))
		extra_put(out, item_shape[e->live].name, plan, i, rows);
	if (!view_shows(view, e->member))
		return;
	if (newest != NULL && newest->stored != NULL)
		stored_put_extra(out, newest->stored, rows, plan, i);
	else if (newest != NULL)
		extra_put_newest(out, e, newest->data);
	else
		extra_put(out, item_shape[e->member].name, plan, i, rows);
}

void
item_open(struct stet_json *out, const char *key, struct stet_rows *rows, const struct plan *plan,
    bool drafts, const struct newest *newest, const struct view *view)
{
	stet_object(out, key);
	row_put_text(out, "id", rows, C_ID);
	if (view_shows(view, I_TYPE))
		stet_put_str(out, "type", plan->slug);
	if (view_shows(view, I_SLUG))
		put_slug(out, rows, newest);
	if (view_shows(view, I_STATUS))
		row_put_text(out, "status", rows, C_STATUS);
	if (newest != NULL)
		put_newest(out, rows, plan, newest, view);
	else if (view_shows(view, I_DATA))
		item_put_fields(out, "data", rows, plan, view);
	put_columns(out, rows, drafts, newest, view);
	if (drafts && view_shows(view, I_SCHEDULE_ERROR))
		overdue_put(out, rows);
	for (size_t i = plan->fields; i < plan->count; i++)
		put_extra(out, rows, plan, i, newest, view);
	if (view->rev)
		stet_put_str(out, "_rev",
		    item_rev(view->call, row_version(rows, drafts), stet_col_str(rows, C_UPDATED)));
}

void
item_put(struct stet_json *out, const char *key, struct stet_rows *rows, const struct plan *plan,
    bool drafts, const struct newest *newest, const struct shown *shown, const struct view *view)
{
	item_open(out, key, rows, plan, drafts, newest, view);
	if (view_shows(view, I_BYLINES))
		byline_put(out, shown, 0);
	if (newest != NULL && newest->with_live && view_shows(view, I_LIVE_BYLINES))
		byline_put_live(out, shown);
	stet_close(out);
}

static enum stet_status
answer(struct stet_call *call, const struct stet_collection *collection, const struct plan *plan,
    struct stet_rows *rows, bool restored, const struct view *view, struct item_more *more)
{
	struct stet_json *out = stet_reply(call);
	bool drafts = stet_may(call, "content:read_drafts");
	struct newest newest = { 0 }, *draft;
	struct shown shown;
	const char *rev = item_rev(call, row_version(rows, drafts), stet_col_str(rows, C_UPDATED)),
		   *staged = drafts ? stet_col_str(rows, C_DRAFT) : NULL;

	if (staged != NULL && collection->revisions && more == NULL && view_is_whole(view))
		STET_TRY(stored_read(call, collection, plan, staged, &newest));
	if (staged != NULL && newest.stored == NULL)
		STET_TRY(item_newest(call, collection, plan, rows, &newest));
	draft = newest.stored != NULL || newest.data != NULL ? &newest : NULL;
	STET_TRY(byline_read_row(call, plan->slug, rows, newest.staged, &shown));
	newest.with_live = true;
	stet_object(out, NULL);
	if (restored)
		stet_put_bool(out, "restored", true);
	item_put(out, "item", rows, plan, drafts, draft, &shown, view);
	stet_put_str(out, "_rev", rev);
	if (json_array_size(view->lost) > 0)
		stet_put_json(out, "lost", view->lost);
	if (more != NULL)
		STET_TRY(more->put(more, call, rows, draft));
	stet_close(out);
	/* The tag includes the collection's version: its fields, and whether drafts are shown,
	 * depend on it. */
	rev = stet_printf(
	    call, "%s.%lld", byline_tag(call, rev, &shown), (long long)collection->version);
	if (drafts)
		rev = overdue_tag(call, rows, rev);
	stet_etag(call, more != NULL ? stet_printf(call, "%s.%s", rev, more->tag) : rev);
	stet_surrogate(call, "i", stet_col_str(rows, C_ID));
	stet_surrogate(call, "c", plan->slug);
	stet_surrogate(call, "k", "bylines");
	return stet_rows_end(rows);
}

enum stet_status
item_answer(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view)
{
	return answer(call, collection, plan, rows, false, view, NULL);
}

enum stet_status
item_answer_restored(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view)
{
	return answer(call, collection, plan, rows, true, view, NULL);
}

enum stet_status
item_answer_more(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view,
    struct item_more *more)
{
	return answer(call, collection, plan, rows, false, view, more);
}

/* ---- replies after a write ---- */

enum stet_status
now_reply_view(struct stet_call *call, const struct now *now, const struct view *view)
{
	struct stet_rows rows;

	STET_TRY(left_row(call, now->plan, now->id, &rows));
	return item_answer(call, now->collection, now->plan, &rows, view);
}

enum stet_status
now_reply(struct stet_call *call, const struct now *now)
{
	return now_reply_view(call, now, &view_all);
}

enum stet_status
now_reply_part(struct stet_call *call, const struct now *now)
{
	struct view view;

	STET_TRY(view_fields(call, now->collection, &view));
	return now_reply_view(call, now, &view);
}
