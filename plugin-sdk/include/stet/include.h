/*
 * include.h - rows that belong to items and are answered beside them: GET
 * /content/posts?include=terms,visits. A module brings kinds of such rows in the table `includes`
 * of its descriptor. The content module runs each kind that a request names once for all items of
 * the answer, which then has
 *
 *	"included": {
 *		"visits": { "<id of a row>": {...}, ... },
 *		"links": { "<id of an item>": { "visits": ["<id of a row>", ...] }, ... },
 *		"truncated": false
 *	}
 *
 * Each row is included once, however many items have it.
 */
#ifndef STET_INCLUDE_H
#define STET_INCLUDE_H

#include <stet/call.h>
#include <stet/content.h>

#define STET_INCLUDE_ROWS 1000 /* the most rows of one answer, of all kinds together */

/* An item of the answer, as the caller reads it. */
struct stet_include_item {
	const char *id, *locale, *group, *author; /* author may be NULL */
	/* By the position of a field: the text that the field's column would hold; NULL: the field
	 * is unset, or the kind does not want it (struct stet_include). */
	const char *const *value;
	/* If the caller reads the draft: the draft's credits and terms, in the forms of `keep` in
	 * <stet/bylines.h> and <stet/taxonomies.h>; NULL: the stored ones apply. For taxonomies
	 * that `terms` does not name, the stored terms apply. */
	const json_t *bylines, *terms;
	/* New fields go here, and nowhere else. */
};

/* A request for the rows of one kind. */
struct stet_include_page {
	struct stet_call *call;
	const struct stet_collection *collection;
	const struct stet_include_item *const *item;
	size_t count;
	const char *args; /* the text in parentheses behind the kind in the request; NULL: none */
	/* For the module content and the core. */
	struct stet_json *(*row)(struct stet_include_page *, const char *id);
	void (*link)(struct stet_include_page *, size_t item, const char *group, const char *id);
	size_t (*room)(struct stet_include_page *);
	void *host;
	/* New fields go here, and nowhere else. */
};

/*
 * A row of the table. `read` writes the rows that the items of the page have. It runs a bounded
 * number of statements, whatever the number of items, and reads at most stet_include_room rows. It
 * writes only rows that the caller may read by other requests too: the core checks `op` for the
 * whole kind, `read` must check rights to single rows.
 */
struct stet_include {
	const char *name; /* "visits": a small letter, then letters, digits, _ and -, at most 32
			     characters, unique on the site */
	const char *about; /* for people: which rows these are */
	/* The name of an op that reads such rows: callers who may not call it are refused the
	 * kind. NULL: whoever reads the items may have it. */
	const char *op;
	bool takes_args;
	/* Which fields' values `read` needs; NULL: none. */
	bool (*wants)(struct stet_call *, const struct stet_field *);
	enum stet_status (*read)(struct stet_call *, struct stet_include_page *);
	/* New fields go here, and nowhere else. */
};

/* The writer for the row of this id: write one value with the id as its key (an object; null for a
 * row that an item names and the caller may not read). Returns NULL if the row is there already, or
 * if no more rows fit: then write nothing. */
STET_API struct stet_json *stet_include_row(struct stet_include_page *, const char *id);
/* Links an item of the page to an included row; links are shown in the order of these calls. Either
 * all links of a kind have a group, by which they are then listed ({"news": [ids]}), or none has. A
 * link to a row that was left out is dropped. */
STET_API void stet_include_link(
    struct stet_include_page *, size_t item, const char *group, const char *id);
/* Returns how many more rows fit. */
STET_API size_t stet_include_room(struct stet_include_page *);

/* ---- for the module content ---- */

/* Names of the kinds of enabled modules, in their order, NULL at the end; owned by the call. */
STET_API const char *const *stet_includes(struct stet_call *);
/* Copies the row of this kind; false: there is none. */
static inline bool stet_include_find(
    struct stet_call *, const char *name, struct stet_include *out);
/* Runs `read` of this kind, as its module. Fails with NOT_FOUND. */
STET_API STET_MUST enum stet_status stet_include_read(
    struct stet_call *, const char *name, struct stet_include_page *);

/* ---- the host's side of the functions above: it is told the sizes of the structures in the
 * caller's headers ---- */

STET_API bool stet_include_find_sized(
    struct stet_call *, const char *, struct stet_include *, size_t);

static inline bool
stet_include_find(struct stet_call *call, const char *name, struct stet_include *out)
{
	return stet_include_find_sized(call, name, out, sizeof(*out));
}

#endif
