/*
 * beside.c - include=terms: adds the terms of a reply's items as included records (stet/include.h),
 * each in the locale of its item, or else in the site's default locale.
 *
 * One statement reads which items have which terms, from an index only. A second one reads each
 * term once, since the items of a page share most terms. What was read is kept with the snapshot
 * (known.c), so that later lists read neither again.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 10000 /* pairs of an item and a term that a statement reads */
#define TERMS_READ (STET_INCLUDE_ROWS + 1) /* one more than fit, to detect truncation */

struct beside {
	struct stet_call *call;
	struct stet_include_page *page;
	struct known *known;
	struct known_entry **entry; /* those of the items */
	struct known_term **term; /* the terms to be read */
	size_t terms;
};

/* ---- which items have which terms ---- */

/* Adds the term to the terms to read, unless it is known. */
static struct known_term *
add_term(struct beside *b, const char *group)
{
	struct known_term *t = known_term(b->known, group);

	if (t->asked)
		return t;
	if (b->terms == TERMS_READ) {
		known_incomplete(b->known);
		return t;
	}
	t->asked = true;
	b->term[b->terms++] = t;
	return t;
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
				(void)add_term(b, json_string_value(group));
		}
	}
}

static enum stet_status
read_pairs(struct beside *b, struct known_entry *const *entry, size_t count)
{
	struct stet_sql *sql = stet_sql_new(b->call);
	struct stet_val group[LIST_MAX];
	struct stet_rows rows;
	struct known_entry *e;
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++)
		group[i] = stet_val_str(entry[i]->group);
	stet_sql_add(sql, "SELECT entry_group, term_group FROM content_term WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(b->page->collection->slug));
	stet_sql_add(sql, " AND entry_group IN ");
	stet_sql_list(sql, group, count);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAIRS_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		e = known_entry(b->known, b->page->collection->slug, stet_col_str(&rows, 0));
		known_add(b->known, e, add_term(b, stet_col_str(&rows, 1)));
		if (++pairs == PAIRS_MAX)
			known_incomplete(b->known);
	}
	return stet_rows_end(&rows);
}

/* Reads the pairs of the items whose pairs are not known. */
static enum stet_status
read_entries(struct beside *b)
{
	struct known_entry *fresh[LIST_MAX];
	size_t count = 0;

	for (size_t i = 0; i < b->page->count; i++) {
		struct known_entry *e =
		    known_entry(b->known, b->page->collection->slug, b->page->item[i]->group);

		b->entry[i] = e;
		if (e->asked)
			continue;
		e->asked = true;
		fresh[count++] = e;
		if (count < LIST_MAX)
			continue;
		STET_TRY(read_pairs(b, fresh, count));
		count = 0;
	}
	return count > 0 ? read_pairs(b, fresh, count) : STET_OK;
}

/* ---- the terms ---- */

static enum stet_status
read_terms(struct beside *b, size_t first, size_t count)
{
	struct stet_sql *sql = stet_sql_new(b->call);
	struct stet_val group[LIST_MAX];
	struct stet_rows rows;
	struct term term;

	for (size_t i = 0; i < count; i++)
		group[i] = stet_val_str(b->term[first + i]->group);
	stet_sql_add(sql, "SELECT " TERM_COLUMNS " FROM term AS t WHERE t.translation_group IN ");
	stet_sql_list(sql, group, count);
	stet_sql_add(sql, " AND t.locale IN ");
	known_locales(b->known, sql);
	stet_sql_add(sql, TERM_LIVES);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		term_load(&rows, &term);
		known_row(b->known, &term);
	}
	return stet_rows_end(&rows);
}

/* ---- the terms of one item ---- */

struct place {
	const struct known_term *term;
	const struct known_row *row;
};

static int
by_place(const void *a, const void *b)
{
	return known_order(((const struct place *)a)->term, ((const struct place *)b)->term);
}

/* Collects the terms of an item: those of its draft for taxonomies that the draft has, otherwise
 * the stored ones. */
static size_t
terms_of(const struct beside *b, const struct known_entry *e, const struct stet_include_item *it,
    struct place *out)
{
	const char *name;
	json_t *groups, *group;
	size_t n = 0, i;

	for (size_t k = 0; k < e->count; k++) {
		const struct known_term *t = e->term[k];
		const struct known_row *row = known_nearest(b->known, t, it->locale);

		if (row != NULL && json_object_get(it->terms, t->taxonomy) == NULL)
			out[n++] = (struct place){ t, row };
	}
	json_object_foreach((json_t *)(uintptr_t)it->terms, name, groups)
	{
		json_array_foreach(groups, i, group)
		{
			const struct known_term *t;
			const struct known_row *row;

			if (!json_is_string(group))
				continue;
			t = known_term(b->known, json_string_value(group));
			row = known_nearest(b->known, t, it->locale);
			if (row != NULL && strcmp(t->taxonomy, name) == 0)
				out[n++] = (struct place){ t, row };
		}
	}
	return n;
}

/* Returns an upper bound of the number of an item's terms. */
static size_t
terms_most(const struct known_entry *e, const struct stet_include_item *it)
{
	const char *name;
	json_t *groups;
	size_t n = e->count;

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
	struct known_entry *e = b->entry[item];
	struct place *place = stet_alloc(b->call, (terms_most(e, it) + 1) * sizeof(*place));
	size_t n;

	known_sort(e);
	n = terms_of(b, e, it, place);
	if (it->terms != NULL)
		qsort(place, n, sizeof(*place), by_place);
	for (size_t i = 0; i < n; i++) {
		const struct known_row *row = place[i].row;
		struct stet_json *out = stet_include_row(b->page, row->id);

		if (out != NULL)
			stet_put_raw(out, row->id, row->text, row->len);
		stet_include_link(b->page, item, place[i].term->taxonomy, row->id);
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
	struct beside b = { .call = call, .page = page, .known = known_begin(call, page) };

	b.term = stet_alloc(call, TERMS_READ * sizeof(*b.term));
	b.entry = stet_alloc(call, (page->count + 1) * sizeof(*b.entry));
	STET_TRY(read_entries(&b));
	for (size_t i = 0; i < page->count; i++)
		add_kept(&b, page->item[i]->terms);
	for (size_t i = 0; i < b.terms; i += LIST_MAX)
		STET_TRY(read_terms(&b, i, part(i, b.terms)));
	for (size_t i = 0; i < page->count; i++)
		put_terms(&b, i);
	known_end(b.known);
	return STET_OK;
}

const struct stet_include taxonomies_includes[1] = {
	{ .name = "terms",
	    .about = "The terms of the items, in their locale or else in the default one; links by "
		     "taxonomy",
	    .op = "taxonomy_list",
	    .read = terms_read },
};
