/* fields.h - values of custom fields. */
#ifndef IMPORT_FIELDS_H
#define IMPORT_FIELDS_H

#include <jansson.h>
#include <stet/content.h>

/* The value for a field of this type; a new reference, NULL if the text is none. */
json_t *field_value(struct stet_call *, const struct stet_field *, const char *text);
/* Is its value, or are parts of it, the id of something else: an item or a file? */
bool field_refers(const struct stet_field *);
/* Rows, or one object, for a field of type repeater or json: texts become values of the sub-fields'
 * types; those that are none are left out and told in `notices`. A new reference. */
json_t *field_rows(
    struct stet_call *, const struct stet_field *, const json_t *value, json_t *notices);
/* Does the field take the value? If not, *why says in words why not. */
STET_MUST enum stet_status field_takes(
    struct stet_call *, const struct stet_field *, const json_t *value, const char **why);

#endif
