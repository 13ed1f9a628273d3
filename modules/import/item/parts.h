/* parts.h - sections and menus that an import has brought before: they have ids of the source, but
 * no versions. */
#ifndef IMPORT_PARTS_H
#define IMPORT_PARTS_H

#include "state/ids.h"

#define PART_SECTION "section:" /* as `collection`: no collection is called so */
#define PART_MENU "menu:"

/* What is known of it: `item` is its slug or name here, `slug` the time of its last change when the
 * import had written it. */
STET_MUST enum stet_status part_find(
    struct stet_call *, const struct run *, const char *kind, const char *source, struct kept *);
/* The run has written it, and it has this hash and time of change now. */
STET_MUST enum stet_status part_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *kind, const char *source, const char *item, const char *hash, const char *changed);
/* What becomes of one that is known: OUTCOME_UPDATED: it is to be written; NULL: it is to be made
 * again. `changed`: the time of its last change here, NULL: it is gone. */
const char *part_outcome(const struct run *, const struct kept *, const char *hash,
    const char *changed, const char **reason);

#endif
