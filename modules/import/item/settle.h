/* settle.h - what is stored when it is settled what became of an item. */
#ifndef IMPORT_SETTLE_H
#define IMPORT_SETTLE_H

#include "state/run.h"

/* Its outcome, and it waits no longer. */
STET_MUST enum stet_status settle_outcome(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char *outcome);
/* The same; in a dry run when all of the batch is undone. */
STET_MUST enum stet_status settle_entry(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry, const char *outcome);
/* Its item is there, made now or before. */
STET_MUST enum stet_status settle_remember(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, const char *id);
/* It waits for its parent. */
STET_MUST enum stet_status settle_wait(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry);
/* Has the entry a draft or a schedule? Both are written after the item. */
bool settle_has_draft(const json_t *entry);
/* Stages the draft of an entry whose item is public. What waits for others is left to links_wait.
 */
STET_MUST enum stet_status settle_draft(
    struct stet_call *, struct stet_tx *, const json_t *entry, const char *id);

#endif
