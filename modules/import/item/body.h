/* body.h - the body of the request that makes or changes an item. */
#ifndef IMPORT_BODY_H
#define IMPORT_BODY_H

#include "state/run.h"

/* *out is owned by the call. *waits: not before its parent. */
STET_MUST enum stet_status body_of(struct stet_call *, struct stet_tx *, const struct run *,
    json_t *entry, json_t **out, bool *waits);
/* Sets a value if the field takes it, else it is a notice. Takes the reference. */
STET_MUST enum stet_status body_set(
    struct stet_call *, json_t *entry, json_t *data, const char *slug, json_t *value);

#endif
