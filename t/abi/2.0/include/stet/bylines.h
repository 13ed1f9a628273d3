/*
 * bylines.h - who wrote what: the service of the bylines module. The module that saves items hands
 * it the credits of an item; the one that shows items gets them back for a page at a time. It may
 * be disabled: without the service an item has no credits, and a body with `bylines` is refused.
 *
 * A byline is a row for each locale; the rows of one person share a translation group. A credit
 * names the group, so it holds in every locale and shows in those that have a row.
 */
#ifndef STET_BYLINES_H
#define STET_BYLINES_H

#include <stet/call.h>
#include <stet/table.h>

#define STET_CREDITS_MAX 100 /* of an item */

/* Credits of an item as `check` has read them, owned by the call: in order, each group once; the
 * first is the primary byline. */
struct stet_credits;

/* An item whose credits are asked for. */
struct stet_credited {
	const char *id, *locale, *author; /* author may be NULL */
	/* New fields go here, and nowhere else. */
};
/* The credits of a page of items, owned by the call. */
struct stet_byline_page;

/* Which items a list shows by their bylines, owned by the call. */
struct stet_byline_filter;

/* A person to find or to make, for importers: the byline of a user, or a guest's. */
struct stet_byline_person {
	const char *user_id; /* NULL: a guest */
	const char *name; /* displayName */
	const char *slug; /* wanted; numbered when another has it; NULL: made from the name */
	const char *locale;
	/* New fields go here, and nowhere else. */
};

#define STET_BYLINES_1 "bylines/1"
struct stet_bylines_1 {
	/* Read `bylines` of a body: [{bylineId, roleLabel?}], where a bylineId is that of a row or
	 * a translation group. Problems are recorded as issues below `path`: then *out is what was
	 * good. What a reply showed and a client sends back ([{byline, source …}]) may lack credits
	 * that have no row in its locale: then *out is NULL, and nothing is to change. */
	enum stet_status (*check)(
	    struct stet_call *, const char *path, const json_t *bylines, struct stet_credits **out);
	/* Replace the credits of an item that is there, and its primary_byline_id. Version and
	 * updated_at are the caller's. */
	enum stet_status (*store)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *id, const struct stet_credits *);
	/* Give the item `to`, which has none, the credits of `from`. */
	enum stet_status (*copy)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *from, const char *to);
	/* The item is gone for good. */
	enum stet_status (*forget)(
	    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
	/* 0 when the site has no bylines: then no item shows any, and `read` need not be called.
	 * Otherwise a number that changes with every change of a byline, for entity tags of replies
	 * that show credits. */
	enum stet_status (*version)(struct stet_call *, int64_t *out);
	/* The credits of these items, a table of struct stet_credited, in one statement for each
	 * hundred of them. Explicit ones in their order, where the byline has a row in the item's
	 * locale; without any, in any locale, the byline of the author. */
	enum stet_status (*read)(struct stet_call *, const char *collection,
	    const struct stet_table *, struct stet_byline_page **out);
	/* Write the members `bylines` and `byline` of item i of the page into the open object; page
	 * NULL: of an item without credits. */
	void (*put)(struct stet_json *, const struct stet_byline_page *, size_t i);
	/* Find the byline of a person, or make it: *id is that of its row. `size` is that of the
	 * structure. */
	enum stet_status (*person)(struct stet_call *, struct stet_tx *,
	    const struct stet_byline_person *, size_t size, const char **id);
	/* Read a filter of items: "none" (those that show no byline), or ids as `check` takes them,
	 * separated by commas: those that show one of them. `inferred`: bylines of authors count as
	 * well. Problems are recorded as issues. */
	enum stet_status (*filter)(struct stet_call *, const char *path, const char *text,
	    bool inferred, struct stet_byline_filter **out);
	/* " AND …" for rows of the table of the collection, which goes by its own name. */
	void (*filter_put)(
	    struct stet_sql *, const struct stet_byline_filter *, const char *collection);
	/* "SELECT …" of ids, found by an index, of all items that can pass. False: there is no such
	 * statement for this filter. */
	bool (*filter_ids)(
	    struct stet_sql *, const struct stet_byline_filter *, const char *collection);
	/* New functions go here, and nowhere else. */
};

#endif
