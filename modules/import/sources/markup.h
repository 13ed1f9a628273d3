/* markup.h - writes HTML to memory. */
#ifndef IMPORT_MARKUP_H
#define IMPORT_MARKUP_H

#include <stdio.h>
#include <stet/call.h>

/* markup_begin opens a stream to memory. markup_end closes it, and returns its text, which the call
 * then owns. */
FILE *markup_begin(char **text, size_t *len);
const char *markup_end(struct stet_call *, FILE *, char **text);
void markup_text(FILE *, const char *text);
void markup_attribute(FILE *, const char *name, const char *value);

#endif
