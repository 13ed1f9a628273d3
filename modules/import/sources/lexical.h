/* lexical.h - texts of Ghost's editor as HTML. */
#ifndef IMPORT_LEXICAL_H
#define IMPORT_LEXICAL_H

#include <stet/call.h>

/* Of a document of Lexical, as JSON; "" if it is none. Owned by the call. */
const char *lexical_html(struct stet_call *, const char *json);
/* Of a plain text, a paragraph for each that blank lines part. */
const char *lexical_plain(struct stet_call *, const char *text);

#endif
