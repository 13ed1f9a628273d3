/* blocktypes.h - types of blocks that the site defines for its texts. */
#ifndef MODULES_SCHEMA_BLOCKTYPES_H
#define MODULES_SCHEMA_BLOCKTYPES_H

#include "schema.h"

#define BLOCK_TYPES_MAX 200 /* of a site */
#define BLOCK_FIELDS_MAX 50 /* of a type */

/* ---- blockset.c: compiled types ---- */

struct blockset;

/* Reads all types. *out has to be freed, also after a failure. */
STET_MUST enum stet_status blockset_load(struct stet_call *, struct blockset **out);
void blockset_free(struct blockset *);
const struct stet_block_type *const *blockset_list(const struct blockset *, size_t *count);
/* Returns the type, or NULL; slug may be NULL. */
const struct stet_block_type *blockset_find(const struct blockset *, const char *slug);
/* Compiles the definition of a field; both borrow its texts and values. If no enabled module has
 * its type, the field refuses all values. */
void block_field(
    struct stet_call *, const json_t *given, struct stet_field_type *, struct stet_field *);

/* ---- snapshot.c ---- */

/* The types that the call's transaction sees; they live as long as the call. */
STET_MUST enum stet_status snapshot_blocks(struct stet_call *, const struct blockset **out);

/* ---- ownblocks.c: blocks of these types in texts ---- */

/* Validates the blocks of the text whose type the site defines. If a field changes a value, *out is
 * a copy of the array with it, a new reference; otherwise NULL. Sets *good to false after an
 * issue. */
STET_MUST enum stet_status own_blocks_check(
    struct stet_call *, const char *path, const json_t *blocks, json_t **out, bool *good);
/* Functions of the service. */
enum stet_status own_blocks_list(
    struct stet_call *, const struct stet_block_type *const **out, size_t *count);
enum stet_status own_block_type(
    struct stet_call *, const json_t *block, const struct stet_block_type **out);
enum stet_status own_block_text(struct stet_call *, const json_t *block, const char **out);

/* ---- blockdefs.c: definitions ---- */

/* A definition as it is stored; owned by the call. */
struct block_def {
	const char *slug, *label, *icon, *description;
	const json_t *fields, *sort_order; /* sort_order: NULL: none */
};
/* Validates a definition: records issues for its members. Sets its fields to the stored form. */
STET_MUST enum stet_status block_define(struct stet_call *, struct block_def *);
/* Writes a definition. With `timed`, also when it was made and changed. */
void put_block_type(
    struct stet_json *, const char *key, const struct stet_block_type *, bool timed);
/* Returns the fields with the member "required" in each. */
const json_t *block_fields_whole(struct stet_call *, const json_t *fields);
/* Inserts the type, or with `is` changes it, and tells all that depends on its fields. */
STET_MUST enum stet_status block_store(struct stet_call *, struct stet_tx *,
    const struct block_def *, const struct stet_block_type *is);
STET_MUST enum stet_status block_drop(struct stet_call *, struct stet_tx *, const char *slug);
/* Counts the items that use a type, live or in their draft; at most `most`. */
STET_MUST enum stet_status block_uses(
    struct stet_call *, const char *slug, int64_t most, int64_t *out);
/* Writes these items, at most `most`, as objects into the open array. */
STET_MUST enum stet_status block_put_users(
    struct stet_call *, const char *slug, int64_t most, struct stet_json *);

/* ---- blocktypes.c: handlers ---- */

extern const struct stet_member block_types_out[], block_type_out[], block_type_in[],
    block_create_in[], block_update_in[], block_delete_in[], block_field_shape[], block_uses_in[],
    block_uses_out[];
stet_handler block_types_list, block_type_get, block_type_create, block_type_update,
    block_type_delete, block_type_uses;

/* ---- blockfiles.c: definitions as files ---- */

enum stet_status blocks_dump(struct stet_call *, const struct stet_export *);
enum stet_status blocks_load(struct stet_call *, struct stet_tx *, const json_t *all, bool remove,
    struct stet_import_count *);
/* A step that makes the site's types equal to the files: `def` NULL deletes the type. */
struct block_step {
	const char *verb, *slug; /* "create block" */
	const json_t *def;
	int64_t rows; /* items that have such blocks, if the type is deleted */
};
STET_MUST enum stet_status block_steps(struct stet_call *, const json_t *wanted, bool remove,
    struct block_step **steps, size_t *count);
STET_MUST enum stet_status block_step_take(
    struct stet_call *, struct stet_tx *, const struct block_step *);

#endif
