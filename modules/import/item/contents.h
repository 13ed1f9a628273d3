/* contents.h - contents of entries as Portable Text. */
#ifndef IMPORT_CONTENTS_H
#define IMPORT_CONTENTS_H

#include "item/members.h"

/* Marks the content of an entry: it will be converted from `markup` when the batch is written. */
void contents_later(struct import_item *entry);
/* Converts the text of another field, or of a section. Adds to the account, under this name, and a
 * notice for each thing that is lost. A new reference. */
json_t *contents_other(struct stet_call *, const struct run *, const char *name, const char *text,
    json_t *account, json_t *notices);
/* Like field_value (fields.h), but HTML becomes the value of a field of Portable Text. */
json_t *contents_value(struct stet_call *, const struct run *, struct import_item *,
    const char *name, const struct stet_field *, const char *text);
/* Counts a text that is blocks in the source: what these show, how much of that the stored value
 * has, and what the importer has lost of the text (its member `lost`, or NULL). */
void contents_given(struct import_item *, const char *name, const json_t *blocks,
    const json_t *stored, const json_t *lost);
/* Converts the marked contents of the batch, and adds a notice for each thing that is lost. */
void contents_convert(struct stet_call *, const struct run *);

#endif
