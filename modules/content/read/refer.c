/*
 * refer.c - the kinds of included rows whose rows are items: references of fields, level by level,
 * and the translations of items.
 *
 * References form a graph, which may have cycles. It is walked level by level: the items of a level
 * are read together, by one statement for each collection, and each item is read once. Items that
 * the reader may not see (drafts, the trash, deleted items) are null.
 */
#include "read/include.h"
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 32 /* fields in the parentheses of `references` */
#define PUBLISHED "published"

/* ---- items by the values of a column ---- */

struct stet_sql *
refer_select(struct stet_call *call, const struct plan *plan, const char *condition,
    const char *const *value, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, plan->select);
	stet_sql_add(sql, condition);
	stet_sql_texts(sql, value, count);
	return sql;
}

static bool
is_seen(struct stet_call *call, struct stet_rows *rows)
{
	return stet_may(call, "content:read_drafts") ||
	       strcmp(stet_col_str(rows, C_STATUS), PUBLISHED) == 0;
}

static void
put_item(struct stet_include_page *page, struct stet_rows *rows, const struct plan *plan,
    const struct view *view)
{
	const char *id = stet_col_dup(rows, C_ID);
	struct stet_json *out = stet_include_row(page, id);

	if (out == NULL)
		return;
	item_open(out, id, rows, plan, stet_may(page->call, "content:read_drafts"), NULL, view);
	stet_close(out);
}

enum stet_status
refer_put(struct stet_include_page *page, const struct stet_collection *c, const struct plan *plan,
    const char *const *ids, size_t count)
{
	const struct view view = include_view(page, c);
	struct stet_sql *sql = refer_select(page->call, plan, " AND id IN ", ids, count);
	struct stet_rows rows;

	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		if (is_seen(page->call, &rows))
			put_item(page, &rows, plan, &view);
	return stet_rows_end(&rows);
}

/* ---- references ---- */

/* An item that is referred to. */
struct node {
	const char *id, *collection;
	struct node *queued; /* the next node of its level */
	int left, done; /* wanted levels below it, and levels already walked */
	bool read, waits;
	struct node **to; /* the items that it refers to */
	size_t count;
};
struct graph {
	struct stet_include_page *page;
	struct stet_call *call;
	struct idmap nodes;
	size_t count, most;
	bool deep; /* more than one level is wanted */
};
struct level {
	struct node *first, **tail;
};

bool
refer_wants(struct stet_call *call, const struct stet_field *f)
{
	(void)call;
	return f->type->holds == STET_HOLDS_ITEMS;
}

static const char *
target_of(const struct stet_field *f)
{
	return json_string_value(json_object_get(f->options, "collection"));
}

/* Returns the node of an id; NULL: there is no room for more. Ids are unique on the site, so an id
 * is in one collection. */
static struct node *
node_of(struct graph *g, const char *id, const char *collection)
{
	struct node *node = idmap_find(&g->nodes, id);

	if (node != NULL)
		return node;
	if (g->count == g->most) {
		include_cut(g->page);
		return NULL;
	}
	g->count++;
	node = stet_alloc(g->call, sizeof(*node));
	*node = (struct node){ .id = stet_strdup(g->call, id), .collection = collection };
	*idmap_at(g->call, &g->nodes, id) = node;
	return node;
}

static void
queue(struct level *level, struct node *node, int left)
{
	if (node->left < left)
		node->left = left;
	if (node->waits || (node->read && node->left <= node->done))
		return;
	node->waits = true;
	node->queued = NULL;
	*level->tail = node;
	level->tail = &node->queued;
}

/* Returns the next id in the text of a reference, which is an id or a JSON array of ids. */
static const char *
next_id(struct stet_call *call, const struct stet_field *f, const char **p)
{
	const char *id = NULL;

	if (!f->json_text) {
		id = stet_is_id(*p) ? *p : NULL;
		*p += strlen(*p);
		return id;
	}
	while (id == NULL && (*p = strchr(*p, '"')) != NULL) {
		const char *end = ++*p;

		while (*end != '\0' && *end != '"')
			end += *end == '\\' && end[1] != '\0' ? 2 : 1;
		id = stet_strndup(call, *p, (size_t)(end - *p));
		if (!stet_is_id(id))
			id = NULL;
		*p = *end == '"' ? end + 1 : end;
	}
	return id;
}

/* Calls fn for the node of each reference in a field's text. */
static void
each_node(struct graph *g, const struct stet_field *f, const char *text,
    void (*fn)(struct graph *, struct node *, void *), void *arg)
{
	const char *target = target_of(f), *p = text, *id;
	size_t seen = 0;

	if (target == NULL)
		return;
	for (; p != NULL && *p != '\0' && (id = next_id(g->call, f, &p)) != NULL; seen++) {
		struct node *node;

		if (seen == STET_INCLUDE_ROWS) {
			include_cut(g->page);
			return;
		}
		node = node_of(g, id, target);
		if (node != NULL)
			fn(g, node, arg);
	}
}

static void
keep_node(struct graph *g, struct node *node, void *arg)
{
	struct node *from = arg, **more;

	if ((from->count & (from->count - 1)) == 0) {
		more = stet_alloc(g->call, (from->count > 0 ? 2 * from->count : 1) * sizeof(*more));
		if (from->count > 0)
			memcpy(more, from->to, from->count * sizeof(*more));
		from->to = more;
	}
	from->to[from->count++] = node;
}

static void
take_row(struct graph *g, struct node *node, const struct stet_collection *c,
    const struct plan *plan, struct stet_rows *rows, const struct view *view)
{
	put_item(g->page, rows, plan, view);
	for (size_t i = 0; g->deep && i < c->field_count; i++)
		if (refer_wants(g->call, c->fields[i]))
			each_node(g, c->fields[i], stet_col_str(rows, C_FIELDS + (int)i), keep_node,
			    node);
}

/* Collects the ids, from `first` on, that are in the same collection and have not been read. */
static size_t
gather(struct node *first, const char **ids)
{
	size_t count = 0;

	for (struct node *n = first; n != NULL; n = n->queued) {
		if (n->read || strcmp(n->collection, first->collection) != 0)
			continue;
		n->read = true;
		ids[count++] = n->id;
	}
	return count;
}

/* The items of a level that are in one collection. */
struct part {
	const char **kept, **asked; /* kept: sorted, those that are not null */
	size_t kept_count, next, asked_count;
};

static int
by_id(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Separates the items whose rows the snapshot keeps from those that are to be read. What items
 * refer to is not kept. */
static struct part
separate(struct graph *g, const char *const *ids, size_t count)
{
	struct part p = { .kept = stet_alloc(g->call, (count + 1) * sizeof(*p.kept)),
		.asked = stet_alloc(g->call, (count + 1) * sizeof(*p.asked)) };
	bool null;

	for (size_t i = 0; i < count; i++)
		if (g->deep || !include_keeps(g->page, ids[i], &null))
			p.asked[p.asked_count++] = ids[i];
		else if (!null)
			p.kept[p.kept_count++] = ids[i];
	qsort(p.kept, p.kept_count, sizeof(*p.kept), by_id);
	return p;
}

/* Writes the kept rows before this id (NULL: all): rows are written in the order of their ids,
 * whether they are kept or not. */
static void
put_kept(struct graph *g, struct part *p, const char *before)
{
	while (p->next < p->kept_count && (before == NULL || strcmp(p->kept[p->next], before) < 0))
		(void)stet_include_row(g->page, p->kept[p->next++]);
}

static enum stet_status
read_part(struct graph *g, const struct stet_collection *c, const struct plan *plan, struct part *p)
{
	const struct view view = include_view(g->page, c);
	struct stet_sql *sql = refer_select(g->call, plan, " AND id IN ", p->asked, p->asked_count);
	struct stet_rows rows;

	stet_sql_add(sql, " ORDER BY id");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *id = stet_col_str(&rows, C_ID);

		if (!is_seen(g->call, &rows))
			continue;
		put_kept(g, p, id);
		take_row(g, idmap_find(&g->nodes, id), c, plan, &rows, &view);
	}
	return stet_rows_end(&rows);
}

/* Reads items of a collection. A deleted collection has none. */
static enum stet_status
read_collection(struct graph *g, const char *slug, const char **ids, size_t count)
{
	struct part p = separate(g, ids, count);
	const struct stet_collection *c;
	const struct plan *plan;
	enum stet_status status = p.asked_count > 0 && stet_covers(g->call, slug)
				      ? plan_get(g->call, slug, &c, &plan)
				      : STET_COLLECTION_NOT_FOUND;

	if (status == STET_OK)
		status = read_part(g, c, plan, &p);
	else if (status == STET_COLLECTION_NOT_FOUND) {
		stet_error_clear(g->call);
		status = STET_OK;
	}
	STET_TRY(status);
	put_kept(g, &p, NULL);
	for (size_t i = 0; i < count; i++) {
		struct stet_json *out = stet_include_row(g->page, ids[i]);

		if (out != NULL)
			stet_put_null(out, ids[i]);
	}
	return STET_OK;
}

static enum stet_status
read_level(struct graph *g, const struct level *level)
{
	const char **ids = stet_alloc(g->call, (g->count + 1) * sizeof(*ids));

	for (struct node *n = level->first; n != NULL; n = n->queued)
		if (!n->read)
			STET_TRY(read_collection(g, n->collection, ids, gather(n, ids)));
	return STET_OK;
}

/* Returns the next level: the items that this level refers to. An item may be in both. */
static struct level
go_down(struct graph *g, const struct level *level)
{
	struct node **now = stet_alloc(g->call, (g->count + 1) * sizeof(*now));
	struct level next = { 0 };
	size_t count = 0;

	next.tail = &next.first;
	for (struct node *n = level->first; n != NULL; n = n->queued) {
		now[count++] = n;
		n->waits = false;
	}
	for (size_t i = 0; i < count; i++) {
		int left = now[i]->left;

		now[i]->done = left;
		for (size_t k = 0; left > 0 && k < now[i]->count; k++)
			queue(&next, now[i]->to[k], left - 1);
	}
	return next;
}

/* ---- where references begin ---- */

struct begin {
	struct level level;
	int left;
};

static void
begin_node(struct graph *g, struct node *node, void *arg)
{
	struct begin *b = arg;

	(void)g;
	queue(&b->level, node, b->left);
}

/* Returns the depth wanted for the field; 0: it is not wanted. */
static int
depth_of(const struct stet_field *f, const struct include_field *list, int n)
{
	int depth = 0;

	for (int i = 0; i < n; i++)
		if ((strcmp(list[i].slug, "*") == 0 || strcmp(list[i].slug, f->slug) == 0) &&
		    list[i].depth > depth)
			depth = list[i].depth;
	return depth;
}

static enum stet_status
read_wanted(struct stet_include_page *page, struct include_field *list, int *n)
{
	list[0] = (struct include_field){ "*", 1 };
	*n = page->args != NULL ? grammar_fields(page->call, page->args, list, FIELDS_MAX) : 1;
	if (*n < 0)
		stet_issue(page->call, "include",
		    "references takes fields, each with a depth of 1 to %d: references(author:2)",
		    REFER_DEPTH);
	for (int i = 0; i < *n; i++) {
		const struct stet_field *f = stet_field(page->collection, list[i].slug);

		if (strcmp(list[i].slug, "*") != 0 && (f == NULL || !refer_wants(page->call, f)))
			stet_issue(page->call, "include", "\"%.64s\" is no reference of %s",
			    list[i].slug, page->collection->slug);
	}
	return stet_issues(page->call);
}

enum stet_status
refer_read(struct stet_call *call, struct stet_include_page *page)
{
	const struct stet_collection *c = page->collection;
	struct graph g = { .page = page, .call = call, .most = stet_include_room(page) };
	struct include_field list[FIELDS_MAX];
	struct begin b = { 0 };
	int n;

	b.level.tail = &b.level.first;
	STET_TRY(read_wanted(page, list, &n));
	for (size_t k = 0; k < c->field_count; k++) {
		int depth = refer_wants(call, c->fields[k]) ? depth_of(c->fields[k], list, n) : 0;

		b.left = depth - 1;
		g.deep |= depth > 1;
		for (size_t i = 0; depth > 0 && i < page->count; i++)
			if (page->item[i]->value[k] != NULL)
				each_node(
				    &g, c->fields[k], page->item[i]->value[k], begin_node, &b);
	}
	while (b.level.first != NULL) {
		STET_TRY(read_level(&g, &b.level));
		b.level = go_down(&g, &b.level);
	}
	return STET_OK;
}

/* ---- translations ---- */

static void
link_siblings(struct stet_include_page *page, const char *id, const char *group)
{
	for (size_t i = 0; i < page->count; i++)
		if (strcmp(page->item[i]->group, group) == 0 && strcmp(page->item[i]->id, id) != 0)
			stet_include_link(page, i, NULL, id);
}

static bool
is_alone(struct stet_include_page *page, const char *id, const char *group)
{
	for (size_t i = 0; i < page->count; i++)
		if (strcmp(page->item[i]->group, group) == 0 && strcmp(page->item[i]->id, id) != 0)
			return false;
	return true;
}

enum stet_status
refer_translations(struct stet_call *call, struct stet_include_page *page)
{
	const char **group = stet_alloc(call, (page->count + 1) * sizeof(*group));
	const struct stet_collection *c;
	const struct plan *plan;
	struct stet_sql *sql;
	struct stet_rows rows;
	struct view view;

	if (page->count == 0)
		return STET_OK;
	for (size_t i = 0; i < page->count; i++)
		group[i] = page->item[i]->group;
	STET_TRY(plan_get(call, page->collection->slug, &c, &plan));
	view = include_view(page, c);
	sql = refer_select(call, plan, " AND translation_group IN ", group, page->count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *id = stet_col_str(&rows, C_ID), *of = stet_col_str(&rows, C_GROUP);

		if (is_alone(page, id, of) || !is_seen(call, &rows))
			continue;
		put_item(page, &rows, plan, &view);
		link_siblings(page, id, of);
	}
	return stet_rows_end(&rows);
}
