/* write.h - batches of items. */
#ifndef IMPORT_WRITE_H
#define IMPORT_WRITE_H

#include "state/run.h"

/* Takes the reference. */
STET_MUST enum stet_status write_add(struct run *, json_t *entry);
/* The same for an item that is not written; its outcome is, with the batch. */
STET_MUST enum stet_status write_told(struct run *, const struct wxr_item *, const char *outcome,
    const char *reason, const char *slug);
STET_MUST enum stet_status write_flush(struct run *);
/* Writes the items that wait for their parents. */
STET_MUST enum stet_status write_waiting(struct run *);

#endif
