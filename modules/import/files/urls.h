/* urls.h - addresses of a source in texts and values, replaced by those of the files here. */
#ifndef IMPORT_URLS_H
#define IMPORT_URLS_H

#include <jansson.h>
#include <stet/call.h>

struct urls {
	const json_t *map; /* {old: new} */
	const json_t *items; /* {new: the id of the media item that has this URL} */
	size_t replaced; /* how many were, so far */
};

/* Fails with VALIDATION_ERROR if a new address is none, or could end an attribute of HTML. */
STET_MUST enum stet_status urls_check(struct stet_call *, const char *path, const json_t *map);

/*
 * The text with its addresses replaced, owned by the call; NULL: it has none. An address is found
 * whole, without its query, with the other scheme (http, https), and as a smaller copy of it
 * (-300x200 before the extension; -scaled where the large one has that). It ends where prose,
 * quotes, a tag or a list of addresses says so. Linear in the text.
 */
char *urls_text(struct stet_call *, struct urls *, const char *text, size_t len);
/*
 * A JSON value with its addresses replaced, in all its strings but keys and types; a new reference,
 * or NULL: it has none. A picture or file of elsewhere whose file is here now becomes one of the
 * library.
 */
json_t *urls_value(struct stet_call *, struct urls *, const json_t *value);

#endif
