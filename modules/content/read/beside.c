/*
 * beside.c - walks over the items that have a term or a value of a field with many values: along
 * the rows of the table term_item, which the module taxonomies maintains (<stet/taxonomies.h>), or
 * of value_item (item/many.c). The rows have the dates of the items, so they come in the order of
 * the list. Each item is then tested by the other filters.
 */
#include "read/read.h"

static const char *
key_of(const struct walk *w)
{
	return w->order.at == C_PUBLISHED ? "k.published" : "k.created";
}

/* Adds a bound on the order's column, applied to the same column of the term's or value's rows. */
static void
put_bound(struct stet_sql *sql, const struct walk *w, const char *op, struct stet_val value)
{
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, key_of(w));
	stet_sql_add(sql, op);
	stet_sql_bind(sql, value);
}

static void
put_bounds(struct stet_sql *sql, const struct walk *w)
{
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		if (!path_bounds_order(w, c))
			continue;
		if (c->op == COND_EQUAL)
			put_bound(sql, w, " = ", c->value[0]);
		if (c->op == COND_RANGE && c->low != NULL)
			put_bound(sql, w, c->low, c->value[0]);
		if (c->op == COND_RANGE && c->high != NULL)
			put_bound(sql, w, c->high, c->value[1]);
		if (c->op == COND_NULL && !w->order.nullable) /* each row has a value */
			stet_sql_add(sql, " AND 1 = 0");
	}
}

static void
put_side(struct stet_sql *sql, const struct walk *w, const struct part *p, const struct place *at,
    const char *op)
{
	stet_sql_add(sql, " AND (");
	if (!p->nulls) {
		stet_sql_add(sql, key_of(w));
		stet_sql_add(sql, ", ");
	}
	stet_sql_add(sql, "k.item) ");
	stet_sql_add(sql, op);
	stet_sql_add(sql, " (");
	if (!p->nulls) {
		stet_sql_bind(sql, at->key);
		stet_sql_add(sql, ", ");
	}
	stet_sql_bind(sql, stet_val_str(at->id));
	stet_sql_add(sql, ")");
}

static const char *
table_of(const struct walk *w)
{
	return w->lead->op == COND_HAS ? "value_item AS k" : "term_item AS k";
}

/* Adds " AND …": selects the rows of a status and a term or value of the condition, from a place
 * on. */
static void
put_rows_of(struct stet_sql *sql, const struct walk *w, const struct cond *c, const struct part *p,
    const char *status, size_t term)
{
	const struct term_cond *t = c->terms;

	if (c->op == COND_HAS)
		has_walk(sql, c->values, status);
	else
		t->service->filter_walk(sql, t->filter, t->set, term, w->plan->slug, status);
	if (w->order.nullable)
		stet_sql_add(
		    sql, p->nulls ? " AND k.published IS NULL" : " AND k.published IS NOT NULL");
	put_bounds(sql, w);
	if (p->after != NULL)
		put_side(sql, w, p, p->after, w->desc ? "<" : ">");
	if (p->until != NULL)
		put_side(sql, w, p, p->until, w->desc ? ">=" : "<=");
}

static void
put_rows(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    size_t term)
{
	put_rows_of(sql, w, w->lead, p, status, term);
}

static void
put_order(struct stet_sql *sql, const struct walk *w, const struct part *p)
{
	stet_sql_add(sql, " ORDER BY ");
	if (!p->nulls) {
		stet_sql_add(sql, key_of(w));
		stet_sql_add(sql, w->desc ? " DESC, " : ", ");
	}
	stet_sql_add(sql, w->desc ? "k.item DESC LIMIT " : "k.item LIMIT ");
}

/* Returns true for a filter by terms beside a term that leads: the rows of term_item name the
 * translation group, so that only items that have all terms are looked up. */
static bool
is_tested_first(const struct walk *w, const struct cond *c)
{
	return w->lead->op == COND_TERMS && c->op == COND_TERMS && c != w->lead && !c->apart;
}

/* Adds the filters that need no column of an item. */
static void
put_terms(struct stet_sql *sql, const struct walk *w)
{
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (is_tested_first(w, c))
			c->terms->service->filter_beside(
			    sql, c->terms->filter, c->terms->set, w->plan->slug);
}

/* Adds the filters that need an item. */
static void
put_filters(struct stet_sql *sql, const struct walk *w)
{
	struct filter rest = w->filter;

	for (const struct cond *c = rest.conds; c != NULL; c = c->next)
		if (!c->apart && !is_tested_first(w, c))
			filter_cond(sql, c, w->plan->slug);
	rest.conds = NULL;
	filter_add(sql, w->collection, &rest);
}

/* Adds " FROM …": joins the rows with the items that pass all other filters. The rows may be
 * outdated if the module was disabled, so status and dates of the item are tested again. */
static void
put_items(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    size_t term)
{
	stet_sql_add(sql, " FROM ");
	stet_sql_add(sql, table_of(w));
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (is_tested_first(w, c))
			c->terms->service->filter_join(sql, c->terms->filter, c->terms->set);
	stet_sql_add(sql, " CROSS JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->plan->slug);
	stet_sql_add(sql, " WHERE id = k.item AND " STET_UNINDEXED(
			      "deleted_at") " IS NULL AND " STET_UNINDEXED("status") " = ");
	stet_sql_bind(sql, stet_val_str(status));
	put_rows(sql, w, p, status, term);
	put_terms(sql, w);
	put_filters(sql, w);
}

static void
put_first(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    size_t term, int64_t limit)
{
	put_items(sql, w, p, status, term);
	put_order(sql, w, p);
	stet_sql_bind(sql, stet_val_int(limit));
}

void
beside_put_ids(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    size_t term, int64_t limit)
{
	stet_sql_add(sql, "SELECT id");
	put_first(sql, w, p, status, term, limit);
}

void
beside_put(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    size_t term, int64_t limit)
{
	plan_columns(sql, w->collection, w->want);
	put_first(sql, w, p, status, term, limit);
}

void
beside_put_all(struct stet_sql *sql, const struct walk *w, const struct part *p, const char *status,
    int64_t limit)
{
	bool next = false;

	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		if (c->op != COND_TERMS)
			continue;
		stet_sql_add(sql, next ? " INTERSECT SELECT " : "SELECT ");
		if (!p->nulls) {
			stet_sql_add(sql, key_of(w));
			stet_sql_add(sql, ", ");
		}
		stet_sql_add(sql, "k.item FROM ");
		stet_sql_add(sql, table_of(w));
		stet_sql_add(sql, " WHERE 1 = 1");
		put_rows_of(sql, w, c, p, status, 0);
		next = true;
	}
	stet_sql_add(sql, " ORDER BY 1");
	if (!p->nulls)
		stet_sql_add(sql, w->desc ? " DESC, 2" : ", 2");
	stet_sql_add(sql, w->desc ? " DESC LIMIT " : " LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit));
}

enum stet_status
beside_end(struct walk *w, const struct part *p, const char *status, int64_t rows, bool held,
    struct place **end)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows found;

	stet_sql_add(sql, "SELECT ");
	if (!p->nulls) {
		stet_sql_add(sql, key_of(w));
		stet_sql_add(sql, ", ");
	}
	stet_sql_add(sql, held ? "k.item" : "k.item FROM ");
	if (held)
		put_items(sql, w, p, status, 0);
	else {
		stet_sql_add(sql, table_of(w));
		stet_sql_add(sql, " WHERE 1 = 1");
		put_rows(sql, w, p, status, 0);
	}
	put_order(sql, w, p);
	stet_sql_bind(sql, stet_val_int(1));
	stet_sql_add(sql, " OFFSET ");
	stet_sql_bind(sql, stet_val_int(rows));
	STET_TRY(stet_sql_query(sql, &found));
	*end = stet_row(&found) ? order_here(w->call, &w->order, p->nulls, &found) : NULL;
	return stet_rows_end(&found);
}
