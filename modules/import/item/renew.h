/* renew.h - items that are there already, by their ids. */
#ifndef IMPORT_RENEW_H
#define IMPORT_RENEW_H

#include "state/run.h"

/*
 * Looks whether the entry is there: *there. If so, it has its outcome then: it is left as it is, or
 * changed, as the run wants it. `body`: of the request. `by_slug`: the item of its slug, or NULL.
 */
STET_MUST enum stet_status renew_known(struct stet_call *, struct stet_tx *, const struct run *,
    json_t *entry, json_t *body, const char *by_slug, bool *there);
/* The item of an id, which is there and stays as it is: nothing of it need be read. *entry: what is
 * to be written of it, a new reference; NULL: it is not there, or may have to change. */
STET_MUST enum stet_status renew_stays(struct stet_call *, struct run *, const struct wxr_item *,
    const char *collection, json_t **entry);
/* The entry was made as this item. */
STET_MUST enum stet_status renew_made(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, const char *id);

#endif
