/* slug.h - the slugs that items get here. */
#ifndef IMPORT_SLUG_H
#define IMPORT_SLUG_H

#include "item/members.h"

#define SLUG_LENGTH 250 /* characters, at most */
/* Chooses the slug of an entry. With skip_existing it is the same in each run, and *id is the item
 * that has it already, or NULL. Otherwise it is a free slug. */
STET_MUST enum stet_status slug_choose(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char **slug, const char **id);
/* Adds a number to *slug if an earlier item of the export has it. The result is the same in each
 * run. */
STET_MUST enum stet_status slug_claim(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char **slug);
/* Adds a number to *slug if an item here has it. */
STET_MUST enum stet_status slug_free(
    struct stet_call *, const struct import_item *entry, const char **slug);

#endif
