/* definitions.h - tests of fields: a collection "a", and what its table has. */
#ifndef T_DEFINITIONS_H
#define T_DEFINITIONS_H

#include "inside.h"

int definitions_begin(void **state);
/* POST a field: `rest` follows slug, label and type, with its comma. */
struct outcome *field_add(struct harness *, const char *slug, const char *type, const char *rest);
struct outcome *field_change(struct harness *, const char *slug, const char *body);
struct outcome *field_get(struct harness *, const char *slug);
bool has_index(struct harness *, const char *name);
bool has_column(struct harness *, const char *name);

#endif
