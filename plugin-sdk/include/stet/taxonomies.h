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

/* A term with its names in one locale. */
struct stet_term_found {
	const char *taxonomy, *slug, *label, *locale; /* all NULL: no such term */
	/* New fields go here, and nowhere else. */
};

/*
 * SQL of other modules may use the table term_item (collection, entry_group, term_group, item: its
 * id, item_status, created and published: its dates), which this module writes. It has a row for
 * each item outside the trash and each of its terms, and the
 * indexes (term_group, collection, item_status, created, item) and the same with published. While
 * the module is off the table is not updated, so check its rows against the items.
 * SQL of other modules may use the table content_term (collection, entry_group, taxonomy,
 * term_group) to read all assignments, also those of items in the trash. It has an index on
 * term_group.
 */

/* A filter of items by their terms: a list of sets of terms. An item has to pass all sets. Owned by
 * the call. */
struct stet_term_filter;

/* A translation group of items that share terms with another group. */
struct stet_related {
	const char *group;
	double weight; /* higher: more similar */
	int64_t shared; /* number of shared terms */
	size_t last; /* for the taxonomies module */
	/* New fields go here, and nowhere else. */
};

/* The terms that an item gets, of one or more taxonomies. Owned by the call. */
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
	/* Sets the terms of the existing items of a translation group: exactly these terms in these
	 * taxonomies. Terms of other taxonomies stay. */
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
	 * of any. A term that does not exist matches no item. Records problems as issues. *sets is
	 * the number of sets; the set with the fewest items is first. */
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
	/* Returns the number of terms of a set; 0 if it excludes, or none of its terms exists. */
	size_t (*filter_terms)(const struct stet_term_filter *, size_t set);
	/* Appends " AND ...": a condition on rows k of term_item, by status and the terms of the
	 * set. */
	void (*filter_walk)(struct stet_sql *, const struct stet_term_filter *, size_t set,
	    size_t term, const char *collection, const char *status);
	/* Returns the number of published items that pass, in a locale (NULL: all), if counts have
	 * it. */
	enum stet_status (*filter_total)(struct stet_call *, const struct stet_term_filter *,
	    const char *collection, const char *locale, bool *known, int64_t *n);
	/* Finds groups of published items that share terms with the items of this group, most
	 * similar first: a table of struct stet_related, at most some thousand, with two
	 * statements. */
	enum stet_status (*related)(struct stet_call *, const char *collection,
	    const char *entry_group, struct stet_table *out);
	/* Returns in *there whether a taxonomy of this name exists. */
	enum stet_status (*there)(struct stet_call *, const char *taxonomy, bool *);
	/* For counting the terms of a taxonomy among items: appends " CROSS JOIN ... WHERE ...",
	 * the assignments a (a.term_group is the term) of rows i with a column entry_group, the
	 * translation group of an item of the collection. */
	void (*facet_join)(struct stet_sql *, const char *collection, const char *taxonomy);
	/* Like `store`, within a save of one of these items, `item`: reports only the other items
	 * to the change feed, since the hook entry_changed reports `item` later. */
	enum stet_status (*store_item)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *entry_group, const char *item, const struct stet_terms *);
	/* Returns the groups of an item's terms, an array of texts owned by the call. */
	enum stet_status (*groups)(
	    struct stet_call *, const char *collection, const char *id, json_t **out);
	/* Reads a filter for the change feed, for any collection. *missing is a term of the filter
	 * that does not exist, like "category/nowhere"; NULL: none. Records problems as issues. */
	enum stet_status (*follow)(struct stet_call *, const char *path, const char *text,
	    struct stet_term_filter **out, const char **missing);
	/* Returns true if an item with the terms of these groups passes all sets. */
	bool (*filter_passes)(const struct stet_term_filter *, const json_t *groups);
	/* Returns true if the filter matches this record of the feed: kind "term" with an id like
	 * "category/news", or kind "taxonomy". */
	bool (*filter_names)(const struct stet_term_filter *, const char *kind, const char *id);
	/* Estimates how many published items of the filter's collection have a term of the set:
	 * counts translation groups for each term. -1: not known, for a set that excludes, or for
	 * the only set of a filter. */
	int64_t (*filter_size)(const struct stet_term_filter *, size_t set);
	/* Returns the terms as an object {taxonomy: [group, ...]} with sorted groups: the form that
	 * drafts store. Owned by the call. */
	json_t *(*keep)(struct stet_call *, const struct stet_terms *);
	/* Reads an object of that form, which may be old or imported: leaves out terms that do not
	 * exist, and terms of another taxonomy. */
	enum stet_status (*kept)(struct stet_call *, const json_t *, struct stet_terms **out);
	/* Reads all stored terms of a translation group, in that form. */
	enum stet_status (*stored)(
	    struct stet_call *, const char *collection, const char *entry_group, json_t **out);
	/* Like `put`, for an item whose draft has these terms of the taxonomy (an array of groups).
	 * Also writes the stored terms, as liveTerms. */
	enum stet_status (*put_kept)(struct stet_call *, struct stet_json *, const char *collection,
	    const char *entry_group, const char *taxonomy, const char *locale, const json_t *kept);
	/* Returns such an object with sorted slugs instead of groups, in this locale, or else in
	 * the site's default, or else in the lowest. */
	enum stet_status (*slugs)(
	    struct stet_call *, const json_t *kept, const char *locale, json_t **out);
	/* Counts the assignments of terms to these items of the collection; at most some hundred
	 * ids. */
	enum stet_status (*assigned)(struct stet_call *, const char *collection,
	    const char *const *ids, size_t count, int64_t *n);
	/* The condition of filter_put for a statement that walks rows k of term_item, on their
	 * column entry_group: filter_join appends what it needs behind FROM (" CROSS JOIN ..." or
	 * nothing), filter_beside the condition. */
	void (*filter_join)(struct stet_sql *, const struct stet_term_filter *, size_t set);
	void (*filter_beside)(
	    struct stet_sql *, const struct stet_term_filter *, size_t set, const char *collection);
	/* New functions go here, and nowhere else. */
};

#endif
