/* taxonomies.h - what the files of the taxonomies module share. */
#ifndef TAXONOMIES_H
#define TAXONOMIES_H

#include <stet/include.h>
#include <stet/module.h>
#include <stet/taxonomies.h>

/* ---- define.c: taxonomies; each has a definition for each locale ---- */

struct taxonomy {
	const char *id, *name, *label, *singular, *locale, *group; /* singular may be NULL */
	bool hierarchical;
	json_t *collections; /* as stored: also collections that do not exist any more */
};
/* Finds the definition in this locale; or else in the site's default locale, or else in the lowest.
 * Fails with NOT_FOUND if there is no taxonomy of this name. */
STET_MUST enum stet_status taxonomy_find(
    struct stet_call *, const char *name, const char *locale, struct taxonomy *);
STET_MUST enum stet_status is_collection(struct stet_call *, const char *slug, bool *out);
/* Returns in *out whether the collection exists and the caller may read its items. */
STET_MUST enum stet_status is_shown(struct stet_call *, const char *slug, bool *out);
STET_MUST enum stet_status taxonomy_seed(struct stet_call *, struct stet_tx *); /* migration */

extern const struct stet_member taxonomy_list_in[], taxonomy_list_out[], taxonomy_by_name[],
    taxonomy_out[], taxonomy_create_in[], taxonomy_update_in[], taxonomy_delete_in[],
    taxonomy_translations_out[], deleted_out[];
/* Sets *out to the number that the statement answers for this name or group. */
STET_MUST enum stet_status removes_count(
    struct stet_call *, const char *sql, const char *of, int64_t *out);
/* Answers the deletion of so many terms and assignments. */
void deleted_put(struct stet_call *, int64_t terms, int64_t items);
stet_handler taxonomy_list, taxonomy_get, taxonomy_create, taxonomy_update, taxonomy_delete,
    taxonomy_translations;

/* ---- term.c: terms in the database ---- */

#define TERM_COLUMNS                                                                       \
	"t.id, t.taxonomy, t.slug, t.label, t.description, t.locale, t.translation_group," \
	" t.parent_group, t.position"
#define TERM_WIDTH 9 /* number of columns */
/* A condition that hides terms of deleted taxonomies, whose rows may still exist (forget.c). The
 * table is nearly always empty, so it costs nothing. */
#define TERM_LIVES                                                                    \
	" AND NOT EXISTS (SELECT 1 FROM taxonomy_gone AS g WHERE g.kind = 'taxonomy'" \
	" AND g.name = t.taxonomy)"

struct term {
	const char *id, *taxonomy, *slug, *label, *description, *locale, *group;
	const char *parent; /* the translation group of the parent; "": none */
	int64_t position; /* among its siblings; the same in all locales */
};
extern const struct stet_member term_shape[];

void term_load(struct stet_rows *, struct term *);
/* Opens an object and writes the members of the term. */
void term_open(struct stet_json *, const char *key, const struct term *);
/* Finds a term by the id of a row, or by a translation group: then its row in the lowest locale. */
STET_MUST enum stet_status term_by_id(
    struct stet_call *, const char *id, struct term *, bool *found);
/* Finds the term of the arguments taxonomy, termSlug and locale; without a locale, the row with
 * this slug in the lowest locale. Fails with NOT_FOUND. */
STET_MUST enum stet_status term_find(struct stet_call *, struct term *);
/* Like term_find, but ignores the argument locale. */
STET_MUST enum stet_status term_find_any(struct stet_call *, struct term *);
/* Writes {term} as the reply. */
void term_reply(struct stet_call *, const struct term *);

/* ---- known.c: which terms items have, and the terms as JSON, kept with the snapshot ---- */

struct stet_include_page;
struct known;
/* A term in one locale. */
struct known_row {
	struct known_row *next;
	const char *id, *locale, *text;
	size_t len;
};
struct known_term {
	struct known_term *next;
	const char *group, *taxonomy;
	int64_t position;
	struct known_row *row;
	bool asked; /* its rows were read */
};
/* A translation group of items. */
struct known_entry {
	struct known_entry *next;
	const char *collection, *group;
	struct known_term **term;
	size_t count;
	bool asked, sorted; /* asked: its terms were read */
};

/* Returns what is known for the items of the page. If known_end is not called, or known_incomplete
 * is, later calls begin with nothing. */
struct known *known_begin(struct stet_call *, const struct stet_include_page *);
void known_end(struct known *);
void known_incomplete(struct known *);
/* Appends the values of an IN: the locales in which terms are read. */
void known_locales(const struct known *, struct stet_sql *);
/* Return what is known, or a new one of which nothing was asked. */
struct known_entry *known_entry(struct known *, const char *collection, const char *group);
struct known_term *known_term(struct known *, const char *group);
void known_add(struct known *, struct known_entry *, struct known_term *);
void known_row(struct known *, const struct term *);
/* Returns the row of a term for this locale, or else for the default locale; NULL: it has neither.
 */
const struct known_row *known_nearest(
    const struct known *, const struct known_term *, const char *locale);
/* The order of an item's terms: by taxonomy, position, group. */
int known_order(const struct known_term *, const struct known_term *);
void known_sort(struct known_entry *);

/* ---- edit.c: creating, translating, changing, deleting terms ---- */

extern const struct stet_member term_create_in[], term_create_tool_in[], term_update_in[],
    term_delete_in[], term_translate_in[], term_out[];
stet_handler term_create, term_update, term_delete, term_translate;

/* ---- place.c: parent and position of a term ---- */

#define ANCESTORS_MAX 100 /* the most ancestors of a term that becomes a parent */

/* Finds the translation group of the term that the argument parentId names; records a problem as an
 * issue. */
STET_MUST enum stet_status place_parent(
    struct stet_call *, const char *taxonomy, const char *text, const char **group);
/* Checks that a term of this group (NULL: a new term) may be below `parent`; records a problem as
 * an issue. */
STET_MUST enum stet_status place_check(
    struct stet_call *, const char *taxonomy, const char *group, const char *parent);
/* Returns the position after the last child of `parent`. */
STET_MUST enum stet_status place_last(
    struct stet_call *, const char *taxonomy, const char *parent, int64_t *position);
/* Moves the term, in all locales, after the last child of `parent`. */
STET_MUST enum stet_status place_move(
    struct stet_call *, struct stet_tx *, struct term *, const char *parent);

extern const struct stet_member reorder_in[], reorder_out[];
stet_handler term_reorder;

/* ---- list.c, tree.c: reading terms ---- */

/* A term of a page. */
struct node {
	struct term term;
	int64_t count; /* number of items; -1: not asked for */
	struct node *first, *last, *next; /* the children, and the next sibling */
	struct node *up;
};
/* Writes the nodes as an array of terms. With `nested`, a term whose parent is among them is
 * written below it. */
void tree_put(struct stet_call *, struct stet_json *, const char *key, struct node *, size_t count,
    bool nested);

extern const struct stet_member terms_in[], terms_out[], term_list_in[], term_list_out[],
    term_get_in[], term_get_out[], term_translations_in[], term_by_id_in[], term_translations_out[];
stet_handler term_tree, term_list, term_get, term_translations, term_translations_tool;

/* ---- sought.c: terms by the beginning of their label or slug ---- */

/* A search in one locale. */
struct sought {
	struct stet_call *call;
	const struct taxonomy *taxonomy;
	const char *locale;
	bool counts;
	int64_t limit;
	struct node *node; /* the result: matches of the label in its order, then of the slug */
	size_t count;
};
STET_MUST enum stet_status sought_find(struct sought *, const char *text);
/* The key of a label or a slug, in term.label_key and term.slug_key. */
const char *sought_key(struct stet_call *, const char *text);
/* Writes the keys that are missing or wrong. */
enum stet_status sought_anew(struct stet_call *, struct stet_tx *);

/* ---- found.c: terms for modules that refer to them ---- */

STET_MUST enum stet_status terms_found(struct stet_call *, const char *const *ids, size_t count,
    const char *locale, struct stet_table *out);
STET_MUST enum stet_status terms_by_slug(struct stet_call *, const char *taxonomy, const char *slug,
    const char *locale, const char **id, const char **group);

/* ---- related.c ---- */

STET_MUST enum stet_status terms_related(
    struct stet_call *, const char *collection, const char *group, struct stet_table *out);

/* ---- beside.c: terms beside items ---- */

extern const struct stet_include taxonomies_includes[1];

/* ---- assign.c: terms of items; count.c: numbers of items ---- */

/* A set of terms of one taxonomy. */
struct term_set {
	const char *taxonomy;
	const char **group; /* translation groups, without duplicates */
	size_t count;
};
struct stet_terms {
	size_t count;
	struct term_set set[];
};
extern const struct stet_taxonomies_1 taxonomies_service;
/* Removes a term from a group of items; it was counted in the locales `shown`. */
STET_MUST enum stet_status assign_take(struct stet_call *, struct stet_tx *, const char *collection,
    const char *entry_group, const char *term, const char *shown);
enum stet_status assign_purge(struct stet_call *, struct stet_tx *, struct stet_entry *);
/* Called for each assignment that an import writes or deletes: reports the items to the change
 * feed. */
enum stet_status assign_moved(
    struct stet_call *, struct stet_tx *, const void *arg, const char *change, const json_t *key);
enum stet_status assign_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* Returns the locales in which the items of a group are published and so counted, space separated.
 */
STET_MUST enum stet_status count_shown(
    struct stet_call *, const char *collection, const char *entry_group, const char **out);
/* Updates the counts of a term, for an assignment that was counted in the locales `was` and is now
 * counted in `now`. */
STET_MUST enum stet_status count_change(struct stet_call *, struct stet_tx *, const char *term,
    const char *collection, const char *was, const char *now);
/* Counts the assignments to these items of the collection. */
STET_MUST enum stet_status count_assigned(
    struct stet_call *, const char *collection, const char *const *ids, size_t count, int64_t *n);
/* Like count_change; also stores `now` with the assignment. */
STET_MUST enum stet_status count_settle(struct stet_call *, struct stet_tx *,
    const char *collection, const char *entry_group, const char *term, const char *was,
    const char *now);
/* count_anew counts everything again. count_follow updates the counts when an item becomes public
 * or stops being public. */
enum stet_status count_anew(struct stet_call *, struct stet_tx *);
enum stet_status count_follow(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *id, const char *change, int64_t version);
/* Appends ", (SELECT …)": the number of items that have the term t, are published in this locale
 * (NULL: any), and that the caller may read. */
STET_MUST enum stet_status count_add(
    struct stet_call *, struct stet_sql *, const struct taxonomy *, const char *locale);

/* ---- untagged.c: an item of which the change feed has found no terms in this write ---- */

void untagged_note(struct stet_call *, const char *collection, const char *id, bool untagged);
bool untagged_is(struct stet_call *, const char *collection, const char *id);

/* ---- shown.c, kept.c: functions of <stet/taxonomies.h> ---- */

STET_MUST enum stet_status shown_put(struct stet_call *, struct stet_json *, const char *collection,
    const char *entry_group, const char *taxonomy, const char *locale);
STET_MUST enum stet_status shown_put_kept(struct stet_call *, struct stet_json *,
    const char *collection, const char *entry_group, const char *taxonomy, const char *locale,
    const json_t *kept);
json_t *kept_of(struct stet_call *, const struct stet_terms *);
STET_MUST enum stet_status kept_read(
    struct stet_call *, const json_t *kept, struct stet_terms **out);
STET_MUST enum stet_status kept_stored(
    struct stet_call *, const char *collection, const char *entry_group, json_t **out);
STET_MUST enum stet_status kept_slugs(
    struct stet_call *, const json_t *kept, const char *locale, json_t **out);

/* ---- items.c: a row for each item and term, in the orders of lists ---- */

/* items_settle rewrites the rows of a group of items; items_take removes the row of one term;
 * items_anew rewrites all rows. */
STET_MUST enum stet_status items_settle(
    struct stet_call *, struct stet_tx *, const char *collection, const char *entry_group);
STET_MUST enum stet_status items_take(struct stet_call *, struct stet_tx *, const char *collection,
    const char *entry_group, const char *term);
enum stet_status items_anew(struct stet_call *, struct stet_tx *);

/* ---- filter.c: filters of lists, for <stet/taxonomies.h> ---- */

#define FILTER_PARTS_MAX 10 /* between semicolons */
#define FILTER_NAMES_MAX 50

/* A term that the text of a filter names. */
struct set;
struct term_name {
	const char *taxonomy, *slug;
	size_t part;
	bool exclude, below; /* below: includes the terms below it */
	struct set *set;
	const char *group, *locale; /* of the row with the nearest locale; NULL: none yet */
};
/* Returns false if the text is not a filter; out has room for FILTER_NAMES_MAX. */
bool filter_parse(struct stet_call *, const char *text, struct term_name *out, size_t *count);

STET_MUST enum stet_status filter_read(struct stet_call *, const char *path, const char *text,
    const char *collection, const char *locale, struct stet_term_filter **, size_t *sets);
void filter_put(
    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
bool filter_ids(
    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
size_t filter_terms(const struct stet_term_filter *, size_t set);
int64_t filter_size(const struct stet_term_filter *, size_t set);
void filter_join(struct stet_sql *, const struct stet_term_filter *, size_t set);
void filter_beside(
    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
void filter_walk(struct stet_sql *, const struct stet_term_filter *, size_t set, size_t term,
    const char *collection, const char *status);
STET_MUST enum stet_status filter_total(struct stet_call *, const struct stet_term_filter *,
    const char *collection, const char *locale, bool *known, int64_t *n);

STET_MUST enum stet_status filter_follow(struct stet_call *, const char *path, const char *text,
    struct stet_term_filter **, const char **missing);
bool filter_passes(const struct stet_term_filter *, const json_t *groups);
bool filter_names(const struct stet_term_filter *, const char *kind, const char *id);

STET_MUST enum stet_status taxonomy_there(struct stet_call *, const char *taxonomy, bool *);
void facet_join(struct stet_sql *, const char *collection, const char *taxonomy);

/* ---- forget.c: removes what was deleted, in small transactions ---- */

#define FORGET_JOB "forget"
/* Removes the assignments and counts of a deleted term: some at once, the rest in the job. They are
 * hidden meanwhile. */
STET_MUST enum stet_status forget_term(struct stet_call *, struct stet_tx *, const char *group);
/* Removes the terms of a deleted taxonomy, with their assignments and counts, in the same way. */
STET_MUST enum stet_status forget_taxonomy(struct stet_call *, struct stet_tx *, const char *name);
/* Fails with CONFLICT while terms of a deleted taxonomy of this name remain. */
STET_MUST enum stet_status forget_check(struct stet_call *, const char *name);
int64_t forget_due(struct stet_call *);
stet_handler forget_run;

/* ---- recount.c: counts after the module was disabled ---- */

int64_t recount_due(struct stet_call *);
stet_handler recount_run;

/* ---- term.c: SQL, and sets of terms ---- */

/* Sets *found if the query has a row. */
STET_MUST enum stet_status has_row(
    struct stet_call *, bool *found, const char *sql, const struct stet_val *, size_t);

#define LIST_MAX 100 /* values of a statement */
/* Like stet_sql_list, for the texts of an array from index `from` on, at most LIST_MAX. Returns the
 * number of texts that it appended. */
size_t add_texts(struct stet_call *, struct stet_sql *, const json_t *texts, size_t from);
/* Returns an empty list with room for `sets` sets. */
struct stet_terms *terms_new(struct stet_call *, size_t sets);

#endif
