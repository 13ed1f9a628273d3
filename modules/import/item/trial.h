/*
 * trial.h - what a dry run does in place of a write: the same writes, in transactions that are
 * rolled back. Only the rows of the run itself stay: its map, and the outcome of each item.
 */
#ifndef IMPORT_TRIAL_H
#define IMPORT_TRIAL_H

#include "item/members.h"
#include <stet/steps.h>

/* Like stet_write_lane, but a dry run rolls back what fn has written. The status is that of fn. */
STET_MUST enum stet_status trial_lane(struct stet_call *, const struct run *,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg);
/* Like stet_write_steps, but a dry run rolls back what the steps have written. The steps up to the
 * first refused one share a transaction, so they see each other's writes. After the rollback
 * `keep`, unless it is NULL, is called with the range [from, until) of these steps, then `refused`
 * with the refused one. */
STET_MUST enum stet_status trial_steps(struct stet_call *, const struct run *,
    const struct stet_steps *,
    enum stet_status (*keep)(struct stet_call *, void *arg, size_t from, size_t until));

/* Finds a collection; in a dry run also one that the import makes, or gives fields. *out NULL:
 * there is none. Within a transaction of a dry run the collections are those of the database. */
STET_MUST enum stet_status trial_find(
    struct stet_call *, const struct run *, const char *slug, const struct stet_collection **out);
/* Makes a draft without values in place of an item with this id in the source, which the dry run
 * has rolled back, so that others can refer to it; once in a transaction. *id NULL: it is refused.
 */
STET_MUST enum stet_status trial_stand_in(struct stet_call *, struct stet_tx *,
    const char *collection, const char *source, const char **id);
/* To be called for a field that is left out because nothing stands for the item that it refers to.
 * If the field is required, the item is reported as not checked. */
STET_MUST enum stet_status trial_leave(
    struct stet_call *, struct import_item *entry, const char *field);

#endif
