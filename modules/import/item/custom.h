/* custom.h - custom fields of an export: which there are, and what fields they become. */
#ifndef IMPORT_CUSTOM_H
#define IMPORT_CUSTOM_H

#include "plan/names.h"
#include "read/wxr.h"
#include <jansson.h>

/* Adds the custom fields of an item to the members `custom` of `type`, {key: type of field}, and
 * `choices`, {key: {value: number, or null if there are too many}}. */
void custom_note(struct stet_call *, const struct names *, json_t *type, const struct wxr_item *);
/* Adds to `fields` the noted custom fields for which the collection has no field yet. name: the
 * name of the type, here and below. */
STET_MUST enum stet_status custom_fields(struct stet_call *, struct names *, const char *collection,
    const char *name, const json_t *type, json_t *fields);
/* *out: the hidden custom fields of a type that have no field in the collection, with commas. */
STET_MUST enum stet_status custom_hidden(struct stet_call *, struct names *, const char *collection,
    const char *name, const json_t *type, const char **out);

#endif
