/*
 * path.c - chooses the index that a list walks along.
 *
 * By default this is the index of the order: it leads through the items in their order, and each
 * item is tested by the filters. That is fast unless few items pass. So filters are written such
 * that SQLite cannot use an index for them (STET_UNINDEXED): for a filter that many items pass,
 * SQLite would otherwise sort them all. Instead of the index of the order, a list uses:
 *
 *   - the index of a filter that at most PICK_MAX items pass, which are then sorted (the pick);
 *   - the index of a filter on an indexed field, on one of many values, or on a term, if that
 *     index contains the order (the lead). It begins with the status; without a status, or for
 *     several values, there is a walk for each pair;
 *   - if a walk did not fill the page, the index of a filter that at most PICK_AGAIN times as many
 *     items pass as were walked. If there is none, the walk continues four times as far, and so
 *     on (walk.c).
 *
 * So a page costs at most a few times what the best index would cost, and its cost does not grow
 * with the number of items. There are two exceptions: many items pass each filter but few pass
 * all, or many items in another order pass a range. A walk that filters by words then ends early,
 * with a short page (walk.c).
 */
#include "read/read.h"
#include <string.h>

#define PICK_PART 8
#define PICK_AGAIN 4
#define WORDS_SORT_MAX 20000 /* the most items with given words that are sorted */
#define MUCH 5000 /* items that a worker may read or count while other requests wait */
#define PICKS 3 /* filters that are counted at most */
#define WAYS_MAX 12
#define KEYS_PICK_MAX \
	2000 /* PICK_MAX for orders of several keys: these have no other index to walk */

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
	if (c->op == COND_FALLBACK || c->op == COND_LACKS || c->op == COND_OMITS)
		return false;
	if (c->op == COND_HAS) {
		has_ids(sql, c->values);
		return true;
	}
	if (c->op == COND_CONTAINS) {
		contains_ids(sql, c->words);
		return true;
	}
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
	stet_sql_add(sql, "SELECT 1");
	filter_from(sql, w->plan->slug);
	filter_cond_as(sql, c, true);
	return true;
}

/* ---- kept numbers ---- */

/* Adds a condition to the key of a stored count. Returns false if stored counts do not cover it:
 * they know status, locale, and values of one more column. */
static bool
add_kept(const struct walk *w, const struct cond *c, struct count_key *key)
{
	const bool field = strcmp(c->prefix, STET_FIELD_COLUMN) == 0;

	if (c == w->filter.status) {
		key->status = c->value[0].u.s;
		return true;
	}
	if (c == w->filter.locale) {
		key->locale = c->value[0].u.s;
		return true;
	}
	if (key->column != NULL ||
	    (c->op != COND_EQUAL && c->op != COND_NULL && c->op != COND_IN) ||
	    (c != w->filter.author && (!field || !count_has(stet_field(w->collection, c->column)))))
		return false;
	key->prefix = c->prefix;
	key->column = c->column;
	key->value = c->value;
	key->count = c->op == COND_IN ? c->count : c->op == COND_EQUAL;
	return true;
}

/* Returns true if a stored count covers all filters. */
static bool
is_kept(const struct walk *w, struct count_key *key)
{
	const struct filter *f = &w->filter;

	*key = (struct count_key){ .collection = w->plan->slug };
	if (f->sure != NULL || f->q != NULL || f->bylines != NULL)
		return false;
	for (const struct cond *c = f->conds; c != NULL; c = c->next)
		if (!add_kept(w, c, key))
			return false;
	return true;
}

/* ---- how many items pass one filter ---- */

/* Returns about how many items pass a filter by terms; -1: it is another filter, or only counting
 * would tell. */
static int64_t
terms_size(const struct walk *w, const struct cond *c)
{
	const struct term_cond *t = c->terms;

	/* Only published items are counted. */
	if (c->op != COND_TERMS || w->filter.status == NULL ||
	    strcmp(w->filter.status->value[0].u.s, "published") != 0)
		return -1;
	return t->service->filter_size(t->filter, t->set);
}

/* Reads the number of items of the collection. */
static enum stet_status
count_items(const struct walk *w, int64_t *n)
{
	return count_read(w->call, &(struct count_key){ .collection = w->plan->slug }, n);
}

enum stet_status
path_count(struct walk *w, struct cond *c, int64_t max, int64_t *n)
{
	struct count_key key = { .collection = w->plan->slug };
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	if (add_kept(w, c, &key)) {
		STET_TRY(count_read(w->call, &key, n));
		c->shown = *n <= max;
		return STET_OK;
	}
	*n = max + 1;
	if (terms_size(w, c) > max)
		return STET_OK;
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
path_has_words(const struct cond *c)
{
	return c->words != NULL || (c->op == COND_GROUP && where_has_words(c->group));
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

/* Sets *few if the items are few enough to be sorted. If more than one in PICK_PART items pass, a
 * walk fills a page soon. */
static enum stet_status
is_few(struct walk *w, int64_t n, bool *few)
{
	int64_t items;

	*few = true;
	if (n <= PICK_MAX)
		return STET_OK;
	STET_TRY(count_items(w, &items));
	*few = n <= items / PICK_PART;
	return STET_OK;
}

/* Looks for a filter that so few items pass that they can be sorted. */
static enum stet_status
pick_filter(struct walk *w, int64_t max)
{
	int picks = PICKS;
	bool few = true;
	int64_t n;

	w->pick = w->filter.sure;
	for (struct cond *c = w->filter.conds; c != NULL && w->pick == NULL && picks > 0;
	     c = c->next) {
		/* Looking up words reads all parts of their index, so words are picked only if a
		 * walk is impossible. */
		if (c->shown || (path_has_words(c) && w->keys < 2))
			continue;
		picks--;
		STET_TRY(path_count(w, c, max, &n));
		if (n <= max)
			STET_TRY(is_few(w, n, &few));
		if (n <= max && few)
			w->pick = c;
	}
	if (w->pick != NULL)
		show_pick(w);
	return STET_OK;
}

/* ---- a filter whose index carries the order ---- */

bool
path_is_beside(const struct cond *lead)
{
	return lead->op == COND_TERMS || lead->op == COND_HAS;
}

static bool
may_lead(const struct walk *w, const struct cond *c)
{
	const struct stet_field *f;

	if (path_is_beside(c))
		return path_lead_values(c) > 0;
	if (strcmp(c->prefix, STET_FIELD_COLUMN) != 0 || c->shown ||
	    (c->op != COND_EQUAL && c->op != COND_NULL && c->op != COND_IN))
		return false;
	f = stet_field(w->collection, c->column);
	return f != NULL && f->indexed && !f->unique &&
	       (f->building & (STET_BUILDING_CREATED | STET_BUILDING_PUBLISHED)) == 0;
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
	if (w->filter.q != NULL || w->filter.bylines != NULL)
		return true;
	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		if (!c->shown && !c->apart)
			return true;
	return false;
}

/* Lets SQLite use the filters at the beginning of the lead's index, and bounds on the order's
 * column; hides the others. Rows of a term or value are in another table, so SQLite may then use no
 * filter of the items. */
static void
show_lead(struct walk *w)
{
	const bool beside = path_is_beside(w->lead), one = w->ways == 1 && !beside;

	for (struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		const bool leads = c == w->lead || c == w->filter.status;

		c->shown = (one && leads) || (!beside && path_bounds_order(w, c));
		c->apart = (!one && leads) || (beside && path_bounds_order(w, c));
	}
}

#define LEAD_COUNT_MAX 2000

/* Finds the filter that may lead; of several, the one that the fewest items pass. */
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
		if ((n = terms_size(w, c)) < 0)
			STET_TRY(path_count(w, c, LEAD_COUNT_MAX, &n));
		c->shown = shown;
		if (n < least) {
			least = n;
			w->lead = c;
		}
	}
	return STET_OK;
}

/* Sets the lead if it needs at most `most` walks. Several walks are worth it only if no other
 * filter could keep each of them from filling the page. */
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

/* Returns how many items a pick may sort. If a walk has not filled its page
 * although words occur in many items, the items with the words are close together, so sorting them
 * is better. */
static int64_t
pick_most(const struct cond *c, int64_t walked, int64_t least)
{
	const int64_t most = path_has_words(c) ? WORDS_SORT_MAX : PICK_AGAIN * walked;

	return most < least ? most : least;
}

enum stet_status
path_choose_again(struct walk *w, int64_t walked)
{
	struct cond *best = NULL;
	int64_t most, n, least = INT64_MAX;
	int picks = PICKS;

	for (struct cond *c = w->filter.conds; c != NULL && picks > 0 && least > 0; c = c->next) {
		if (c->shown)
			continue;
		picks--;
		most = pick_most(c, walked, least);
		STET_TRY(path_count(w, c, most, &n));
		c->shown = false;
		if (n > most)
			continue;
		best = c;
		least = n;
	}
	/* The rows of a term or value are in order already. */
	if (best == NULL || (best == w->lead && path_is_beside(best)))
		return STET_OK;
	w->pick = best;
	w->lead = NULL;
	for (struct cond *c = w->filter.conds; c != NULL; c = c->next)
		c->apart = false;
	show_pick(w);
	return STET_OK;
}

/* ---- the total ---- */

/* Returns true if a filter by words selects so few items that only they are read. A list by
 * relevance instead tests its few items for the words. */
static bool
reads_words(const struct walk *w)
{
	for (const struct cond *c = w->among == NULL ? w->filter.conds : NULL; c != NULL;
	     c = c->next)
		if (c->words != NULL && c->words->few)
			return true;
	return false;
}

/* Returns true if SQLite may use an index for the condition in a statement that reads all passing
 * items. A list by relevance has few ids, but SQLite estimates more than for a status. */
static bool
may_show(const struct walk *w, const struct cond *c, bool words)
{
	if (w->among != NULL)
		return c == w->among;
	if (words || c->words != NULL)
		return words && c->words != NULL && c->words->few;
	return c->shown || (c->op < COND_BYLINES && c->op != COND_OUT && c->op != COND_LACKS);
}

/* Counting reads all passing items, so any index that excludes some items helps. */
void
path_matches(struct stet_sql *sql, struct walk *w)
{
	const bool words = reads_words(w);

	for (struct cond *c = w->filter.conds; c != NULL; c = c->next) {
		c->apart = false;
		c->shown = may_show(w, c, words);
	}
	filter_from(sql, w->plan->slug);
	filter_add(sql, w->collection, &w->filter);
}

enum stet_status
path_read_much(struct walk *w)
{
	int64_t items;

	STET_TRY(count_items(w, &items));
	return items > MUCH ? stet_slow_lane(w->call) : STET_OK;
}

/* Sets `few` in the filters by words that few items pass, for statements that read all passing
 * items. */
static enum stet_status
count_words(struct walk *w)
{
	/* A list by relevance tests its few items for the words. */
	for (struct cond *c = w->among == NULL ? w->filter.conds : NULL; c != NULL; c = c->next) {
		int64_t n;

		if (c->op != COND_CONTAINS || c->words->counted)
			continue;
		STET_TRY(path_count(w, c, WORDS_FEW, &n));
		c->words->few = n <= WORDS_FEW;
		c->words->counted = true;
	}
	return STET_OK;
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
	STET_TRY(terms_total(w, &known, total));
	if (known)
		return STET_OK;
	STET_TRY(has_total(w, &known, total));
	if (known)
		return STET_OK;
	STET_TRY(path_read_much(w));
	STET_TRY(count_words(w));
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

	STET_TRY(path_read_much(w));
	if (is_kept(w, &key)) {
		STET_TRY(count_read(w->call, &key, &n));
		*out = n > most;
		return STET_OK;
	}
	STET_TRY(count_words(w));
	stet_sql_add(sql, "SELECT 1 FROM (SELECT id");
	path_matches(sql, w);
	stet_sql_add(sql, " LIMIT 1 OFFSET ");
	stet_sql_bind(sql, stet_val_int(most));
	stet_sql_add(sql, ") AS i");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}
