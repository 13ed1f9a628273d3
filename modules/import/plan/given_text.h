/* given_text.h - Markdown that importers hand on as the text of an item. */
#ifndef IMPORT_GIVEN_TEXT_H
#define IMPORT_GIVEN_TEXT_H

#include <jansson.h>
#include <stet/call.h>

/* Returns Markdown as blocks, owned by the call; NULL: it cannot be read. Sets in `own` what it
 * loses: `told`, [text], and `lost`, {characters, links, pictures: number}. */
const json_t *given_blocks(struct stet_call *, json_t *own, const char *markdown);

#endif
