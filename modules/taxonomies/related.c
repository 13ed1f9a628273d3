/*
 * related.c - finds items that share terms with an item; the rarer and the more the shared terms,
 * the earlier. It reads only the newest items of each of the rarest terms, so the cost does not
 * grow with the number of items that have a common term.
 */
#include "taxonomies.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TERMS_MOST 12 /* the rarest terms of an item */
#define ITEMS_MOST 200 /* the newest items of a term */

struct shared {
	const char *term;
	int64_t items; /* published items that have it */
};
struct found {
	struct stet_related *list;
	size_t count;
	json_t *at; /* {group: index in the list} */
};

static int
rarer(const void *a, const void *b)
{
	const struct shared *x = a, *y = b;

	if (x->items != y->items)
		return x->items < y->items ? -1 : 1;
	return strcmp(x->term, y->term);
}

/* Reads the terms of the item, rarest first. */
static enum stet_status
read_terms(struct stet_call *call, const char *collection, const char *group, struct shared *out,
    size_t *count)
{
	struct stet_rows rows;

	*count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT a.term_group, COALESCE(n.n, 0) FROM content_term AS a LEFT JOIN term_count AS n"
	    " ON n.term_group = a.term_group AND n.locale = '' AND n.collection = a.collection"
	    " WHERE a.collection = ?1 AND a.entry_group = ?2 LIMIT ?3",
	    STET_ARGS(collection, group, STET_TERMS_MAX)));
	while (stet_row(&rows))
		out[(*count)++] = (struct shared){ stet_col_dup(&rows, 0), stet_col_int(&rows, 1) };
	qsort(out, *count, sizeof(*out), rarer);
	if (*count > TERMS_MOST)
		*count = TERMS_MOST;
	return stet_rows_end(&rows);
}

/* Selects the newest items of each term, with the number of the term. */
static struct stet_sql *
select_items(struct stet_call *call, const char *collection, const struct shared *term, size_t n)
{
	struct stet_sql *sql = stet_sql_new(call);

	for (size_t i = 0; i < n; i++) {
		stet_sql_add(sql, i > 0 ? " UNION ALL " : "");
		stet_sql_add(sql, "SELECT x.entry_group, ");
		stet_sql_bind(sql, stet_val_int((int64_t)i));
		stet_sql_add(sql, " FROM (SELECT k.entry_group FROM term_item AS k WHERE"
				  " k.item_status = 'published' AND k.term_group = ");
		stet_sql_bind(sql, stet_val_str(term[i].term));
		stet_sql_add(sql, " AND k.collection = ");
		stet_sql_bind(sql, stet_val_str(collection));
		stet_sql_add(sql, " ORDER BY k.created DESC, k.item DESC LIMIT ");
		stet_sql_bind(sql, stet_val_int(ITEMS_MOST));
		stet_sql_add(sql, ") AS x");
	}
	return sql;
}

/* Adds the weight of a term to a group of items, once for all its locales. */
static void
add(struct found *f, const char *group, size_t term, double weight)
{
	const json_t *at = json_object_get(f->at, group);
	struct stet_related *r;

	if (at == NULL) {
		json_object_set_new(f->at, group, json_integer((json_int_t)f->count));
		f->list[f->count++] = (struct stet_related){ group, weight, 1, term };
		return;
	}
	r = &f->list[json_integer_value(at)];
	if (r->last == term)
		return;
	r->last = term;
	r->weight += weight;
	r->shared++;
}

static int
nearer(const void *a, const void *b)
{
	const struct stet_related *x = a, *y = b;

	if (x->weight > y->weight || x->weight < y->weight)
		return x->weight > y->weight ? -1 : 1;
	return strcmp(y->group, x->group); /* ids grow with time: the newest first */
}

enum stet_status
terms_related(
    struct stet_call *call, const char *collection, const char *group, struct stet_table *out)
{
	struct found f = { .at = stet_json_own(call, json_object()) };
	struct shared term[STET_TERMS_MAX];
	struct stet_rows rows;
	size_t n;

	*out = (struct stet_table){ .stride = sizeof(*f.list) };
	STET_TRY(read_terms(call, collection, group, term, &n));
	if (n == 0)
		return STET_OK;
	f.list = stet_alloc(call, (n * ITEMS_MOST + 1) * sizeof(*f.list));
	STET_TRY(stet_sql_query(select_items(call, collection, term, n), &rows));
	while (stet_row(&rows)) {
		size_t i = (size_t)stet_col_int(&rows, 1);

		if (strcmp(stet_col_str(&rows, 0), group) != 0)
			add(&f, stet_col_dup(&rows, 0), i, 1 / log2(2 + (double)term[i].items));
	}
	STET_TRY(stet_rows_end(&rows));
	qsort(f.list, f.count, sizeof(*f.list), nearer);
	out->row = f.list;
	out->count = (uint32_t)f.count;
	return STET_OK;
}
