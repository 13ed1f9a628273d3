/* contents.h - contents of entries as Portable Text. */
#ifndef IMPORT_CONTENTS_H
#define IMPORT_CONTENTS_H

#include "item/members.h"

/* Marks the content of an entry: it will be converted from `markup` when the batch is written. */
void contents_later(struct import_item *entry);
/* Converts the marked contents of the batch, and adds a notice for each thing that is lost. */
void contents_convert(struct stet_call *, const struct run *);

#endif
