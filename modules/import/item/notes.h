/* notes.h - footnotes. */
#ifndef IMPORT_NOTES_H
#define IMPORT_NOTES_H

#include "read/wxr.h"

/* The content of the item, with the texts of its footnotes. Owned by the call, or the item. */
const char *notes_in(struct stet_call *, const struct wxr_item *);

#endif
