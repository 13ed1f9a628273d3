/*
 * trial.h - what a dry run does in place of a write: the same writes in transactions that are all
 * undone. Only the rows of the run itself stay: its map, and what would become of each item.
 */
#ifndef IMPORT_TRIAL_H
#define IMPORT_TRIAL_H

#include "state/run.h"
#include <stet/steps.h>

/* stet_write_lane; in a dry run all that fn writes is undone, and it says what it would have said.
 */
STET_MUST enum stet_status trial_lane(struct stet_call *, const struct run *,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg);
/* stet_write_steps, likewise. Steps that are tried together see what those before them wrote;
 * `keep` is told of such a row, once it is undone, and before `refused` is. NULL: it is not told.
 */
STET_MUST enum stet_status trial_steps(struct stet_call *, const struct run *,
    const struct stet_steps *,
    enum stet_status (*keep)(struct stet_call *, void *arg, size_t from, size_t until));
/* Keeps what later items have to know of these of the batch, and their outcomes. Does nothing
 * unless it is a dry run. */
STET_MUST enum stet_status trial_keep(struct stet_call *, void *run, size_t from, size_t until);

/* Does the import make the collection, or this field of it? */
bool trial_makes(const struct run *, const char *collection, const char *field);
/* The entry of an item of a collection that the import makes: it is told, and not checked. A new
 * reference. */
STET_MUST enum stet_status trial_unchecked(struct stet_call *, struct run *,
    const struct wxr_item *, const char *collection, json_t **out);
/* The field would refer to an item that this run has tried, so that it gets no value. Where it has
 * to have one the item is not checked. */
STET_MUST enum stet_status trial_leave(struct stet_call *, json_t *entry, const char *field);

#endif
