/* content.h - what the files of this module know of each other. */
#ifndef CONTENT_H
#define CONTENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stet/module.h>

/* ---- plan.c: the SQL of a collection, made once for its fields as they are ---- */

enum column_kind { AS_TEXT, AS_INTEGER, AS_REAL, AS_BOOLEAN, AS_JSON };

struct plan_field {
	char *slug;
	enum column_kind kind;
};
/* Immutable, shared by threads, counted: a call holds what it uses. */
struct plan {
	atomic_int refs;
	struct plan *next; /* in the cache */
	char *slug; /* of the collection */
	char *select; /* "SELECT … FROM c_x ", columns as in enum item_column, then the fields */
	char *by_id, *by_slug, *by_slug_locale; /* of an item that is not in the trash */
	char *insert; /* all columns but the bylines', the revisions' and deleted_at */
	char *slug_taken, *slug_range; /* by slug and locale, trash included */
	size_t count;
	struct plan_field field[]; /* in the collection's order */
};

/* The state of the module on a site. */
struct content_state {
	pthread_mutex_t lock;
	struct plan *plans;
};

enum stet_status plan_open(struct stet_call *, void *state);
void plan_close(void *state);
/* The collection and its plan, for as long as the call. COLLECTION_NOT_FOUND. */
STET_MUST enum stet_status plan_get(struct stet_call *, const char *slug,
    const struct stet_collection **collection, const struct plan **out);
enum column_kind plan_kind(const struct stet_field *);

/* ---- item.c: items as they are read ---- */

enum item_column {
	C_ID,
	C_SLUG,
	C_STATUS,
	C_AUTHOR,
	C_BYLINE,
	C_CREATED,
	C_UPDATED,
	C_PUBLISHED,
	C_SCHEDULED,
	C_VERSION,
	C_LIVE,
	C_DRAFT,
	C_LOCALE,
	C_GROUP,
	C_FIELDS
};
extern const char *const item_columns[C_FIELDS];
extern const struct stet_member item_shape[], item_reply_shape[], get_in[];

/* The current row as an item. `drafts`: may the reader know of drafts? */
void item_put(
    struct stet_json *, const char *key, struct stet_rows *, const struct plan *, bool drafts);
/* {item, _rev} as the reply, and the entity tag. */
void item_reply(struct stet_call *, struct stet_rows *, const struct plan *, bool drafts);
/* An item that is not in the trash, by id or slug (what looks like an id is first an id); NOT_FOUND
 * when there is none. locale NULL: the lowest that has the slug. The row is current. */
STET_MUST enum stet_status item_find(struct stet_call *, const struct plan *, const char *name,
    const char *locale, struct stet_rows *);
STET_MUST enum stet_status item_by_slug(struct stet_call *, const struct plan *, const char *slug,
    const char *locale, struct stet_rows *, bool *found);
enum stet_status item_not_found(struct stet_call *, const char *name);
char *item_rev(struct stet_call *, int64_t version, const char *updated_at);
/* The argument `locale` of this call in the spelling that is stored: NULL when absent or empty.
 * What is no locale is recorded as an issue. */
const char *item_locale(struct stet_call *, const char *text);
/* A column's value as JSON, NULL for SQL NULL; owned by the call. */
json_t *item_value(struct stet_call *, struct stet_rows *, int column, enum column_kind);

stet_handler content_get;

/* ---- list.c, filter.c ---- */

enum cond_op { COND_EQUAL, COND_NULL, COND_IN, COND_RANGE };

/* A condition on one column. */
struct cond {
	struct cond *next;
	const char *prefix, *column;
	enum cond_op op;
	bool shown; /* the planner may use an index for it */
	size_t count; /* COND_IN */
	const char *low, *high; /* COND_RANGE: "<" and so on, or NULL; values 0 and 1 */
	struct stet_val value[];
};
struct filter {
	struct cond *conds, **tail;
	struct cond *status, *author, *locale;
	bool by_slug;
	const char *like, *like_json; /* q as a pattern, for plain and for JSON columns */
};

#define FILTER_TEXT_MAX 8192 /* characters of fieldFilters */

/* Read the arguments of the list; problems are recorded as issues. */
void filter_read(struct stet_call *, const struct stet_collection *, struct filter *);
/* fieldFilters alone. */
void filter_fields(
    struct stet_call *, const struct stet_collection *, const char *text, struct filter *);
void filter_cond(struct stet_sql *, const struct cond *); /* " AND …" */
void filter_add(struct stet_sql *, const struct stet_collection *, const struct filter *);
struct cond *filter_new(struct stet_call *, struct filter *, const char *prefix, const char *column,
    enum cond_op, size_t values);

extern const struct stet_member list_in[], list_out[];
stet_handler content_list;

/* ---- values.c: field values on their way in ---- */

struct values {
	const struct stet_collection *collection;
	const json_t **value; /* by field; NULL or JSON null is SQL NULL */
	bool *given; /* by field: is to be written */
};
/* Check what is in `data`: all problems are recorded. `create` fills defaults and asks for what is
 * required. */
STET_MUST enum stet_status values_check(struct stet_call *, const struct stet_collection *,
    const json_t *data, bool create, struct values *);
struct stet_val values_sql(struct stet_call *, const json_t *, enum column_kind);

/* ---- slug.c ---- */

/* The slug that an item of these values gets: NULL when there is nothing to make one of. */
STET_MUST enum stet_status slug_make(struct stet_call *, const struct plan *, const char *source,
    const char *locale, const char **out);
bool slug_is_good(struct stet_call *, const char *slug); /* records an issue */
/* "untitled-…", for titles without a letter. */
char *slug_untitled(struct stet_call *, const char *title);

/* ---- save.c, update.c, hooks.c, trash.c ---- */

/* A text that may be absent or null. */
struct maybe {
	bool given;
	const char *text;
};
struct create {
	const char *collection;
	const json_t *data;
	const char *slug, *status, *locale, *translation_of;
	struct maybe published_at, created_at;
};
/* Insert an item; its row is current in *rows. */
STET_MUST enum stet_status item_create(struct stet_call *, struct stet_tx *, const struct create *,
    const struct plan **, struct stet_rows *);

struct update {
	const char *collection, *id; /* or its slug */
	const char *locale, *status, *rev;
	const json_t *data; /* NULL: not given */
	struct maybe slug, author, published_at;
};
STET_MUST enum stet_status item_update(struct stet_call *, struct stet_tx *, const struct update *,
    const struct plan **, struct stet_rows *);

/* What a write is about to do to an item, for its hooks. */
struct change {
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *id, *slug, *status, *locale, *author;
	int64_t version; /* after it */
	bool is_new;
};
/* entry_filter: *data may become another object. */
STET_MUST enum stet_status hook_filter(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t **data);
/* entry_before_save, with the values as they will be stored. */
STET_MUST enum stet_status hook_before_save(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_save(
    struct stet_call *, struct stet_tx *, const struct change *);
STET_MUST enum stet_status hook_before_delete(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_delete(
    struct stet_call *, struct stet_tx *, const struct change *);
/* All values of the current row as an object; owned by the call. */
json_t *hook_data(struct stet_call *, struct stet_rows *, const struct plan *);

/* A UNIQUE index refused a write: say which. `values` may be NULL. */
enum stet_status save_conflict(struct stet_call *, const struct change *, const struct values *);
STET_MUST enum stet_status save_status(struct stet_call *, const char *status);
/* Routable items need a slug to be published. */
STET_MUST enum stet_status save_publishable(struct stet_call *, const struct change *);

stet_handler content_create, content_update, content_delete;
extern const struct stet_member create_in[], update_in[], update_tool_in[], delete_in[],
    delete_out[];

/* ---- import.c, infer.c ---- */

int import_jsonl(struct stet_call *, int argc, char **argv);

/* What was seen of the values of each field. */
struct infer;
struct infer *infer_new(void);
void infer_line(struct infer *, const json_t *data);
/* Definitions for schema/1: of the collection, and an array of its fields. New references. */
json_t *infer_collection(const struct infer *, const char *slug);
json_t *infer_fields(const struct infer *);
void infer_free(struct infer *);

#endif
