/* search.h - the service of the search module: the items of a collection that match a text, and
 * filters by the words of a field. */
#ifndef STET_SEARCH_H
#define STET_SEARCH_H

#include <stet/call.h>

#define STET_SEARCH_1 "search/1"
/* Words that a field must contain, split as the index of its collection does. Owned by the call. */
struct stet_search_words;
struct stet_search_1 {
	/* The ids of items that match, the best first, at most `most` (1 to 1000): of the status,
	 * in the locale (NULL: in all). Where more match, these are the newest, and *more is true;
	 * core/adr/0013 says why. The index follows changes of items with a short delay, so check
	 * the items against your own conditions too. `query` has the syntax of GET /search.
	 * *ids is owned by the call. Fails with VALIDATION_ERROR about `path` if the collection
	 * has no index, or the query cannot be read. Does not check rights. */
	enum stet_status (*best)(struct stet_call *, const char *path, const char *collection,
	    const char *query, const char *status, const char *locale, size_t most,
	    const char *const **ids, size_t *count, bool *more);
	/* Reads words for a filter: an item passes if the stored text of the field contains all of
	 * them, in any order, split and compared as the index does. Fails with VALIDATION_ERROR
	 * about `path` if the field is not searchable, search is off for the collection, or there
	 * are no words or too many; with UNAVAILABLE while the index lacks the field, or recent
	 * changes. So a response is never out of date. */
	enum stet_status (*words)(struct stet_call *, const char *path, const char *collection,
	    const char *field, const char *text, struct stet_search_words **);
	/* Appends " AND …", a condition that is true if an item, a row of its collection's table,
	 * contains the words; with `lacks`, if it does not. */
	void (*words_put)(struct stet_sql *, const struct stet_search_words *, bool lacks);
	/* Appends "SELECT w.entry …": the ids of the items that contain the words, by the index; if
	 * `status` or `locale` is not NULL, only of that status or locale. A statement that finds
	 * more than 200,000 ids, or tests more items with words_put, fails with REQUEST_TIMEOUT. */
	void (*words_ids)(struct stet_sql *, const struct stet_search_words *, const char *status,
	    const char *locale);
	/* New functions go here, and nowhere else. */
};

#endif
