/*
 * path.c - which index a list walks.
 *
 * The index of the order leads through items in their order, and each is held against the filters:
 * that is fast unless few items pass. So filters are written such that SQLite cannot use an index
 * for them (STET_UNINDEXED); for one that many items pass it would otherwise sort all of these.
 * Instead of the order's index is used
 *
 *   - the index of a filter that at most PICK_MAX items pass, which are then sorted (the pick);
 *   - the index of a filter on an indexed field, or of a term, if it carries the order (the lead).
 *     It begins with the status; without a status, or for several values, there is a walk for each
 *     pair;
 *   - the index of a filter that many items pass, if WALK_MAX items along the order's did not fill
 *     the page, and the filter leaves a PICK_PART-th of the items (walk.c).
 *
 * So what a page costs does not grow with the number of items, wherever those that pass stand,
 * unless several filters, the argument q or a range pass few that no index tells from the others.
 */
#include "read/read.h"
#include <string.h>

#define PICK_PART 8
#define PICKS 3 /* the most filters that are counted */
#define WAYS_MAX 12
#define KEYS_PICK_MAX \
	2000 /* the same for an order of several keys, whose walk has no second choice */

const char *const path_statuses[PATH_STATUSES] = { "draft", "published", "scheduled" };

/* Appends a statement for the items that pass one filter. Returns false if that would read all
 * items. */
static bool
put_passing(struct stet_sql *sql, const struct walk *w, struct cond *c)
{
	const struct byline_filter *b = c->bylines;
	const struct term_cond *t = c->terms;

	if (c->op == COND_BYLINES)
		return b->service->filter_ids(sql, b->it, b->collection);
	if (c->op == COND_FALLBACK)
		return false;
	if (c->op == COND_TERMS)
		return t->service->filter_ids(sql, t->filter, t->set, w->plan->slug);
	if (c->op == COND_GROUP) {
		if (!where_has_ids(c->group))
			return false;
		where_ids(sql, c->group, w->plan->slug);
		return true;
	}
	if (c->op == COND_OUT) {
		where_others(sql, c, w->plan->slug);
		return true;
	}
	c->shown = true;
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->plan->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	filter_cond_as(sql, c, true);
	return true;
}

enum stet_status
path_count(struct walk *w, struct cond *c, int64_t max, int64_t *n)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	*n = max + 1;
	stet_sql_add(sql, "SELECT COUNT(*) FROM (");
	if (!put_passing(sql, w, c))
		return STET_OK;
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(max + 1));
	stet_sql_add(sql, ") AS few");
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	c->shown = *n <= max;
	return stet_rows_end(&rows);
}

bool
path_on_order(const struct walk *w, const struct cond *c)
{
	return w->order.column != NULL && strcmp(c->column, w->order.column) == 0 &&
	       strcmp(c->prefix, w->order.prefix) == 0;
}

bool
path_bounds_order(const struct walk *w, const struct cond *c)
{
	return path_on_order(w, c) && c->op != COND_IN && c->op != COND_OUT;
}

/* Marks the filters that SQLite may see: those on columns that the index of the order begins
 * with. */
static void
show_filters(struct walk *w)
{
	bool created = w->order.at == C_CREATED, published = w->order.at == C_PUBLISHED;
	struct filter *f = &w->filter;

	for (struct cond *c = f->conds; c != NULL; c = c->next)
		c->shown |= path_bounds_order(w, c);
	if (w->order.column == NULL || w->keys > 1)
		return;
	if (created && f->author != NULL)
		f->author->shown = true;
	else if ((created || published) && f->status != NULL)
		f->status->shown = true;
	else if (created && f->locale != NULL)
		f->locale->shown = true;
}

static void
show_pick(struct walk *w)
{
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->shown = c == w->pick;
}

/* Looks for a filter that so few items pass that they can be sorted. */
static enum stet_status
pick_filter(struct walk *w, int64_t max)
{
	int picks = PICKS;
	int64_t n;

	if (w->filter.by_slug) {
		for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
			if (strcmp(c->column, "slug") == 0 && *c->prefix == '\0')
				w->pick = c;
	}
	for (struct cond *c = w->filter.conds; c != NULL && w->pick == NULL && picks > 0;
	     c = c->next) {
		if (c->shown)
			continue;
		picks--;
		STET_TRY(path_count(w, c, max, &n));
		if (n <= max)
			w->pick = c;
	}
	if (w->pick != NULL)
		show_pick(w);
	return STET_OK;
}

/* ---- a filter whose index carries the order ---- */

static bool
may_lead(const struct walk *w, const struct cond *c)
{
	const struct stet_field *f;

	if (c->op == COND_TERMS)
		return path_lead_values(c) > 0;
	if (strcmp(c->prefix, STET_FIELD_COLUMN) != 0 || c->shown ||
	    (c->op != COND_EQUAL && c->op != COND_NULL && c->op != COND_IN))
		return false;
	f = stet_field(w->collection, c->column);
	return f != NULL && f->indexed && !f->unique;
}

size_t
path_lead_values(const struct cond *c)
{
	if (c->op == COND_TERMS)
		return c->terms->service->filter_terms(c->terms->filter, c->terms->set);
	return c->op == COND_IN ? c->count : 1;
}

bool
path_hides(const struct walk *w)
{
	if (w->filter.like != NULL || w->filter.bylines != NULL)
		return true;
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (!c->shown && !c->apart)
			return true;
	return false;
}

/* Shows what the index of the lead begins with, and bounds on the order's column; hides the rest.
 * The rows of a term are another table, so there SQLite sees nothing of the items. */
static void
show_lead(struct walk *w)
{
	const bool terms = w->lead->op == COND_TERMS, one = w->ways == 1 && !terms;

	for (struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		const bool leads = c == w->lead || c == w->filter.status;

		c->shown = (one && leads) || (!terms && path_bounds_order(w, c));
		c->apart = (!one && leads) || (terms && path_bounds_order(w, c));
	}
}

#define LEAD_COUNT_MAX 2000

/* The filter that may lead; of several, the one that the fewest items pass. */
static enum stet_status
find_lead(struct walk *w, bool alone)
{
	struct cond *first = NULL;
	int64_t least = INT64_MAX, n;
	bool several = false;

	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (may_lead(w, c)) {
			several = first != NULL;
			first = first != NULL ? first : c;
		}
	w->lead = first;
	for (struct cond *c = first; c != NULL && several && !alone; c = c->next) {
		const bool shown = c->shown;

		if (!may_lead(w, c))
			continue;
		STET_TRY(path_count(w, c, LEAD_COUNT_MAX, &n));
		c->shown = shown;
		if (n < least) {
			least = n;
			w->lead = c;
		}
	}
	return STET_OK;
}

/* Chooses the lead if it needs at most `most` walks. Several pay if each ends with its page: other
 * filters might let none of them end. */
static enum stet_status
choose_lead(struct walk *w, size_t most, bool alone)
{
	if (w->order.at != C_CREATED && w->order.at != C_PUBLISHED)
		return STET_OK;
	STET_TRY(find_lead(w, alone));
	if (w->lead == NULL)
		return STET_OK;
	w->ways = (w->filter.status != NULL ? 1 : PATH_STATUSES) * path_lead_values(w->lead);
	show_lead(w);
	if (w->ways <= most && (!path_hides(w) || (w->ways == 1 && !alone)))
		return STET_OK;
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->shown = c->apart = false;
	w->lead = NULL;
	show_filters(w);
	return STET_OK;
}

enum stet_status
path_choose(struct walk *w)
{
	show_filters(w);
	if (w->keys > 1)
		return pick_filter(w, KEYS_PICK_MAX);
	STET_TRY(choose_lead(w, PATH_STATUSES, true));
	if (w->lead != NULL)
		return STET_OK;
	STET_TRY(pick_filter(w, PICK_MAX));
	return w->pick == NULL ? choose_lead(w, WAYS_MAX, false) : STET_OK;
}

enum stet_status
path_choose_again(struct walk *w)
{
	const struct count_key all = { .collection = w->plan->slug };
	struct cond *best = NULL;
	int64_t most, n;
	int picks = PICKS;

	STET_TRY(count_read(w->call, &all, &most));
	most /= PICK_PART;
	for (struct cond *c = w->filter.conds; c != NULL && picks > 0 && most > 0; c = c->next) {
		if (c->shown)
			continue;
		picks--;
		STET_TRY(path_count(w, c, most, &n));
		c->shown = false;
		if (n > most)
			continue;
		best = c;
		most = n;
	}
	/* The rows of a term are in the order already. */
	if (best == NULL || (best == w->lead && best->op == COND_TERMS))
		return STET_OK;
	w->pick = best;
	w->lead = NULL;
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->apart = false;
	show_pick(w);
	return STET_OK;
}

/* ---- the total ---- */

/* May the total be read from the kept numbers? Only with conditions that they know: status, locale,
 * and values of one more column. */
static bool
is_kept(const struct walk *w, struct count_key *key)
{
	const struct filter *f = &w->filter;

	*key = (struct count_key){ .collection = w->plan->slug };
	if (f->by_slug || f->like != NULL || f->bylines != NULL)
		return false;
	for (const struct cond *c = f->conds; c != NULL; c = c->next) {
		const bool field = strcmp(c->prefix, STET_FIELD_COLUMN) == 0;

		if (c == f->status)
			key->status = c->value[0].u.s;
		else if (c == f->locale)
			key->locale = c->value[0].u.s;
		else if (key->column != NULL ||
			 (c->op != COND_EQUAL && c->op != COND_NULL && c->op != COND_IN) ||
			 (c != f->author &&
			     (!field || !count_has(stet_field(w->collection, c->column)))))
			return false;
		else {
			key->prefix = c->prefix;
			key->column = c->column;
			key->value = c->value;
			key->count = c->op == COND_IN ? c->count : c->op == COND_EQUAL;
		}
	}
	return true;
}

/* To count, all that pass are read: any index that leaves some out helps. */
void
path_matches(struct stet_sql *sql, struct walk *w)
{
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		c->apart = false;
		c->shown |= c->op < COND_BYLINES && c->op != COND_OUT;
	}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->plan->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	filter_add(sql, w->collection, &w->filter);
}

enum stet_status
path_total(struct walk *w, int64_t *total)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct count_key key;
	struct stet_rows rows;
	bool known;

	if (is_kept(w, &key))
		return count_read(w->call, &key, total);
	STET_TRY(termwalk_total(w, &known, total));
	if (known)
		return STET_OK;
	stet_sql_add(sql, "SELECT COUNT(*)");
	path_matches(sql, w);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*total = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
path_exceeds(struct walk *w, int64_t most, bool *out)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct count_key key;
	struct stet_rows rows;
	int64_t n = 0;

	if (is_kept(w, &key)) {
		STET_TRY(count_read(w->call, &key, &n));
		*out = n > most;
		return STET_OK;
	}
	stet_sql_add(sql, "SELECT 1 FROM (SELECT id");
	path_matches(sql, w);
	stet_sql_add(sql, " LIMIT 1 OFFSET ");
	stet_sql_bind(sql, stet_val_int(most));
	stet_sql_add(sql, ") AS i");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}
