/* search.h - what the files of this module share. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stet/module.h>

#define SHARD_DOCS 4096 /* documents that a shard ever takes (core/adr says why) */
#define BUILD_BATCH 128 /* items in one transaction of a rebuild */
#define SEARCH_JOB "index"

/* ---- shard.c: FTS5, and nobody else. A shard is one table of it. ---- */

struct shard {
	int64_t id, docs;
};
/* What is asked of a shard. */
struct ask {
	const char *match; /* of query_parse, behind a column filter */
	const double *weight; /* a column */
	size_t columns;
	bool trigram;
};
struct hit {
	double score;
	size_t stream;
	int64_t shard, n;
};
struct hits {
	struct hit *hit;
	size_t count, room;
};

enum stet_status shard_create(
    struct stet_call *, struct stet_tx *, int64_t id, size_t columns, const char *tokenizer);
enum stet_status shard_drop(struct stet_call *, struct stet_tx *, int64_t id);
enum stet_status shard_put(struct stet_call *, struct stet_tx *, int64_t id, int64_t n,
    const char *const *text, size_t columns);
enum stet_status shard_remove(struct stet_call *, struct stet_tx *, int64_t id, int64_t n);
/* Some of the work of making one segment of all. `first` begins it. */
enum stet_status shard_merge(struct stet_call *, struct stet_tx *, int64_t id, bool first);
/* FTS5's own check; an error is a damaged index, and forgotten. */
enum stet_status shard_check(struct stet_call *, struct stet_tx *, int64_t id, bool *good);
enum stet_status shard_exists(struct stet_call *, int64_t id, bool *out);
/* Add the matches whose number is from `low` to `high`, newest first, up to `quota`. */
enum stet_status shard_scan(struct stet_call *, int64_t id, const struct ask *, int64_t low,
    int64_t high, size_t quota, struct hits *);
/* The snippets of these documents, as HTML; NULL where there is none. */
enum stet_status shard_snippets(
    struct stet_call *, int64_t id, const struct ask *, const int64_t *n, char **out, size_t count);

/* ---- index.c: the index of a collection, as the database keeps it ---- */

struct index {
	int64_t id, total, done; /* total: -1 until it was counted */
	const char *collection, *tokenizer, *state, *cursor;
	const char **column; /* ids of fields */
	size_t columns;
	const json_t *weights; /* of the configuration */
};
/* The field of a column, or NULL when it is gone. */
const struct stet_field *index_field(const struct stet_collection *, const struct index *, size_t);
/* Of this collection (NULL: of all that are searched) and in this state (NULL: being built or
 * serving). */
enum stet_status index_list(struct stet_call *, const char *collection, const char *state,
    struct index **out, size_t *count);
/* A new number, for indexes and shards. */
enum stet_status index_number(struct stet_call *, struct stet_tx *, int64_t *out);
/* The field that names items, or NULL. */
const struct stet_field *title_of(const struct stet_collection *);
/* Are there searchable fields, but for `without` (NULL: none)? */
bool is_searchable(const struct stet_collection *, const char *without);
/* Begin a new index, beside the one that serves. */
enum stet_status index_begin(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *tokenizer, const char *without);
/* Let go of those of a collection that are in this state (NULL: of all). */
enum stet_status index_discard(
    struct stet_call *, struct stet_tx *, const char *collection, const char *state);
/* How many documents it has. */
enum stet_status index_count(struct stet_call *, int64_t id, int64_t *out);

stet_schema_changing_fn search_schema;

/* ---- doc.c: an item in an index ---- */

stet_entry_changed_fn search_entry;
/* Make the index say what the item says. */
enum stet_status doc_sync(struct stet_call *, struct stet_tx *, const struct index *,
    const struct stet_collection *, const char *id);
/* Does it? For checks. *out: NULL or what is wrong. */
enum stet_status doc_compare(struct stet_call *, const struct index *,
    const struct stet_collection *, const char *id, const char **out);

/* Up to `max` ids behind `after`, in their order, of both sides: an item that is not in the index,
 * a document that has no item. */
enum stet_status doc_entries(struct stet_call *, const struct index *, const char *after,
    const char **id, size_t max, size_t *count);

/* ---- missed.c: what changed while the module was off ---- */

/* Is something to be done? */
enum stet_status missed_any(struct stet_call *, bool *out);
/* Do some of it. Not in the write lane. */
enum stet_status missed_step(struct stet_call *);

/* ---- text.c: what of an item is text ---- */

/* Of column i of the row, which holds this field; NULL when there is none. */
char *text_of(struct stet_call *, const struct stet_field *, struct stet_rows *, int i);

/* ---- build.c: what is done in small transactions ---- */

int64_t build_due(struct stet_call *);
stet_handler build_run;
/* Work on this collection, to its end, or for some seconds when somebody waits for an answer. */
enum stet_status build_now(struct stet_call *, const char *collection);

/* ---- find.c ---- */

struct found {
	const char *collection, *id, *slug, *locale, *title, *snippet;
	double score;
};
struct finding {
	const char *q, *status, *locale; /* locale NULL: all */
	const json_t *collections; /* NULL: all */
	const char *cursor;
	size_t limit;
	bool titles; /* in titles alone, without snippets and cursors */
	bool supported; /* only in collections that list search in `supports` */
	/* The answer. */
	struct found *item;
	size_t count;
	char *next; /* NULL: no more */
};
enum stet_status find_run(struct stet_call *, struct finding *);

/* ---- handlers ---- */

stet_handler search_tool, search_query, search_suggest, search_enable, search_rebuild, search_stats,
    search_verify;
extern const struct stet_member search_tool_in[], search_query_in[], search_out[],
    search_suggest_in[], search_suggest_out[], search_enable_in[], search_enable_out[],
    search_rebuild_in[], search_rebuild_out[], search_stats_out[], search_verify_out[];

#endif
