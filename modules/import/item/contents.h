/* contents.h - contents of entries as Portable Text. */
#ifndef IMPORT_CONTENTS_H
#define IMPORT_CONTENTS_H

#include "state/run.h"

/* The content of an entry is its markup, converted when the batch is written. */
void contents_later(json_t *entry);
/* Converts those of these entries, and tells what of them is lost. */
void contents_convert(struct stet_call *, const struct run *, json_t *entries);

#endif
