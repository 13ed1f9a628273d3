/* settle.h - stores the result for an item: its outcome, its id here, its draft, or its waiting. */
#ifndef IMPORT_SETTLE_H
#define IMPORT_SETTLE_H

#include "item/members.h"

/* Stores the outcome of an item, and deletes the row by which it waited. */
STET_MUST enum stet_status settle_outcome(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char *outcome);
/* Like settle_outcome, but in a dry run the outcome is only noted in the entry: settle_tried stores
 * it after the rollback. */
STET_MUST enum stet_status settle_entry(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, const char *outcome);
/* If an earlier row of the run has the id of the entry, or one of its keys, that one keeps it. The
 * entry gets an id with its slug, so that both are stored, and a notice. */
STET_MUST enum stet_status settle_double(
    struct stet_call *, const struct run *, struct import_item *entry, const char *slug);
/* Stores in the map which item the entry is here; in a dry run "" for one that it would make. */
STET_MUST enum stet_status settle_remember(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char *id);
/* Stores the entry in the map until its parent has been written. */
STET_MUST enum stet_status settle_wait(
    struct stet_call *, struct stet_tx *, const struct run *, struct import_item *entry);
/* Writes the draft of an entry whose item is public. If fields of the entry wait for other items,
 * wait_finish writes the draft after them. */
STET_MUST enum stet_status settle_draft(
    struct stet_call *, struct stet_tx *, const struct import_item *entry, const char *id);
/* Stores the outcomes of the items [from, until) of the batch, and in the map what later items need
 * to know of them. Does nothing unless it is a dry run. */
STET_MUST enum stet_status settle_tried(struct stet_call *, void *run, size_t from, size_t until);

#endif
