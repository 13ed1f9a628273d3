/* search.h - what the files of the search module share. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stet/derived.h>
#include <stet/module.h>
#include <stet/search.h>

#define SHARD_DOCS                                                                     \
	4096 /* documents that a shard takes in all (for the reason see core/adr/0013) \
	      */
#define QUERY_MAX 16384 /* characters of a query */
#define BUILD_BATCH 128 /* items in one transaction of a rebuild */
#define SEARCH_JOB "index"
#define PUBLIC_SEARCH STET_CHOICES("collections", "all")

struct learned;
struct search_state { /* of a site; `learned` comes first (learned.c) */
	struct learned *learned;
	struct stet_derived *derived; /* NULL: indexes are in the site's database */
	_Atomic int64_t cleaned; /* for changes_due */
};

/* ---- shard.c: the only file that uses FTS5. A shard is one FTS5 table. ---- */

struct shard {
	int64_t id, docs;
};
/* A query to a shard. */
struct rank;
struct ask {
	const char *match; /* an expression of query.h, after a column filter */
	const struct rank *rank;
	bool trigram;
};
struct hit {
	double score;
	bool complete; /* the item has all words */
	size_t stream;
	int64_t shard, n;
};
struct hits {
	struct hit *hit;
	size_t count, room;
	struct best *best; /* NULL: no places are kept */
};

enum stet_status shard_create(
    struct stet_call *, struct stet_tx *, int64_t id, size_t columns, const char *tokenizer);
/* Creates the table of the shard's terms. shard_create calls it, except for trigrams. */
enum stet_status shard_create_terms(struct stet_call *, struct stet_tx *, int64_t id);
enum stet_status shard_drop(struct stet_call *, struct stet_tx *, int64_t id);
enum stet_status shard_put(struct stet_call *, struct stet_tx *, int64_t id, int64_t n,
    const char *const *text, size_t columns);
enum stet_status shard_remove(struct stet_call *, struct stet_tx *, int64_t id, int64_t n);
/* Does a part of merging all segments of the shard into one. `first` begins it. */
enum stet_status shard_merge(struct stet_call *, struct stet_tx *, int64_t id, bool first);
/* Runs FTS5's integrity check. An error means a damaged index: *good is false and the error is
 * cleared. */
enum stet_status shard_check(struct stet_call *, struct stet_tx *, int64_t id, bool *good);
/* Returns a version that differs whenever the shard's documents do; *len is 0 if it is not known.
 */
enum stet_status shard_version(struct stet_call *, int64_t id, const void **out, size_t *len);
/* Appends "(n, ...)", the numbers of at least one document. */
void shard_numbers(struct stet_sql *, const int64_t *n, size_t count);
enum stet_status shard_exists(struct stet_call *, int64_t id, bool *out);
/* Adds the matches whose number is from `low` to `high`, newest first, up to `quota`. */
enum stet_status shard_scan(struct stet_call *, int64_t id, const struct ask *, int64_t low,
    int64_t high, size_t quota, struct hits *);
/* Estimates the share of the shard's documents that match, from up to `sample` newest matches. */
enum stet_status shard_share(
    struct stet_call *, int64_t id, const char *match, int64_t sample, int64_t docs, double *out);
/* Appends a condition: the document of the row `doc`, an alias of search_doc, matches. */
void shard_holds(struct stet_sql *, const char *doc, const char *match);
/* Appends a table with the column n: the matching documents of the shard of the row `shard`, an
 * alias of search_shard. */
void shard_matches(struct stet_sql *, const char *shard, const char *match);
/* Returns in *out whether any document matches. */
enum stet_status shard_has(struct stet_call *, int64_t id, const char *match, bool *out);
/* Calls `take` with each term from `low` (inclusive) to `high` (exclusive) and the number of its
 * documents; only with the first ones if there are very many. Not for trigrams. */
enum stet_status shard_terms(struct stet_call *, int64_t id, const char *low, const char *high,
    void (*take)(void *, const char *term, int64_t docs), void *arg);
/* Returns in *out whether one of the newest matching documents has the word (in lower case) in a
 * searched column. Only the first part of long texts is read. */
enum stet_status shard_writes(struct stet_call *, int64_t id, const char *match,
    const bool *searched, size_t columns, const char *word, bool *out);
/* Calls `take` with the matching words, as they are written in the newest matching documents. Only
 * the first part of long texts is read. */
enum stet_status shard_forms(struct stet_call *, int64_t id, const char *match, size_t columns,
    void (*take)(void *, const char *form, size_t len), void *arg);
/* Returns the texts of these documents, by column: out[document * columns + column]; NULL: no text.
 */
enum stet_status shard_texts(struct stet_call *, int64_t id, const int64_t *n, size_t count,
    size_t columns, const char **out);
/* Returns the snippets of these documents as HTML; NULL: no snippet. Searches again for documents
 * whose places `best` does not have. */
enum stet_status shard_snippets(struct stet_call *, int64_t id, const struct ask *,
    const struct best *best, const int64_t *n, char **out, size_t count);

/* ---- hits.c: where the words stand in the best hits ---- */

/* Begins to keep the places of the best hits. */
struct best *best_new(struct stet_call *);
/* Keeps the places of a hit, from the result of stet_match, if it is one of the best so far. */
void best_keep(
    struct stet_call *, struct best *, const struct hit *, const int32_t *match, size_t numbers);
/* Makes the rows of stet_snippet_of for these documents. Returns false if it lacks one of them. */
bool best_rows(struct stet_call *, const struct best *, int64_t shard, const int64_t *n,
    size_t count, struct stet_val *out);

/* ---- learned.c: a cache of answers of shards ---- */

/* Opens the cache of a site. */
enum stet_status learned_open(struct stet_call *, struct learned **);
void learned_close(struct learned *);
/* Like shard_share and shard_terms, but cached. `take` must not search. */
enum stet_status learned_share(
    struct stet_call *, int64_t id, const char *match, int64_t sample, int64_t docs, double *out);
enum stet_status learned_terms(struct stet_call *, int64_t id, const char *low, const char *high,
    void (*take)(void *, const char *term, int64_t docs), void *arg);

/* ---- index.c: the index of a collection, as a record in the database ---- */

struct index {
	int64_t id, total, done; /* total: -1 until it is counted */
	const char *collection, *tokenizer, *state, *cursor;
	const char **column; /* ids of fields */
	size_t columns;
	const json_t *weights; /* as configured */
};
/* Finds the collection with this slug; *out is NULL if there is none. */
enum stet_status find_collection(
    struct stet_call *, const char *slug, const struct stet_collection **out);
/* The field of a column; NULL if it was deleted. */
const struct stet_field *index_field(const struct stet_collection *, const struct index *, size_t);
/* Lists the indexes of this collection (NULL: all) in this state (NULL: building or in use). */
enum stet_status index_list(struct stet_call *, const char *collection, const char *state,
    struct index **out, size_t *count);
/* Returns in *out whether the collection (NULL: any collection) has an index, complete or not. */
enum stet_status index_exists(struct stet_call *, const struct stet_collection *, bool *out);
/* Returns true if the index has a column for each field of the collection that needs one, and no
 * others. */
bool index_fits(struct stet_call *, const struct index *, const struct stet_collection *);
/* A new number for an index or a shard. */
enum stet_status index_number(struct stet_call *, struct stet_tx *, int64_t *out);
/* The field that is the title of an item, or NULL. */
const struct stet_field *title_of(const struct stet_collection *);
/* Returns true if the collection has searchable fields other than `without` (NULL: none). */
bool is_searchable(const struct stet_collection *, const char *without);
/* Begins a new index beside the one in use. */
enum stet_status index_begin(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *tokenizer, const char *without);
/* Discards the indexes of a collection that are in this state (NULL: any state). */
enum stet_status index_discard(
    struct stet_call *, struct stet_tx *, const char *collection, const char *state);
/* The number of documents of an index. */
enum stet_status index_count(struct stet_call *, int64_t id, int64_t *out);
/* A migration: creates the tables of terms of all shards. */
enum stet_status index_add_terms(struct stet_call *, struct stet_tx *);
/* A migration, after tokenizers have changed: begins a new index of each collection, with the
 * columns of the newest one, which it replaces when it is built. The next change of tokenizers
 * needs only another migration with this function. */
enum stet_status index_renew_all(struct stet_call *, struct stet_tx *);

stet_schema_changing_fn search_schema;

/* Runs fn where indexes are written: in the write lane of the site, or beside it. */
enum stet_status index_write(struct stet_call *,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg);

/* ---- doc.c: an item in an index ---- */

/* Updates the documents of these items. `id` must not repeat an item. `scoped`: memory is freed
 * after each (stet_scope), so the call must have no open rows. */
enum stet_status doc_sync(struct stet_call *, struct stet_tx *, const struct index *,
    const struct stet_collection *, const char *const *id, size_t count, bool scoped);
/* The same in all indexes of a collection, if it is there and has any. */
enum stet_status doc_index(struct stet_call *, struct stet_tx *, const char *slug,
    const char *const *id, size_t count, bool scoped);
/* For checks: compares the document with the item. *out is NULL, or says what differs. */
enum stet_status doc_compare(struct stet_call *, const struct index *,
    const struct stet_collection *, const char *id, const char **out);

/* Lists up to `max` ids after `after`, in order, of items and of documents, so that the caller
 * finds items without a document and documents without an item. */
enum stet_status doc_entries(struct stet_call *, const struct index *, const char *after,
    const char **id, size_t max, size_t *count);

/* ---- pending.c: items that a transaction has changed ---- */

stet_entry_changed_fn search_entry;
/* In the write lane: indexes what the transaction has changed so far. */
enum stet_status pending_index(struct stet_call *);
/* Returns in *out whether changed items are not indexed: they could not be indexed with their
 * transaction, or an index beside the database is behind. */
enum stet_status pending_any(struct stet_call *, bool *out);
/* Indexes some of these items. Not in the write lane. */
enum stet_status pending_step(struct stet_call *);

/* ---- failed.c: items that could not be indexed ---- */

/* Returns in *out whether items of the collection could not be indexed. */
enum stet_status failed_any(struct stet_call *, const char *collection, bool *out);
enum stet_status failed_add(
    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
/* Removes these items from the list of failures: they are indexed now. */
enum stet_status failed_clear(struct stet_call *, struct stet_tx *, const char *collection,
    const char *const *id, size_t count);
/* Clears the failures of a collection, after a new index has replaced the one with the gaps. */
enum stet_status failed_forget(struct stet_call *, struct stet_tx *, const char *collection);

/* ---- missed.c: changes while the module was off ---- */

/* Returns in *out whether there is something to do. */
enum stet_status missed_any(struct stet_call *, bool *out);
/* Does a part of the work. Not in the write lane. */
enum stet_status missed_step(struct stet_call *);
/* For an index beside the database: all items are to be compared. `number` is that of a change. */
enum stet_status missed_begin(struct stet_call *, struct stet_tx *, int64_t number);

/* ---- changes.c: what is noted for indexes beside the database ---- */

#define CHANGE_ITEM "item"
#define CHANGE_SETTINGS "settings" /* settings or fields of a collection */
#define CHANGE_REBUILD "rebuild" /* its index is to be built anew */
#define CHANGE_ALL "all" /* anything may have changed */
struct change {
	int64_t n, at;
	const char *kind, *collection, *entry;
};
enum stet_status changes_note(struct stet_call *, struct stet_tx *, const char *kind,
    const char *collection, const char *entry);
/* Reads a change, or the last one; its n is 0 if it is not there. */
enum stet_status changes_find(struct stet_call *, int64_t n, struct change *);
enum stet_status changes_last(struct stet_call *, struct change *);
/* The number of the first change that is kept; 1 if there is none. */
enum stet_status changes_first(struct stet_call *, int64_t *n);
enum stet_status changes_after(
    struct stet_call *, int64_t n, struct change *, size_t max, size_t *count, bool *more);
/* The job that removes old ones. */
int64_t changes_due(struct stet_call *);
stet_handler changes_clean;

/* ---- beside.c: indexes beside the database; all functions do nothing for others ---- */

extern const char search_tables[];
/* Brings the index up to date, as far as that does not take long, before a call searches. If it is
 * not then, the response is not kept. In the write lane, what the transaction has changed so far is
 * in it. */
enum stet_status beside_ready(struct stet_call *);
/* The same, and tells whether the index lacks changes all the same. Only where it is beside. */
enum stet_status beside_older(struct stet_call *, bool *out);
/* Returns in *out whether changes are to be applied. */
enum stet_status beside_behind(struct stet_call *, bool *out);
/* For the job: applies some of them. *more: some are left. */
enum stet_status beside_step(struct stet_call *, bool *more);
/* The same in a transaction that was begun with index_write: all of them. */
enum stet_status beside_apply(struct stet_call *, struct stet_tx *);

/* ---- text.c: the readable text of a value ---- */

/* Returns the text of column i of the row, a value of this field; NULL if there is none. */
char *text_of(struct stet_call *, const struct stet_field *, struct stet_rows *, int i);

/* ---- build.c: work in many small transactions ---- */

int64_t build_due(struct stet_call *);
stet_handler build_run;
/* Works on this collection until all is done; if a client waits, only for some seconds. */
enum stet_status build_now(struct stet_call *, const char *collection);

/* ---- find.c ---- */

struct found {
	const char *collection, *id, *slug, *locale, *title, *snippet;
	double score;
};
struct finding {
	const char *q, *status, *locale; /* locale NULL: all locales */
	const json_t *collections; /* NULL: all collections */
	const char *cursor;
	size_t limit;
	bool bare; /* without snippets, and with windows as large as the page */
	bool titles; /* search titles only, without snippets and cursors */
	bool supported; /* only collections that list search in `supports` */
	const struct like *like; /* search items like this one (typical.c); NULL: search q */
	/* The result. */
	struct found *item;
	size_t count;
	bool partial; /* some of the items do not have all words */
	const char *corrected; /* the query that was searched instead of q; NULL: q itself */
	char *next; /* cursor of the next page; NULL: this is the last one */
};
enum stet_status find_run(struct stet_call *, struct finding *);

/* ---- contains.c: filters by the words of a field ---- */

enum stet_status contains_words(struct stet_call *, const char *path, const char *collection,
    const char *field, const char *text, struct stet_search_words **);
void contains_put(struct stet_sql *, const struct stet_search_words *, bool lacks);
void contains_ids(
    struct stet_sql *, const struct stet_search_words *, const char *status, const char *locale);

/* ---- scope.c: the collections that a search covers ---- */

/* Returns true if the caller may find published items of the collection: it may read them, or the
 * site lets everybody find them. */
bool scope_shows(struct stet_call *, const struct stet_collection *);
/* Parses a list like "posts, pages" to an array; NULL if it is empty. */
const json_t *scope_list(struct stet_call *, const char *text);

/* ---- read.c ---- */

extern const struct stet_search_1 search_service;
/* Searches, and puts the reply. */
enum stet_status search_reply(struct stet_call *, struct finding *);

/* ---- handlers ---- */

stet_handler search_tool, search_query, search_similar, search_suggest, search_enable,
    search_rebuild, search_stats, search_verify, search_check, search_public;
extern const struct stet_member search_tool_in[], search_query_in[], search_similar_in[],
    search_similar_out[], search_out[], search_suggest_in[], search_suggest_out[],
    search_enable_in[], search_enable_out[], search_rebuild_in[], search_rebuild_out[],
    search_stats_out[], search_verify_out[], search_public_in[], search_public_out[];

#endif
