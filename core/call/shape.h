/* shape.h - values checked against the members of a shape. */
#ifndef CORE_CALL_SHAPE_H
#define CORE_CALL_SHAPE_H

#include "call/call.h"

/* Check a value against a member; problems become issues under `path`. */
void shape_check(struct stet_call *, const struct stet_member *, const char *path, const json_t *);
/* The issue of a member that is required and absent, with what it is. */
void shape_missing(struct stet_call *, const struct stet_member *, const char *path);
/* The list's length without its end row. */
int shape_count(const struct stet_member *);

#endif
