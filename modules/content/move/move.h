/* move.h - operations on many items at once: imports, transfer files, verify. */
#ifndef CONTENT_MOVE_H
#define CONTENT_MOVE_H

#include "item/item.h"

/* ---- transfer.c: items as files ---- */

enum stet_status transfer_kinds(struct stet_call *, struct stet_table *out);

/* ---- doubt.c: values that are moved although a save would refuse them ---- */

/* Implements `doubt` of struct stet_transfer; `slug` is that of a collection. */
enum stet_status item_doubt(struct stet_call *, const void *slug, const json_t *key);
/* Records an issue if a save would refuse the value, which may be NULL. */
STET_MUST enum stet_status doubt_value(
    struct stet_call *, const struct stet_field *, const char *path, const json_t *value);

/* ---- verify.c: for `stet verify` ---- */

extern const struct stet_member content_verify_out[];
stet_handler content_verify;

/* ---- import.c, infer.c ---- */

int import_jsonl(struct stet_call *, int argc, char **argv);

/* The values seen so far of each field. */
struct infer;
struct infer *infer_new(void);
void infer_line(struct infer *, const json_t *data);
/* Returns arguments for the service schema/1: the collection, and an array of its fields. New
 * references. */
json_t *infer_collection(const struct infer *, const char *slug);
json_t *infer_fields(const struct infer *);
void infer_free(struct infer *);

#endif
