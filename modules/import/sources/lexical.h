/* lexical.h - texts of Ghost's editor as HTML. */
#ifndef IMPORT_LEXICAL_H
#define IMPORT_LEXICAL_H

#include <jansson.h>
#include <stet/call.h>

/* Returns the HTML of a Lexical document, which is JSON; "" if it is none. Owned by the call. */
const char *lexical_html(struct stet_call *, const char *json);
/* Returns the types of its cards that the HTML lacks, {type: true}, owned by the call. */
json_t *lexical_left(struct stet_call *, const char *json);
/* Returns the HTML of a plain text, whose paragraphs are separated by blank lines. */
const char *lexical_plain(struct stet_call *, const char *text);

#endif
