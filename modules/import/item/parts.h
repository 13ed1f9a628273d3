/* parts.h - remembers the sections and menus of earlier imports. They have ids in the source but no
 * versions, so the time of their last change tells whether somebody has changed them here. */
#ifndef IMPORT_PARTS_H
#define IMPORT_PARTS_H

#include "state/ids.h"

#define PART_SECTION "section:" /* in place of a collection, whose slug cannot be this */
#define PART_MENU "menu:"

/* Finds the row of a section or menu. In it `item` is its slug or name here, `slug` the time of its
 * last change, as of when the import wrote it. */
STET_MUST enum stet_status part_find(
    struct stet_call *, const struct run *, const char *kind, const char *source, struct kept *);
/* Stores the row of a section or menu that the run has written, with its hash and its time of
 * change. */
STET_MUST enum stet_status part_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *kind, const char *source, const char *item, const char *hash, const char *changed);
/* Decides what to do with a section or menu of an earlier import. OUTCOME_UPDATED: write it; NULL:
 * make it again; any other outcome: leave it as it is. `changed`: the time of its last change here;
 * NULL: it was deleted. */
const char *part_outcome(const struct run *, const struct kept *, const char *hash,
    const char *changed, const char **reason);

#endif
