/* doubles.h - different items of a source that have one id. */
#ifndef IMPORT_DOUBLES_H
#define IMPORT_DOUBLES_H

#include "state/run.h"

/* Notes the id of an item, in the first pass. */
void doubles_note(struct run *, const struct wxr_item *);
/* In the second pass: returns the item, or, if another one before it had its id, `copy`, which has
 * a key of its own. *again: it is the same item again. Call it for each item, in the order of the
 * source. */
const struct wxr_item *doubles_tell(
    struct run *, const struct wxr_item *, struct wxr_item *copy, bool *again);
void doubles_end(struct run *);

#endif
