/* renew.h - finds items of earlier imports by their source ids, and updates them. */
#ifndef IMPORT_RENEW_H
#define IMPORT_RENEW_H

#include "item/members.h"

/*
 * Sets *there if the entry has an item here already. That item is then updated or left as it is, as
 * the run demands, and its outcome is stored. `body`: the request body of the entry. `by_slug`: the
 * item that has the entry's slug, or NULL.
 */
STET_MUST enum stet_status renew_known(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, json_t *body, const char *by_slug, bool *there);
/* A shortcut for items that exist and will not be updated: their content need not be read. *entry:
 * a short entry with the outcome "skipped", freed with item_free; NULL: the item does not exist, or
 * may have to change. */
STET_MUST enum stet_status renew_stays(struct stet_call *, struct run *, const struct wxr_item *,
    const char *collection, struct import_item **entry);
/* Stores the source id of an entry that was created as item `id`. */
STET_MUST enum stet_status renew_made(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char *id);

#endif
