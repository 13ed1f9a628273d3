/* fields.h - values of custom fields. */
#ifndef IMPORT_FIELDS_H
#define IMPORT_FIELDS_H

#include "item/members.h"
#include <stet/content.h>

/* Returns the text as a value of the field's type, a new reference; NULL: it is no such value. */
json_t *field_value(struct stet_call *, const struct stet_field *, const char *text);
/* Is the value of the field, or a part of it, the id of an item or a file? */
bool field_refers(const struct stet_field *);
/* Is it the id of a file? */
bool field_is_file(const struct stet_field *);
/* Returns rows, or one object, for a field of rows or of JSON; a new reference. Texts become
 * values of the sub-fields' types; a text that does not fit is left out, with a notice. */
json_t *field_rows(
    struct stet_call *, const struct stet_field *, const json_t *value, json_t *notices);
/* Checks a value against its field. *why: why it does not fit, as text, or NULL. */
STET_MUST enum stet_status field_takes(
    struct stet_call *, const struct stet_field *, const json_t *value, const char **why);
/* Sets a value in `data` if its field accepts it; otherwise adds a notice to the entry. Does
 * nothing if the collection has no such field. Takes the reference. */
STET_MUST enum stet_status field_put(
    struct stet_call *, struct import_item *entry, json_t *data, const char *slug, json_t *value);

#endif
