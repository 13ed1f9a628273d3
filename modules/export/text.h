/* text.h - Portable Text as Markdown that is read as the same text. */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H

#include "outgoing.h"

/* *out: the blocks as Markdown. Blocks that Markdown cannot say are JSON in comments. */
STET_MUST enum stet_status text_of(struct stet_call *, struct leaving *, const char *field,
    const json_t *blocks, const char **out);

#endif
