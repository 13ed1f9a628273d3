/* wait.h - fields that refer to items which come later in the export. */
#ifndef IMPORT_WAIT_H
#define IMPORT_WAIT_H

#include "item/members.h"

/* Stores what waits in the entry (`later`, a draft, a schedule) in the map, for the item that the
 * entry has become. */
STET_MUST enum stet_status wait_put(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char *item);
/* Sets all that waits. To be called when all items have been written. */
STET_MUST enum stet_status wait_finish(struct run *);

#endif
