/* squarespace.h - contents of exports of Squarespace, which are WXR with its own layout inside. */
#ifndef IMPORT_SQUARESPACE_H
#define IMPORT_SQUARESPACE_H

#include <stet/call.h>

/* Is it a content of Squarespace? */
bool squarespace_is(const char *html);
/* Returns a content without what its page needs a script for: pictures stand there once and not
 * twice, galleries are blocks, and players have their frames. Owned by the call. */
const char *squarespace_html(struct stet_call *, const char *html);

#endif
