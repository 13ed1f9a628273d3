/* urls.h - replaces addresses of a source in texts and values by those of the copied files. */
#ifndef IMPORT_URLS_H
#define IMPORT_URLS_H

#include <jansson.h>
#include <stet/call.h>

struct urls {
	const json_t *map; /* {old: new} */
	const json_t *items; /* {new: id of the media item with this URL} */
	size_t replaced; /* addresses replaced so far */
	/* Files of a source without addresses (GIVEN_FILE) that the map lacks get their path from
	 * the root. */
	bool bare;
};

/* Fails with VALIDATION_ERROR if a new address is not a URL or could end an attribute of HTML. */
STET_MUST enum stet_status urls_check(struct stet_call *, const char *path, const json_t *map);

#define URLS_PLAIN (2048 + 16)
/* Writes the plain form of an address, without a NUL: https, the host in lower case and without
 * "www.", bytes that are not ASCII unescaped. A path from the root stays one. Returns its length;
 * 0: it is no such address. The map may have old addresses in this form; "../" then leads to the
 * root. */
size_t urls_plain(const char *url, size_t len, char out[URLS_PLAIN]);

/*
 * Returns the text with its addresses replaced, owned by the call; NULL: it contains none. An
 * address is found whole, without its query, with http and https swapped, and as a smaller copy
 * (-300x200 before the extension; -scaled where the large one has that), and in its plain form. It
 * ends at punctuation,
 * quotes, tags or the next address of a list. Linear in the text.
 */
char *urls_text(struct stet_call *, struct urls *, const char *text, size_t len);
/*
 * Returns a JSON value with the addresses in its strings replaced, except in keys and types. A new
 * reference; NULL: it contains none. An external picture or file that is in the library now becomes
 * a reference to its media item.
 */
json_t *urls_value(struct stet_call *, struct urls *, const json_t *value);

#endif
