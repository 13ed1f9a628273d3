/* times.h - when an item of the source, or a comment, was made and changed. */
#ifndef IMPORT_TIMES_H
#define IMPORT_TIMES_H

#include "item/members.h"
#include "read/wxr.h"

/* Sets createdAt and updatedAt in the body of an entry, and publishedAt if `public`, to what the
 * source has. The time of creation is the first one that can be read of post_date_gmt, pubDate and
 * post_date. A text that cannot be read is reported; if no other text of the same time can, that is
 * lost, and the time of the last change takes its place. A member that is not set becomes the time
 * of the import. */
void times_read(
    struct stet_call *, const struct wxr_item *, bool public, struct import_item *entry);
/* Returns the time of a comment of the item, or NULL. Reports a text in the same way. */
const char *times_comment(
    struct stet_call *, const struct wxr_comment *, struct import_item *entry);

#endif
