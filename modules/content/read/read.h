/* read.h - the ops that read: lists, comparing, preview links, authors. */
#ifndef CONTENT_READ_H
#define CONTENT_READ_H

#include "item/item.h"
#include "read/include.h"

/* ---- order.c ---- */

struct order {
	const char *name; /* its name in cursors */
	const char *prefix,
	    *column; /* NULL: the column is always NULL, so that only the id orders */
	const char *then; /* the next column of the index, which orders rows of equal values */
	bool nullable;
	bool by_slug; /* the index does not end with the id: slug and locale are unique */
	bool null_index; /* the index also has the rows without a value, ordered by id */
	enum column_kind kind;
	int at, then_at; /* the numbers of the columns in a row */
};
/* The position where a page ended. */
struct place {
	bool given;
	struct stet_val key; /* NULL: in the segment of rows without a value */
	const char *then, *id;
};
/* Finds an order by its name; false: there is none. The order by a field, indexed or not. */
bool order_find(
    struct stet_call *, const struct stet_collection *, const char *name, struct order *);
struct order order_of_field(const struct stet_field *);
/* Reads the argument orderBy; an unknown order is recorded as an issue. */
/* Records that lists cannot be ordered by this name. */
void order_unknown(struct stet_call *, const char *name);
void order_read(struct stet_call *, const struct stet_collection *, struct order *);
/* Makes the cursor after the current row; reads the position from a cursor. */
char *order_place(
    struct stet_call *, const struct plan *, const struct order *, struct stet_rows *);
/* The position of a row that has the columns of the order alone; nulls: in the segment of rows
 * without a value. */
struct place *order_here(struct stet_call *, const struct order *, bool nulls, struct stet_rows *);
STET_MUST enum stet_status order_resume(struct stet_call *, const struct plan *,
    const struct order *, const char *cursor, bool desc, struct place *);

/* ---- cut.c ---- */

/* The text as it stands in a cursor: itself, or if it is longer than max bytes, a hash of it and
 * its beginning. */
const char *cut_text(struct stet_call *, const char *text, size_t len, size_t max, bool *is_cut);
/* Where a walk goes on behind a text that was cut, of this item: at the text itself if the item
 * still has it, else before all that begin so. desc: larger ones come first. INVALID_CURSOR. */
STET_MUST enum stet_status cut_resume(struct stet_call *, const struct plan *, const struct order *,
    const char *id, const char *cut, bool desc, struct stet_val *out);
/* Fails with INVALID_CURSOR: the cursor is of another listing or order. */
STET_MUST enum stet_status cut_refuse(struct stet_call *);

/* ---- filter.c ---- */

enum cond_op {
	COND_EQUAL,
	COND_NULL,
	COND_SET, /* not NULL */
	COND_IN,
	COND_OUT, /* not in these values; also NULL */
	COND_RANGE,
	COND_HAS, /* one of many values, or none of them */
	COND_LACKS, /* the opposite */
	COND_CONTAINS, /* all of some words, in the text of a field */
	COND_OMITS, /* the opposite */
	COND_BYLINES,
	COND_TERMS,
	COND_FALLBACK,
	COND_GROUP
};
struct where;
/* A condition on the terms of items: one of those that the argument `terms` makes. */
struct term_cond {
	const struct stet_taxonomies_1 *service;
	const struct stet_term_filter *filter;
	size_t set;
};

/* A condition on the values of a field that has many. */
struct value_cond {
	struct value_cond *next; /* of all in the filters */
	const char *collection, *field;
	const char *value; /* empty: the item has no value */
	int64_t index; /* the number of the field's index, once it was looked up */
};

/* A condition on the words of a field. */
struct words_cond {
	struct words_cond *next; /* of all in the filters */
	const char *path; /* of its issues */
	const char *collection, *field, *text;
	const char *status, *locale; /* what the list is of; NULL: any */
	const struct stet_search_1 *service; /* once it was looked up */
	struct stet_search_words *words; /* once the service has read them */
	bool few; /* so few items pass that their ids may be sorted; once they were counted */
	bool counted;
};

/* A condition on one column. */
struct cond {
	struct cond *next;
	const char *prefix, *column;
	enum cond_op op;
	bool shown; /* SQLite may use an index for it */
	bool apart; /* filter_add leaves it out */
	struct stet_call *call;
	size_t count; /* COND_IN, COND_OUT, COND_FALLBACK */
	const char *low,
	    *high; /* for COND_RANGE: operators such as "<", or NULL; their values are 0 and 1 */
	const struct byline_filter *bylines; /* COND_BYLINES */
	const struct term_cond *terms; /* COND_TERMS */
	struct value_cond *values; /* COND_HAS, COND_LACKS */
	struct words_cond *words; /* COND_CONTAINS, COND_OMITS */
	const struct where *group; /* COND_GROUP */
	struct stet_val value[];
};
struct filter {
	struct cond *conds, **tail;
	struct cond *status, *author, *locale;
	struct value_cond *values; /* of all conditions, those in groups too */
	struct words_cond *words; /* the same */
	bool by_slug;
	const struct byline_filter *bylines; /* NULL: none */
	const char *q, *q_json; /* the argument q, folded, for plain and for JSON columns */
};

/* ---- cond.c ---- */

/* A condition alone; one at the end of the filters. */
struct cond *cond_new(
    struct stet_call *, const char *prefix, const char *column, enum cond_op, size_t values);
struct cond *filter_new(struct stet_call *, struct filter *, const char *prefix, const char *column,
    enum cond_op, size_t values);
/* " FROM ... WHERE ...": all items outside the trash. */
void filter_from(struct stet_sql *, const char *collection);
/* " AND …" for a condition on a column; not shown: in words for which SQLite uses no index. */
void filter_cond_as(struct stet_sql *, const struct cond *, bool shown);

/* ---- filter.c ---- */

#define FILTER_TEXT_MAX 8192 /* characters of fieldFilters */

/* Reads the arguments of the list; records problems as issues. status NULL: all that the caller may
 * see. */
STET_MUST enum stet_status filter_read(
    struct stet_call *, const struct stet_collection *, const char *status, struct filter *);
/* " AND …"; not shown: in words for which SQLite uses no index. */
void filter_cond(struct stet_sql *, const struct cond *, const char *collection);
void filter_add(struct stet_sql *, const struct stet_collection *, const struct filter *);

/* ---- fallback.c ---- */

/* Shows items of other locales where a translation group has none in this one, of a status (NULL:
 * of any). */
void fallback_filter(struct stet_call *, const char *locale, const char *status, struct filter *);
void fallback_put(
    struct stet_sql *, struct stet_call *, const struct cond *, const char *collection);

/* ---- fieldfilter.c ---- */

/* Reads the argument fieldFilters. */
void filter_fields(
    struct stet_call *, const struct stet_collection *, const char *text, struct filter *);

/* ---- operand.c ---- */

/* What a value is read for. */
struct operand {
	struct stet_call *call;
	const char *path; /* of the issues */
	enum column_kind kind;
	bool time;
	bool last; /* a date without a time means the end of its day */
};
/* The end of the day, if the text is a date without a time; otherwise its time, which is `ms`. */
int64_t time_last(const char *text, int64_t ms);
/* Returns false if it has recorded an issue. */
bool operand_read(const struct operand *, const json_t *, struct stet_val *out);
/* Accepts a boolean in JSON, and as a query writes it. */
bool operand_is_boolean(const json_t *, bool *out);
/* The first text after all those that begin with this one, in the order of code points; NULL if
 * there is none. */
const char *operand_after(struct stet_call *, const char *prefix);

/* ---- has.c: filters by one of many values ---- */

struct walk;
/* Looks up the indexes of the conditions. Fails with UNAVAILABLE while one is being filled. */
STET_MUST enum stet_status has_indexes(struct stet_call *, const struct filter *);
/* " AND …": holds the item against the condition. */
void has_put(struct stet_sql *, const struct value_cond *, bool lacks);
/* Appends "SELECT v.item …", of COND_HAS: by the index. */
void has_ids(struct stet_sql *, const struct value_cond *);
/* The total if one value and the status are all that is filtered by: without the items. */
STET_MUST enum stet_status has_total(const struct walk *, bool *known, int64_t *total);
/* " AND …": the rows of a status, as k. */
void has_walk(struct stet_sql *, const struct value_cond *, const char *status);

/* ---- terms.c: filters by terms ---- */

/* Reads the argument `terms`. */
STET_MUST enum stet_status terms_filter(
    struct stet_call *, const struct stet_collection *, struct filter *);
/* The total if terms, status and locale are all that is filtered by, and it is kept. */
STET_MUST enum stet_status terms_total(const struct walk *, bool *known, int64_t *total);

/* ---- contains.c: filters by the words of a field ---- */

/* Has the search module read the words. Fails with UNAVAILABLE while their index changes. */
STET_MUST enum stet_status contains_read(struct stet_call *, struct filter *);
/* " AND …": holds the item against the condition. */
void contains_put(struct stet_sql *, const struct words_cond *, bool omits);
/* Appends "SELECT w.entry …", of COND_CONTAINS: by the index. */
void contains_ids(struct stet_sql *, const struct words_cond *);
/* Fails: words cannot be looked for in so many items. */
STET_MUST enum stet_status contains_refuse(struct stet_call *);
/* Says so if a statement with filters by words took too long. */
STET_MUST enum stet_status contains_told(
    struct stet_call *, const struct filter *, enum stet_status);

/* ---- where.c: conditions in groups ---- */

enum where_kind { WHERE_AND, WHERE_OR, WHERE_COND };
struct where {
	struct where *next; /* in its group */
	enum where_kind kind;
	struct where *first, **tail; /* of a group */
	struct cond *cond;
};
struct where *where_new(struct stet_call *, enum where_kind);
struct where *where_cond(struct stet_call *, struct cond *);
void where_add(struct where *group, struct where *);
/* Adds its conditions to the filters, each by itself as far as all have to pass. */
void where_filter(struct stet_call *, struct where *, struct filter *);
void where_put(struct stet_sql *, const struct where *);
/* Appends "SELECT id …" of all items that can pass, found by indexes; where_has_ids: is there such
 * a statement? */
bool where_has_ids(const struct where *);
bool where_has_words(const struct where *); /* is there a filter by words? */
void where_ids(struct stet_sql *, const struct where *, const char *collection);
/* The same for one condition of kind COND_OUT, whose values are sorted. */
void where_sort(struct cond *);
void where_others(struct stet_sql *, const struct cond *, const char *collection);

/* ---- path.c: which index a list walks, and how many items it has ---- */

#define KEYS_MAX 3

/* A walk over the items that pass a filter, in an order, from a place on. */
struct walk {
	struct stet_call *call;
	const struct stet_collection *collection;
	const struct plan *plan;
	struct filter filter;
	struct order order;
	bool desc;
	size_t keys; /* keys.c: of an order of several keys, of which `order` is the first; or 0 */
	struct order key[KEYS_MAX];
	bool down[KEYS_MAX]; /* descending */
	struct stet_val at[KEYS_MAX]; /* where the previous page ended */
	struct cond *pick; /* the filter whose index is used instead of the order's */
	struct cond *lead; /* the filter whose index carries the order */
	size_t ways; /* of the lead: pairs of a status and a value, each a walk of its own */
	bool is_ranked; /* by relevance (ranked.c): not along an index */
	const char *const *ranked; /* the ids of all items that match, the best first */
	size_t ranked_count;
	bool ranked_more; /* others match, too */
	struct cond *among; /* the filter that says so */
	struct place place; /* where the previous page ended */
	const char *select;
	const char *select_one; /* the same, of one id; NULL: not needed yet */
	int64_t limit, count;
	bool more; /* there are items after these */
	char *next; /* the cursor behind them */
	void (*row)(struct walk *, struct stet_rows *); /* gets each item */
};

#define WORDS_FEW 50000 /* the most items with some words that a total counts by their ids */
#define PICK_MAX 200 /* the most items that may be sorted instead of a first walk */
#define PATH_STATUSES 3
extern const char *const path_statuses[PATH_STATUSES];

/* Chooses the index: sets pick, lead and what SQLite may see of the filters. */
STET_MUST enum stet_status path_choose(struct walk *);
/* Looks for a pick among the filters that SQLite does not see, of more items than path_choose
 * would sort, after a walk of `walked` items did not fill a page. */
STET_MUST enum stet_status path_choose_again(struct walk *, int64_t walked);
bool path_hides(const struct walk *); /* are there filters that the walked index does not have? */
bool path_on_order(const struct walk *, const struct cond *);
/* The same, and SQLite may see it: one range of the index of the order passes it. */
bool path_bounds_order(const struct walk *, const struct cond *);
/* Is the lead a term or a value, whose items are rows of another table? */
bool path_is_beside(const struct cond *);
size_t path_lead_values(const struct cond *); /* of a lead: each is a walk */
/* Counts the items that pass one filter, up to max + 1; 0 if that would read all items. */
STET_MUST enum stet_status path_count(struct walk *, struct cond *, int64_t max, int64_t *n);
bool path_has_words(const struct cond *); /* is it a filter by words, or a group that has one? */
/* Appends " FROM ... WHERE ...": the items that pass all filters, in no order. */
void path_matches(struct stet_sql *, struct walk *);
/* Do more items than `most` pass all filters? For who counts so many then: like path_read_much. */
STET_MUST enum stet_status path_exceeds(struct walk *, int64_t most, bool *);
/* Before all items of the collection may be read: of many, in the slow lane (stet_slow_lane). */
STET_MUST enum stet_status path_read_much(struct walk *);
/* How many items pass all filters. */
STET_MUST enum stet_status path_total(struct walk *, int64_t *);

/* ---- ranked.c: lists by relevance ---- */

/* Reads the argument search: what matches, which is a filter then. */
STET_MUST enum stet_status ranked_read(struct walk *);
STET_MUST enum stet_status ranked_walk(struct walk *, const char *cursor);

/* ---- facet.c ---- */

#define FACETS_MAX 10

/* One facet that is asked for. */
struct facet {
	const char *name;
	const struct stet_taxonomies_1 *terms; /* NULL: it is not a taxonomy */
};
struct facets {
	struct facet facet[FACETS_MAX];
	size_t count;
	bool given;
};
/* Reads the argument facets; records problems as issues, and fails with FORBIDDEN for terms that
 * the caller may not read. */
STET_MUST enum stet_status facets_read(struct stet_call *, struct facets *);
/* Counts, and writes the member; nothing if the argument is not given. After the walk. */
STET_MUST enum stet_status facets_put(const struct facets *, struct walk *, struct stet_json *to);

/* ---- walk.c ---- */

/* A list is walked in one or two segments: rows with a value in the order's column, and without. */
struct part {
	bool nulls;
	const struct place *after, *until; /* NULL: from its beginning, to its end */
};

STET_MUST enum stet_status walk_items(struct walk *);

/* ---- page.c: the page of a list ---- */

/* The page from a statement: page_begin writes it as far as the conditions, page_end reads. If it
 * has to sort, it is of ids alone, and the items are read then. */
void page_begin(const struct walk *, struct stet_sql *);
STET_MUST enum stet_status page_end(struct walk *, struct stet_sql *);
/* Adds an item to the page. */
STET_MUST enum stet_status page_one(struct walk *, const char *id);
/* "SELECT id FROM ... WHERE ...", and the page from such a statement: ids in their order. */
void page_put_ids(struct stet_sql *, const struct walk *);
STET_MUST enum stet_status page_ids(struct walk *, struct stet_sql *);

/* ---- keys.c, keywalk.c: orders of several keys ---- */

/* Reads the argument orderBy into the walk, whose `desc` is the direction of keys that say none. */
void keys_read(struct walk *);
/* The cursor after the current row; the place where a cursor says that a page ended. */
char *keys_place(const struct walk *, struct stet_rows *);
STET_MUST enum stet_status keys_resume(struct walk *, const char *cursor);
STET_MUST enum stet_status keys_walk(struct walk *);

/* ---- get.c ---- */

/* What belongs to an item, in its reply. */
struct beside {
	struct item_more more; /* the first member */
	struct include *include;
	const struct plan *plan;
};
/* Reads the argument include; *out NULL: there is none. */
STET_MUST enum stet_status get_beside(struct stet_call *, const struct stet_collection *,
    const struct plan *, const struct view *, struct beside *, struct item_more **out);
extern const struct stet_member get_in[], get_out[];
stet_handler content_get;

/* ---- beside.c: a walk over the items that have a term, or one of many values ---- */

/* Appends a statement for the ids of the first items, up to `limit`, of a status and a term of the
 * lead, or its value. */
void beside_put(struct stet_sql *, const struct walk *, const struct part *, const char *status,
    size_t term, int64_t limit);
/* The place `rows` rows along such a walk, held against no other filter, or against those that are
 * not apart (`held`); NULL: it is shorter. */
STET_MUST enum stet_status beside_end(struct walk *, const struct part *, const char *status,
    int64_t rows, bool held, struct place **end);

/* ---- list.c ---- */

extern const struct stet_member list_in[], list_out[];
stet_handler content_list;

extern const struct stet_member neighbours_in[], neighbours_out[];
stet_handler content_neighbours;
extern const struct stet_member related_in[], related_out[];
stet_handler content_related;

extern const struct stet_member compare_in[], compare_out[];
stet_handler content_compare;
extern const struct stet_member preview_in[], preview_out[], preview_get_in[];
stet_handler content_preview_url, content_read;
extern const struct stet_member authors_in[], authors_out[];
stet_handler content_authors;

#endif
