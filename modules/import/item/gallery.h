/* gallery.h - galleries of classic texts that show the pictures attached to an item. */
#ifndef IMPORT_GALLERY_H
#define IMPORT_GALLERY_H

#include "state/run.h"

/* Notes a picture: to which item it is attached, and what may order it. For the first pass. */
STET_MUST enum stet_status gallery_note(
    struct stet_call *, struct run *, const struct wxr_item *attachment);
/* Names the pictures of each [gallery] in the text of an item: those of its list of ids or of its
 * attribute `include`, or else those that are attached to the item (or to the one of its attribute
 * `id`) without those of `exclude`, in the order that it asks for. *text is replaced. */
STET_MUST enum stet_status gallery_fill(
    struct stet_call *, const struct run *, const struct wxr_item *, const char **text);

#endif
