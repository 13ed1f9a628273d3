/*
 * item.h - an item as a row of the database, as JSON, and as its state before a write. Declares the
 * functions that the files of the content module share.
 */
#ifndef CONTENT_ITEM_H
#define CONTENT_ITEM_H

#include "item/columns.h"
#include "item/linked.h"
#include "item/values.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stet/module.h>

/* ---- plan.c: the SQL of a collection, made once and cached ---- */

enum column_kind { AS_TEXT, AS_INTEGER, AS_REAL, AS_BOOLEAN, AS_JSON };

struct plan_field {
	char *slug;
	enum column_kind kind;
	bool counted; /* count_has */
	bool many; /* many_has */
	const struct extra *extra; /* extra.c; NULL: it is a field of the collection */
};
/* The prepared SQL texts of a collection. Immutable; shared by threads with a reference count: a
 * call holds a reference to the plan it uses. */
struct plan {
	atomic_int refs;
	struct plan *next; /* the next in the cache */
	char *slug; /* the slug of the collection */
	char *table; /* the name of its table */
	char *select; /* "SELECT … FROM c_x ": the columns of enum item_column, then the fields */
	char *by_id, *by_slug, *by_slug_live,
	    *by_slug_locale; /* finds an item that is not in the trash */
	char *by_slug_staged; /* the same by the slug that the pending draft stages */
	char *insert; /* the columns with STET_ITEM_INSERTED, then the fields */
	char *slug_rows; /* rows of a locale, trash included: for stet_free_name */
	char *by_id_trashed,
	    *trash; /* with deleted_at after the fields; trash: one page of the trash */
	char *count_add, *count_take; /* update item_count (count.c) */
	char *many_row; /* reads an item's row for many.c; NULL: no field has many values */
	size_t count;
	size_t fields; /* how many of them are fields of the collection; the others are extras */
	struct plan_field field[]; /* in the order of the collection's fields */
};

/* The state of the module on a site. */
struct content_state {
	pthread_mutex_t lock;
	struct plan *plans;
	int64_t tried, retry_at; /* for schedule.c: what was due at `tried` has been attempted;
				    failures are tried again at retry_at */
};

enum stet_status plan_open(struct stet_call *, void *state);
void plan_close(void *state);
/* Returns the collection and its plan, which live as long as the call. Fails with
 * COLLECTION_NOT_FOUND. */
STET_MUST enum stet_status plan_get(struct stet_call *, const char *slug,
    const struct stet_collection **collection, const struct plan **out);
enum column_kind plan_kind(const struct stet_field *);
/* Adds the surrogate keys of a list of items: every change of an item of the collection purges
 * it. */
void plan_surrogates(struct stet_call *, const struct plan *);
/* Appends "SELECT …": the columns of plan->select, with NULL for the fields that are not wanted
 * (want NULL: all are). */
void plan_columns(struct stet_sql *, const struct stet_collection *, const bool *want);
/* Returns plan->select with NULL for the fields that are not wanted. */
const char *plan_select_some(struct stet_call *, const struct stet_collection *, const bool *want);

/* ---- row.c: the current row of an item ---- */

extern const char *const row_columns[C_FIELDS];
/* Returns the version of the row; drafts false: the version of its live values. */
int64_t row_version(struct stet_rows *, bool drafts);
/* Returns a column's value as JSON, owned by the call; NULL for SQL NULL. */
json_t *row_value(struct stet_call *, struct stet_rows *, int column, enum column_kind);
/* Returns all values of the current row as an object, owned by the call. */
json_t *row_data(struct stet_call *, struct stet_rows *, const struct plan *);
/* Writes the value of a field of the current row, if it has one. */
void row_put_field(struct stet_json *, struct stet_rows *, const struct plan *, size_t field);
/* Writes a column by the type of its member: NULL is null, or absent if that may not be null. */
void row_put_member(struct stet_json *, struct stet_rows *, const struct item_part *);
/* Writes a column that holds text, or null. */
void row_put_text(struct stet_json *, const char *key, struct stet_rows *, int column);

/* ---- shape.c: the members of an item and of replies with one ---- */

#define ITEM_REV                                                             \
	{                                                                    \
		"_rev", STET_STRING, STET_REQUIRED,                          \
		    .about = "Send it back to update what was read, or fail" \
	}
extern const struct stet_member item_shape[], item_reply_shape[], overdue_shape[];
/* The shape for a request with `fields`, which may leave members out; the shapes of replies that
 * may contain Markdown. */
extern const struct stet_member item_part_shape[], item_part_reply_shape[], item_written_shape[];
extern const struct stet_member item_listed_shape[]; /* of lists: with its _rev */

/* ---- view.c: which members of an item a reader wants, and in which format ---- */

struct view {
	struct stet_call *call;
	uint32_t members; /* one bit for each enum item_member */
	const bool *field; /* by field; NULL: all fields */
	const bool *markdown; /* by field: write as Markdown; NULL: none */
	const json_t *lost; /* content that the sent Markdown lost; NULL or empty: nothing */
	bool rev; /* each item has its _rev among its members, as in lists */
};
/* The bit of _rev in `members`: it is beside an item, and in lists among its members. */
#define VIEW_REV (1U << 31)
extern const struct view view_all;
#define VIEW_FIELDS                                                                              \
	{                                                                                        \
		"fields", STET_STRING, STET_QUERY,                                               \
		    .about = "Answer only these members and fields, separated by commas; id is " \
			     "always there"                                                      \
	}
#define VIEW_MARKDOWN                                                                             \
	{                                                                                         \
		"markdown", STET_BOOLEAN, STET_QUERY, .about = "Portable Text fields as Markdown" \
	}
/* Reads the arguments `fields` and `markdown`. A write also replies in Markdown if the request had
 * Markdown in these values or in the operations of content_patch (either may be NULL). */
STET_MUST enum stet_status view_fields(
    struct stet_call *, const struct stet_collection *, struct view *out);
STET_MUST enum stet_status view_read(
    struct stet_call *, const struct stet_collection *, struct view *out);
STET_MUST enum stet_status view_written(struct stet_call *, const struct stet_collection *,
    const json_t *data, const json_t *operations, const json_t *lost, struct view *out);
/* Shows Portable Text fields as Markdown. */
void view_markdown(struct view *, const struct stet_collection *);
bool view_shows(const struct view *, enum item_member);
bool view_is_whole(const struct view *); /* it shows all members, without Markdown */
bool view_shows_field(const struct view *, size_t field);
/* Selects the fields of the view from values; a new object is owned by the call. */
const json_t *view_data(const struct view *, const struct plan *, const json_t *data);
/* Converts the Markdown in `data` for Portable Text fields to blocks; blocks equal to stored ones
 * (NULL: none) stay as they are. Adds to `lost` (NULL: unwanted) what blocks cannot express. */
STET_MUST enum stet_status view_convert(struct stet_call *, const struct stet_collection *,
    const json_t *stored, const json_t **data, json_t *lost);
bool view_is_blocks(const struct stet_field *);

/* A member of the data of a draft, for an item that an importer could not create unchanged: the
 * reason, and the source's markup. Only the draft's revision has it, so the next save removes
 * it. */
#define IMPORT_ERROR "_importError"

/* The values of a pending draft, which are not in the item's row. */
struct newest {
	json_t *data; /* NULL: there is no draft, or it is `stored` */
	const struct stored *stored;
	bool slug_staged;
	const char *slug; /* the staged slug, if slug_staged; NULL: the draft removes the slug */
	const json_t *staged; /* its bylines and terms (staged.c); NULL: it stages none */
	bool with_live; /* also show the live values */
};

/* ---- left.c: the row of an item as the last write has left it ---- */

/* Notes the row that has just been inserted: columns and fields as in plan->select, which live as
 * long as the call. */
void left_new(struct stet_call *, const struct plan *, const struct stet_val *row);
/* Makes the row current of an item outside of the trash, in a call that has written it. */
STET_MUST enum stet_status left_row(
    struct stet_call *, const struct plan *, const char *id, struct stet_rows *);
/* Implements `row` of the service content/1. */
STET_MUST enum stet_status left_item(struct stet_call *, const struct stet_collection *,
    const char *id, const struct stet_item_row **out);

/* ---- newest.c ---- */

STET_MUST enum stet_status item_newest(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, struct newest *);
/* Sets the slug that a revision stages: see struct revision. */
void newest_slug(struct newest *, const char *staged);
/* Implements `draft` of the service content/1. */
STET_MUST enum stet_status item_draft(struct stet_call *, const struct stet_collection *,
    const char *id, const json_t **data, const char **slug);

/* ---- item.c: an item as JSON ---- */

struct shown;
/* Writes the current row as an item. `drafts`: the reader may see drafts. newest NULL: there is no
 * draft, so the row has the newest values. */
void item_put(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    bool drafts, const struct newest *, const struct shown *, const struct view *);
/* As item_put, without the bylines and the closing bracket: call byline_put and stet_close next. */
void item_open(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    bool drafts, const struct newest *, const struct view *);
void item_put_fields(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    const struct view *);
/* Writes values of fields without extras. */
void item_put_data(struct stet_json *, const char *key, const json_t *data);
/* Writes {item, _rev} as the reply for this principal, and sets the entity tag. Ends the rows. */
STET_MUST enum stet_status item_answer(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, const struct view *);
/* As item_answer, with restored: true. */
STET_MUST enum stet_status item_answer_restored(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, const struct view *);
/* Members that follow an item in a reply. */
struct item_more {
	/* newest NULL: the row has the values that are shown. Sets `tag`. */
	enum stet_status (*put)(
	    struct item_more *, struct stet_call *, struct stet_rows *, const struct newest *);
	const char *tag; /* appended to the entity tag */
};
/* As item_answer, with more members; more NULL: none. */
STET_MUST enum stet_status item_answer_more(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, const struct view *, struct item_more *);
/* ---- find.c: finding an item ---- */

/* Finds an item that is not in the trash by id or slug; a name with the form of an id is tried as
 * an id first. locale NULL: the lowest locale that has the slug, among the items that the principal
 * may see. Fails with NOT_FOUND. Makes the item's row current. */
STET_MUST enum stet_status item_find(struct stet_call *, const struct plan *, const char *name,
    const char *locale, struct stet_rows *);
STET_MUST enum stet_status item_by_slug(struct stet_call *, const struct plan *, const char *slug,
    const char *locale, struct stet_rows *, bool *found);
/* As item_find, for readers: also fails with NOT_FOUND if the principal may not see the item. */
STET_MUST enum stet_status item_find_seen(struct stet_call *, const struct plan *, const char *name,
    const char *locale, struct stet_rows *);
/* As item_find_seen, but callers who may read drafts also find items by the slug that a draft
 * stages. `slug`, if it is not empty, is looked up instead of `name`. */
STET_MUST enum stet_status item_find_shown(struct stet_call *, const struct stet_collection *,
    const struct plan *, const char *name, const char *slug, const char *locale,
    struct stet_rows *);
/* Finds an item by id, also in the trash. Fails with NOT_FOUND. Makes its row current. */
STET_MUST enum stet_status item_any(
    struct stet_call *, const struct plan *, const char *id, struct stet_rows *);
enum stet_status item_not_found(struct stet_call *, const char *name);

/* ---- rev.c ---- */

char *item_rev(struct stet_call *, int64_t version, const char *updated_at);
int64_t item_rev_version(const char *rev); /* 0: it is not a _rev */

/* ---- rights.c ---- */

/* Returns flags STET_MAY_...: what the caller may do with items of the collection. */
uint32_t item_rights(struct stet_call *, const struct stet_collection *);

/* ---- extra.c: members that are stored and staged like the values of fields ---- */

struct extra {
	/* Its name beside the values of fields, in revisions and as a column; none that a field
	 * can have. Its column holds JSON text. */
	const char *stored;
	enum item_member member, live; /* live: the one that is live while a draft is pending */
	const char *label; /* for people */
	const char *nothing; /* what answers show of an item that has none, as JSON text */
	const char *media; /* a member of the value that is the id of a media item; NULL: none */
	bool (*has)(const struct stet_collection *); /* Do items of the collection have it? */
	/* Reads what a body gives, which changes the value in `data` (NULL: none). Records
	 * problems as issues. *out NULL: nothing is to be stored. */
	enum stet_status (*check)(
	    struct stet_call *, const json_t *given, const json_t *data, json_t **out);
	void (*verify)(struct stet_call *, const json_t *); /* of a file: records issues */
	json_t *(*copy)(struct stet_call *, const json_t *); /* for a copy of the item; NULL: as
								it is */
};
#define EXTRAS 1
/* Those that an item has are the last elements of plan->field, in this order. */
extern const struct extra extras[EXTRAS];
bool extra_is(const char *name); /* the name `stored` of one */
/* Read the extras that the arguments, or an object, give into an array of EXTRAS; NULL: not given.
 */
void extra_args(struct stet_call *, const json_t **given);
void extra_read(const json_t *item, const json_t **given);
bool extra_any(const json_t *const *given);
STET_MUST enum stet_status extra_check(struct stet_call *, const struct stet_collection *,
    const json_t *const *given, const json_t *data, json_t **out);
/* Adds them to the values of a write, after values_check. */
void extra_set(const struct plan *, json_t *const *checked, struct values *);
void extra_copy(struct stet_call *, json_t *data); /* for a copy of the item */
void extra_forget(json_t *data); /* removes them, so that only values of fields remain */
/* Writes plan->field[i] of the current row. */
void extra_put(
    struct stet_json *, const char *key, const struct plan *, size_t i, struct stet_rows *);
void extra_put_newest(struct stet_json *, const struct extra *, const json_t *data); /* a draft's */

/* ---- seo.c: the member `seo` ---- */

#define SEO "_seo" /* name of the SEO value among field values, in revisions and as a column */
extern const struct stet_member seo_shape[], seo_in[];
#define SEO_ABOUT "{title, description, image, canonical, noIndex}; null takes one away"
#define SEO_NOTHING                                            \
	"{\"title\":null,\"description\":null,\"image\":null," \
	"\"imageId\":null,\"canonical\":null,\"noIndex\":false}"
/* The functions of its row in extras. */
bool seo_has(const struct stet_collection *);
enum stet_status seo_check(
    struct stet_call *, const json_t *given, const json_t *data, json_t **out);
void seo_verify(struct stet_call *, const json_t *);
json_t *seo_copy(struct stet_call *, const json_t *);

/* ---- values.c, see item/values.h ---- */

struct stet_val values_sql(struct stet_call *, const json_t *, enum column_kind);

/* ---- count.c: how many items there are, kept beside each write ---- */

struct change;
struct now;

/* Returns true if items are counted by the values of this field. */
bool count_has(const struct stet_field *);
/* Returns the statement count_add (n "1") or count_take (n "-1") of struct plan. */
const char *count_sql(struct stet_call *, const struct stet_collection *, const char *n);
/* Counts an item that was created with these values, by field. */
STET_MUST enum stet_status count_new(
    struct stet_call *, struct stet_tx *, const struct change *, const struct stet_val *fields);
/* Counts an item again after it was restored or got other counted values; nothing if it is in the
 * trash. */
STET_MUST enum stet_status count_add(
    struct stet_call *, struct stet_tx *, const struct plan *, const char *id);
/* Uncounts an item before it is deleted or gets other counted values. */
STET_MUST enum stet_status count_take(
    struct stet_call *, struct stet_tx *, const struct plan *, const char *id);
/* Returns true if this write changes a value that items are counted by. */
bool count_changes(const struct now *, const struct change *, const struct values *);
/* Selects a total: items outside the trash with one of `count` values in a column, a field or
 * author_id (column NULL: all items), of a status and a locale (NULL: any). */
struct count_key {
	const char *collection, *prefix, *column, *status, *locale;
	const struct stet_val *value;
	size_t count;
};
STET_MUST enum stet_status count_read(struct stet_call *, const struct count_key *, int64_t *);
#define COUNT_MIGRATION                                                                  \
	"CREATE TABLE item_count ("                                                      \
	" collection TEXT NOT NULL,"                                                     \
	" facet TEXT NOT NULL," /* empty: all items; author_id; the column of a field */ \
	" value TEXT NOT NULL," /* empty: none; otherwise a sign and the value */        \
	" status TEXT NOT NULL,"                                                         \
	" locale TEXT NOT NULL,"                                                         \
	" n INTEGER NOT NULL,"                                                           \
	" PRIMARY KEY (collection, facet, value, status, locale));"                      \
	"CREATE INDEX i_item_count_none ON item_count (collection) WHERE n = 0"
/* Rebuilds the counts of all collections. */
STET_MUST enum stet_status count_all(struct stet_call *, struct stet_tx *);
STET_MUST enum stet_status count_again(
    struct stet_call *, struct stet_tx *, const char *collection);
/* Appends a text for each problem to `problems`. */
STET_MUST enum stet_status count_verify(
    struct stet_call *, const char *collection, json_t *problems);
/* Follows a change of definitions. The parameters are the arguments of the hook schema_changing. */
STET_MUST enum stet_status count_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* ---- many.c: items by the values of fields with many values, kept beside each write ---- */

#define MANY_JOB "values"
/* Returns true if the field is indexed and has many values (an index in value_item). */
bool many_has(const struct stet_field *);
/* Returns the statement many_row of struct plan. */
char *many_row_sql(struct stet_call *, const struct stet_collection *);
/* Updates the rows of value_item after an item was written. */
STET_MUST enum stet_status many_settle(
    struct stet_call *, struct stet_tx *, const struct plan *, const char *id);
/* Deletes the rows of value_item after an item was removed from its table. */
STET_MUST enum stet_status many_forget(struct stet_call *, struct stet_tx *, const char *id);
/* Looks up the number of a field's index in value_item. Fails with UNAVAILABLE while it is being
 * filled. */
STET_MUST enum stet_status many_index(
    struct stet_call *, const char *collection, const char *field, int64_t *out);
/* Begins an index for each field that should have one and has none. */
STET_MUST enum stet_status many_all(struct stet_call *, struct stet_tx *);
/* Counts the existing rows of value_item, then does the same as many_all (many_count.c). */
STET_MUST enum stet_status many_recount(struct stet_call *, struct stet_tx *);
/* The functions many_verify and many_schema do for value_item what those of count.c do for
 * counts. */
STET_MUST enum stet_status many_verify(
    struct stet_call *, const struct stet_collection *, json_t *problems);
STET_MUST enum stet_status many_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);
int64_t many_due(struct stet_call *);
stet_handler many_run;

/* ---- many_count.c: how many items have such a value ---- */

/* Count a new row of value_item, and uncount the rows of an item before they are deleted. */
STET_MUST enum stet_status many_count_add(
    struct stet_call *, struct stet_tx *, int64_t index, const char *value, const char *status);
STET_MUST enum stet_status many_count_take(struct stet_call *, struct stet_tx *, const char *item);
/* Deletes the counts of an index whose rows were deleted. */
STET_MUST enum stet_status many_count_forget(struct stet_call *, struct stet_tx *, int64_t index);
/* Counts the items with the value; status NULL: of any status. */
STET_MUST enum stet_status many_count_read(
    struct stet_call *, int64_t index, const char *value, const char *status, int64_t *n);
STET_MUST enum stet_status many_count_verify(
    struct stet_call *, const char *collection, const char *field, int64_t index, json_t *problems);

/* ---- slug.c ---- */

/* Makes the slug for an item with these values; NULL if there is no text to make it from. */
STET_MUST enum stet_status slug_make(struct stet_call *, const struct plan *, const char *source,
    const char *locale, const char **out);
bool slug_is_good(struct stet_call *, const char *slug); /* records an issue if it is not */
/* Returns "untitled-…", for titles without a letter. */
char *slug_untitled(struct stet_call *, const char *title);

/* ---- hooks.c ---- */

/* The write that is about to change an item, as hooks see it. */
struct change {
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *id, *slug, *status, *locale, *author;
	int64_t version; /* the version after the write */
	bool is_new;
	bool live; /* the values become public with this write; false: they are stored as a draft */
};
/* Runs entry_filter; sets *data to the object that the filters return. */
STET_MUST enum stet_status hook_filter(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t **data);
/* Runs entry_before_save with the values as they will be stored. */
STET_MUST enum stet_status hook_before_save(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_save(
    struct stet_call *, struct stet_tx *, const struct change *);
STET_MUST enum stet_status hook_before_delete(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_delete(
    struct stet_call *, struct stet_tx *, const struct change *, bool permanent);
STET_MUST enum stet_status hook_before_publish(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_publish(struct stet_call *, struct stet_tx *,
    const struct change *, const char *published_at, bool scheduled);
STET_MUST enum stet_status hook_before_unpublish(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_unpublish(
    struct stet_call *, struct stet_tx *, const struct change *, bool scheduled);
STET_MUST enum stet_status hook_before_restore(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_restore(
    struct stet_call *, struct stet_tx *, const struct change *);
STET_MUST enum stet_status hook_before_purge(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
/* Runs the hooks of scheduling. at NULL: the schedule is removed. */
STET_MUST enum stet_status hook_before_schedule(struct stet_call *, struct stet_tx *,
    const struct change *, const json_t *data, const char *at);
STET_MUST enum stet_status hook_after_schedule(struct stet_call *, struct stet_tx *,
    const struct change *, const char *at, const char *unpublish);
/* Runs entry_overdue for an item whose member scheduledAt or unpublishAt is this time; error:
 * {code, message, at}. */
STET_MUST enum stet_status hook_overdue(struct stet_call *, struct stet_tx *, const struct change *,
    const char *member, const char *at, const json_t *error);
/* The hook schema_changing: removes what belongs to a deleted collection or field. */
STET_MUST enum stet_status hook_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);
/* Runs entry_address_left if this change of a published item, which is written, takes it from its
 * address. */
STET_MUST enum stet_status hook_address_left(struct stet_call *, struct stet_tx *,
    const struct now *, const struct change *, const char *kind);
/* Runs entry_changed; hooks.def lists the kinds of changes. */
STET_MUST enum stet_status hook_changed(
    struct stet_call *, struct stet_tx *, const struct change *, const char *kind);

/* ---- taken.c ---- */

/* After a UNIQUE index refused a write: fails with an error that names the field. `values` may
 * be NULL. */
enum stet_status taken_conflict(struct stet_call *, const struct change *, const struct values *);
/* ---- revision.c: revisions in the database ---- */

struct revision {
	const char *id, *collection, *entry, *author, *created;
	const char *author_name; /* NULL unless it was read by revision_read_named or _walk */
	const char *slug; /* the slug that the revision stages; "": it removes the slug; NULL: it
			     does not change the slug */
	json_t *data;
};
STET_MUST enum stet_status revision_read(
    struct stet_call *, const char *id, struct revision *, bool *found);
STET_MUST enum stet_status revision_read_named(
    struct stet_call *, const char *id, struct revision *, bool *found);
/* A revision as it is stored. */
struct revision_text {
	const char *data, *key; /* key: the keyframe that data is a delta to, or NULL */
	const char *slug, *created; /* as in struct revision */
};
STET_MUST enum stet_status revision_text(
    struct stet_call *, const char *id, struct revision_text *, bool *found);
STET_MUST enum stet_status revision_newest(
    struct stet_call *, const char *entry, struct revision *, bool *found);
/* Reads revisions older than an id (NULL: all), newest first. The caller ends the rows. */
STET_MUST enum stet_status revision_walk(
    struct stet_call *, const char *entry, const char *before, int64_t limit, struct stet_rows *);
bool revision_next(struct stet_rows *, struct revision *);
STET_MUST enum stet_status revision_count(struct stet_call *, const char *entry, int64_t *);
struct now;
/* Writes a revision with all of the data; `slug` as in struct revision. Then deletes the oldest
 * revisions beyond the limit of the setting, but never the item's draft nor the `live` one (may be
 * NULL). */
STET_MUST enum stet_status revision_write(struct stet_call *, struct stet_tx *, const struct now *,
    const json_t *data, const char *slug, const char *live, const char **id);
/* Writes a revision for data that replaces the values of the row. First keeps the row's old values
 * as a revision, unless the newest or the live revision has them already. */
STET_MUST enum stet_status revision_replace(struct stet_call *, struct stet_tx *,
    const struct now *, const json_t *data, const char *slug, const char **id);
/* Returns the newest revision if it has the values of the row. Otherwise writes one with the item's
 * author and the time of the item's last change. */
STET_MUST enum stet_status revision_keep(
    struct stet_call *, struct stet_tx *, const struct now *, const char **id);
STET_MUST enum stet_status revision_delete(
    struct stet_call *, struct stet_tx *, const char *entry, const char *id);
/* Replaces the data of a revision. Deltas to it keep their data. */
STET_MUST enum stet_status revision_amend(
    struct stet_call *, struct stet_tx *, const char *entry, const char *id, const json_t *data);
/* Records that the write in progress does not change the item's newest values. */
STET_MUST enum stet_status revision_lasts(struct stet_call *, struct stet_tx *, const struct now *);
STET_MUST enum stet_status revision_unknown(
    struct stet_call *, struct stet_tx *, const char *entry);
/* Finds the revision, among the newest 100, that has the newest values of this version of an item;
 * *id NULL: there is none. */
STET_MUST enum stet_status revision_at(
    struct stet_call *, const char *entry, int64_t version, const char **id);
STET_MUST enum stet_status revision_forget(struct stet_call *, struct stet_tx *, const char *entry);
void revision_put(struct stet_json *, const char *key, const struct revision *);
void revision_put_data(struct stet_json *, const char *key, const struct revision *);
extern const struct stet_member revision_shape[];
/* Name of the setting, and of the member in a collection's admin. */
#define REVISIONS_KEPT "revisionsKept"

/* ---- stored.c: drafts whose values are not parsed ---- */

/* Sets `stored` and the slug, unless the revision has to be parsed (item_newest). */
STET_MUST enum stet_status stored_read(struct stet_call *, const struct stet_collection *,
    const struct plan *, const char *id, struct newest *);
/* Writes `data` of the current row's draft. */
void stored_put(struct stet_json *, const struct stored *, struct stet_rows *, const struct plan *);
/* Writes plan->field[i], an extra. */
void stored_put_extra(
    struct stet_json *, const struct stored *, struct stet_rows *, const struct plan *, size_t i);

/* ---- overdue.c: items that could not be published, or unpublished, at their time ---- */

/* For the current row and readers who may see drafts: write the member scheduleError, the suffix of
 * an entity tag, and that of a list's tag. Nothing is written for an item that is not overdue. */
void overdue_put(struct stet_json *, struct stet_rows *);
const char *overdue_tag(struct stet_call *, struct stet_rows *, const char *tag);
void overdue_mix(struct stet_call *, struct stet_rows *);
/* An item that the scheduler could not publish, or unpublish. */
struct overdue {
	const struct stet_collection *collection;
	const char *id, *at; /* at: the time for which it is scheduled */
	bool unpublishes;
	const char *known; /* schedule_error of its row; NULL: none */
};
/* Stores the recorded error of the call in the item's row. If it differs from the known one, also
 * logs it and runs the hooks. */
void overdue_note(struct stet_call *, const struct overdue *);
stet_handler overdue_check; /* for `stet doctor` */

#include "item/now.h"

#endif
