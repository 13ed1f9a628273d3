/* body.h - the body of the request that makes or changes an item. */
#ifndef IMPORT_BODY_H
#define IMPORT_BODY_H

#include "state/run.h"

/* Builds the request body of an entry. *out is owned by the call. *waits: the item has to wait
 * until its parent has been written. */
STET_MUST enum stet_status body_of(struct stet_call *, struct stet_tx *, const struct run *,
    json_t *entry, json_t **out, bool *waits);
/* Sets a value in `data` if its field accepts it; otherwise adds a notice to the entry. Does
 * nothing if the collection has no such field. Takes the reference. */
STET_MUST enum stet_status body_set(
    struct stet_call *, json_t *entry, json_t *data, const char *slug, json_t *value);

#endif
