/* builder.h - texts that a page builder has laid out. */
#ifndef IMPORT_BUILDER_H
#define IMPORT_BUILDER_H

#include "item/members.h"

/* Returns the text of an item with its layout (Divi, WPBakery, Elementor) as block markup, or the
 * text itself. Tells in the entry what it has found, and counts what is left out. */
const char *builder_text(
    struct stet_call *, const struct wxr_item *, const char *text, struct import_item *entry);

#endif
