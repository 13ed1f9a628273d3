/* item.h - items as they lie in the database, are written as JSON, and are before a write. */
#ifndef CONTENT_ITEM_H
#define CONTENT_ITEM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stet/bylines.h>
#include <stet/module.h>
#include <stet/taxonomies.h>

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
	char *by_id, *by_slug, *by_slug_live, *by_slug_locale; /* of what is not in the trash */
	char *by_slug_staged; /* likewise, where the pending draft has the slug */
	char *insert; /* all columns but the bylines', the revisions' and deleted_at */
	char *slug_rows; /* of a locale, trash included: for stet_free_name */
	char *by_id_trashed, *trash; /* with deleted_at behind the fields; trash: a page of it */
	size_t count;
	struct plan_field field[]; /* in the collection's order */
};

/* The state of the module on a site. */
struct content_state {
	pthread_mutex_t lock;
	struct plan *plans;
	int64_t tried, retry_at; /* schedule.c: what was due then was tried, again at retry_at */
	struct failures *failures; /* of that; NULL: none */
};

enum stet_status plan_open(struct stet_call *, void *state);
void plan_close(void *state);
/* The collection and its plan, for as long as the call. COLLECTION_NOT_FOUND. */
STET_MUST enum stet_status plan_get(struct stet_call *, const char *slug,
    const struct stet_collection **collection, const struct plan **out);
enum column_kind plan_kind(const struct stet_field *);
/* plan->select with NULL in place of the fields that are not wanted. */
const char *plan_select_some(struct stet_call *, const struct stet_collection *, const bool *want);

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
	C_LIVE_VERSION,
	C_LIVE,
	C_DRAFT,
	C_LOCALE,
	C_GROUP,
	C_FIELDS
};
extern const char *const item_columns[C_FIELDS];
extern const struct stet_member item_shape[], item_reply_shape[], get_in[];
/* The same where `fields` may leave members out. */
extern const struct stet_member item_part_shape[], item_part_reply_shape[];

/* ---- view.c: how much of an item a reader wants, and in which form ---- */

/* Members of an item, in the order of item_shape. */
enum item_member {
	I_ID,
	I_TYPE,
	I_SLUG,
	I_STATUS,
	I_DATA,
	I_LIVE_DATA,
	I_LIVE_SLUG,
	I_AUTHOR,
	I_BYLINE_ID,
	I_CREATED,
	I_UPDATED,
	I_PUBLISHED,
	I_SCHEDULED,
	I_VERSION,
	I_LIVE,
	I_DRAFT,
	I_LOCALE,
	I_GROUP,
	I_BYLINES,
	I_BYLINE
};
struct view {
	struct stet_call *call;
	uint32_t members; /* a bit for each enum item_member */
	const bool *field; /* by field; NULL: all */
	const bool *markdown; /* by field: as Markdown; NULL: none */
};
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
/* The argument fields; with it the argument markdown; of a write, with Markdown as the answer to
 * Markdown (in these values, or in operations of content_patch, or NULL). */
STET_MUST enum stet_status view_fields(
    struct stet_call *, const struct stet_collection *, struct view *out);
STET_MUST enum stet_status view_read(
    struct stet_call *, const struct stet_collection *, struct view *out);
STET_MUST enum stet_status view_written(struct stet_call *, const struct stet_collection *,
    const json_t *data, const json_t *operations, struct view *out);
bool view_shows(const struct view *, enum item_member);
bool view_shows_field(const struct view *, size_t field);
/* Values of fields; owned by the call when it is another object than the given one. */
const json_t *view_data(const struct view *, const struct plan *, const json_t *data);
/* `data` with the texts given for Portable Text fields converted, beside what is stored (or NULL).
 */
STET_MUST enum stet_status view_convert(
    struct stet_call *, const struct stet_collection *, const json_t *stored, const json_t **data);
bool view_is_blocks(const struct stet_field *);

/* The values of a pending draft, beside the row. */
struct newest {
	json_t *data; /* NULL: there is no draft */
	bool slug_staged;
	const char *slug; /* if slug_staged; NULL: it is taken away */
	bool with_live; /* show what is live as well */
};
STET_MUST enum stet_status item_newest(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, struct newest *);
struct shown;
/* The current row as an item. `drafts`: may the reader know of drafts? newest NULL: the row is it.
 */
void item_put(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    bool drafts, const struct newest *, const struct shown *, const struct view *);
/* The same up to its bylines: byline_put and stet_close complete it. */
void item_open(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    bool drafts, const struct newest *, const struct view *);
void item_put_fields(struct stet_json *, const char *key, struct stet_rows *, const struct plan *,
    const struct view *);
/* {item, _rev} as the reply, for this principal, and the entity tag. Ends the rows. */
STET_MUST enum stet_status item_answer(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, const struct view *);
/* With restored: true beside them. */
STET_MUST enum stet_status item_answer_restored(struct stet_call *, const struct stet_collection *,
    const struct plan *, struct stet_rows *, const struct view *);
/* An item that is not in the trash, by id or slug (what looks like an id is first an id); NOT_FOUND
 * when there is none. locale NULL: the lowest that has the slug, of those that the principal may
 * see. The row is current. */
STET_MUST enum stet_status item_find(struct stet_call *, const struct plan *, const char *name,
    const char *locale, struct stet_rows *);
STET_MUST enum stet_status item_by_slug(struct stet_call *, const struct plan *, const char *slug,
    const char *locale, struct stet_rows *, bool *found);
/* The same, for readers: what the principal may not see is NOT_FOUND. */
STET_MUST enum stet_status item_find_seen(struct stet_call *, const struct plan *, const char *name,
    const char *locale, struct stet_rows *);
enum stet_status item_not_found(struct stet_call *, const char *name);
char *item_rev(struct stet_call *, int64_t version, const char *updated_at);
int64_t item_rev_version(const char *rev); /* 0: it is no _rev */
int64_t item_version(struct stet_rows *, bool drafts); /* drafts false: of what is live */
/* A column's value as JSON, NULL for SQL NULL; owned by the call. */
json_t *item_value(struct stet_call *, struct stet_rows *, int column, enum column_kind);

stet_handler content_get;

/* ---- rights.c ---- */

/* STET_MAY_...: what the caller may do with items of the collection. */
uint32_t item_rights(struct stet_call *, const struct stet_collection *);

/* ---- byline.c: credits of items ---- */

/* What a reply shows of bylines. */
struct shown {
	const struct stet_bylines_1 *service; /* NULL: the module is not enabled */
	struct stet_byline_page *page; /* NULL: no item has any */
	int64_t version; /* part of the entity tag; 0: the site has no bylines */
};

#define BYLINES_ABOUT "Credits in their order: [{bylineId, roleLabel}]; the first is primary"
/* `bylines` of a body, or NULL. *out is NULL when credits are to stay as they are. */
STET_MUST enum stet_status byline_check(
    struct stet_call *, const json_t *bylines, struct stet_credits **out);
STET_MUST enum stet_status byline_store(struct stet_call *, struct stet_tx *,
    const char *collection, const char *id, const struct stet_credits *);
STET_MUST enum stet_status byline_copy(
    struct stet_call *, struct stet_tx *, const char *collection, const char *from, const char *to);
STET_MUST enum stet_status byline_forget(
    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
/* Are there any? Then version is not 0. */
STET_MUST enum stet_status byline_begin(struct stet_call *, struct shown *);
STET_MUST enum stet_status byline_read(struct stet_call *, const char *collection,
    const struct stet_credited *, size_t count, struct shown *);
/* Both, for the current row. */
STET_MUST enum stet_status byline_read_row(
    struct stet_call *, const char *collection, struct stet_rows *, struct shown *);
/* The members `bylines` and `byline` of item i; shown may be NULL. */
void byline_put(struct stet_json *, const struct shown *, size_t i);
/* The entity tag of an item. What follows the _rev in it begins with a dot. */
char *byline_tag(struct stet_call *, const char *rev, const struct shown *);

/* A condition on the bylines of items, of one collection. */
struct byline_filter {
	const struct stet_bylines_1 *service;
	const char *collection;
	struct stet_byline_filter *it;
};
/* Read the arguments bylines and includeInferredBylines: NULL when every item passes. */
STET_MUST enum stet_status byline_filter(
    struct stet_call *, const char *collection, const struct byline_filter **out);

/* ---- terms.c: terms of items ---- */

#define TERMS_ABOUT "Terms by taxonomy: {name: [slug]}; [] takes all away"
/* `taxonomies` of a body, or NULL: then *out is NULL, and terms stay as they are. */
STET_MUST enum stet_status terms_check(
    struct stet_call *, const json_t *taxonomies, const char *locale, struct stet_terms **out);
STET_MUST enum stet_status terms_store(struct stet_call *, struct stet_tx *, const char *collection,
    const char *group, const struct stet_terms *);
extern const struct stet_member terms_get_in[], terms_set_in[], terms_out[];
stet_handler content_terms, content_set_terms;

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

/* ---- hooks.c ---- */

/* What a write is about to do to an item, for its hooks. */
struct change {
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *id, *slug, *status, *locale, *author;
	int64_t version; /* after it */
	bool is_new;
	bool live; /* the values are what the public will see; else they are a draft's */
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
    struct stet_call *, struct stet_tx *, const struct change *, bool permanent);
STET_MUST enum stet_status hook_before_publish(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_publish(struct stet_call *, struct stet_tx *,
    const struct change *, const char *published_at, bool scheduled);
STET_MUST enum stet_status hook_before_unpublish(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_unpublish(
    struct stet_call *, struct stet_tx *, const struct change *);
STET_MUST enum stet_status hook_before_restore(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
STET_MUST enum stet_status hook_after_restore(
    struct stet_call *, struct stet_tx *, const struct change *);
STET_MUST enum stet_status hook_before_purge(
    struct stet_call *, struct stet_tx *, const struct change *, const json_t *data);
/* at NULL: the schedule is taken away. */
STET_MUST enum stet_status hook_before_schedule(struct stet_call *, struct stet_tx *,
    const struct change *, const json_t *data, const char *at);
STET_MUST enum stet_status hook_after_schedule(
    struct stet_call *, struct stet_tx *, const struct change *, const char *at);
/* entry_changed: what kind, hooks.def says. */
STET_MUST enum stet_status hook_changed(
    struct stet_call *, struct stet_tx *, const struct change *, const char *kind);
/* All values of the current row as an object; owned by the call. */
json_t *hook_data(struct stet_call *, struct stet_rows *, const struct plan *);

/* ---- taken.c ---- */

/* A UNIQUE index refused a write: say which. `values` may be NULL. */
enum stet_status taken_conflict(struct stet_call *, const struct change *, const struct values *);
/* ---- revision.c: how revisions lie in the database ---- */

struct revision {
	const char *id, *collection, *entry, *author, *created;
	const char *slug; /* staged with it; "": it is taken away; NULL: it was not changed */
	json_t *data;
};
STET_MUST enum stet_status revision_read(
    struct stet_call *, const char *id, struct revision *, bool *found);
STET_MUST enum stet_status revision_newest(
    struct stet_call *, const char *entry, struct revision *, bool *found);
/* Newest first, those before an id (NULL: all). End the rows as usual. */
STET_MUST enum stet_status revision_walk(
    struct stet_call *, const char *entry, const char *before, int64_t limit, struct stet_rows *);
bool revision_next(struct stet_rows *, struct revision *);
STET_MUST enum stet_status revision_count(struct stet_call *, const char *entry, int64_t *);
struct now;
/* Write one of all the data; `slug` as in struct revision. The oldest go then, as the setting says,
 * but for the item's draft and what is `live` (or NULL). */
STET_MUST enum stet_status revision_write(struct stet_call *, struct stet_tx *, const struct now *,
    const json_t *data, const char *slug, const char *live, const char **id);
/* The same for data that goes into the row: what the row held becomes a revision first, unless the
 * newest or the live one holds it. */
STET_MUST enum stet_status revision_replace(struct stet_call *, struct stet_tx *,
    const struct now *, const json_t *data, const char *slug, const char **id);
/* The newest revision if it holds what the row holds; else one is written: by the item's author,
 * and of the time of its last change. */
STET_MUST enum stet_status revision_keep(
    struct stet_call *, struct stet_tx *, const struct now *, const char **id);
STET_MUST enum stet_status revision_delete(
    struct stet_call *, struct stet_tx *, const char *entry, const char *id);
/* The newest values of the item stay what they are in the change that is written. */
STET_MUST enum stet_status revision_lasts(struct stet_call *, struct stet_tx *, const struct now *);
STET_MUST enum stet_status revision_unknown(
    struct stet_call *, struct stet_tx *, const char *entry);
/* The revision that holds the newest values of this version of an item; *id NULL: none does. */
STET_MUST enum stet_status revision_at(
    struct stet_call *, const char *entry, int64_t version, const char **id);
STET_MUST enum stet_status revision_forget(struct stet_call *, struct stet_tx *, const char *entry);
void revision_put(struct stet_json *, const char *key, const struct revision *);
void revision_put_data(struct stet_json *, const char *key, const struct revision *);
extern const struct stet_member revision_shape[];
#define REVISIONS_KEPT "revisionsKept" /* the setting, and the member of a collection's admin */

/* ---- now.c: an item as it is before a write ---- */

struct now {
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *id, *slug, *status, *author, *updated, *published, *scheduled, *locale, *group;
	const char *live, *draft; /* revisions; NULL without support for them */
	int64_t version;
	bool is_published, pinned; /* pinned: who may not read drafts sees an earlier version */
	bool stale_pointers; /* of a time when the collection had revisions */
	/* now_values: */
	json_t *columns; /* what the row holds; no nulls */
	json_t *data; /* the newest values: the draft's, or the columns */
	const char *newest_slug, *staged_slug; /* staged_slug as in struct revision */
};
/* The item that the arguments collection, id and locale name. */
STET_MUST enum stet_status now_find(struct stet_call *, struct now *);
void now_row(struct stet_call *, struct stet_rows *, struct now *); /* collection, plan are set */
/* Ends the rows. */
STET_MUST enum stet_status now_values(struct stet_call *, struct stet_rows *, struct now *);
/* Is it what was read with this _rev? NULL: whatever it is. A CONFLICT says in its details what a
 * merge needs (currentRev, currentRevisionId, baseRevisionId), to callers who may read drafts. */
STET_MUST enum stet_status now_is(struct stet_call *, const struct now *, const char *rev);
struct change now_change(const struct now *, const char *slug, const char *status);
/* Only fields that there are, with values that their columns can hold. */
json_t *now_fit(struct stet_call *, const struct plan *, const json_t *data);
json_t *now_merge(
    struct stet_call *, const struct plan *, const json_t *old, const struct values *);
/* The columns that have to change for the row to hold this data. */
void now_diff(struct stet_call *, const struct now *, const json_t *data, struct values *);
/* The values of a draft, by the fields as they are now. */
json_t *now_overlay(struct stet_call *, const struct stet_collection *, const struct plan *,
    const json_t *columns, const struct revision *);
/* "UPDATE … SET version = version + 1": add to it, then write it. A row that is another by now is a
 * CONFLICT. values NULL: no field is written. Hidden: readers without drafts see no change. */
struct stet_sql *now_update(struct stet_call *, const struct now *);
struct stet_sql *now_update_hidden(struct stet_call *, const struct now *);
void now_set(struct stet_sql *, const char *column, const char *value);
/* Only when it is another than it was: a column that is named has its indexes written, changed or
 * not. now_set_fields likewise leaves out the values that are in the row already. */
void now_turn(struct stet_sql *, const char *column, const char *was, const char *value);
void now_set_fields(
    struct stet_call *, struct stet_sql *, const struct now *, const struct values *);
/* ... and entry_changed told as what kind of change it is. */
STET_MUST enum stet_status now_write(struct stet_call *, struct stet_tx *, struct stet_sql *,
    const struct now *, const struct change *, const struct values *, const char *kind);
/* Read it again, and answer it. */
typedef enum stet_status now_answer(struct stet_call *, const struct now *);
now_answer now_reply;
now_answer now_reply_part; /* of what the argument `fields` names */
STET_MUST enum stet_status now_reply_view(
    struct stet_call *, const struct now *, const struct view *);

#endif
