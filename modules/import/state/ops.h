/* ops.h - ops of other modules, run inside the call of an import. */
#ifndef IMPORT_OPS_H
#define IMPORT_OPS_H

#include <jansson.h>
#include <stet/module.h>

/* Runs an op that reads one object. *changed: its updatedAt, or NULL if there is none. */
STET_MUST enum stet_status op_changed(
    struct stet_call *, const char *op, json_t *args, const char **changed);

/* Returns the value as JSON text, owned by the call. Takes the reference. */
char *json_dumps_own(struct stet_call *, json_t *);

#endif
