/*
 * moved.h - where imported items were in their source: the table import_moved, which stays after
 * the import. A site that is built from the content has redirects of it.
 */
#ifndef IMPORT_MOVED_H
#define IMPORT_MOVED_H

#include "state/run.h"
#include <stet/redirects.h>

/* Returns path and query of an address, which may lack its host; NULL: it is no address, or one
 * that a line cannot contain, or that of the home page. */
const char *moved_path(struct stet_call *, const char *address);
/* Returns a path with this slug as its last part, or the slug if it is a path itself. NULL: the
 * path has a query, or there is none. */
const char *moved_renamed(struct stet_call *, const char *path, const char *slug);

struct moved {
	const char *address; /* in the source; NULL: it has none */
	const json_t *old_slugs; /* [slug or path] that it had before, or NULL */
	const char *collection, *item; /* here */
};
/* Stores the addresses of an item. Its permalink wins over a slug that another item had before. */
STET_MUST enum stet_status moved_put(struct stet_call *, struct stet_tx *, const struct moved *);

/* Lets the module redirects list them. */
extern const struct stet_import_moved_1 moved_service;

#endif
