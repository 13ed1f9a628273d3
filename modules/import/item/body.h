/* body.h - the body of the request that makes or changes an item. */
#ifndef IMPORT_BODY_H
#define IMPORT_BODY_H

#include "item/members.h"

/* Builds the request body of an entry. *out is owned by the call. *waits: the item has to wait
 * until its parent has been written. */
STET_MUST enum stet_status body_of(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, json_t **out, bool *waits);

#endif
