/* lexical.h - texts of Ghost's editor as HTML. */
#ifndef IMPORT_LEXICAL_H
#define IMPORT_LEXICAL_H

#include <jansson.h>
#include <stet/call.h>

/* Returns the HTML of a Lexical document, which is JSON; NULL if it is none. Owned by the call.
 * Adds the types of cards that the HTML lacks to `left`, {type: true}, and what cards do not
 * become to `lost`, [{line of their Markdown, what}]. */
const char *lexical_html(struct stet_call *, const char *json, json_t *left, json_t *lost);
/* The same for a document of Mobiledoc, Ghost's editor before Lexical (mobiledoc.c). */
const char *mobiledoc_html(struct stet_call *, const char *json, json_t *left, json_t *lost);
/* Returns the HTML of a plain text, whose paragraphs are separated by blank lines. */
const char *lexical_plain(struct stet_call *, const char *text);

#endif
