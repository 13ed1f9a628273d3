/* slug.h - the slugs that items get here. */
#ifndef IMPORT_SLUG_H
#define IMPORT_SLUG_H

#include "state/run.h"

#define SLUG_LENGTH 250 /* characters, at most */
/* The slug of an entry as the run wants it. *id: the item that has it already, or NULL. */
STET_MUST enum stet_status slug_choose(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char **slug, const char **id);
/* With a number if another item of the export has it: the same in each run. */
STET_MUST enum stet_status slug_claim(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char **slug);
/* With a number if an item has it. */
STET_MUST enum stet_status slug_free(struct stet_call *, const json_t *entry, const char **slug);

#endif
