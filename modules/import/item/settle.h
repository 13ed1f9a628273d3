/* settle.h - stores the result for an item: its outcome, its id here, its draft, or its waiting. */
#ifndef IMPORT_SETTLE_H
#define IMPORT_SETTLE_H

#include "state/run.h"

/* Stores the outcome of an item, and deletes the row by which it waited. */
STET_MUST enum stet_status settle_outcome(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char *outcome);
/* Like settle_outcome, but in a dry run the outcome is only noted in the entry: trial_keep stores
 * it after the rollback. */
STET_MUST enum stet_status settle_entry(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry, const char *outcome);
/* Stores in the map which item the entry is here; in a dry run "" for one that it would make. */
STET_MUST enum stet_status settle_remember(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, const char *id);
/* Stores the entry in the map until its parent has been written. */
STET_MUST enum stet_status settle_wait(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry);
/* Has the entry a draft or a schedule? */
bool settle_has_draft(const json_t *entry);
/* Writes the draft of an entry whose item is public. If fields of the entry wait for other items,
 * links_finish writes the draft after them. */
STET_MUST enum stet_status settle_draft(
    struct stet_call *, struct stet_tx *, const json_t *entry, const char *id);

#endif
