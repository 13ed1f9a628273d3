/* write.h - batches of items. */
#ifndef IMPORT_WRITE_H
#define IMPORT_WRITE_H

#include "item/members.h"

/* Begins an empty batch; its entries are freed when the scope of the call ends. */
void write_begin(struct stet_call *, struct run *);
/* Adds an entry to the batch, which frees it, and writes the batch when it is full. */
STET_MUST enum stet_status write_add(struct run *, struct import_item *entry);
/* Adds only the outcome of an item, which is not written itself. Does nothing unless the run is
 * resumable. */
STET_MUST enum stet_status write_told(
    struct run *, const struct wxr_item *, const struct item_told *);
STET_MUST enum stet_status write_flush(struct run *);
/* Writes the items that wait for their parents. */
STET_MUST enum stet_status write_waiting(struct run *);

#endif
