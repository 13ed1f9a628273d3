/*
 * neighbour.c - finds the items before and after an item in the order of a list: two walks from its
 * place, one in each direction, of one item each. The item itself need not pass the filters.
 */
#include "read/read.h"
#include <string.h>

const struct stet_member neighbours_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING,
	    .about = "Locale of the neighbours, and of the item when it is looked up by slug" },
	{ "status", STET_STRING, STET_CHOICES("draft", "published", "scheduled", "overdue") },
	{ "orderBy", STET_STRING, .about = "As in the list", .fallback = "\"createdAt\"" },
	{ "order", STET_STRING, STET_CHOICES("asc", "desc"), .fallback = "\"desc\"" },
	{ "authorId", STET_STRING, STET_RANGE(1, 64) },
	{ "localeFallback", STET_BOOLEAN, .about = "As in the list" },
	{ "slug", STET_STRING, .about = "Items with this slug" },
	{ "q", STET_STRING, .about = "As in the list" },
	{ "dateField", STET_STRING, STET_CHOICES("createdAt", "updatedAt", "publishedAt") },
	{ "dateFrom", STET_STRING, .about = "As in the list" },
	{ "dateTo", STET_STRING, .about = "As in the list" },
	{ "fieldFilters", STET_STRING, STET_JSON_TEXT, .about = "As in the list" },
	{ "terms", STET_STRING, .about = "As in the list" },
	{ "bylines", STET_STRING, .about = "As in the list" },
	{ "includeInferredBylines", STET_BOOLEAN, .about = "As in the list", .fallback = "false" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	{ 0 },
};
const struct stet_member neighbours_out[] = {
	{ "previous", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .of = item_part_shape,
	    .about = "What stands before the item in the list; null: it is the first" },
	{ "next", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .of = item_part_shape,
	    .about = "What stands behind it; null: it is the last" },
	{ 0 },
};

struct side {
	struct walk w; /* the first member */
	const char *key;
	bool drafts;
	const struct view *view;
};

static void
put_side(struct walk *w, struct stet_rows *rows)
{
	const struct side *side = (struct side *)w;
	struct stet_json *out = stet_reply(w->call);

	item_open(out, side->key, rows, w->plan, side->drafts, NULL, side->view);
	stet_close(out);
}

/* Reads the order of the list and its direction. */
static enum stet_status
read_order(struct walk *w)
{
	w->desc = strcmp(stet_arg(w->call, "order"), "desc") == 0;
	keys_read(w);
	return stet_issues(w->call);
}

/* Begins at the place of a cursor, in the direction of the list or against it. */
static enum stet_status
resume(struct walk *w, const char *cursor, bool back)
{
	w->desc ^= back;
	for (size_t i = 0; i < w->keys; i++)
		w->down[i] ^= back;
	if (w->keys > 1)
		return keys_resume(w, cursor);
	return order_resume(w->call, w->plan, &w->order, cursor, w->desc, &w->place);
}

static enum stet_status
go(struct side *side, const char *cursor, bool back)
{
	struct walk *w = &side->w;

	STET_TRY(filter_read(w->call, w->collection, stet_arg(w->call, "status"), &w->filter));
	STET_TRY(read_order(w));
	STET_TRY(resume(w, cursor, back));
	STET_TRY(path_choose(w));
	STET_TRY(contains_told(w->call, &w->filter, walk_items(w)));
	if (w->count == 0 && w->more)
		return contains_refuse(w->call);
	if (w->count == 0)
		stet_put_null(stet_reply(w->call), side->key);
	return STET_OK;
}

/* Makes a cursor that ends at the item. `w` is a copy: its other changes are dropped. */
static enum stet_status
find_place(struct walk w, const char **cursor)
{
	const char *locale = stet_locale(w.call, stet_arg(w.call, "locale"));
	struct stet_rows rows;

	STET_TRY(read_order(&w));
	STET_TRY(item_find_seen(w.call, w.plan, stet_arg(w.call, "id"), locale, &rows));
	*cursor = w.keys > 1 ? keys_place(&w, &rows) : order_place(w.call, w.plan, &w.order, &rows);
	return stet_rows_end(&rows);
}

enum stet_status
content_neighbours(struct stet_call *call)
{
	struct side side = { .w = { .call = call, .limit = 1, .row = put_side } }, next;
	const char *cursor;
	struct view view;

	STET_TRY(plan_get(call, stet_arg(call, "collection"), &side.w.collection, &side.w.plan));
	STET_TRY(view_read(call, side.w.collection, &view));
	view.members &= ~(1U << I_BYLINES | 1U << I_BYLINE);
	STET_TRY(find_place(side.w, &cursor));
	side.w.select = side.w.plan->select;
	side.drafts = stet_may(call, "content:read_drafts");
	side.view = &view;
	next = side;
	side.key = "previous";
	next.key = "next";
	stet_object(stet_reply(call), NULL);
	STET_TRY(go(&side, cursor, true));
	STET_TRY(go(&next, cursor, false));
	stet_close(stet_reply(call));
	return STET_OK;
}
