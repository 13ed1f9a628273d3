/*
 * redirects.h - the service of the redirects module: which item had a slug before. The content
 * module asks it when no item has a slug. The redirects module may be disabled: then nothing leads
 * on from old slugs.
 */
#ifndef STET_REDIRECTS_H
#define STET_REDIRECTS_H

#include <stdint.h>
#include <stdio.h>
#include <stet/content.h>
#include <stet/sql.h>

/* An item that has another slug now. Owned by the call. */
struct stet_moved {
	const char *id; /* NULL: there is none */
	const char *slug, *locale;
	const char *url; /* the path of its page; NULL: the collection has no addresses */
	/* New fields go here, and nowhere else. */
};

#define STET_REDIRECTS_1 "redirects/1"
struct stet_redirects_1 {
	/* Finds the item that had this slug last, among those that the caller may see. locale NULL:
	 * the lowest locale. Call it if no item that the caller may see has the slug; *out has the
	 * size of the caller's structure. */
	enum stet_status (*find)(struct stet_call *, const struct stet_collection *,
	    const char *slug, const char *locale, struct stet_moved *out, size_t size);
	/* The same, whether an item has the slug or not: the item besides `except` (an id) that had
	 * it. For a note to who gives the slug to `except`. */
	enum stet_status (*had)(struct stet_call *, const struct stet_collection *,
	    const char *slug, const char *locale, const char *except, struct stet_moved *out,
	    size_t size);
	/* New functions go here, and nowhere else. */
};

/* A service of the module import: where published items were in the sources that they were imported
 * from. */
#define STET_IMPORT_MOVED_1 "import-moved/1"
struct stet_import_moved_1 {
	/* Appends a SELECT with the columns place (path and query in the source), id, slug (NULL),
	 * locale (NULL), published_at, at_slug and at_locale (those that the item has now). */
	void (*select)(struct stet_sql *, const struct stet_collection *);
	/* New functions go here, and nowhere else. */
};

/* ---- rules for web servers ---- */

/* A set of paths, of which it keeps hashes of 64 bits. A slash at the end makes no difference.
 * It begins with zeros. */
struct stet_paths {
	uint64_t *slot; /* 0: free */
	size_t room, count; /* room: a power of two */
};
STET_API bool stet_paths_has(const struct stet_paths *, const char *path);
STET_API void stet_paths_add(struct stet_paths *, const char *path);
STET_API void stet_paths_free(struct stet_paths *);

/* Returns true if rules of this format can express the redirect: "nginx" or "netlify". Any other
 * format can. */
STET_API bool stet_rule_can(const char *format, const char *from, const char *to);
/* Writes a rule with its line break: "nginx" (a line of a map of $request_uri) or "netlify". */
STET_API void stet_rule_put(FILE *, const char *format, const char *from, const char *to);

/* Rules while they are written, a page of rows at a time: first all addresses that items have are
 * noted, then each old address that no item has gets one rule. */
struct stet_rules;
/* Returns a new one, owned by the call. `put` takes the text of each page. */
STET_API struct stet_rules *stet_rules_new(struct stet_call *, const char *format,
    enum stet_status (*put)(struct stet_call *, void *arg, const char *, size_t), void *arg);
/* Notes that an item is at this path. */
STET_API void stet_rules_here(struct stet_rules *, const char *path);
/* Returns true if the redirect is to be written, and notes it: the format can express it, no item
 * is at `from`, and no rule has that yet. NULL for a path: false. */
STET_API bool stet_rules_take(struct stet_rules *, const char *from, const char *to);
/* Calls `page` in a scope of its own, and hands on what it has written to `to`. */
STET_API STET_MUST enum stet_status stet_rules_page(struct stet_call *, struct stet_rules *,
    enum stet_status (*page)(struct stet_call *, void *arg, FILE *to), void *arg);

#endif
