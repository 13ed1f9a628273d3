/*
 * where.c - groups of conditions (and, or) as a tree, and their SQL.
 *
 * The tree has no `not`: fieldfilter.c turns each condition below a `not` into its opposite. So no
 * condition is NULL where it should be true, and an item without a value passes "not equal" and
 * "not in".
 */
#include "read/read.h"
#include <string.h>

struct where *
where_new(struct stet_call *call, enum where_kind kind)
{
	struct where *w = stet_alloc(call, sizeof(*w));

	*w = (struct where){ .kind = kind };
	w->tail = &w->first;
	return w;
}

struct where *
where_cond(struct stet_call *call, struct cond *cond)
{
	struct where *w = where_new(call, WHERE_COND);

	w->cond = cond;
	return w;
}

void
where_add(struct where *group, struct where *w)
{
	*group->tail = w;
	group->tail = &w->next;
}

void
where_filter(struct stet_call *call, struct where *w, struct filter *f)
{
	if (w->kind == WHERE_OR && w->first != NULL && w->first->next == NULL) {
		where_filter(call, w->first, f);
	} else if (w->kind == WHERE_OR) {
		filter_new(call, f, "", "id", COND_GROUP, 0)->group = w;
	} else if (w->kind == WHERE_COND) {
		*f->tail = w->cond;
		f->tail = &w->cond->next;
	} else {
		for (struct where *child = w->first; child != NULL; child = child->next)
			where_filter(call, child, f);
	}
}

/* ---- SQL: each item held against the group, without an index ---- */

void
where_put(struct stet_sql *sql, const struct where *w)
{
	const bool any = w->kind == WHERE_OR;

	stet_sql_add(sql, any ? "(1 = 0" : "(1 = 1");
	if (w->kind == WHERE_COND)
		filter_cond_as(sql, w->cond, false);
	for (const struct where *child = w->first; child != NULL; child = child->next) {
		stet_sql_add(sql, any ? " OR " : " AND ");
		where_put(sql, child);
	}
	stet_sql_add(sql, ")");
}

/* ---- SQL: the ids of items that may pass, found by indexes ---- */

#define NEVER 100 /* rank of a condition that no index serves */

/* Returns an estimate of how many items pass a condition: the lower, the fewer. */
static int
rank_cond(const struct cond *c)
{
	switch (c->op) {
	case COND_EQUAL:
	case COND_NULL:
		return 0;
	case COND_IN:
	case COND_HAS:
		return 1;
	case COND_RANGE:
	case COND_CONTAINS:
		return 2;
	case COND_OUT:
		return 3;
	case COND_SET:
		return 4;
	default:
		return NEVER;
	}
}

/* An `or` is as expensive as its worst condition, an `and` as cheap as its best. */
static int
rank(const struct where *w)
{
	const bool any = w->kind == WHERE_OR;
	int out = any ? 0 : NEVER;

	if (w->kind == WHERE_COND)
		return rank_cond(w->cond);
	for (const struct where *child = w->first; child != NULL; child = child->next) {
		const int r = rank(child);

		out = any == (r > out) ? r : out;
	}
	return out;
}

bool
where_has_ids(const struct where *w)
{
	return w->first != NULL && rank(w) < NEVER;
}

bool
where_has_words(const struct where *w)
{
	bool out = w->kind == WHERE_COND && w->cond->words != NULL;

	for (const struct where *child = w->first; child != NULL && !out; child = child->next)
		out = where_has_words(child);
	return out;
}

static void
begin(struct stet_sql *sql, const char *collection, bool *first)
{
	stet_sql_add(sql, *first ? "SELECT id" : " UNION ALL SELECT id");
	filter_from(sql, collection);
	*first = false;
}

static void
put_compared(struct stet_sql *sql, const struct cond *c, const char *op, struct stet_val value)
{
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, c->prefix, c->column);
	stet_sql_add(sql, op);
	stet_sql_bind(sql, value);
}

static int
compare(struct stet_val a, struct stet_val b)
{
	if (a.type == STET_V_TEXT)
		return strcmp(a.u.s, b.u.s);
	if (a.type == STET_V_INT)
		return (a.u.i > b.u.i) - (a.u.i < b.u.i);
	return (a.u.r > b.u.r) - (a.u.r < b.u.r);
}

void
where_sort(struct cond *c)
{
	for (size_t i = 1; i < c->count; i++)
		for (size_t k = i; k > 0 && compare(c->value[k - 1], c->value[k]) > 0; k--) {
			const struct stet_val other = c->value[k];

			c->value[k] = c->value[k - 1];
			c->value[k - 1] = other;
		}
}

/* Adds the items with values other than these: the ranges between the values in the index, and the
 * items without a value. */
static void
put_others(struct stet_sql *sql, const struct cond *c, const char *collection, bool *first)
{
	begin(sql, collection, first);
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, c->prefix, c->column);
	stet_sql_add(sql, " IS NULL");
	for (size_t i = 0; i <= c->count; i++) {
		if (i > 0 && i < c->count && compare(c->value[i - 1], c->value[i]) == 0)
			continue;
		begin(sql, collection, first);
		if (i > 0)
			put_compared(sql, c, " > ", c->value[i - 1]);
		if (i < c->count)
			put_compared(sql, c, " < ", c->value[i]);
	}
}

void
where_others(struct stet_sql *sql, const struct cond *c, const char *collection)
{
	bool first = true;

	put_others(sql, c, collection, &first);
}

static void
put_ids(struct stet_sql *sql, const struct where *w, const char *collection, bool *first)
{
	const struct where *best = w->first;

	if (w->kind == WHERE_COND && w->cond->op == COND_OUT) {
		put_others(sql, w->cond, collection, first);
	} else if (w->kind == WHERE_COND && w->cond->op == COND_HAS) {
		stet_sql_add(sql, *first ? "" : " UNION ALL ");
		has_ids(sql, w->cond->values);
		*first = false;
	} else if (w->kind == WHERE_COND && w->cond->op == COND_CONTAINS) {
		stet_sql_add(sql, *first ? "" : " UNION ALL ");
		contains_ids(sql, w->cond->words);
		*first = false;
	} else if (w->kind == WHERE_COND) {
		begin(sql, collection, first);
		filter_cond_as(sql, w->cond, true);
	} else if (w->kind == WHERE_OR) {
		for (const struct where *child = w->first; child != NULL; child = child->next)
			put_ids(sql, child, collection, first);
	} else {
		for (const struct where *child = w->first; child != NULL; child = child->next)
			best = rank(child) < rank(best) ? child : best;
		put_ids(sql, best, collection, first);
	}
}

void
where_ids(struct stet_sql *sql, const struct where *w, const char *collection)
{
	bool first = true;

	put_ids(sql, w, collection, &first);
}
