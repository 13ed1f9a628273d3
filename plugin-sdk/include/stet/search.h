/* search.h - the service of the search module: the items of a collection that match a text. */
#ifndef STET_SEARCH_H
#define STET_SEARCH_H

#include <stet/call.h>

#define STET_SEARCH_1 "search/1"
struct stet_search_1 {
	/* The ids of items that match, the best first, at most `most` (1 to 1000): of the status,
	 * in the locale (NULL: in all). Where more match, these are the newest, and *more is true;
	 * core/adr/0013 says why. `query` is that of GET /search. *ids is owned by the call. Fails
	 * with VALIDATION_ERROR about `path` if the collection has no index, or the query cannot be
	 * read. The caller of the call is not asked for rights. */
	enum stet_status (*best)(struct stet_call *, const char *path, const char *collection,
	    const char *query, const char *status, const char *locale, size_t most,
	    const char *const **ids, size_t *count, bool *more);
	/* New functions go here, and nowhere else. */
};

#endif
