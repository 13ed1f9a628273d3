/* given.h - reads a source by an importer (stet/importer.h), as if it were a WXR export. */
#ifndef IMPORT_GIVEN_H
#define IMPORT_GIVEN_H

#include "plan/names.h"
#include "read/wxr.h"
#include <jansson.h>
#include <string.h>

/* Prefix of the URL of a source's file that has no URL; a path in the directory of the source
 * follows. The host name is reserved, so nobody can have it (RFC 6761). */
#define GIVEN_FILE "https://source.invalid/"

/* Prefix of a link to another item of the source; its id follows, with % and # escaped, and perhaps
 * a fragment. */
#define GIVEN_ITEM "https://item.source.invalid/"
/* Before the path of a page of the source's site, which the run makes of links to items that are
 * not here yet. */
#define GIVEN_PAGE "https://page.source.invalid"

/* Returns an address of a source as people know it: of GIVEN_FILE, the path in the directory. */
static inline const char *
given_place(const char *url)
{
	size_t len = sizeof(GIVEN_FILE) - 1;

	return url != NULL && strncmp(url, GIVEN_FILE, len) == 0 && url[len] != '\0' ? url + len
										     : url;
}

struct given {
	const char *importer;
	const json_t *options; /* for the importer, or NULL */
	const json_t *left; /* [{place, text, skipped}]: files of archives that are not read */
};
/* Reads files by an importer, or as WXR where there is none. */
STET_MUST enum stet_status given_read(struct stet_call *, const struct given *,
    const char *const *paths, size_t count, struct names *, const struct wxr_sink *);

/* given_fields adds the fields of an importer's item to the member `fields` of `type`, {slug:
 * type}. given_suggest removes those of the suggested fields that no item has, and adds the noted
 * ones if the collection is new. name: the name of the type. */
void given_fields(json_t *type, const struct wxr_item *);
STET_MUST enum stet_status given_suggest(struct stet_call *, const char *collection,
    const char *name, const json_t *type, struct names *, json_t *fields);

#endif
