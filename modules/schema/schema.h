/* schema.h - what the files of the schema module share. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <stdatomic.h>
#include <stet/index.h>
#include <stet/module.h>

#define NAME_MAX_LENGTH 63
#define SCHEMA_STATE 1536
#define FIELDS_MAX 500 /* of a collection; SQLite allows 2,000 columns */
#define SAFE_INTEGER                                                                               \
	9007199254740991 /* 2^53 - 1: JSON clients that use doubles lose digits of larger integers \
			  */

/* ---- snapshot.c: compiled definitions, shared with a reference count ---- */

struct snapshot;

enum stet_status snapshot_open(struct stet_call *, void *state);
void snapshot_close(void *state);
/* The definitions that this call's transaction sees; released when the call ends. */
enum stet_status snapshot_get(struct stet_call *, const struct snapshot **out);
const struct stet_collection *snapshot_find(const struct snapshot *, const char *slug);
const struct stet_collection *const *snapshot_list(const struct snapshot *, size_t *count);
/* Returns true if no collection may have this slug. */
bool collection_reserved(const char *slug);
bool field_reserved(const char *slug);
/* Finds the collection with this slug; fails with `missing` if there is none. */
enum stet_status collection_find(struct stet_call *, const char *slug, enum stet_status missing,
    const struct stet_collection **out);
/* Returns true if a field as it is defined has an index for paging; it may be in the making. */
bool snapshot_sorts(const struct stet_collection *, const struct stet_field *);
/* Reports that definitions have changed: all earlier snapshots are out of date. */
enum stet_status snapshot_bump(struct stet_call *, struct stet_tx *);

/* ---- ddl.c: the tables of collections ---- */

enum stet_status ddl_create(struct stet_call *, struct stet_tx *, const char *collection);
/* Migration of tables that have no column live_version. */
enum stet_status ddl_add_live_version(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_add_seo(struct stet_call *, struct stet_tx *); /* migration */
/* Migration: shortens names over 63 bytes, which versions before stet_sql_ident's limit made. */
enum stet_status ddl_shorten_names(struct stet_call *, struct stet_tx *);
enum stet_status ddl_add_walks(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_drop_json(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_allow_empty(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_add_schedule_error(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_add_unpublish(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_drop(struct stet_call *, struct stet_tx *, const char *collection);
enum stet_status ddl_add(
    struct stet_call *, struct stet_tx *, const char *collection, const struct stet_field *);
enum stet_status ddl_remove(
    struct stet_call *, struct stet_tx *, const char *collection, const char *field);
/* ---- indexes.c: declared indexes of several keys ---- */

/* Returns the argument `indexes` in the stored form, NULL: none; records issues. */
const char *indexes_text(struct stet_call *, const struct stet_collection *);
/* The statement that makes a declared index, and its name; `how` as for fields. */
struct stet_sql *indexes_create(
    struct stet_call *, const struct stet_collection *, const json_t *order, const char *how);
const char *indexes_name(struct stet_call *, const struct stet_collection *, const json_t *order);
/* Removes the declared indexes with this field, which is deleted. */
enum stet_status indexes_forget(
    struct stet_call *, struct stet_tx *, const struct stet_collection *, const char *field);
/* Drops declared indexes that `after` does not have any more, and makes its new ones or puts them
 * off: then sets *changed. */
enum stet_status indexes_follow(struct stet_call *, struct stet_tx *,
    const struct stet_collection *before, const struct stet_collection *after, bool *changed);
/* Sets *out if the job makes new indexes of this collection (build.c). */
enum stet_status indexes_put_off(struct stet_call *, const char *collection, bool *out);
/* Stores which declared indexes are being made: a list of orders. */
enum stet_status indexes_store_building(
    struct stet_call *, struct stet_tx *, const char *collection_id, const json_t *list);

/* ---- fieldindex.c ---- */

/* An index of a field. */
struct fieldindex {
	const char *collection, *field; /* slugs */
	uint32_t bit; /* which one: STET_BUILDING_ORDER ... */
	bool text; /* the column stores text */
};
/* How it is made: now; while others write (stet/index.h); unless it is there. */
#define FIELDINDEX_NEW "INDEX "
#define FIELDINDEX_APART "INDEX CONCURRENTLY "
#define FIELDINDEX_ONCE "INDEX IF NOT EXISTS "
struct stet_sql *fieldindex_create(struct stet_call *, const struct fieldindex *, const char *how);
const char *fieldindex_name(struct stet_call *, const struct fieldindex *);
enum stet_status fieldindex_make(struct stet_call *, struct stet_tx *, const struct fieldindex *);
/* Returns true if a field as it is defined (NULL: not at all) has this index. */
bool fieldindex_wanted(uint32_t bit, const struct stet_collection *, const struct stet_field *);
/* Sets *out if items share a value of the field, so that it cannot have a unique index. */
enum stet_status fieldindex_shared(struct stet_call *, const struct fieldindex *, bool *out);
enum stet_status fieldindex_drop(struct stet_call *, struct stet_tx *, const struct fieldindex *);
/* Drops the indexes that only the old definition has, and makes those that only *after has, or
 * puts them off: then *after is what is defined now. */
enum stet_status fieldindex_follow(struct stet_call *, struct stet_tx *,
    const struct stet_collection *before, const struct stet_collection **after);

/* ---- build.c: the job that makes indexes which were put off ---- */

#define SCHEMA_JOB "indexes"
/* An index of a field, or, with field "", a declared one. */
struct built {
	char collection[64], field[64], order[256], name[80];
	uint32_t bit;
};
/* In the module's state. */
struct builder {
	struct stet_index *at; /* NULL: nothing is being made */
	struct built is;
	bool failed; /* items shared a value of the field when it was tried before */
	struct built begun; /* may be there, and is not noted; name "": nothing */
	bool there; /* it is, and can be used */
	int64_t asked; /* when the job ran for the last time */
	int64_t again; /* not before then, after a failure */
	int64_t shared_again, shared_wait; /* the same of what has failed so */
	_Atomic bool found; /* definitions that were read have something to make */
};
struct builder *snapshot_builder(void *state);
int64_t build_due(struct stet_call *);
enum stet_status build_run(struct stet_call *);

/* ---- ddl.c ---- */

/* Sets *out if the collection has an item that is not in the trash. */
enum stet_status ddl_has_content(struct stet_call *, const char *collection, bool *out);
/* Sets *out if an item, also in the trash, has a value in the field. */
/* ---- addresses.c ---- */

/* Records an issue with the argument if the pattern is none; NULL is fine. */
void schema_check_address(struct stet_call *, const char *member, const char *pattern);
void schema_check_addresses(struct stet_call *); /* those of the argument urlPatterns */

/* What deletions answer of what goes too: collections.c, fields.c. */
extern const struct stet_member collection_removes[], field_removes[];
/* The items of a collection, also in the trash; with a field, those that have a value. */
enum stet_status ddl_count(
    struct stet_call *, const char *collection, const char *field, int64_t *out);
enum stet_status ddl_has_values(
    struct stet_call *, const char *collection, const char *field, bool *out);

/* ---- promises.c: changes of a field that existing items may violate ---- */

/* The number of items that prevent a step from files. */
struct in_way {
	int64_t rows;
};
/* Sets the step (NULL: none) that later changes of definitions belong to; a step may add rules that
 * all items meet. Returns the previous step. */
struct in_way *promises_begin(struct stet_call *, struct in_way *);
/* Fails if items may violate the change; during a step, only if items do violate it. */
STET_MUST enum stet_status promises_check(struct stet_call *, const struct stet_collection *,
    const struct stet_field *old, const struct stet_field *new);
/* Fails if items lack values of required fields: the collection cannot require them on save. */
STET_MUST enum stet_status promises_check_complete(
    struct stet_call *, const struct stet_collection *);
/* Fails if the field cannot get the type of `new`. */
STET_MUST enum stet_status promises_check_type(struct stet_call *, const struct stet_collection *,
    const struct stet_field *old, const struct stet_field *new);

/* ---- define.c: validating definitions. Issues name the members. ---- */

/* Validates a field as it would be stored: type, validation, options, default, unique, indexed.
 * *normal is the default value in its stored form, owned by the call; NULL: none. */
enum stet_status define_check(struct stet_call *, const struct stet_field *, const json_t **normal);
/* Returns true for string, text and slug: a field may change among these types. */
bool is_plain_text(const struct stet_field_type *);
/* Names of the types that sub-fields of a repeater may have; NULL ends them. */
extern const char *const sub_types[];
/* Returns true if sub_types has this name; name may be NULL. */
bool is_sub_type(const char *name);
/* Set to true while the call imports definitions of another site: unknown options and invalid
 * default values are then accepted unchanged. */
void define_as_stored(struct stet_call *, bool);
/* Set to true while the fields of a type of blocks are checked: they are no arguments of the call.
 */
void define_listed(struct stet_call *, bool);
/* The functions `define` of built-in types. */
enum stet_status define_common(struct stet_call *, const struct stet_field *);
enum stet_status define_choice(struct stet_call *, const struct stet_field *);
enum stet_status define_reference(struct stet_call *, const struct stet_field *);
enum stet_status define_repeater(struct stet_call *, const struct stet_field *);

/* ---- cells.c: values inside a value ---- */

/* Checks the value that the field has in an object (`given`), as its type does. If the type changes
 * the value, stores it in *holder, which becomes a copy of the object with the first change. Sets
 * *good to false after an issue. */
STET_MUST enum stet_status cell_check(struct stet_call *, const struct stet_field *,
    const char *holder_path, const json_t *given, json_t **holder, bool *good);
/* Returns true if the field refers to several items. */
bool reference_is_many(const struct stet_field *);

/* ---- types.c, scalar.c, structured.c, blocks.c, mediavalue.c: values ---- */

#define SCHEMA_TYPES 16
extern const struct stet_field_type schema_types[SCHEMA_TYPES];
/* Returns the TypeScript type of a field's values. */
const char *value_type(struct stet_call *, const struct stet_field *);
/* Returns the value of a member of `validation`, or NULL. */
const json_t *rule(const struct stet_field *, const char *name);
/* Returns true for what a field of type url may hold: http, https, mailto, tel, or a path from the
 * site's root, without blanks. Links in texts may be more (stet_is_link). */
bool is_url(const char *);

typedef enum stet_status check_fn(struct stet_call *, const struct stet_field *, const char *path,
    const json_t *value, json_t **out);
check_fn check_string, check_slug, check_url, check_number, check_integer, check_boolean,
    check_datetime, check_select, check_multi_select, check_portable_text, check_image, check_file,
    check_reference, check_json;
/* Refuses all values: for fields whose module is disabled. Their columns are kept and read. */
check_fn check_missing;
/* Records an issue for each address in the blocks that a page may not load or link to. Returns
 * false if there is one. */
bool blocks_check_addresses(struct stet_call *, const char *path, const json_t *blocks);
/* Records an issue and leaves *out NULL. */
#define REFUSE(call, path, ...) (stet_issue((call), (path), __VA_ARGS__), STET_OK)
json_t *keep(const json_t *); /* a new reference */

/* ---- record.c: definitions as JSON, for clients and in the database ---- */

void put_collection(
    struct stet_json *, const char *key, const struct stet_collection *, bool with_fields);
void put_field(
    struct stet_json *, const char *key, const char *collection_id, const struct stet_field *);
/* Writes a member, unless its value is NULL. */
void put_set(struct stet_json *, const char *key, const char *value);
void put_set_json(struct stet_json *, const char *key, const json_t *value);
const char *column_type(const struct stet_field *);
/* Returns compact JSON text that lives as long as the call; NULL for NULL and null. */
const char *json_text(struct stet_call *, const json_t *);

/* ---- handlers ---- */

stet_handler collections_list, collection_get, collection_get_tool, collection_create,
    collection_create_tool, collection_update, collection_update_tool, collection_delete,
    collection_delete_tool, collections_reorder;
stet_handler fields_list, field_get, field_create, field_create_tool, field_update,
    field_update_tool, field_delete, fields_reorder;
stet_handler schema_export;

/* ---- ops.c ---- */

#define SCHEMA_OPS 26
extern const struct stet_op schema_ops[SCHEMA_OPS];

/* ---- typescript.c ---- */

/* Writes the line of a field in an interface. */
const char *member_line(struct stet_call *, const struct stet_field *);
/* Returns a name for the interface of each collection's items: all different, and none of them in
 * `taken` (NULL-terminated, or NULL). */
const char *const *interface_names(struct stet_call *, const struct stet_collection *const *,
    size_t count, const char *const *taken);
/* "stet types" */
int types_run(struct stet_call *, int argc, char **argv);

#endif
