/* entry.h - makes the entry of an item of the source. */
#ifndef IMPORT_ENTRY_H
#define IMPORT_ENTRY_H

#include "item/members.h"

/* Sets all members of what will be stored (members.h) in this collection. *out is freed with
 * item_free; a failure may leave an unfinished one. */
STET_MUST enum stet_status entry_of(struct stet_call *, struct run *, const struct wxr_item *,
    const struct stet_collection *, struct import_item **out);
/* The collection of a type of posts; NULL: it is not imported. */
const char *entry_collection(const struct run *, const char *type);

#endif
