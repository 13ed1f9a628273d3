/* given.h - what importers read, as exports are. */
#ifndef IMPORT_GIVEN_H
#define IMPORT_GIVEN_H

#include "read/wxr.h"
#include <jansson.h>

/* What begins the address of a file of a source that has no address; a path in the directory
 * follows. The name is nobody's (RFC 6761). */
#define GIVEN_FILE "https://source.invalid/"

struct given {
	const char *importer;
	const json_t *options; /* for it; or NULL */
};
/* Reads files by an importer, or as WXR where there is none. */
STET_MUST enum stet_status given_read(struct stet_call *, const struct given *,
    const char *const *paths, size_t count, const struct wxr_sink *);

/* Notes in {fields: {slug: type}} what an item of an importer has; leaves of the suggested fields
 * those that are needed, and adds what a collection that is new gets. */
void given_fields(json_t *type, const struct wxr_item *);
STET_MUST enum stet_status given_suggest(
    struct stet_call *, const char *collection, const json_t *type, json_t *fields);

#endif
