/* talk.h - comments of items. */
#ifndef IMPORT_TALK_H
#define IMPORT_TALK_H

#include "item/members.h"
#include "read/wxr.h"
#include <jansson.h>

/* Returns the comments of an item, a new reference; times that cannot be read are reported in its
 * entry. */
json_t *talk_of(struct stet_call *, const struct wxr_item *, struct import_item *entry);
/* Stores the comments whose id in the source is above `after`. Adds the number of new ones to
 * *count. */
STET_MUST enum stet_status talk_store(struct stet_call *, struct stet_tx *, const char *collection,
    const char *entry, const json_t *comments, int64_t after, int64_t *count);
int64_t talk_last(const json_t *comments); /* the highest id */
/* Returns the number of comments whose id is not above `last`. */
int64_t talk_known(const json_t *comments, int64_t last);

#endif
