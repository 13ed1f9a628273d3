/* given.h - reads a source by an importer (stet/importer.h), as if it were a WXR export. */
#ifndef IMPORT_GIVEN_H
#define IMPORT_GIVEN_H

#include "read/wxr.h"
#include <jansson.h>

/* Prefix of the URL of a source's file that has no URL; a path in the directory of the source
 * follows. The host name is reserved, so nobody can have it (RFC 6761). */
#define GIVEN_FILE "https://source.invalid/"

struct given {
	const char *importer;
	const json_t *options; /* for the importer, or NULL */
};
/* Reads files by an importer, or as WXR where there is none: then `names` are other names for its
 * custom fields, or NULL (renamed.h). */
STET_MUST enum stet_status given_read(struct stet_call *, const struct given *, const json_t *names,
    const char *const *paths, size_t count, const struct wxr_sink *);

/* Returns the collection for a type of posts: the given one ({type: collection}; "": none, NULL is
 * returned), or the suggested one. */
const char *given_target(struct stet_call *, const json_t *given, const char *type);

/* given_fields adds the fields of an importer's item to the member `fields` of `type`, {slug:
 * type}. given_suggest removes those of the suggested fields that no item has, and adds the noted
 * ones if the collection is new. */
void given_fields(json_t *type, const struct wxr_item *);
STET_MUST enum stet_status given_suggest(struct stet_call *, const char *collection,
    const json_t *type, const json_t *given, json_t *fields);

#endif
