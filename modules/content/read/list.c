/* list.c - the op that lists a collection. path.c chooses the index, and walk.c walks along it. */
#include "read/read.h"
#include <string.h>

const struct stet_member list_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before" },
	{ "limit", STET_INTEGER, .about = "Items a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "status", STET_STRING,
	    STET_CHOICES("draft", "published", "scheduled", "overdue", "unscheduled") },
	{ "orderBy", STET_STRING,
	    .about =
		"createdAt, updatedAt, publishedAt, scheduledAt, unpublishAt, deletedAt, slug, "
		"status, locale, title, name, an indexed field, or an index of the collection",
	    .fallback = "\"createdAt\"" },
	{ "order", STET_STRING, STET_CHOICES("asc", "desc"), .fallback = "\"desc\"" },
	{ "locale", STET_STRING },
	{ "localeFallback", STET_BOOLEAN, .about = "Others for what the locale lacks" },
	{ "authorId", STET_STRING, STET_RANGE(1, 64) },
	{ "slug", STET_STRING, .about = "Items with this slug" },
	{ "ids", STET_STRING, .about = "By commas", STET_RANGE(1, 2800) },
	{ "q", STET_STRING, .about = "Part of title, slug, searchable text" },
	{ "search", STET_STRING, STET_RANGE(1, 16384), .about = "By relevance, 1000 at most" },
	{ "dateField", STET_STRING, STET_CHOICES("createdAt", "updatedAt", "publishedAt") },
	{ "dateFrom", STET_STRING, .about = "Earliest dateField" },
	{ "dateTo", STET_STRING, .about = "Latest dateField" },
	{ "fieldFilters", STET_STRING, STET_JSON_TEXT,
	    .about =
		"Conditions on indexed fields, createdAt, updatedAt, publishedAt: a value, null or {op: value}: eq, ne, in, nin, between, startsWith, isNull, has, gt, gte, lt, lte, contains (words; searchable); groups and, or: [...], not: {...}" },
	{ "terms", STET_STRING,
	    .about =
		"category:news,sport;tag:db: either category and the tag; !db excludes, news/* has those below too" },
	{ "bylines", STET_STRING, .about = "Ids: one is shown; none: without" },
	{ "includeInferredBylines", STET_BOOLEAN, .fallback = "false" },
	{ "includeTotal", STET_BOOLEAN, .about = "Count the items as well" },
	{ "facets", STET_STRING, .about = "Counts by status, month, taxonomies" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	INCLUDE_ARG,
	{ 0 },
};

const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_listed_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "total", STET_INTEGER },
	{ "facets", STET_OBJECT,
	    .about = "For each: {values: [{value, label (of a term), count}], more (other values), "
		     "partial (only 100,000 items were counted)}" },
	{ "partial", STET_BOOLEAN, .about = "By relevance: others match, too" },
	INCLUDE_OUT,
	{ 0 },
};

/* ---- the items ---- */

struct list {
	struct walk w; /* the first member */
	struct stet_call *call;
	bool drafts;
	struct view view;
	struct shown shown;
	struct include *include; /* NULL: nothing is included */
	struct stet_json *items; /* items that wait for their bylines; NULL: not needed */
	struct stet_credited *credited;
	size_t *ends; /* end of each item in that text */
};

/* Mixes an item into the entity tag of the list: its version changes with each change that the
 * reader may see. */
static void
mix_item(struct list *l, struct stet_rows *rows)
{
	const char *id = stet_col_str(rows, C_ID), *updated = stet_col_str(rows, C_UPDATED);
	int64_t version = row_version(rows, l->drafts);
	char text[64] = { 0 };

	memcpy(text, id, strnlen(id, 28));
	memcpy(text + 28, updated, strnlen(updated, 28));
	memcpy(text + 56, &version, sizeof(version));
	stet_etag_mix(l->call, text, sizeof(text));
	if (l->drafts)
		overdue_mix(l->call, rows);
}

static void
mix_list(struct list *l, int64_t total)
{
	const uint64_t numbers[] = { l->w.collection->version, l->drafts, l->w.more,
		(uint64_t)total, (uint64_t)l->shown.version, l->w.ranked_more };

	stet_etag_mix(l->call, numbers, sizeof(numbers));
	/* A short page ends at an item that it does not contain, so its cursor is mixed in, too. */
	if (l->w.more && l->w.filter.words != NULL)
		stet_etag_mix(l->call, l->w.next, strlen(l->w.next));
}

static void
put_item(struct list *l, struct stet_rows *rows)
{
	if (l->items == NULL) {
		item_put(
		    stet_reply(l->call), NULL, rows, l->w.plan, l->drafts, NULL, NULL, &l->view);
		return;
	}
	l->credited[l->w.count] = (struct stet_credited){ stet_col_dup(rows, C_ID),
		stet_col_dup(rows, C_LOCALE), stet_col_dup(rows, C_AUTHOR) };
	item_open(l->items, NULL, rows, l->w.plan, l->drafts, NULL, &l->view);
	stet_json_text(l->items, &l->ends[l->w.count]);
	stet_close(l->items);
}

static void
add_item(struct walk *w, struct stet_rows *rows)
{
	struct list *l = (struct list *)w;

	put_item(l, rows);
	include_add(l->include, rows, w->plan, NULL);
	mix_item(l, rows);
}

static enum stet_status
begin_items(struct list *l)
{
	STET_TRY(byline_begin(l->call, &l->shown));
	if (l->shown.version == 0 || !view_shows(&l->view, I_BYLINES))
		return STET_OK;
	l->items = stet_json_new(l->call);
	l->credited = stet_alloc(l->call, (size_t)l->w.limit * sizeof(l->credited[0]));
	l->ends = stet_alloc(l->call, (size_t)l->w.limit * sizeof(l->ends[0]));
	stet_array(l->items, NULL);
	return STET_OK;
}

/* Writes an item, whose closing bracket is missing, and its bylines as one object. */
static void
put_joined(struct list *l, const char *item, size_t item_len, size_t i)
{
	struct stet_json *bylines = stet_json_new(l->call);
	const char *text;
	size_t len;
	char *all;

	stet_object(bylines, NULL);
	byline_put(bylines, &l->shown, i);
	stet_close(bylines);
	text = stet_json_text(bylines, &len);
	all = stet_alloc(l->call, item_len + len);
	memcpy(all, item, item_len);
	memcpy(all + item_len, text, len);
	all[item_len] = ',';
	stet_put_raw(stet_reply(l->call), NULL, all, item_len + len);
}

/* Completes the waiting items: reads the credits of all of them at once. */
static enum stet_status
end_items(struct list *l)
{
	size_t at = 1; /* after the array's bracket; later after "}," */
	const char *text;

	if (l->items == NULL)
		return STET_OK;
	stet_close(l->items);
	STET_TRY(byline_read(l->call, l->w.plan->slug, l->credited, (size_t)l->w.count, &l->shown));
	text = stet_json_text(l->items, NULL);
	for (size_t i = 0; i < (size_t)l->w.count; i++) {
		put_joined(l, text + at, l->ends[i] - at, i);
		at = l->ends[i] + 2;
	}
	return STET_OK;
}

static void
mix_included(void *call, const char *text, size_t len)
{
	stet_etag_mix(call, text, len);
}

/* Writes the included rows. The entity tag depends on them, too. */
static enum stet_status
end_included(struct list *l)
{
	if (l->include == NULL)
		return STET_OK;
	STET_TRY(include_put(l->include, stet_reply(l->call)));
	include_each(l->include, mix_included, l->call);
	return STET_OK;
}

/* Leaves out columns that the client does not want, except those of the order, which the cursor
 * needs. */
static void
choose_columns(struct list *l)
{
	bool *want;

	l->w.select = l->w.plan->select;
	if (l->view.field == NULL)
		return;
	want = stet_alloc(l->call, l->w.plan->count + 1);
	for (size_t i = 0; i < l->w.plan->fields; i++)
		want[i] = l->view.field[i] || include_wants(l->include, i) ||
			  l->w.order.at == C_FIELDS + (int)i ||
			  l->w.order.then_at == C_FIELDS + (int)i;
	for (size_t i = l->w.plan->fields; i < l->w.plan->count; i++)
		want[i] = view_shows(&l->view, l->w.plan->field[i].extra->member);
	for (size_t i = 0; i < l->w.keys; i++)
		if (l->w.key[i].at >= C_FIELDS)
			want[l->w.key[i].at - C_FIELDS] = true;
	l->w.want = want;
	l->w.select = plan_select_some(l->call, l->w.collection, want);
}

/* Returns the status to list. A list by relevance always has one status (ranked.c). */
static const char *
status_of(struct stet_call *call)
{
	const char *status = stet_arg(call, "status");

	if (stet_arg(call, "search") == NULL)
		return status;
	if (status != NULL &&
	    (strcmp(status, "overdue") == 0 || strcmp(status, "unscheduled") == 0))
		stet_issue(call, "status", "cannot be %s in a list by relevance", status);
	return status != NULL ? status : "published";
}

static enum stet_status
list(struct stet_call *call, struct list *l)
{
	struct stet_json *out = stet_reply(call);
	struct walk *w = &l->w;
	const char *cursor = stet_arg(call, "cursor");
	struct facets facets;
	int64_t total = -1;

	STET_TRY(plan_get(call, stet_arg(call, "collection"), &w->collection, &w->plan));
	l->drafts = stet_may(call, "content:read_drafts");
	w->desc = strcmp(stet_arg(call, "order"), "desc") == 0;
	STET_TRY(filter_read(call, w->collection, status_of(call), &w->filter));
	filter_ids(call, &w->filter);
	STET_TRY(facets_read(call, &facets));
	keys_read(w);
	STET_TRY(view_read(call, w->collection, &l->view));
	l->view.rev =
	    l->view.members == view_all.members ? l->drafts : (l->view.members & VIEW_REV) != 0;
	STET_TRY(include_begin(call, w->collection, &l->view, &l->include));
	choose_columns(l);
	STET_TRY(ranked_read(w));
	if (cursor != NULL && !w->is_ranked && w->keys > 1)
		STET_TRY(keys_resume(w, cursor));
	else if (cursor != NULL && !w->is_ranked)
		STET_TRY(order_resume(call, w->plan, &w->order, cursor, w->desc, &w->place));
	if (!w->is_ranked)
		STET_TRY(path_choose(w));
	stet_object(out, NULL);
	stet_array(out, "items");
	STET_TRY(begin_items(l));
	STET_TRY(w->is_ranked ? ranked_walk(w, cursor) : walk_items(w));
	STET_TRY(end_items(l));
	stet_close(out);
	if (w->more)
		stet_put_str(out, "nextCursor", w->next);
	if (stet_arg_bool(call, "includeTotal")) {
		STET_TRY(path_total(w, &total));
		stet_put_int(out, "total", total);
	}
	if (w->ranked_more)
		stet_put_bool(out, "partial", true);
	STET_TRY(facets_put(&facets, w, out));
	STET_TRY(end_included(l));
	mix_list(l, total);
	stet_close(out);
	plan_surrogates(call, w->plan);
	if (stet_arg(call, "terms") != NULL || stet_arg(call, "facets") != NULL)
		stet_surrogate(call, "k", "taxonomies");
	return STET_OK;
}

enum stet_status
content_list(struct stet_call *call)
{
	struct list l = { .call = call,
		.w = { .call = call, .limit = stet_arg_int(call, "limit"), .row = add_item } };

	return contains_told(call, &l.w.filter, list(call, &l));
}
