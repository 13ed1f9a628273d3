/* text.h - texts of a source. */
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include <jansson.h>
#include <stet/call.h>

/* Decodes the entities of HTML, once. */
char *text_decode(struct stet_call *, const char *);
/* The same without tags, for texts that are no content. */
char *text_plain(struct stet_call *, const char *);
/* Decodes percent-encoding; the text as it is if what comes of it is not UTF-8. */
const char *text_unescape(struct stet_call *, const char *);
/* At most so many characters. */
char *text_cut(struct stet_call *, const char *, size_t characters);
/* A time of the source as ISO 8601; NULL: it is none. */
const char *text_time(struct stet_call *, const char *);
const char *text_mail_time(struct stet_call *, const char *); /* RFC 2822 */
/* The texts, or the numbers, of a serialized list of PHP, in order. Owned by the call. */
json_t *text_serialized(struct stet_call *, const char *, bool numbers);

#endif
