/*
 * walk.c - the statements of a list: walks along the index that path.c has chosen.
 *
 * A page is read in one or two segments. Rows whose order column is NULL come first in ascending
 * and last in descending order, and are walked by id.
 */
#include "read/read.h"

#define WALK_FIRST 500 /* rows along the index of the order before another index is considered */
#define MEET_MAX 6000 /* rows of all terms that are walked at once */
#define WALK_ON 4 /* factor of the distance until the next such check */
#define WORDS_WALK_MAX 20000 /* items tested for words for one page */

/* ---- SQL ---- */

/* The columns of the order. Written without index use if another index is used. */
static void
put_columns(
    struct stet_sql *sql, const struct walk *w, bool nulls, const char *direction, bool hide)
{
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
put_order(struct stet_sql *sql, const struct walk *w, bool nulls, bool hide)
{
	stet_sql_add(sql, " ORDER BY ");
	put_columns(sql, w, nulls, w->desc ? " DESC" : "", hide);
	stet_sql_add(sql, " LIMIT ");
}

/* Adds the condition for the items before or after a place in the order: op is "<", ">", "<=" or
 * ">=". */
static void
put_side(
    struct stet_sql *sql, const struct walk *w, bool nulls, const struct place *p, const char *op)
{
	stet_sql_add(sql, " AND (");
	put_columns(sql, w, nulls, "", w->pick != NULL);
	stet_sql_add(sql, ") ");
	stet_sql_add(sql, op);
	stet_sql_add(sql, " (");
	if (!nulls && w->order.column != NULL) {
		stet_sql_bind(sql, p->key);
		if (w->order.then != NULL) {
			stet_sql_add(sql, ", ");
			stet_sql_bind(sql, stet_val_str(p->then));
		}
		stet_sql_add(sql, w->order.by_slug ? "" : ", ");
	}
	if (nulls || w->order.column == NULL || !w->order.by_slug)
		stet_sql_bind(sql, stet_val_str(p->id));
	stet_sql_add(sql, ")");
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
		STET_TRY(path_count(w, &absent, PICK_MAX, &n));
	*none = n == 0;
	filter_cond(sql, &absent, w->plan->slug);
	return STET_OK;
}

/* ---- segments ---- */

/* Adds to " WHERE …" the filters, the segment, and the places where it begins and ends. */
static enum stet_status
put_conditions(struct stet_sql *sql, struct walk *w, const struct part *p, bool *none)
{
	*none = false;
	filter_add(sql, w->collection, &w->filter);
	if (w->order.column != NULL && w->order.nullable)
		STET_TRY(put_segment(sql, w, p->nulls, none));
	if (p->after != NULL)
		put_side(sql, w, p->nulls, p->after, w->desc ? "<" : ">");
	if (p->until != NULL)
		put_side(sql, w, p->nulls, p->until, w->desc ? ">=" : "<=");
	return STET_OK;
}

static enum stet_status
read_part(struct walk *w, const struct part *p)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	bool none;

	page_begin(w, sql);
	STET_TRY(put_conditions(sql, w, p, &none));
	if (none)
		return STET_OK;
	put_order(sql, w, p->nulls, w->pick != NULL);
	stet_sql_bind(sql, stet_val_int(w->limit + 1 - w->count));
	return page_end(w, sql);
}

/* ---- several walks at once ---- */

static void
put_equal(struct stet_sql *sql, const struct cond *c, struct stet_val value)
{
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, c->prefix, c->column);
	if (c->op == COND_NULL) {
		stet_sql_add(sql, " IS NULL");
		return;
	}
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, value);
}

static enum stet_status
put_way(struct stet_sql *sql, struct walk *w, const struct part *p, const char *status, size_t i)
{
	const struct cond *lead = w->lead;
	const int64_t limit = w->limit + 1 - w->count;
	bool none;

	if (path_is_beside(lead)) {
		beside_put_ids(sql, w, p, status, i, limit);
		return STET_OK;
	}
	page_put_ids(sql, w);
	stet_sql_add(sql, " AND status = ");
	stet_sql_bind(sql, stet_val_str(status));
	put_equal(sql, lead, lead->op == COND_NULL ? stet_val_null() : lead->value[i]);
	STET_TRY(put_conditions(sql, w, p, &none));
	put_order(sql, w, p->nulls, false);
	stet_sql_bind(sql, stet_val_int(limit));
	return STET_OK;
}

static const char *
status_of(const struct walk *w, size_t i)
{
	return w->filter.status != NULL ? w->filter.status->value[0].u.s : path_statuses[i];
}

/* Reads the first items of a walk along the rows of a term or a value; of several walks, it sorts
 * the ids: the page is among them. */
static enum stet_status
read_ways(struct walk *w, const struct part *p)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	const size_t values = path_lead_values(w->lead);

	if (w->ways == 1) {
		beside_put(sql, w, p, status_of(w, 0), 0, w->limit + 1 - w->count);
		return page_end(w, sql);
	}
	page_put_ids(sql, w);
	stet_sql_add(sql, " AND id IN (");
	for (size_t i = 0; i < w->ways; i++) {
		stet_sql_add(sql, i > 0 ? " UNION ALL SELECT id FROM (" : "SELECT id FROM (");
		STET_TRY(put_way(sql, w, p, status_of(w, i / values), i % values));
		stet_sql_add(sql, ") AS way");
	}
	stet_sql_add(sql, ")");
	put_order(sql, w, p->nulls, true);
	stet_sql_bind(sql, stet_val_int(w->limit + 1 - w->count));
	return page_ids(w, sql);
}

/* ---- a walk that may be long ---- */

/* Finds the place `count` rows along the index, without applying filters outside the index; *end
 * NULL: there are fewer rows. */
static enum stet_status
find_end(struct walk *w, const struct part *p, int64_t count, struct place **end)
{
	const struct filter all = w->filter;
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;
	bool none;

	*end = NULL;
	if (w->lead != NULL && path_is_beside(w->lead))
		return beside_end(w, p, status_of(w, 0), count, false, end);
	for (struct cond *c = all.conds; c != NULL; c = c->next)
		c->apart = !c->shown;
	w->filter.q = NULL;
	w->filter.bylines = NULL;
	stet_sql_add(sql, "SELECT ");
	put_columns(sql, w, p->nulls, "", false);
	filter_from(sql, w->plan->slug);
	STET_TRY(put_conditions(sql, w, p, &none));
	w->filter = all;
	for (struct cond *c = all.conds; c != NULL; c = c->next)
		c->apart = false;
	if (none)
		return STET_OK;
	put_order(sql, w, p->nulls, false);
	stet_sql_bind(sql, stet_val_int(1));
	stet_sql_add(sql, " OFFSET ");
	stet_sql_bind(sql, stet_val_int(count));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*end = order_here(w->call, &w->order, p->nulls, &rows);
	return stet_rows_end(&rows);
}

static enum stet_status
read_some(struct walk *w, const struct part *p)
{
	return w->lead != NULL && path_is_beside(w->lead) ? read_ways(w, p) : read_part(w, p);
}

/* ---- a walk whose items are held against words ---- */

/* Selects the item WORDS_WALK_MAX items ahead among those that pass all filters except words. It is
 * the end of a short page, so the caller must be allowed to see it. */
static enum stet_status
put_last(struct stet_sql *sql, struct walk *w, const struct part *p, bool *none)
{
	struct place *end = NULL;

	stet_sql_add(sql, w->select);
	*none = false;
	if (w->lead != NULL && path_is_beside(w->lead)) {
		STET_TRY(beside_end(w, p, status_of(w, 0), WORDS_WALK_MAX, true, &end));
		*none = end == NULL;
		stet_sql_add(sql, " AND id = ");
		stet_sql_bind(sql, stet_val_str(end != NULL ? end->id : NULL));
		return STET_OK;
	}
	STET_TRY(put_conditions(sql, w, p, none));
	put_order(sql, w, p->nulls, false);
	stet_sql_bind(sql, stet_val_int(1));
	stet_sql_add(sql, " OFFSET ");
	stet_sql_bind(sql, stet_val_int(WORDS_WALK_MAX));
	return STET_OK;
}

static enum stet_status
find_last(struct walk *w, const struct part *p, char **cursor)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;
	bool none;

	*cursor = NULL;
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->apart |= path_has_words(c);
	STET_TRY(put_last(sql, w, p, &none));
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->apart &= !path_has_words(c);
	if (none)
		return STET_OK;
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*cursor = order_place(w->call, w->plan, &w->order, &rows);
	return stet_rows_end(&rows);
}

/* Reads a part that ends after that many items, maybe with a short page; the next page begins
 * there. */
static enum stet_status
read_bounded(struct walk *w, struct part *p)
{
	struct place until = { 0 };
	char *cursor;

	STET_TRY(find_last(w, p, &cursor));
	if (cursor != NULL) {
		STET_TRY(order_resume(w->call, w->plan, &w->order, cursor, w->desc, &until));
		p->until = &until;
	}
	STET_TRY(read_some(w, p));
	if (cursor != NULL && !w->more) {
		w->more = true;
		w->next = cursor;
	}
	return STET_OK;
}

/* Returns true if the items that have all terms are found by their rows alone: there are few, and
 * no other filters. */
static bool
is_met(const struct walk *w)
{
	int64_t size, rows = 0;
	size_t sets = 0;

	if (w->lead == NULL || w->ways != 1 || w->filter.q != NULL || w->filter.bylines != NULL)
		return false;
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		if (c->op != COND_TERMS) {
			if (!c->apart)
				return false;
			continue;
		}
		size = c->terms->service->filter_size(c->terms->filter, c->terms->set);
		if (size < 0 || path_lead_values(c) != 1)
			return false;
		rows += size;
		sets++;
	}
	return sets > 1 && rows <= MEET_MAX;
}

/* Reads the items that have all terms. Ids of items that do not pass after all are possible after
 * the module was disabled (beside.c), so one round may not fill the page. */
static enum stet_status
read_met(struct walk *w, struct part *p)
{
	struct place *last;

	do {
		struct stet_sql *sql = stet_sql_new(w->call);

		beside_put_all(sql, w, p, status_of(w, 0), w->limit + 1 - w->count);
		STET_TRY(page_places(w, sql, p->nulls, status_of(w, 0), &last));
		p->after = last;
	} while (last != NULL && !w->more);
	return STET_OK;
}

static enum stet_status
segment(struct walk *w, bool nulls, bool after)
{
	struct part p = { .nulls = nulls, .after = after ? &w->place : NULL };
	struct place *end;

	if (w->lead != NULL && w->ways > 1)
		return read_ways(w, &p);
	if (is_met(w))
		return read_met(w, &p);
	for (int64_t rows = WALK_FIRST; w->pick == NULL && path_hides(w); rows *= WALK_ON) {
		STET_TRY(find_end(w, &p, rows, &end));
		p.until = end;
		STET_TRY(read_some(w, &p));
		if (end == NULL || w->more)
			return STET_OK;
		/* Longer walks would block a worker while other requests wait. */
		STET_TRY(stet_slow_lane(w->call));
		p.after = end;
		p.until = NULL;
		STET_TRY(path_choose_again(w, rows));
		if (w->filter.words != NULL && w->pick == NULL)
			return read_bounded(w, &p);
	}
	return read_some(w, &p);
}

/* Returns false if this segment has no rows because a filter on the order's column excludes
 * them. */
static bool
has_segment(const struct walk *w, bool nulls)
{
	if (nulls && !w->order.nullable)
		return false;
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (w->order.nullable && path_on_order(w, c) && c->op != COND_OUT &&
		    (c->op == COND_NULL) != nulls)
			return false;
	return true;
}

enum stet_status
walk_items(struct walk *w)
{
	bool at_nulls =
	    w->order.nullable && (w->place.given ? w->place.key.type == STET_V_NULL : !w->desc);
	bool last_nulls = w->order.nullable && w->desc;

	if (w->keys > 1)
		return keys_walk(w);
	if (w->order.column == NULL)
		return segment(w, false, w->place.given);
	if (has_segment(w, at_nulls))
		STET_TRY(segment(w, at_nulls, w->place.given));
	if (w->order.nullable && at_nulls != last_nulls && !w->more && has_segment(w, last_nulls))
		STET_TRY(segment(w, last_nulls, false));
	return STET_OK;
}
