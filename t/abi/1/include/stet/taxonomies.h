/*
 * taxonomies.h - which terms items have: the service of the taxonomies module. The module that
 * saves items hands it the terms of an item, and asks for them. It may be disabled: without the
 * service an item has no terms, and a body with `taxonomies` is refused.
 *
 * A term is a row for each locale; the rows of one term share a translation group. An assignment
 * names groups on both sides: it holds for all locales of the item, and shows the term in the
 * locale of the item, or in the site's default locale.
 */
#ifndef STET_TAXONOMIES_H
#define STET_TAXONOMIES_H

#include <stet/call.h>

#define STET_TERMS_MAX 500 /* of a taxonomy, of an item */
#define STET_TERM_SETS_MAX 100 /* taxonomies of a body */

/* A term as it is called in one locale. */
struct stet_term_found {
	const char *taxonomy, *slug, *label, *locale; /* all NULL: there is no such term */
};

/* Terms of some taxonomies, as an item is to have them. Owned by the call. */
struct stet_terms;

#define STET_TAXONOMIES_1 "taxonomies/1"
struct stet_taxonomies_1 {
	/* Read `taxonomies` of a body: {name: [slug …]}, slugs of terms in `locale`. Problems are
	 * recorded as issues below `path`: then *out is what was good. */
	enum stet_status (*check)(struct stet_call *, const char *path, const json_t *taxonomies,
	    const char *locale, struct stet_terms **out);
	/* Terms of one taxonomy by the ids of their rows, an array. An id that is none is
	 * NOT_FOUND, that of another taxonomy's term a VALIDATION_ERROR. */
	enum stet_status (*pick)(
	    struct stet_call *, const char *taxonomy, const json_t *ids, struct stet_terms **out);
	/* Let the items of a translation group, which are there, have these terms and no others of
	 * these taxonomies. */
	enum stet_status (*store)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *entry_group, const struct stet_terms *);
	/* Write {terms, unresolved, entryLocale, defaultLocale, implicitDefaultLocale}: the terms
	 * of one taxonomy that an item of this locale has. */
	enum stet_status (*put)(struct stet_call *, struct stet_json *, const char *collection,
	    const char *entry_group, const char *taxonomy, const char *locale);
	/* Terms by the ids of their rows or of their translation groups, each in this locale, or in
	 * the site's default, or in the lowest that it has; a statement for each hundred. *out is
	 * as long as ids, owned by the call. */
	enum stet_status (*find)(struct stet_call *, const char *const *ids, size_t count,
	    const char *locale, const struct stet_term_found **out);
	/* New functions go here, and nowhere else. */
};

#endif
