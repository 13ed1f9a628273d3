/* shape.h - checks values against the members of a shape. */
#ifndef CORE_CALL_SHAPE_H
#define CORE_CALL_SHAPE_H

#include "call/call.h"

/* Checks a value against a member. Each problem becomes an issue under `path`. */
void shape_check(struct stet_call *, const struct stet_member *, const char *path, const json_t *);
/* Adds the issue that a required member is absent, with its description. */
void shape_missing(struct stet_call *, const struct stet_member *, const char *path);
/* Returns true if `max` applies: 0 means no limit, except with STET_BOUNDED. */
bool shape_has_max(const struct stet_member *);
/* The number of members in the list, without the row that ends it. */
int shape_count(const struct stet_member *);

#endif
