/* text.h - texts of a source. */
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include <jansson.h>
#include <stet/call.h>

/* Decodes the entities of HTML, once. */
char *text_decode(struct stet_call *, const char *);
/* Removes tags, then decodes entities: for texts that are not content. */
char *text_plain(struct stet_call *, const char *);
/* Decodes percent-encoding. Returns the text unchanged if the result is not UTF-8. */
const char *text_unescape(struct stet_call *, const char *);
/* Returns the text, cut to at most so many characters. */
char *text_cut(struct stet_call *, const char *, size_t characters);
/* Returns a time of the source as ISO 8601; NULL: the text is no time. */
const char *text_time(struct stet_call *, const char *);
const char *text_mail_time(struct stet_call *, const char *); /* RFC 2822 */
/* The texts, or the numbers, of a serialized list of PHP, in order. Owned by the call. */
json_t *text_serialized(struct stet_call *, const char *, bool numbers);
/* Returns the text of a member; "" if it is none. Borrowed from the object. */
static inline const char *
text_in(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));

	return text != NULL ? text : "";
}
/* Returns a member of the source's JSON, a string or an integer, as text; "" if it is neither. */
const char *text_member(struct stet_call *, const json_t *, const char *member);
/* Returns what follows the last slash of a path. */
const char *text_base(const char *path);
bool text_begins(const char *text, const char *with);

#endif
