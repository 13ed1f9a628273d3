/* custom.h - custom fields of an export: which there are, and what fields they become. */
#ifndef IMPORT_CUSTOM_H
#define IMPORT_CUSTOM_H

#include "read/wxr.h"
#include <jansson.h>

/* Notes in {custom: {key: type}} what an item has. */
void custom_note(json_t *type, const struct wxr_item *);
/* Adds the fields that the collection lacks for them. */
STET_MUST enum stet_status custom_fields(
    struct stet_call *, const char *collection, const json_t *type, json_t *fields);

#endif
