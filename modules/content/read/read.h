/* read.h - the ops that read items: lists, comparison, preview links, authors. */
#ifndef CONTENT_READ_H
#define CONTENT_READ_H

#include "item/item.h"
#include "read/include.h"

/* ---- order.c ---- */

struct order {
	const char *name; /* name of the order in cursors */
	const char *prefix,
	    *column; /* NULL: the column is always NULL, so that only the id orders */
	const char *then; /* the next column of the index, which orders rows of equal values */
	bool nullable;
	bool by_slug; /* the index does not end with the id: slug and locale are unique */
	bool null_index; /* the index also has the rows without a value, ordered by id */
	enum column_kind kind;
	int at, then_at; /* positions of the columns in a row */
};
/* The position where a page ended. */
struct place {
	bool given;
	struct stet_val key; /* NULL: in the segment of rows without a value */
	const char *then, *id;
};
/* Finds an order by its name: of a column, or of any field, even one without an index. Returns
 * false if there is none. */
bool order_find(
    struct stet_call *, const struct stet_collection *, const char *name, struct order *);
struct order order_of_field(const struct stet_field *);
/* Reads the argument orderBy; an unknown order is recorded as an issue. */
/* Records that lists cannot be ordered by this name. */
void order_unknown(struct stet_call *, const char *name);
void order_read(struct stet_call *, const struct stet_collection *, struct order *);
/* Return the cursor after the current row, and read the place from a cursor. */
char *order_place(
    struct stet_call *, const struct plan *, const struct order *, struct stet_rows *);
/* Returns the place of a row that has only the columns of the order; nulls: it is in the segment of
 * rows without a value. */
struct place *order_here(struct stet_call *, const struct order *, bool nulls, struct stet_rows *);
STET_MUST enum stet_status order_resume(struct stet_call *, const struct plan *,
    const struct order *, const char *cursor, bool desc, struct place *);

/* ---- cut.c ---- */

/* Returns the text in the form of cursors: itself or, if it is longer than max bytes, a hash and
 * its beginning. */
const char *cut_text(struct stet_call *, const char *text, size_t len, size_t max, bool *is_cut);
/* Sets the place where a walk resumes after a cut text of this item: at the text itself if the item
 * still has it, or else before all texts with this beginning. desc: larger texts come first. Fails
 * with INVALID_CURSOR. */
STET_MUST enum stet_status cut_resume(struct stet_call *, const struct plan *, const struct order *,
    const char *id, const char *cut, bool desc, struct stet_val *out);
/* Fails with INVALID_CURSOR: the cursor belongs to another list or order. */
STET_MUST enum stet_status cut_refuse(struct stet_call *);

/* ---- filter.c ---- */

enum cond_op {
	COND_EQUAL,
	COND_NULL,
	COND_SET, /* not NULL */
	COND_IN,
	COND_OUT, /* none of these values; also NULL */
	COND_RANGE,
	COND_HAS, /* one of the item's many values is the value, or it has none */
	COND_LACKS, /* the opposite of COND_HAS */
	COND_CONTAINS, /* the text of a field contains all words */
	COND_OMITS, /* the opposite of COND_CONTAINS */
	COND_BYLINES,
	COND_TERMS,
	COND_FALLBACK,
	COND_GROUP
};
struct where;
/* A condition on the terms of items, one of those that the argument `terms` makes. */
struct term_cond {
	const struct stet_taxonomies_1 *service;
	const struct stet_term_filter *filter;
	size_t set;
};

/* A condition on a field with many values. */
struct value_cond {
	struct value_cond *next; /* the next one anywhere in the filters */
	const char *collection, *field;
	const char *value; /* empty: items without a value */
	int64_t index; /* number of the field's index, once looked up */
};

/* A condition on the words of a field. */
struct words_cond {
	struct words_cond *next; /* the next one anywhere in the filters */
	const char *path; /* path of its issues */
	const char *collection, *field, *text;
	const char *status, *locale; /* status and locale of the list; NULL: any */
	const struct stet_search_1 *service; /* set when first used */
	struct stet_search_words *words; /* set when the service has read the words */
	bool few; /* few items pass, so that their ids may be sorted; set when counted */
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
	size_t count; /* number of values for COND_IN, COND_OUT, COND_FALLBACK */
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
	struct value_cond *values; /* those of all conditions, also in groups */
	struct words_cond *words; /* those of all conditions, also in groups */
	struct cond *sure; /* selects so few rows that no other index is needed; or NULL */
	const struct byline_filter *bylines; /* NULL: none */
	const char *q, *q_json; /* the argument q, folded, for plain and for JSON columns */
};

/* ---- cond.c ---- */

/* Returns a new condition; filter_new also appends it to the filters. */
struct cond *cond_new(
    struct stet_call *, const char *prefix, const char *column, enum cond_op, size_t values);
struct cond *filter_new(struct stet_call *, struct filter *, const char *prefix, const char *column,
    enum cond_op, size_t values);
/* Adds " FROM ... WHERE ...": all items outside the trash. */
void filter_from(struct stet_sql *, const char *collection);
/* Adds " AND …" for a condition on a column. shown false: written such that SQLite uses no index
 * for it. */
void filter_cond_as(struct stet_sql *, const struct cond *, bool shown);

/* ---- filter.c ---- */

#define FILTER_TEXT_MAX 8192 /* characters of fieldFilters */

/* Reads the filters of a list from the arguments; records problems as issues. status NULL: all that
 * the caller may see. */
STET_MUST enum stet_status filter_read(
    struct stet_call *, const struct stet_collection *, const char *status, struct filter *);
/* Adds the filter of the argument `ids`, of lists alone. An id that no item has is no error. */
void filter_ids(struct stet_call *, struct filter *);
/* Adds " AND …" for any condition. shown false: written such that SQLite uses no index for it. */
void filter_cond(struct stet_sql *, const struct cond *, const char *collection);
void filter_add(struct stet_sql *, const struct stet_collection *, const struct filter *);

/* ---- fallback.c ---- */

/* Adds a filter: items in other locales are listed if their translation group has no item of this
 * status (NULL: any) in this locale. */
void fallback_filter(struct stet_call *, const char *locale, const char *status, struct filter *);
void fallback_put(
    struct stet_sql *, struct stet_call *, const struct cond *, const char *collection);

/* ---- fieldfilter.c ---- */

/* Reads the argument fieldFilters. */
void filter_fields(
    struct stet_call *, const struct stet_collection *, const char *text, struct filter *);

/* ---- operand.c ---- */

/* How to read a value. */
struct operand {
	struct stet_call *call;
	const char *path; /* path of the issues */
	enum column_kind kind;
	bool time;
	bool last; /* a date without a time means the end of its day */
};
/* Reads a value. Returns false if it has recorded an issue. */
bool operand_read(const struct operand *, const json_t *, struct stet_val *out);
/* Reads a boolean in JSON, or as text of a query. Returns false if it is neither. */
bool operand_is_boolean(const json_t *, bool *out);
/* Returns the first text after all texts with this prefix, in the order of code points; NULL if
 * there is none. */
const char *operand_after(struct stet_call *, const char *prefix);

/* ---- has.c: filters by one of many values ---- */

struct walk;
/* Looks up the index numbers of the conditions. Fails with UNAVAILABLE while an index is being
 * filled. */
STET_MUST enum stet_status has_indexes(struct stet_call *, const struct filter *);
/* Adds " AND …": tests the item. */
void has_put(struct stet_sql *, const struct value_cond *, bool lacks);
/* Appends "SELECT v.item …" for COND_HAS: the items, from the index. */
void has_ids(struct stet_sql *, const struct value_cond *);
/* Sets the total if the only filters are one value and the status: reads no items. */
STET_MUST enum stet_status has_total(const struct walk *, bool *known, int64_t *total);
/* Adds " AND …": selects the rows of a status, from the table named k. */
void has_walk(struct stet_sql *, const struct value_cond *, const char *status);

/* ---- terms.c: filters by terms ---- */

/* Reads the argument `terms`. */
STET_MUST enum stet_status terms_filter(
    struct stet_call *, const struct stet_collection *, struct filter *);
/* Sets the total if the only filters are terms, status and locale, and that total is stored. */
STET_MUST enum stet_status terms_total(const struct walk *, bool *known, int64_t *total);

/* ---- contains.c: filters by the words of a field ---- */

/* Lets the search module read the words of the filters. Fails with UNAVAILABLE while their index
 * changes. */
STET_MUST enum stet_status contains_read(struct stet_call *, struct filter *);
/* Adds " AND …": tests the item. */
void contains_put(struct stet_sql *, const struct words_cond *, bool omits);
/* Appends "SELECT w.entry …" for COND_CONTAINS: the items, from the index. */
void contains_ids(struct stet_sql *, const struct words_cond *);
/* Fails: the list has too many items to test them for words. */
STET_MUST enum stet_status contains_refuse(struct stet_call *);
/* Turns an interrupted statement with filters by words into an error that says so. */
STET_MUST enum stet_status contains_told(
    struct stet_call *, const struct filter *, enum stet_status);

/* ---- where.c: conditions in groups ---- */

enum where_kind { WHERE_AND, WHERE_OR, WHERE_COND };
struct where {
	struct where *next; /* the next member of its group */
	enum where_kind kind;
	struct where *first, **tail; /* members of a group */
	struct cond *cond;
};
struct where *where_new(struct stet_call *, enum where_kind);
struct where *where_cond(struct stet_call *, struct cond *);
void where_add(struct where *group, struct where *);
/* Adds the conditions to the filters: those that all items must pass one by one, other groups as a
 * whole. */
void where_filter(struct stet_call *, struct where *, struct filter *);
void where_put(struct stet_sql *, const struct where *);
/* where_ids appends "SELECT id …" for all items that can pass, found by indexes; where_has_ids
 * returns true if indexes can find them. */
bool where_has_ids(const struct where *);
bool where_has_words(const struct where *); /* it contains a filter by words */
void where_ids(struct stet_sql *, const struct where *, const char *collection);
/* The same for one condition of kind COND_OUT, after its values have been sorted. */
void where_sort(struct cond *);
void where_others(struct stet_sql *, const struct cond *, const char *collection);

/* ---- path.c: which index a list walks, and how many items it has ---- */

#define KEYS_MAX 3

/* A walk over the items that pass the filters, in an order, from a place on. */
struct walk {
	struct stet_call *call;
	const struct stet_collection *collection;
	const struct plan *plan;
	struct filter filter;
	struct order order;
	bool desc;
	/* Keys of an order of several keys, of which `order` is the first; 0: one key. */
	size_t keys;
	struct order key[KEYS_MAX];
	bool down[KEYS_MAX]; /* descending */
	struct stet_val at[KEYS_MAX]; /* where the previous page ended */
	struct cond *pick; /* the filter whose index is used instead of the order's */
	struct cond *lead; /* the filter whose index carries the order */
	size_t ways; /* number of the lead's walks: pairs of a status and a value */
	bool is_ranked; /* by relevance (ranked.c): not along an index */
	const char *const *ranked; /* the ids of all items that match, the best first */
	size_t ranked_count;
	bool ranked_more; /* others match, too */
	struct cond *among; /* the filter that selects the current ids */
	struct place place; /* where the previous page ended */
	const char *select;
	const bool *want; /* the fields that it selects; NULL: all */
	const char *select_one; /* the same for one id; NULL: not made yet */
	int64_t limit, count;
	bool more; /* there are items after these */
	char *next; /* the cursor after the last item */
	void (*row)(struct walk *, struct stet_rows *); /* is called for each item */
};

#define WORDS_FEW 50000 /* the most items with given words that a total counts by their ids */
#define PICK_MAX 200 /* the most items that may be sorted instead of a first walk */
#define PATH_STATUSES 3
extern const char *const path_statuses[PATH_STATUSES];

/* Chooses the index: sets pick, lead, and which filters SQLite may use. */
STET_MUST enum stet_status path_choose(struct walk *);
/* After a walk of `walked` items did not fill a page: looks for a pick among the filters that
 * SQLite does not use, of more items than path_choose would sort. */
STET_MUST enum stet_status path_choose_again(struct walk *, int64_t walked);
bool path_hides(const struct walk *); /* filters are not part of the walked index */
bool path_on_order(const struct walk *, const struct cond *);
/* As path_on_order, and SQLite may use the condition: it is one range of the order's index. */
bool path_bounds_order(const struct walk *, const struct cond *);
/* Returns true if the lead is a term or a value, whose rows are in another table. */
bool path_is_beside(const struct cond *);
size_t path_lead_values(const struct cond *); /* number of the lead's values, one walk each */
/* Counts the items that pass one filter, up to max + 1; 0 if that would read all items. */
STET_MUST enum stet_status path_count(struct walk *, struct cond *, int64_t max, int64_t *n);
bool path_has_words(const struct cond *); /* it is a filter by words, or a group with one */
/* Appends " FROM ... WHERE ...": the items that pass all filters, in no order. */
void path_matches(struct stet_sql *, struct walk *);
/* Sets the flag if more than `most` items pass all filters. Before it counts many, it does the same
 * as path_read_much. */
STET_MUST enum stet_status path_exceeds(struct walk *, int64_t most, bool *);
/* Call it before reading all items of the collection: if they are many, moves the call to the slow
 * lane (stet_slow_lane). */
STET_MUST enum stet_status path_read_much(struct walk *);
/* Counts the items that pass all filters. */
STET_MUST enum stet_status path_total(struct walk *, int64_t *);

/* ---- ranked.c: lists by relevance ---- */

/* Reads the argument search: the matches become a filter. */
STET_MUST enum stet_status ranked_read(struct walk *);
STET_MUST enum stet_status ranked_walk(struct walk *, const char *cursor);

/* ---- facet.c ---- */

#define FACETS_MAX 10

/* One requested facet. */
struct facet {
	const char *name;
	const struct stet_taxonomies_1 *terms; /* NULL: it is not a taxonomy */
};
struct facets {
	struct facet facet[FACETS_MAX];
	size_t count;
	bool given;
};
/* Reads the argument facets. Records problems as issues, and fails with FORBIDDEN for terms that
 * the caller may not read. */
STET_MUST enum stet_status facets_read(struct stet_call *, struct facets *);
/* Counts, and writes the member facets if the argument is given. Call it after the walk. */
STET_MUST enum stet_status facets_put(const struct facets *, struct walk *, struct stet_json *to);

/* ---- walk.c ---- */

/* A list is walked in one or two segments: the rows with a value in the order's column, and those
 * without. */
struct part {
	bool nulls;
	const struct place *after, *until; /* NULL: from its beginning; to its end */
};

STET_MUST enum stet_status walk_items(struct walk *);

/* ---- page.c: the page of a list ---- */

/* Read the page by a statement: page_begin writes its beginning up to the conditions, page_end runs
 * it. If the statement has to sort, it selects only ids, and the items are read afterwards. */
void page_begin(const struct walk *, struct stet_sql *);
STET_MUST enum stet_status page_end(struct walk *, struct stet_sql *);
/* Adds an item to the page. */
STET_MUST enum stet_status page_one(struct walk *, const char *id);
/* page_put_ids writes "SELECT id FROM ... WHERE ..."; page_ids reads the page from the ids of such
 * a statement, in their order: so the database sorts ids and not whole items. */
void page_put_ids(struct stet_sql *, const struct walk *);
STET_MUST enum stet_status page_ids(struct walk *, struct stet_sql *);
/* The same for "SELECT <columns of the order>, id", and only for items of this status. *last is the
 * place of the last id, or NULL if there are too few for the page. */
STET_MUST enum stet_status page_places(
    struct walk *, struct stet_sql *, bool nulls, const char *status, struct place **last);

/* ---- keys.c, keywalk.c: orders of several keys ---- */

/* Reads the argument orderBy into the walk. Its `desc` is the direction of keys without one. */
void keys_read(struct walk *);
/* Return the cursor after the current row, and read the place from a cursor. */
char *keys_place(const struct walk *, struct stet_rows *);
STET_MUST enum stet_status keys_resume(struct walk *, const char *cursor);
STET_MUST enum stet_status keys_walk(struct walk *);

/* ---- get.c ---- */

/* The included rows of an item, in its reply. */
struct beside {
	struct item_more more; /* the first member */
	struct include *include;
	const struct plan *plan;
};
/* Reads the argument include; *out NULL: it is not given. */
STET_MUST enum stet_status get_beside(struct stet_call *, const struct stet_collection *,
    const struct plan *, const struct view *, struct beside *, struct item_more **out);
extern const struct stet_member get_in[], get_out[];
stet_handler content_get;

/* ---- beside.c: a walk over the items that have a term, or one of many values ---- */

/* Append a statement for the first items, at most `limit`, of a status and of one of the lead's
 * terms or values: their ids, or the items. */
void beside_put_ids(struct stet_sql *, const struct walk *, const struct part *, const char *status,
    size_t term, int64_t limit);
void beside_put(struct stet_sql *, const struct walk *, const struct part *, const char *status,
    size_t term, int64_t limit);
/* Appends a statement for the items that have all terms of the filters, each of which has one:
 * "SELECT <columns of the order>, id". It walks the rows of all terms in their order, and looks up
 * no item. */
void beside_put_all(
    struct stet_sql *, const struct walk *, const struct part *, const char *status, int64_t limit);
/* Finds the place `rows` rows along such a walk; NULL: there are fewer. `held`: applies the filters
 * that are not apart; otherwise applies no other filter. */
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
/* ---- preview.c, links.c: preview links ---- */

struct preview {
	const char *subject; /* what the link shows */
	const char *link; /* the id of a shared link; NULL: it is not one */
	int64_t begin, end; /* seconds since 1970 */
};
/* The subject of links to an item. */
const char *preview_subject(struct stet_call *, const char *collection, const char *id);
STET_MUST enum stet_status preview_token(struct stet_call *, const struct preview *, char **out);
/* Checks a token. *subject is what it shows; *maker is the user who made it, or NULL. Fails with
 * UNAUTHORIZED if it has ended, was withdrawn, or its maker may not read drafts any more. */
STET_MUST enum stet_status preview_check(
    struct stet_call *, const char *token, const char **subject, const char **maker);
/* Reads the argument expiresIn; records an issue. */
void preview_lasts(struct stet_call *, struct preview *);
/* Reads the arguments of a link to an item. *path is the path of its page. */
STET_MUST enum stet_status preview_read(struct stet_call *, struct preview *, const char **path);
/* Writes url, token and expiresAt into the open object. */
STET_MUST enum stet_status preview_put(
    struct stet_call *, struct stet_json *, const struct preview *, const char *path);

/* Make a shared link to a subject, list those that are open, withdraw one: as the reply. */
STET_MUST enum stet_status links_make(struct stet_call *, const char *subject, const char *path);
STET_MUST enum stet_status links_list(struct stet_call *, const char *subject);
STET_MUST enum stet_status links_withdraw(struct stet_call *, const char *subject, const char *id);
/* The hook schema_changing: deletes links to items of a collection that is deleted. */
STET_MUST enum stet_status links_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

#define PREVIEW_LINK_MIGRATION                                               \
	"CREATE TABLE preview_link ("                                        \
	" id TEXT NOT NULL PRIMARY KEY,"                                     \
	" subject TEXT NOT NULL,"                                            \
	" created_at TEXT NOT NULL,"                                         \
	" created_by TEXT," /* a user; NULL: none */                         \
	" expires_at TEXT NOT NULL);"                                        \
	"CREATE INDEX i_preview_link_subject ON preview_link (subject, id);" \
	"CREATE INDEX i_preview_link_end ON preview_link (expires_at)"

extern const struct stet_member preview_in[], preview_out[], preview_get_in[], link_made_out[],
    links_in[], links_out[], link_withdraw_in[], link_withdrawn_out[];
stet_handler content_preview_url, content_read, content_link_make, content_links,
    content_link_withdraw;
extern const struct stet_member authors_in[], authors_out[];
stet_handler content_authors;

/* ---- uses.c ---- */

extern const struct stet_member uses_in[], uses_out[];
stet_handler content_uses;

#endif
