/*
 * taxonomies.h - the service of the taxonomies module: which terms an item has. The content
 * module, which saves items, passes an item's terms to this service and reads them back. The
 * taxonomies module may be disabled: then items have no terms, and a request body with
 * `taxonomies` is refused.
 *
 * A term has one row for each locale; the rows of one term share a translation group. An
 * assignment names the groups of the item and of the term: it holds for all locales of the item,
 * and shows the term in the item's locale, or in the site's default locale.
 */
#ifndef STET_TAXONOMIES_H
#define STET_TAXONOMIES_H

#include <stet/call.h>
#include <stet/table.h>

#define STET_TERMS_MAX 500 /* in one taxonomy, for one item */
#define STET_TERM_SETS_MAX 100 /* taxonomies in one request body */

/* A term as it is named in one locale. */
struct stet_term_found {
	const char *taxonomy, *slug, *label, *locale; /* all NULL: there is no such term */
	/* New fields go here, and nowhere else. */
};

/* The terms, of some taxonomies, that an item gets. Owned by the call. */
struct stet_terms;

#define STET_TAXONOMIES_1 "taxonomies/1"
struct stet_taxonomies_1 {
	/* Reads `taxonomies` of a request body: {name: [slug …]}, with slugs of terms in
	 * `locale`. Records problems as issues below `path`; *out then holds the valid terms. */
	enum stet_status (*check)(struct stet_call *, const char *path, const json_t *taxonomies,
	    const char *locale, struct stet_terms **out);
	/* Reads terms of one taxonomy from an array of ids of their rows. Fails with NOT_FOUND
	 * for an unknown id, and with VALIDATION_ERROR for a term of another taxonomy. */
	enum stet_status (*pick)(
	    struct stet_call *, const char *taxonomy, const json_t *ids, struct stet_terms **out);
	/* Sets the terms of the existing items of a translation group: exactly these terms in
	 * these taxonomies. Other taxonomies stay as they are. */
	enum stet_status (*store)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *entry_group, const struct stet_terms *);
	/* Writes the terms of one taxonomy that an item of this locale has: {terms, unresolved,
	 * entryLocale, defaultLocale, implicitDefaultLocale}. */
	enum stet_status (*put)(struct stet_call *, struct stet_json *, const char *collection,
	    const char *entry_group, const char *taxonomy, const char *locale);
	/* Finds terms by the ids of their rows or translation groups, each in this locale, or
	 * else in the site's default, or else in the lowest locale that it has; one statement
	 * for each hundred. *out is a table of struct stet_term_found in the order of `ids`;
	 * read it with stet_table_row. */
	enum stet_status (*find)(struct stet_call *, const char *const *ids, size_t count,
	    const char *locale, struct stet_table *out);
	/* Finds the row of a term by its slug in exactly this locale. *id and *group are owned by
	 * the call; both are NULL if there is none. */
	enum stet_status (*by_slug)(struct stet_call *, const char *taxonomy, const char *slug,
	    const char *locale, const char **id, const char **group);
	/* Is the taxonomy for items of this collection? One that lists no collections is for all;
	 * one whose collections do not exist any more is for none. *takes is false, too, if there
	 * is no taxonomy of this name. */
	enum stet_status (*takes)(
	    struct stet_call *, const char *taxonomy, const char *collection, bool *takes);
	/* New functions go here, and nowhere else. */
};

#endif
