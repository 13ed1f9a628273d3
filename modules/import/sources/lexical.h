/* lexical.h - texts of Ghost's editor as HTML. */
#ifndef IMPORT_LEXICAL_H
#define IMPORT_LEXICAL_H

#include <jansson.h>
#include <stet/call.h>

/* Returns the HTML of a Lexical document, which is JSON; "" if it is none. Owned by the call.
 * Adds the types of cards that the HTML lacks to `left`, {type: true}. */
const char *lexical_html(struct stet_call *, const char *json, json_t *left);
/* Returns the HTML of a plain text, whose paragraphs are separated by blank lines. */
const char *lexical_plain(struct stet_call *, const char *text);

#endif
