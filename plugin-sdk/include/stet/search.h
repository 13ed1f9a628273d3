/* search.h - the service of the search module: the items of a collection that match a text, and
 * filters by the words of a field. */
#ifndef STET_SEARCH_H
#define STET_SEARCH_H

#include <stet/call.h>

#define STET_SEARCH_1 "search/1"
/* Words that a field has to have, read against the index of its collection. Owned by the call. */
struct stet_search_words;
struct stet_search_1 {
	/* The ids of items that match, the best first, at most `most` (1 to 1000): of the status,
	 * in the locale (NULL: in all). Where more match, these are the newest, and *more is true;
	 * core/adr/0013 says why. They are as the index has them, which follows the items
	 * within moments: hold them against your own conditions. `query` is that of GET /search.
	 * *ids is owned by the call. Fails with VALIDATION_ERROR about `path` if the collection
	 * has no index, or the query cannot be read. The caller of the call is not asked for
	 * rights. */
	enum stet_status (*best)(struct stet_call *, const char *path, const char *collection,
	    const char *query, const char *status, const char *locale, size_t most,
	    const char *const **ids, size_t *count, bool *more);
	/* Reads words for a filter: an item passes if the text of the field that stands in its
	 * columns has them all, in any order, as the index splits and compares words. Fails with
	 * VALIDATION_ERROR about `path` if the field is not searchable, search is off for the
	 * collection, or there are no words, or too many; with UNAVAILABLE while the index lacks
	 * the field, or changes. So an answer is never out of date. */
	enum stet_status (*words)(struct stet_call *, const char *path, const char *collection,
	    const char *field, const char *text, struct stet_search_words **);
	/* Appends " AND …": holds an item, a row of its collection's table, against the words;
	 * lacks: the opposite. */
	void (*words_put)(struct stet_sql *, const struct stet_search_words *, bool lacks);
	/* Appends "SELECT w.entry …": the ids of the items that have the words, by the index; of a
	 * status or a locale alone, where these are not NULL. A statement with more than 200,000 of
	 * them, or that holds more items against words_put, fails with REQUEST_TIMEOUT. */
	void (*words_ids)(struct stet_sql *, const struct stet_search_words *, const char *status,
	    const char *locale);
	/* New functions go here, and nowhere else. */
};

#endif
