/*
 * beside.c - the terms of the items of an answer, told beside them (stet/include.h): each in the
 * locale of its item, or else in the site's default locale.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX                                                                        \
	10000 /* of one statement: a term has a row for each locale, an item many terms \
	       */

/* A term that the items of a group have, in one locale. */
struct had {
	const char *entry;
	struct term term;
};
struct all {
	struct had *row;
	size_t count, room;
};

static int
compare_had(const void *a, const void *b)
{
	const struct had *x = a, *y = b;
	int d = strcmp(x->entry, y->entry);

	if (d == 0)
		d = strcmp(x->term.taxonomy, y->term.taxonomy);
	if (d == 0 && x->term.position != y->term.position)
		d = x->term.position < y->term.position ? -1 : 1;
	return d != 0 ? d : strcmp(x->term.group, y->term.group);
}

static void
add_had(struct stet_call *call, struct all *all, struct stet_rows *rows)
{
	struct had *more;

	if (all->count == all->room) {
		all->room = all->room > 0 ? 2 * all->room : 64;
		more = stet_alloc(call, all->room * sizeof(*more));
		if (all->count > 0)
			memcpy(more, all->row, all->count * sizeof(*more));
		all->row = more;
	}
	term_load(rows, &all->row[all->count].term);
	all->row[all->count++].entry = stet_col_dup(rows, TERM_WIDTH);
}

/* The locales of these items, and the default one. */
static void
put_locales(struct stet_call *call, struct stet_sql *sql, const struct stet_include_page *page,
    size_t first, size_t count)
{
	struct stet_val *v = stet_alloc(call, (count + 1) * sizeof(*v));
	size_t n = 0;

	v[n++] = stet_val_str(stet_locales(call)[0]);
	for (size_t i = first; i < first + count && n < LIST_MAX; i++) {
		const char *locale = page->item[i]->locale;
		size_t k = 0;

		while (k < n && strcmp(v[k].u.s, locale) != 0)
			k++;
		if (k == n)
			v[n++] = stet_val_str(locale);
	}
	add_values(sql, v, n);
}

/* CROSS JOIN makes SQLite begin with the items, whatever its planner estimates. */
static enum stet_status
read_some(struct stet_call *call, const struct stet_include_page *page, size_t first, size_t count,
    struct all *all)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_val group[LIST_MAX];
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		group[i] = stet_val_str(page->item[first + i]->group);
	stet_sql_add(sql, "SELECT " TERM_COLUMNS ", a.entry_group FROM content_term AS a"
			  " CROSS JOIN term AS t WHERE t.translation_group = a.term_group"
			  " AND a.collection = ");
	stet_sql_bind(sql, stet_val_str(page->collection->slug));
	stet_sql_add(sql, " AND a.entry_group IN ");
	add_values(sql, group, count);
	stet_sql_add(sql, " AND t.locale IN ");
	put_locales(call, sql, page, first, count);
	stet_sql_add(sql, TERM_LIVES " LIMIT ");
	stet_sql_bind(sql, stet_val_int(ROWS_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		add_had(call, all, &rows);
	return stet_rows_end(&rows);
}

/* The first row of the items of this group; all->count if they have none. */
static size_t
first_of(const struct all *all, const char *entry)
{
	size_t low = 0, high = all->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(all->row[middle].entry, entry) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of the rows of one term, from *at on, the one for this locale; *at goes behind them. */
static const struct term *
nearest(struct stet_call *call, const struct all *all, size_t *at, const char *locale)
{
	const struct had *first = &all->row[*at];
	const struct term *found = NULL;

	for (; *at < all->count && compare_had(first, &all->row[*at]) == 0; ++*at) {
		const struct term *t = &all->row[*at].term;

		if (strcmp(t->locale, locale) == 0 ||
		    (found == NULL && strcmp(t->locale, stet_locales(call)[0]) == 0))
			found = t;
	}
	return found;
}

static void
put_terms(
    struct stet_call *call, struct stet_include_page *page, const struct all *all, size_t item)
{
	const struct stet_include_item *it = page->item[item];
	size_t at = first_of(all, it->group);

	while (at < all->count && strcmp(all->row[at].entry, it->group) == 0) {
		const struct term *t = nearest(call, all, &at, it->locale);
		struct stet_json *out = t != NULL ? stet_include_row(page, t->id) : NULL;

		if (out != NULL) {
			term_open(out, t->id, t);
			stet_close(out);
		}
		if (t != NULL)
			stet_include_link(page, item, t->taxonomy, t->id);
	}
}

static enum stet_status
terms_read(struct stet_call *call, struct stet_include_page *page)
{
	struct all all = { 0 };
	size_t n;

	for (size_t i = 0; i < page->count; i += n) {
		n = page->count - i < LIST_MAX ? page->count - i : LIST_MAX;
		STET_TRY(read_some(call, page, i, n, &all));
	}
	if (all.count > 0)
		qsort(all.row, all.count, sizeof(*all.row), compare_had);
	for (size_t i = 0; i < page->count; i++)
		put_terms(call, page, &all, i);
	return STET_OK;
}

const struct stet_include taxonomies_includes[1] = {
	{ .name = "terms",
	    .about = "The terms of the items, in their locale or else in the default one; links by "
		     "taxonomy",
	    .op = "taxonomy_list",
	    .read = terms_read },
};
