/*
 * list.c - the list of a collection: walks along the index of its order from a cursor on.
 *
 * A page is read in one or two segments. Rows whose order column is NULL come first in ascending
 * and last in descending order, and are walked by id.
 *
 * Filters are written so that SQLite cannot use an index for them (STET_UNINDEXED): for a filter
 * that many rows pass it would otherwise sort all of these. A filter that few rows pass, which
 * is found by counting up to PICK_MAX, is left visible to SQLite; its rows are found by its
 * index and then sorted.
 */
#include "read/read.h"
#include <string.h>

#define PICK_MAX 200 /* the most rows that may be sorted */
#define PICKS 3 /* the most filters that are counted */

const struct stet_member list_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before" },
	{ "limit", STET_INTEGER, .about = "Items a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "status", STET_STRING, STET_CHOICES("draft", "published", "scheduled") },
	{ "orderBy", STET_STRING,
	    .about = "createdAt, updatedAt, publishedAt, scheduledAt, deletedAt, slug, status, "
		     "locale, title, name, or an indexed field",
	    .fallback = "\"createdAt\"" },
	{ "order", STET_STRING, STET_CHOICES("asc", "desc"), .fallback = "\"desc\"" },
	{ "locale", STET_STRING },
	{ "authorId", STET_STRING, STET_RANGE(1, 64) },
	{ "slug", STET_STRING, .about = "Items with this slug" },
	{ "q", STET_STRING, .about = "Text that the title, slug or a searchable field holds" },
	{ "dateField", STET_STRING, STET_CHOICES("createdAt", "updatedAt", "publishedAt") },
	{ "dateFrom", STET_STRING, .about = "First date or time of dateField" },
	{ "dateTo", STET_STRING, .about = "Last date or time of dateField" },
	{ "fieldFilters", STET_STRING, STET_JSON_TEXT,
	    .about = "Conditions on indexed fields: a value, null, {\"in\": [...]} "
		     "or bounds {\"gt\", \"gte\", \"lt\", \"lte\"}" },
	{ "bylines", STET_STRING,
	    .about = "Ids of bylines, separated by commas, one of which an item shows; or none: "
		     "items without" },
	{ "includeInferredBylines", STET_BOOLEAN,
	    .about = "Bylines of authors count for bylines as well", .fallback = "false" },
	{ "includeTotal", STET_BOOLEAN, .about = "Count the items as well" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	{ 0 },
};

const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_part_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "total", STET_INTEGER },
	{ 0 },
};

/* ---- the walk ---- */

struct walk {
	struct stet_call *call;
	const struct stet_collection *collection;
	const struct plan *plan;
	struct filter filter;
	struct order order;
	bool desc, drafts;
	struct cond *pick; /* the filter whose index is used instead of the order's */
	int64_t limit, count;
	bool more; /* there are items after this page */
	char *next;
	struct place place; /* where the previous page ended */
	struct view view;
	const char *select;
	struct shown shown;
	struct stet_json *items; /* items that wait for their bylines; NULL: they need none */
	struct stet_credited *credited;
	size_t *ends; /* where each item ends in that text */
};

/* ---- SQL ---- */

/* The columns of the order. Written without index use if a filter's index is used. */
static void
put_columns(struct stet_sql *sql, const struct walk *w, bool nulls, const char *direction)
{
	bool hide = w->pick != NULL;

	if (!nulls && w->order.column != NULL) {
		stet_sql_add(sql, hide ? "COALESCE(" : "");
		stet_sql_ident(sql, w->order.prefix, w->order.column);
		stet_sql_add(sql, hide ? ", NULL)" : "");
		stet_sql_add(sql, direction);
		if (w->order.then != NULL) {
			stet_sql_add(sql, ", ");
			stet_sql_ident(sql, "", w->order.then);
			stet_sql_add(sql, direction);
		}
		if (w->order.by_slug)
			return;
		stet_sql_add(sql, ", ");
	}
	stet_sql_add(sql, hide ? "COALESCE(id, NULL)" : "id");
	stet_sql_add(sql, direction);
}

static void
put_after(struct stet_sql *sql, const struct walk *w, bool nulls)
{
	stet_sql_add(sql, " AND (");
	put_columns(sql, w, nulls, "");
	stet_sql_add(sql, w->desc ? ") < (" : ") > (");
	if (!nulls && w->order.column != NULL) {
		stet_sql_bind(sql, w->place.key);
		if (w->order.then != NULL) {
			stet_sql_add(sql, ", ");
			stet_sql_bind(sql, stet_val_str(w->place.then));
		}
		stet_sql_add(sql, w->order.by_slug ? "" : ", ");
	}
	if (nulls || w->order.column == NULL || !w->order.by_slug)
		stet_sql_bind(sql, stet_val_str(w->place.id));
	stet_sql_add(sql, ")");
}

/* Appends a statement for the items that pass one filter. Returns false if that would read all
 * items. */
static bool
put_passing(struct stet_sql *sql, const struct walk *w, struct cond *c)
{
	const struct byline_filter *b = c->bylines;

	if (c->op == COND_BYLINES)
		return b->service->filter_ids(sql, b->it, b->collection);
	c->shown = true;
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->plan->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	filter_cond(sql, c);
	return true;
}

/* Counts the items that pass one filter, up to PICK_MAX + 1. */
static enum stet_status
count_few(struct walk *w, struct cond *c, int64_t *n)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	*n = PICK_MAX + 1;
	stet_sql_add(sql, "SELECT COUNT(*) FROM (");
	if (!put_passing(sql, w, c))
		return STET_OK;
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(PICK_MAX + 1));
	stet_sql_add(sql, ") AS few");
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	c->shown = *n <= PICK_MAX;
	return stet_rows_end(&rows);
}

/* The condition for the rows without a value in the order column, or those with one. *none:
 * there are no such rows. */
static enum stet_status
put_segment(struct stet_sql *sql, struct walk *w, bool nulls, bool *none)
{
	struct cond absent = { .prefix = w->order.prefix,
		.column = w->order.column,
		.op = COND_NULL,
		.shown = w->order.null_index && w->pick == NULL };
	int64_t n = 1;

	*none = false;
	if (!nulls) {
		stet_sql_add(sql, " AND ");
		stet_sql_ident(sql, w->order.prefix, w->order.column);
		stet_sql_add(sql, " IS NOT NULL");
		return STET_OK;
	}
	/* If few rows have no value, sort them by id; if many have none, a walk of all rows by
	 * id meets them soon. */
	if (w->order.by_slug && w->pick == NULL)
		STET_TRY(count_few(w, &absent, &n));
	*none = n == 0;
	filter_cond(sql, &absent);
	return STET_OK;
}

/* Mixes an item into the entity tag of the list: its version changes with each change that the
 * reader may see. */
static void
mix_item(struct walk *w, struct stet_rows *rows)
{
	const char *id = stet_col_str(rows, C_ID), *updated = stet_col_str(rows, C_UPDATED);
	int64_t version = item_version(rows, w->drafts);
	char text[64] = { 0 };

	memcpy(text, id, strnlen(id, 28));
	memcpy(text + 28, updated, strnlen(updated, 28));
	memcpy(text + 56, &version, sizeof(version));
	stet_etag_mix(w->call, text, sizeof(text));
}

static void
mix_list(struct walk *w, int64_t total)
{
	const uint64_t numbers[] = { w->collection->version, w->drafts, w->more, (uint64_t)total,
		(uint64_t)w->shown.version };

	stet_etag_mix(w->call, numbers, sizeof(numbers));
}

static void
put_item(struct walk *w, struct stet_rows *rows)
{
	if (w->items == NULL) {
		item_put(stet_reply(w->call), NULL, rows, w->plan, w->drafts, NULL, NULL, &w->view);
		return;
	}
	w->credited[w->count] = (struct stet_credited){ stet_col_dup(rows, C_ID),
		stet_col_dup(rows, C_LOCALE), stet_col_dup(rows, C_AUTHOR) };
	item_open(w->items, NULL, rows, w->plan, w->drafts, NULL, &w->view);
	stet_json_text(w->items, &w->ends[w->count]);
	stet_close(w->items);
}

static enum stet_status
begin_items(struct walk *w)
{
	STET_TRY(byline_begin(w->call, &w->shown));
	if (w->shown.version == 0 || !view_shows(&w->view, I_BYLINES))
		return STET_OK;
	w->items = stet_json_new(w->call);
	w->credited = stet_alloc(w->call, (size_t)w->limit * sizeof(w->credited[0]));
	w->ends = stet_alloc(w->call, (size_t)w->limit * sizeof(w->ends[0]));
	stet_array(w->items, NULL);
	return STET_OK;
}

/* Writes an item, which has no closing bracket yet, and its bylines as one object. */
static void
put_joined(struct walk *w, const char *item, size_t item_len, size_t i)
{
	struct stet_json *bylines = stet_json_new(w->call);
	const char *text;
	size_t len;
	char *all;

	stet_object(bylines, NULL);
	byline_put(bylines, &w->shown, i);
	stet_close(bylines);
	text = stet_json_text(bylines, &len);
	all = stet_alloc(w->call, item_len + len);
	memcpy(all, item, item_len);
	memcpy(all + item_len, text, len);
	all[item_len] = ',';
	stet_put_raw(stet_reply(w->call), NULL, all, item_len + len);
}

/* Completes the waiting items: reads the credits of all of them at once. */
static enum stet_status
end_items(struct walk *w)
{
	size_t at = 1; /* after the array's bracket; later after "}," */
	const char *text;

	if (w->items == NULL)
		return STET_OK;
	stet_close(w->items);
	STET_TRY(byline_read(w->call, w->plan->slug, w->credited, (size_t)w->count, &w->shown));
	text = stet_json_text(w->items, NULL);
	for (size_t i = 0; i < (size_t)w->count; i++) {
		put_joined(w, text + at, w->ends[i] - at, i);
		at = w->ends[i] + 2;
	}
	return STET_OK;
}

/* Leaves out columns that the client does not want, except those of the order, which the cursor
 * needs. */
static void
choose_columns(struct walk *w)
{
	bool *want;

	w->select = w->plan->select;
	if (w->view.field == NULL)
		return;
	want = stet_alloc(w->call, w->plan->count + 1);
	for (size_t i = 0; i < w->plan->count; i++)
		want[i] = w->view.field[i] || w->order.at == C_FIELDS + (int)i ||
			  w->order.then_at == C_FIELDS + (int)i;
	w->select = plan_select_some(w->call, w->collection, want);
}

/* Reads one segment: the rows with a value, or those without. */
static enum stet_status
segment(struct walk *w, bool nulls, bool after)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;
	bool none = false;

	stet_sql_add(sql, w->select);
	filter_add(sql, w->collection, &w->filter);
	if (w->order.column != NULL && w->order.nullable)
		STET_TRY(put_segment(sql, w, nulls, &none));
	if (none)
		return STET_OK;
	if (after)
		put_after(sql, w, nulls);
	stet_sql_add(sql, " ORDER BY ");
	put_columns(sql, w, nulls, w->desc ? " DESC" : "");
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(w->limit + 1 - w->count));
	STET_TRY(stet_sql_query(sql, &rows));
	while (!w->more && stet_row(&rows)) {
		if (w->count == w->limit) {
			w->more = true;
			break;
		}
		put_item(w, &rows);
		mix_item(w, &rows);
		if (++w->count == w->limit)
			w->next = order_place(w->call, w->plan, &w->order, &rows);
	}
	return stet_rows_end(&rows);
}

/* ---- which index is used ---- */

static bool
on_order(const struct walk *w, const struct cond *c)
{
	return w->order.column != NULL && strcmp(c->column, w->order.column) == 0 &&
	       strcmp(c->prefix, w->order.prefix) == 0;
}

/* Marks the filters that SQLite may see: those on columns that the index of the order begins
 * with. */
static void
show_filters(struct walk *w)
{
	bool created = w->order.at == C_CREATED, published = w->order.at == C_PUBLISHED;
	struct filter *f = &w->filter;

	for (struct cond *c = f->conds; c != NULL; c = c->next)
		c->shown |= on_order(w, c) && c->op != COND_IN;
	if (w->order.column == NULL)
		return;
	if (created && f->author != NULL)
		f->author->shown = true;
	else if ((created || published) && f->status != NULL)
		f->status->shown = true;
	else if (created && f->locale != NULL)
		f->locale->shown = true;
}

/* Looks for a filter that so few items pass that they can be sorted. */
static enum stet_status
pick_filter(struct walk *w)
{
	int picks = PICKS;
	int64_t n;

	if (w->filter.by_slug) {
		for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
			if (strcmp(c->column, "slug") == 0 && *c->prefix == '\0')
				w->pick = c;
	}
	for (struct cond *c = w->filter.conds; c != NULL && w->pick == NULL && picks > 0;
	     c = c->next) {
		if (c->shown)
			continue;
		picks--;
		STET_TRY(count_few(w, c, &n));
		if (n <= PICK_MAX)
			w->pick = c;
	}
	for (struct cond *c = w->filter.conds; c != NULL && w->pick != NULL; c = c->next)
		c->shown = c == w->pick;
	return STET_OK;
}

/* Returns false if this segment has no rows because a filter on the order's column excludes
 * them. */
static bool
has_segment(const struct walk *w, bool nulls)
{
	if (nulls && !w->order.nullable)
		return false;
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (w->order.nullable && on_order(w, c) && (c->op == COND_NULL) != nulls)
			return false;
	return true;
}

static enum stet_status
walk(struct walk *w)
{
	bool at_nulls =
	    w->order.nullable && (w->place.given ? w->place.key.type == STET_V_NULL : !w->desc);
	bool last_nulls = w->order.nullable && w->desc;

	if (w->order.column == NULL)
		return segment(w, false, w->place.given);
	if (has_segment(w, at_nulls))
		STET_TRY(segment(w, at_nulls, w->place.given));
	if (w->order.nullable && at_nulls != last_nulls && !w->more && has_segment(w, last_nulls))
		STET_TRY(segment(w, last_nulls, false));
	return STET_OK;
}

static enum stet_status
put_total(struct walk *w, int64_t *total)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT COUNT(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->plan->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	filter_add(sql, w->collection, &w->filter);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*total = stet_col_int(&rows, 0);
	stet_put_int(stet_reply(w->call), "total", *total);
	return stet_rows_end(&rows);
}

enum stet_status
content_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct walk w = { .call = call, .limit = stet_arg_int(call, "limit") };
	const char *cursor = stet_arg(call, "cursor");
	int64_t total = -1;

	STET_TRY(plan_get(call, stet_arg(call, "collection"), &w.collection, &w.plan));
	w.drafts = stet_may(call, "content:read_drafts");
	w.desc = strcmp(stet_arg(call, "order"), "desc") == 0;
	STET_TRY(filter_read(call, w.collection, &w.filter));
	order_read(call, w.collection, &w.order);
	STET_TRY(view_read(call, w.collection, &w.view));
	choose_columns(&w);
	if (cursor != NULL)
		STET_TRY(order_resume(call, w.plan, &w.order, cursor, &w.place));
	show_filters(&w);
	STET_TRY(pick_filter(&w));
	stet_object(out, NULL);
	stet_array(out, "items");
	STET_TRY(begin_items(&w));
	STET_TRY(walk(&w));
	STET_TRY(end_items(&w));
	stet_close(out);
	if (w.more)
		stet_put_str(out, "nextCursor", w.next);
	if (stet_arg_bool(call, "includeTotal"))
		STET_TRY(put_total(&w, &total));
	mix_list(&w, total);
	stet_close(out);
	return STET_OK;
}
