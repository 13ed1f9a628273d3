/* schema.h - what the files of this module share. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <stdatomic.h>
#include <stet/module.h>

#define NAME_MAX_LENGTH 63
#define FIELDS_MAX 500 /* a collection; SQLite allows 2,000 columns */
#define SAFE_INTEGER 9007199254740991 /* 2^53 - 1: beyond it JSON clients lose digits */

/* ---- snapshot.c: compiled definitions, shared by reference count ---- */

struct snapshot;

enum stet_status snapshot_open(struct stet_call *, void *state);
void snapshot_close(void *state);
/* The definitions as this call's transaction sees them; released when the call ends. */
enum stet_status snapshot_get(struct stet_call *, const struct snapshot **out);
const struct stet_collection *snapshot_find(const struct snapshot *, const char *slug);
const struct stet_collection *const *snapshot_list(const struct snapshot *, size_t *count);
/* The same, failing with `missing` when there is no such collection. */
enum stet_status collection_find(struct stet_call *, const char *slug, enum stet_status missing,
    const struct stet_collection **out);
/* Say that definitions changed: every snapshot before this is out of date. */
enum stet_status snapshot_bump(struct stet_call *, struct stet_tx *);

/* ---- ddl.c: the tables behind collections ---- */

enum stet_status ddl_create(struct stet_call *, struct stet_tx *, const char *collection);
/* For tables that were made before there was live_version. */
enum stet_status ddl_add_live_version(struct stet_call *, struct stet_tx *); /* migration */
/* For names over 63 bytes, from before stet_sql_ident shortened them. */
enum stet_status ddl_shorten_names(struct stet_call *, struct stet_tx *); /* migration */
enum stet_status ddl_drop(struct stet_call *, struct stet_tx *, const char *collection);
enum stet_status ddl_add(
    struct stet_call *, struct stet_tx *, const char *collection, const struct stet_field *);
enum stet_status ddl_remove(
    struct stet_call *, struct stet_tx *, const char *collection, const char *field);
/* Drop the indexes that `after` no longer has, create those that it has anew. */
enum stet_status ddl_reindex(struct stet_call *, struct stet_tx *,
    const struct stet_collection *before, const struct stet_collection *after);
/* Is there an item that is not in the trash? */
enum stet_status ddl_has_content(struct stet_call *, const char *collection, bool *out);
/* Is there an item, trashed or not, whose field is set? */
enum stet_status ddl_has_values(
    struct stet_call *, const char *collection, const char *field, bool *out);

/* ---- define.c: is a definition sound? Issues under the members' names. ---- */

/* A field as it would be: type, validation, options, default, unique, indexed. *normal is the
 * default value as it is stored, owned by the call; NULL when there is none. */
enum stet_status define_check(struct stet_call *, const struct stet_field *, const json_t **normal);
/* The `define` of built-in types. */
enum stet_status define_common(struct stet_call *, const struct stet_field *);
enum stet_status define_choice(struct stet_call *, const struct stet_field *);
enum stet_status define_reference(struct stet_call *, const struct stet_field *);
enum stet_status define_repeater(struct stet_call *, const struct stet_field *);

/* ---- types.c, structured.c: values ---- */

#define SCHEMA_TYPES 16
extern const struct stet_field_type schema_types[SCHEMA_TYPES];
/* A type that may stand inside a repeater, or NULL. */
const struct stet_field_type *sub_type(const char *name);
bool reference_is_many(const struct stet_field *);
/* What the value of a member of `validation` is, or NULL. */
const json_t *rule(const struct stet_field *, const char *name);
/* Is it a link that may be shown: http, https, mailto, tel, or from the site's root? */
bool is_link(const char *);

typedef enum stet_status check_fn(struct stet_call *, const struct stet_field *, const char *path,
    const json_t *value, json_t **out);
check_fn check_string, check_select, check_multi_select, check_portable_text, check_image,
    check_file, check_reference, check_json, check_repeater;
/* Record an issue and leave *out NULL. */
#define REFUSE(call, path, ...) (stet_issue((call), (path), __VA_ARGS__), STET_OK)
json_t *keep(const json_t *); /* a new reference */

/* ---- record.c: definitions as clients see them, and as the registry keeps them ---- */

void put_collection(
    struct stet_json *, const char *key, const struct stet_collection *, bool with_fields);
void put_field(
    struct stet_json *, const char *key, const char *collection_id, const struct stet_field *);
/* Members that are left out when they are NULL. */
void put_set(struct stet_json *, const char *key, const char *value);
void put_set_json(struct stet_json *, const char *key, const json_t *value);
const char *column_type(const struct stet_field *);
/* Compact JSON text that lives as long as the call; NULL for NULL and null. */
const char *json_text(struct stet_call *, const json_t *);

/* ---- handlers ---- */

stet_handler collections_list, collection_get, collection_get_tool, collection_create,
    collection_create_tool, collection_update, collection_update_tool, collection_delete,
    collection_delete_tool, collections_reorder;
stet_handler fields_list, field_get, field_create, field_create_tool, field_update,
    field_update_tool, field_delete, fields_reorder;
stet_handler schema_export;

/* ---- typescript.c ---- */

/* The type of a field's values. */
const char *value_type(struct stet_call *, const struct stet_field *);
/* The line of a field in an interface. */
const char *member_line(struct stet_call *, const struct stet_field *);
/* A name for the items of each collection: none twice, none of `taken` (NULL-terminated, or NULL).
 */
const char *const *interface_names(struct stet_call *, const struct stet_collection *const *,
    size_t count, const char *const *taken);
/* "stet types" */
int types_run(struct stet_call *, int argc, char **argv);

#endif
