/*
 * beside.c - include=terms: adds the terms of a reply's items as included records (stet/include.h),
 * each in the locale of its item, or else in the site's default locale.
 *
 * One statement reads which items have which terms, from an index only. A second one reads each
 * term once, since the items of a page share most terms.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 10000 /* pairs of an item and a term */
#define TERMS_READ (STET_INCLUDE_ROWS + 1) /* one more than fit, to detect truncation */

struct pair {
	const char *entry, *term; /* translation groups */
};
struct beside {
	struct stet_call *call;
	struct stet_include_page *page;
	struct pair *pair; /* sorted by entry */
	size_t pairs, room;
	struct stet_val *term; /* groups of terms, each once */
	json_t *seen;
	size_t terms;
	struct term *row; /* rows in all needed locales, sorted by group */
	size_t rows, rows_room;
};

/* ---- which items have which terms ---- */

static int
by_entry(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->entry, ((const struct pair *)b)->entry);
}

/* Adds the term to the terms to read. */
static void
add_term(struct beside *b, const char *term)
{
	if (b->terms == TERMS_READ || json_object_get(b->seen, term) != NULL)
		return;
	json_object_set_new(b->seen, term, json_true());
	b->term[b->terms++] = stet_val_str(term);
}

static void
add_pair(struct beside *b, struct stet_rows *rows)
{
	const char *term = stet_col_dup(rows, 1);
	struct pair *more;

	if (b->pairs == b->room) {
		b->room = b->room > 0 ? 2 * b->room : 256;
		more = stet_alloc(b->call, b->room * sizeof(*more));
		if (b->pairs > 0)
			memcpy(more, b->pair, b->pairs * sizeof(*more));
		b->pair = more;
	}
	b->pair[b->pairs++] = (struct pair){ stet_col_dup(rows, 0), term };
	add_term(b, term);
}

/* Adds the terms that the draft of an item has. */
static void
add_kept(struct beside *b, const json_t *kept)
{
	const char *name;
	json_t *groups, *group;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)kept, name, groups)
	{
		json_array_foreach(groups, i, group)
		{
			if (json_is_string(group))
				add_term(b, json_string_value(group));
		}
	}
}

static enum stet_status
read_pairs(struct beside *b, size_t first, size_t count)
{
	struct stet_sql *sql = stet_sql_new(b->call);
	struct stet_val group[LIST_MAX];
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		group[i] = stet_val_str(b->page->item[first + i]->group);
	stet_sql_add(sql, "SELECT entry_group, term_group FROM content_term WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(b->page->collection->slug));
	stet_sql_add(sql, " AND entry_group IN ");
	stet_sql_list(sql, group, count);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAIRS_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		add_pair(b, &rows);
	return stet_rows_end(&rows);
}

/* ---- the terms ---- */

static int
by_group(const void *a, const void *b)
{
	return strcmp(((const struct term *)a)->group, ((const struct term *)b)->group);
}

static void
add_row(struct beside *b, struct stet_rows *rows)
{
	struct term *more;

	if (b->rows == b->rows_room) {
		b->rows_room = b->rows_room > 0 ? 2 * b->rows_room : 64;
		more = stet_alloc(b->call, b->rows_room * sizeof(*more));
		if (b->rows > 0)
			memcpy(more, b->row, b->rows * sizeof(*more));
		b->row = more;
	}
	term_load(rows, &b->row[b->rows++]);
}

/* Collects the site's default locale and the locales of the items. */
static size_t
locales_of(const struct beside *b, struct stet_val *v)
{
	size_t n = 0;

	v[n++] = stet_val_str(stet_locales(b->call)[0]);
	for (size_t i = 0; i < b->page->count && n < LIST_MAX; i++) {
		const char *locale = b->page->item[i]->locale;
		size_t k = 0;

		while (k < n && strcmp(v[k].u.s, locale) != 0)
			k++;
		if (k == n)
			v[n++] = stet_val_str(locale);
	}
	return n;
}

static enum stet_status
read_terms(struct beside *b, size_t first, size_t count)
{
	struct stet_sql *sql = stet_sql_new(b->call);
	struct stet_val locale[LIST_MAX];
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " TERM_COLUMNS " FROM term AS t WHERE t.translation_group IN ");
	stet_sql_list(sql, b->term + first, count);
	stet_sql_add(sql, " AND t.locale IN ");
	stet_sql_list(sql, locale, locales_of(b, locale));
	stet_sql_add(sql, TERM_LIVES);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		add_row(b, &rows);
	return stet_rows_end(&rows);
}

/* ---- the terms of one item ---- */

/* Returns the row of a term for this locale, or else for the default locale; NULL: it has neither.
 */
static const struct term *
nearest(const struct beside *b, const char *group, const char *locale)
{
	const struct term key = { .group = group }, *found = NULL;
	const struct term *row = bsearch(&key, b->row, b->rows, sizeof(*row), by_group);

	if (row == NULL)
		return NULL;
	while (row > b->row && strcmp(row[-1].group, group) == 0)
		row--;
	for (; row < b->row + b->rows && strcmp(row->group, group) == 0; row++) {
		if (strcmp(row->locale, locale) == 0)
			return row;
		if (strcmp(row->locale, stet_locales(b->call)[0]) == 0)
			found = row;
	}
	return found;
}

static int
by_place(const void *a, const void *b)
{
	const struct term *x = *(const struct term *const *)a, *y = *(const struct term *const *)b;
	int d = strcmp(x->taxonomy, y->taxonomy);

	if (d == 0 && x->position != y->position)
		d = x->position < y->position ? -1 : 1;
	return d != 0 ? d : strcmp(x->group, y->group);
}

static const struct pair *
first_pair(const struct beside *b, const char *entry)
{
	const struct pair key = { .entry = entry }, *p;

	p = b->pairs > 0 ? bsearch(&key, b->pair, b->pairs, sizeof(*p), by_entry) : NULL;
	while (p != NULL && p > b->pair && strcmp(p[-1].entry, entry) == 0)
		p--;
	return p;
}

/* Collects the terms of an item: those of its draft for taxonomies that the draft has, otherwise
 * the stored ones. Returns their number; `out` needs room for terms_most(). */
static size_t
terms_of(const struct beside *b, const struct stet_include_item *it, const struct term **out)
{
	const struct pair *p = first_pair(b, it->group), *end = b->pair + b->pairs;
	const struct term *t;
	const char *name;
	json_t *groups, *group;
	size_t n = 0, i;

	for (; p != NULL && p < end && strcmp(p->entry, it->group) == 0; p++) {
		t = nearest(b, p->term, it->locale);
		if (t != NULL && json_object_get(it->terms, t->taxonomy) == NULL)
			out[n++] = t;
	}
	json_object_foreach((json_t *)(uintptr_t)it->terms, name, groups)
	{
		json_array_foreach(groups, i, group)
		{
			if (!json_is_string(group))
				continue;
			t = nearest(b, json_string_value(group), it->locale);
			if (t != NULL && strcmp(t->taxonomy, name) == 0)
				out[n++] = t;
		}
	}
	return n;
}

/* Returns an upper bound of the number of an item's terms. */
static size_t
terms_most(const struct beside *b, const struct stet_include_item *it)
{
	const struct pair *p = first_pair(b, it->group), *end = b->pair + b->pairs;
	const char *name;
	json_t *groups;
	size_t n = 0;

	for (; p != NULL && p < end && strcmp(p->entry, it->group) == 0; p++)
		n++;
	json_object_foreach((json_t *)(uintptr_t)it->terms, name, groups)
	{
		n += json_array_size(groups);
	}
	return n;
}

static void
put_terms(const struct beside *b, size_t item)
{
	const struct stet_include_item *it = b->page->item[item];
	const struct term **term = stet_alloc(b->call, (terms_most(b, it) + 1) * sizeof(*term));
	size_t n = terms_of(b, it, term);

	qsort(term, n, sizeof(*term), by_place);
	for (size_t i = 0; i < n; i++) {
		struct stet_json *out = stet_include_row(b->page, term[i]->id);

		if (out != NULL) {
			term_open(out, term[i]->id, term[i]);
			stet_close(out);
		}
		stet_include_link(b->page, item, term[i]->taxonomy, term[i]->id);
	}
}

/* Returns the number of elements from `first` on that one statement reads. */
static size_t
part(size_t first, size_t all)
{
	return all - first < LIST_MAX ? all - first : LIST_MAX;
}

static enum stet_status
terms_read(struct stet_call *call, struct stet_include_page *page)
{
	struct beside b = { .call = call, .page = page };

	b.term = stet_alloc(call, TERMS_READ * sizeof(*b.term));
	b.seen = stet_json_own(call, json_object());
	for (size_t i = 0; i < page->count; i += LIST_MAX)
		STET_TRY(read_pairs(&b, i, part(i, page->count)));
	for (size_t i = 0; i < page->count; i++)
		add_kept(&b, page->item[i]->terms);
	for (size_t i = 0; i < b.terms; i += LIST_MAX)
		STET_TRY(read_terms(&b, i, part(i, b.terms)));
	if (b.rows == 0)
		return STET_OK;
	qsort(b.pair, b.pairs, sizeof(*b.pair), by_entry);
	qsort(b.row, b.rows, sizeof(*b.row), by_group);
	for (size_t i = 0; i < page->count; i++)
		put_terms(&b, i);
	return STET_OK;
}

const struct stet_include taxonomies_includes[1] = {
	{ .name = "terms",
	    .about = "The terms of the items, in their locale or else in the default one; links by "
		     "taxonomy",
	    .op = "taxonomy_list",
	    .read = terms_read },
};
