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

/*
 * The table term_item has a row for each item outside the trash and each of its terms: collection,
 * entry_group, term_group, item (its id), item_status, created, published (its dates). It has the
 * indexes (term_group, collection, item_status, created, item) and the same with published. While
 * the module is off it is not kept, so hold what it says against the items.
 */

/* A filter of items by their terms: sets of terms, each of which an item has to pass. Owned by
 * the call. */
struct stet_term_filter;

/* Items that share terms with another: a translation group. */
struct stet_related {
	const char *group;
	double weight; /* the more, the nearer */
	int64_t shared; /* how many terms */
	size_t last; /* for the taxonomies module */
	/* New fields go here, and nowhere else. */
};

/* The terms, of some taxonomies, that an item gets. Owned by the call. */
struct stet_terms;

#define STET_TAXONOMIES_1 "taxonomies/1"
struct stet_taxonomies_1 {
	/* Reads `taxonomies` of a request body: {name: [slug …]}, with slugs of terms in
	 * `locale`, or ids of rows or groups of terms. Records problems as issues below `path`;
	 * *out then holds the valid terms. */
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
	/* Reads a filter: "category:news,sport;tag:!db" selects items that have one of two
	 * categories and not that tag; "category:news/" and a star has the terms below news as
	 * well. Slugs are those of `locale` (may be NULL), or else of the default locale, or else
	 * of any. No item has a term that is not there. Records problems as issues. *sets is the
	 * number of sets; the one of the fewest items is the first. */
	enum stet_status (*filter)(struct stet_call *, const char *path, const char *text,
	    const char *collection, const char *locale, struct stet_term_filter **out,
	    size_t *sets);
	/* Appends " AND ...", the condition of a set on rows of the collection's table. The
	 * statement must name the table by its own name, without an alias. */
	void (*filter_put)(
	    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
	/* Appends "SELECT ..." of the ids of all items that can match; an index finds them. Returns
	 * false, and appends nothing, for a set that excludes. */
	bool (*filter_ids)(
	    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
	/* How many terms a set has; 0 if it excludes, or none of them is there. */
	size_t (*filter_terms)(const struct stet_term_filter *, size_t set);
	/* Appends " AND ...": the rows k of term_item of a status and of one of these terms. */
	void (*filter_walk)(struct stet_sql *, const struct stet_term_filter *, size_t set,
	    size_t term, const char *collection, const char *status);
	/* The number of published items that pass, in a locale (NULL: in all), if it is kept. */
	enum stet_status (*filter_total)(struct stet_call *, const struct stet_term_filter *,
	    const char *collection, const char *locale, bool *known, int64_t *n);
	/* Groups of published items that share terms with the items of this group, the nearest
	 * first: a table of struct stet_related, some thousand at most, from two statements. */
	enum stet_status (*related)(struct stet_call *, const char *collection,
	    const char *entry_group, struct stet_table *out);
	/* Is there a taxonomy of this name? */
	enum stet_status (*there)(struct stet_call *, const char *taxonomy, bool *);
	/* For counting the terms of a taxonomy among items: appends " CROSS JOIN ... WHERE ...",
	 * the assignments a (a.term_group is the term) of rows i with a column entry_group, the
	 * translation group of an item of the collection. */
	void (*facet_join)(struct stet_sql *, const char *collection, const char *taxonomy);
	/* The same as `store` within a save of one of these items, `item`: the feed of changes is
	 * told of the others, and has that item's own change from entry_changed, which follows. */
	enum stet_status (*store_item)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *entry_group, const char *item, const struct stet_terms *);
	/* The groups of the terms that an item has, an array of texts owned by the call. */
	enum stet_status (*groups)(
	    struct stet_call *, const char *collection, const char *id, json_t **out);
	/* Reads a filter for changes, of any collection. *missing is a term that it names and that
	 * is not there, as "category/nowhere"; NULL: none. Problems are issues. */
	enum stet_status (*follow)(struct stet_call *, const char *path, const char *text,
	    struct stet_term_filter **out, const char **missing);
	/* Does an item that has the terms of these groups pass all sets? */
	bool (*filter_passes)(const struct stet_term_filter *, const json_t *groups);
	/* Does the filter name this record of the feed: of kind "term", "category/news", or of kind
	 * "taxonomy"? */
	bool (*filter_names)(const struct stet_term_filter *, const char *kind, const char *id);
	/* About how many published items of the filter's collection have a term of the set: their
	 * translation groups, counted for each term. -1: not known, as of a set that excludes, or
	 * of the only one of a filter. */
	int64_t (*filter_size)(const struct stet_term_filter *, size_t set);
	/* The terms as an object {taxonomy: [group, ...]} with the groups of each in their order:
	 * the form in which a draft keeps them. Owned by the call. */
	json_t *(*keep)(struct stet_call *, const struct stet_terms *);
	/* Reads such an object, which may be old or imported: leaves out terms that are gone, and
	 * what is not a term of its taxonomy. */
	enum stet_status (*kept)(struct stet_call *, const json_t *, struct stet_terms **out);
	/* All stored terms of a translation group, in the same form. */
	enum stet_status (*stored)(
	    struct stet_call *, const char *collection, const char *entry_group, json_t **out);
	/* The same as `put` for an item whose draft has these terms (an array of groups) of the
	 * taxonomy. The stored ones are written too, as liveTerms. */
	enum stet_status (*put_kept)(struct stet_call *, struct stet_json *, const char *collection,
	    const char *entry_group, const char *taxonomy, const char *locale, const json_t *kept);
	/* Such an object with slugs in place of the groups, in this locale, or else in the site's
	 * default, or else in the lowest; sorted. */
	enum stet_status (*slugs)(
	    struct stet_call *, const json_t *kept, const char *locale, json_t **out);
	/* New functions go here, and nowhere else. */
};

#endif
