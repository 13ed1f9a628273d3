/* definitions.h - tests of fields: a collection "a", and the columns of its table. */
#ifndef T_DEFINITIONS_H
#define T_DEFINITIONS_H

#include "inside.h"

int definitions_begin(void **state);
/* Creates a field: `rest` follows slug, label and type, and starts with a comma. */
struct outcome *field_add(struct harness *, const char *slug, const char *type, const char *rest);
struct outcome *field_change(struct harness *, const char *slug, const char *body);
struct outcome *field_get(struct harness *, const char *slug);
bool has_index(struct harness *, const char *name);
bool has_column(struct harness *, const char *name);

#endif
