/*
 * bylines.h - the service of the bylines module: which persons are credited for an item. The
 * content module, which saves items, passes an item's credits to this service when it saves, and
 * reads them back a page of items at a time when it shows items. The bylines module may be
 * disabled: then items have no credits, and a request body with `bylines` is refused.
 *
 * A byline has one row for each locale; the rows of one person share a translation group. A
 * credit names the group, so it holds in every locale and is shown in those that have a row.
 *
 * SQL of other modules may use the table content_byline (byline_group, indexed) to learn whether an
 * item credits a byline.
 */
#ifndef STET_BYLINES_H
#define STET_BYLINES_H

#include <stet/call.h>
#include <stet/table.h>

#define STET_CREDITS_MAX 100 /* for one item */

/* The credits of an item, as read by `check`: in order, without duplicate groups. The first is the
 * primary byline. Owned by the call. */
struct stet_credits;

/* An item whose credits are read. */
struct stet_credited {
	const char *id, *locale, *author; /* author may be NULL */
	/* Credits to show in place of the stored ones, as `keep` returns them; NULL: the stored
	 * ones. */
	const json_t *kept;
	/* New fields go here, and nowhere else. */
};
/* The credits of a page of items, owned by the call. */
struct stet_byline_page;

/* A filter of items by their bylines; owned by the call. */
struct stet_byline_filter;

/* A person whose byline an importer finds or creates: a user, or a guest without an account. */
struct stet_byline_person {
	const char *user_id; /* NULL: a guest */
	const char *name; /* displayName */
	const char *slug; /* the wanted slug; gets a number if another byline has it; NULL: made
			     from the name */
	const char *locale;
	/* New fields go here, and nowhere else. */
};

#define STET_BYLINES_1 "bylines/1"
struct stet_bylines_1 {
	/* Reads `bylines` of a request body: [{bylineId, roleLabel?}], where a bylineId is the
	 * id of a row or of a translation group. Records problems as issues below `path`; *out
	 * then holds the valid credits. A client may also send back what a reply showed
	 * ([{byline, source …}]); that list may lack credits without a row in its locale, so
	 * *out is then NULL and the caller changes nothing. */
	enum stet_status (*check)(
	    struct stet_call *, const char *path, const json_t *bylines, struct stet_credits **out);
	/* Replaces the credits of an existing item, and its primary_byline_id. The caller
	 * updates the item's version and updated_at. */
	enum stet_status (*store)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *id, const struct stet_credits *);
	/* Copies the credits of item `from` to item `to`, which must have none. */
	enum stet_status (*copy)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *from, const char *to);
	/* Deletes the credits of an item before it is deleted permanently. */
	enum stet_status (*forget)(
	    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
	/* Returns 0 in *out if the site has no bylines: then no item shows any, and `read` need
	 * not be called. Otherwise returns a number that changes with every change of a byline;
	 * mix it into the entity tag of a reply that shows credits. */
	enum stet_status (*version)(struct stet_call *, int64_t *out);
	/* Reads the credits of these items, a table of struct stet_credited, with one statement
	 * for each hundred items. An item with explicit credits gets those whose byline has a
	 * row in the item's locale, in their order. An item without explicit credits in any
	 * locale gets the byline of its author. */
	enum stet_status (*read)(struct stet_call *, const char *collection,
	    const struct stet_table *, struct stet_byline_page **out);
	/* Writes the members `bylines` and `byline` of item i of the page into the open object.
	 * page NULL: writes them for an item without credits. */
	void (*put)(struct stet_json *, const struct stet_byline_page *, size_t i);
	/* Finds the byline of a person or creates it; *id is the id of its row. `size` is the
	 * size of struct stet_byline_person in the caller's headers. */
	enum stet_status (*person)(struct stet_call *, struct stet_tx *,
	    const struct stet_byline_person *, size_t size, const char **id);
	/* Reads a filter from its text: "none" selects items that show no byline; ids as in
	 * `check`, separated by commas, select items that show one of these bylines. With
	 * `inferred`, bylines that an item has through its author count too. Records problems as
	 * issues. */
	enum stet_status (*filter)(struct stet_call *, const char *path, const char *text,
	    bool inferred, struct stet_byline_filter **out);
	/* Appends " AND …", a condition on rows of the collection's table. The statement must
	 * name the table by its own name, without an alias. */
	void (*filter_put)(
	    struct stet_sql *, const struct stet_byline_filter *, const char *collection);
	/* Appends "SELECT …" of the ids of all items that can match; an index finds them.
	 * Returns false if there is no such statement for this filter. */
	bool (*filter_ids)(
	    struct stet_sql *, const struct stet_byline_filter *, const char *collection);
	/* Appends "SELECT ..." of the bylines with an avatar: its media_id, the byline's id and
	 * name. */
	void (*avatars)(struct stet_sql *);
	/* Returns the credits as an array [{bylineId, roleLabel}] with groups of bylines: the form
	 * that drafts store. Owned by the call. */
	json_t *(*keep)(struct stet_call *, const struct stet_credits *);
	/* Reads an array of that form, which may be old or imported: leaves out invalid credits,
	 * and credits of bylines that do not exist. */
	enum stet_status (*kept)(struct stet_call *, const json_t *, struct stet_credits **out);
	/* Reads the stored credits of an item, in that form. */
	enum stet_status (*stored)(
	    struct stet_call *, const char *collection, const char *id, json_t **out);
	/* Writes the credits of item i of the page as an array with this key. */
	void (*put_list)(
	    struct stet_json *, const char *key, const struct stet_byline_page *, size_t i);
	/* New functions go here, and nowhere else. */
};

#endif
