/*
 * include.c - the argument `include`: rows that belong to the items of a reply. It reads the
 * argument, collects the items while they are written, lets each kind read its rows for all items
 * at once, and writes the member `included` (adr/0070).
 *
 * Rows, links and bytes together are limited, whatever the items refer to. Rows beyond the limit
 * are left out, and `truncated` is true.
 */
#include "read/include.h"
#include <string.h>

#define LINKS_MAX 5000
#define BYTES_MAX ((size_t)8 << 20) /* no further row is begun when the rows have this size */

/* The rows of one kind. All kinds whose rows are items share one set. */
struct set {
	const char *name;
	struct idmap there;
	struct stet_json *json; /* an open object */
};
struct link {
	struct link *next;
	const char *group, *id;
	bool written;
};
struct asked {
	struct stet_include row;
	const char *args;
	struct set *set;
	struct link ***tail; /* by item: the end of its list of links */
	struct link **first;
	const char *group; /* of the last link */
};
struct include {
	struct stet_call *call;
	const struct stet_collection *collection;
	const struct view *view;
	struct asked kind[INCLUDE_KINDS_MAX], *running;
	struct set set[INCLUDE_KINDS_MAX];
	size_t kinds, sets;
	bool *wants; /* by field: it is needed */
	struct stet_include_item **item;
	size_t items, room;
	size_t rows, links;
	bool truncated;
	struct stet_json *told; /* the links written so far, as JSON */
	/* Included items are kept with the snapshot (kept.c). `open`: the id of the one that is
	 * being written, from this place of its set's text on; NULL: none. */
	struct kept *kept;
	unsigned form;
	const char *open;
	size_t open_at;
};

/* ---- the argument ---- */

static const char *
known(struct stet_call *call)
{
	const char *const *name = stet_includes(call);
	const char *all = *name != NULL ? *name++ : "";

	for (; *name != NULL; name++)
		all = stet_printf(call, "%s, %s", all, *name);
	return all;
}

bool
include_may_call(struct stet_call *call, const char *op)
{
	const struct stet_op_info *const *ops;
	size_t count = stet_ops(call, &ops);

	for (size_t i = 0; i < count; i++)
		if (strcmp(ops[i]->name, op) == 0)
			return stet_op_open(call, ops[i], NULL);
	return false;
}

/* Returns true for the kinds of this module, whose rows are items. */
static bool
is_items(const char *kind)
{
	return strcmp(kind, INCLUDE_REFERENCES) == 0 || strcmp(kind, INCLUDE_TRANSLATIONS) == 0 ||
	       strcmp(kind, INCLUDE_USED_BY) == 0;
}

static struct set *
set_of(struct include *inc, const char *name)
{
	for (size_t i = 0; i < inc->sets; i++)
		if (strcmp(inc->set[i].name, name) == 0)
			return &inc->set[i];
	inc->set[inc->sets].name = name;
	inc->set[inc->sets].json = stet_json_new(inc->call);
	stet_object(inc->set[inc->sets].json, NULL);
	return &inc->set[inc->sets++];
}

/* Members of the reply, which cannot be names of kinds. */
static bool
is_taken(const char *name)
{
	return strcmp(name, "items") == 0 || strcmp(name, "links") == 0 ||
	       strcmp(name, "truncated") == 0;
}

static bool
is_asked(const struct include *inc, const char *name)
{
	for (size_t i = 0; i < inc->kinds; i++)
		if (strcmp(inc->kind[i].row.name, name) == 0)
			return true;
	return false;
}

/* Adds a kind. Records an issue if it is unknown, or fails if the caller may not read it. */
static enum stet_status
add_kind(struct include *inc, const struct include_word *word)
{
	struct asked *k = &inc->kind[inc->kinds];

	if (is_asked(inc, word->name)) {
		stet_issue(inc->call, "include", "names %.64s twice", word->name);
		return STET_OK;
	}
	if (is_taken(word->name) || !stet_include_find(inc->call, word->name, &k->row)) {
		stet_issue(
		    inc->call, "include", "\"%.64s\" is none of: %s", word->name, known(inc->call));
		return STET_OK;
	}
	if (k->row.op != NULL && !include_may_call(inc->call, k->row.op))
		return stet_fail(inc->call, STET_FORBIDDEN, "include",
		    "\"%s\" may be included by callers who may call %s", k->row.name, k->row.op);
	if (word->args != NULL && !k->row.takes_args) {
		stet_issue(inc->call, "include", "%s takes nothing in parentheses", k->row.name);
		return STET_OK;
	}
	k->args = word->args;
	k->set = set_of(inc, is_items(k->row.name) ? "items" : k->row.name);
	inc->kinds++;
	for (size_t i = 0; k->row.wants != NULL && i < inc->collection->field_count; i++)
		inc->wants[i] |= k->row.wants(inc->call, inc->collection->fields[i]);
	return STET_OK;
}

enum stet_status
include_begin(struct stet_call *call, const struct stet_collection *collection,
    const struct view *view, struct include **out)
{
	const char *text = stet_arg(call, "include");
	struct include_word word[INCLUDE_KINDS_MAX];
	struct include *inc;
	size_t at;
	int n;

	*out = NULL;
	if (text == NULL)
		return STET_OK;
	/* Public callers may not use it: Surrogate-Key does not name rows of other collections and
	 * modules, and each has access rules of its own. A delivery token may use it. */
	if (stet_is_open(call))
		return stet_fail(call, STET_UNAUTHORIZED, "include",
		    "include needs credentials; a delivery token has them");
	*out = inc = stet_alloc(call, sizeof(*inc));
	inc->call = call;
	inc->collection = collection;
	inc->view = view;
	inc->wants = stet_alloc(call, collection->field_count + 1);
	n = grammar_read(call, text, word, &at);
	if (n < 0)
		stet_issue(call, "include",
		    "cannot be read at character %zu: kinds separated by commas are wanted, at most %d",
		    at + 1, INCLUDE_KINDS_MAX);
	for (int i = 0; i < n; i++)
		STET_TRY(add_kind(inc, &word[i]));
	return stet_issues(call);
}

bool
include_wants(const struct include *inc, size_t field)
{
	return inc != NULL && inc->wants[field];
}

/* ---- the items ---- */

static const char *
value_text(struct stet_call *call, const struct stet_field *f, const json_t *v)
{
	struct stet_json *json;

	if (v == NULL)
		return NULL;
	if (json_is_string(v) && !f->json_text)
		return json_string_value(v);
	json = stet_json_new(call);
	stet_put_json(json, NULL, v);
	return stet_json_text(json, NULL);
}

static const char *const *
values(struct include *inc, struct stet_rows *rows, const struct plan *plan,
    const struct newest *newest)
{
	const char **value = stet_alloc(inc->call, (plan->count + 1) * sizeof(*value));

	for (size_t i = 0; i < plan->count; i++) {
		if (!inc->wants[i])
			continue;
		if (newest != NULL)
			value[i] = value_text(inc->call, inc->collection->fields[i],
			    json_object_get(newest->data, plan->field[i].slug));
		else
			value[i] = stet_col_dup(rows, C_FIELDS + (int)i);
	}
	return value;
}

void
include_add(struct include *inc, struct stet_rows *rows, const struct plan *plan,
    const struct newest *newest)
{
	struct stet_include_item *item, **more;

	if (inc == NULL)
		return;
	if (inc->items == inc->room) {
		inc->room = inc->room > 0 ? 2 * inc->room : 16;
		more = stet_alloc(inc->call, inc->room * sizeof(*more));
		if (inc->items > 0)
			memcpy(more, inc->item, inc->items * sizeof(*more));
		inc->item = more;
	}
	item = inc->item[inc->items++] = stet_alloc(inc->call, sizeof(*item));
	*item = (struct stet_include_item){ stet_col_dup(rows, C_ID), stet_col_dup(rows, C_LOCALE),
		stet_col_dup(rows, C_GROUP), stet_col_dup(rows, C_AUTHOR),
		values(inc, rows, plan, newest),
		.bylines = newest != NULL ? json_object_get(newest->staged, BYLINES) : NULL,
		.terms = newest != NULL ? staged_terms(newest->staged, NULL) : NULL };
}

/* ---- what a kind writes ---- */

static size_t
bytes(const struct include *inc)
{
	size_t all = 0, len;

	for (size_t i = 0; i < inc->sets; i++) {
		stet_json_text(inc->set[i].json, &len);
		all += len;
	}
	return all;
}

/* Keeps the item that has been written, without its key. */
static void
keep(struct include *inc)
{
	const char *id = inc->open, *text;
	size_t len, at = inc->open_at;

	inc->open = NULL;
	if (id == NULL || inc->kept == NULL)
		return;
	text = stet_json_text(inc->running->set->json, &len);
	at += text[at] == ',';
	at += strlen(id) + strlen("\"\":");
	kept_add(inc->call, inc->kept, inc->form, id, text + at, len - at);
}

/* Writes the item if it is kept. Otherwise notes that it is being written. */
static bool
put_kept(struct include *inc, struct set *set, const char *id)
{
	const struct kept_row *row = kept_find(inc->kept, inc->form, id);

	if (row != NULL) {
		stet_put_raw(set->json, id, row->text, row->len);
		return true;
	}
	inc->open = id;
	stet_json_text(set->json, &inc->open_at);
	return false;
}

static struct stet_json *
row(struct stet_include_page *page, const char *id)
{
	struct include *inc = page->host;
	struct asked *k = inc->running;
	struct set *set = k->set;

	keep(inc);
	if (idmap_find(&set->there, id) != NULL)
		return NULL;
	if (inc->rows >= STET_INCLUDE_ROWS || bytes(inc) >= BYTES_MAX) {
		inc->truncated = true;
		return NULL;
	}
	inc->rows++;
	*idmap_at(inc->call, &set->there, id) = set;
	if (is_items(k->row.name) && put_kept(inc, set, idmap_id(&set->there, id)))
		return NULL;
	return set->json;
}

bool
include_keeps(struct stet_include_page *page, const char *id, bool *null)
{
	const struct include *inc = page->host;
	const struct kept_row *row = kept_find(inc->kept, inc->form, id);

	*null = row != NULL && *row->text == 'n';
	return row != NULL;
}

/* Returns a copy of the name of a group. Mostly it is that of the link before. */
static const char *
group_of(const struct include *inc, struct asked *k, const char *group)
{
	if (group != NULL && (k->group == NULL || strcmp(k->group, group) != 0))
		k->group = stet_strdup(inc->call, group);
	return group != NULL ? k->group : NULL;
}

static void
add_link(struct stet_include_page *page, size_t item, const char *group, const char *id)
{
	struct include *inc = page->host;
	struct asked *k = inc->running;
	struct link *link;

	if ((id = idmap_id(&k->set->there, id)) == NULL)
		return;
	if (inc->links == LINKS_MAX) {
		inc->truncated = true;
		return;
	}
	inc->links++;
	link = stet_alloc(inc->call, sizeof(*link));
	*link = (struct link){ .group = group_of(inc, k, group), .id = id };
	*k->tail[item] = link;
	k->tail[item] = &link->next;
}

static size_t
rows_left(struct stet_include_page *page)
{
	struct include *inc = page->host;

	return STET_INCLUDE_ROWS - inc->rows;
}

void
include_cut(struct stet_include_page *page)
{
	struct include *inc = page->host;

	inc->truncated = true;
}

struct view
include_view(struct stet_include_page *page, const struct stet_collection *c)
{
	const struct include *inc = page->host;
	struct view view = { .call = inc->call,
		.members = view_all.members & ~(1U << I_BYLINES | 1U << I_BYLINE) };

	if (inc->view->markdown != NULL)
		view_markdown(&view, c);
	return view;
}

static enum stet_status
run(struct include *inc, struct asked *k)
{
	struct stet_include_page page = { .call = inc->call,
		.collection = inc->collection,
		.item = (const struct stet_include_item *const *)inc->item,
		.count = inc->items,
		.args = k->args,
		.row = row,
		.link = add_link,
		.room = rows_left,
		.host = inc };

	k->first = stet_alloc(inc->call, (inc->items + 1) * sizeof(*k->first));
	k->tail = stet_alloc(inc->call, (inc->items + 1) * sizeof(*k->tail));
	for (size_t i = 0; i < inc->items; i++)
		k->tail[i] = &k->first[i];
	inc->running = k;
	STET_TRY(stet_include_read(inc->call, k->row.name, &page));
	keep(inc);
	return STET_OK;
}

/* ---- the answer ---- */

/* Writes the links of one kind: a list of ids, or a list for each group, in the order of the
 * groups' first links. */
static void
put_kind(struct stet_json *out, const char *name, struct link *first)
{
	bool grouped = first->group != NULL;

	if (grouped)
		stet_object(out, name);
	for (struct link *l = first; l != NULL; l = l->next) {
		if (l->written || (grouped && l->group == NULL))
			continue;
		stet_array(out, grouped ? l->group : name);
		for (struct link *same = l; same != NULL; same = same->next) {
			if (same->written || (grouped && (same->group == NULL ||
							     strcmp(same->group, l->group) != 0)))
				continue;
			stet_put_str(out, NULL, same->id);
			same->written = true;
		}
		stet_close(out);
	}
	if (grouped)
		stet_close(out);
}

static void
put_links(struct include *inc, struct stet_json *out)
{
	stet_object(out, NULL);
	for (size_t i = 0; i < inc->items; i++) {
		bool any = false;

		for (size_t k = 0; k < inc->kinds; k++) {
			if (inc->kind[k].first[i] == NULL)
				continue;
			if (!any)
				stet_object(out, inc->item[i]->id);
			any = true;
			put_kind(out, inc->kind[k].row.name, inc->kind[k].first[i]);
		}
		if (any)
			stet_close(out);
	}
	stet_close(out);
}

enum stet_status
include_put(struct include *inc, struct stet_json *to)
{
	const char *text;
	size_t len;

	inc->kept = kept_of(inc->call);
	inc->form = (stet_may(inc->call, "content:read_drafts") ? 1U : 0U) |
		    (inc->view->markdown != NULL ? 2U : 0U);
	for (size_t i = 0; i < inc->kinds; i++)
		STET_TRY(run(inc, &inc->kind[i]));
	stet_object(to, "included");
	for (size_t i = 0; i < inc->sets; i++) {
		stet_close(inc->set[i].json);
		text = stet_json_text(inc->set[i].json, &len);
		stet_put_raw(to, inc->set[i].name, text, len);
	}
	inc->told = stet_json_new(inc->call);
	put_links(inc, inc->told);
	text = stet_json_text(inc->told, &len);
	stet_put_raw(to, "links", text, len);
	stet_put_bool(to, "truncated", inc->truncated);
	stet_close(to);
	return STET_OK;
}

void
include_each(struct include *inc, void (*fn)(void *, const char *, size_t), void *arg)
{
	const char *text;
	size_t len;

	for (size_t i = 0; i < inc->sets; i++) {
		text = stet_json_text(inc->set[i].json, &len);
		fn(arg, text, len);
	}
	text = stet_json_text(inc->told, &len);
	fn(arg, text, len);
}
