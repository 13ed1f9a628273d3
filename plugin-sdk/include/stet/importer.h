/*
 * importer.h - importers, which read exports of other systems. A module lists them in the table
 * `importers` of its descriptor. The module import creates items, terms, bylines and media from
 * their output, with all its features: `stet import from`, jobs, reports, redirects, updates.
 */
#ifndef STET_IMPORTER_H
#define STET_IMPORTER_H

#include <stet/call.h>

/* The kinds of objects that an importer emits. Members may be missing, and are texts unless stated
 * otherwise; texts are plain, without entities. */
enum stet_source_kind {
	/* {title, url}: before all items. The ids of items are stored together with this URL. */
	STET_SOURCE_SITE,
	/* {login, name, email} */
	STET_SOURCE_AUTHOR,
	/* {taxonomy, slug, name, description, parent: slug of the parent} */
	STET_SOURCE_TERM,
	/*
	 * {id, type, title, slug, status: "published" or "draft", created, published, updated,
	 * link, locale, group, excerpt, parent: id of an item, authors: [login],
	 * terms: {taxonomy: [slug, label, or {slug, name}]}, fields: {name: value},
	 * picture: address, or {url, alt}, oldLinks: [path, that began with "/"], comments: [{id,
	 * parent: id of a comment, author, email, created, html, status: "approved", "pending" or
	 * "spam"}]}, and one of html, markdown, blocks (Portable Text). Ids of comments are
	 * integers; a later comment has a greater one, in later exports, too. `type` is as for
	 * posts of an export: each becomes a collection; "attachment" is a file: {id, url, title,
	 * alt, caption}. Items of one `group` are translations of each other. Times are ISO 8601.
	 * `fields` has values in the API's form; texts are converted to the type of the field.
	 * Names and labels may be any texts: each becomes a slug of its own. `types`, {name of a
	 * value: type of field}, says what a new collection gets for it. {to: type of items, many:
	 * boolean} is a reference: the value is the id of an item, or a list of ids; {choices:
	 * [text]} a select. With {parent: {to: type}} a new collection gets a field for the parent.
	 * `references`, {name of a value: [id of an item]}, says to what a value refers whose text
	 * is not the id itself. `keys`: other ids that references may name. `dates`, {name of a
	 * value: "dmy" or "mdy"}, is the order of day and month in a text for a field of times.
	 * `lost`: what the text has in the source and not here, {characters, links, pictures,
	 * players: number}; notices say what.
	 * `place`: of the item in the source, for people. In blocks, href and link may lead to an
	 * item: https://item.source.invalid/ID, in which % and # and ? are escaped; behind them a
	 * query or a fragment may follow. In blocks and in values of JSON, an object whose _ref is
	 * such an address is a reference: it gets the id of the item here and its `collection`,
	 * and, if it has the same href, the address of the item and its title. "menu_entry" is an
	 * entry of a menu: {id, menu: its name, locale, title, item: id of an item, or link,
	 * parent: id of an entry, order: number}.
	 */
	STET_SOURCE_ITEM,
	/* {place, text, skipped: boolean}: a problem at this place; skipped: that part is left
	 * out. `type`: what is left out is a whole item of this type, which is read and lost. */
	STET_SOURCE_NOTICE,
};

/* The input of an importer. */
struct stet_source {
	struct stet_call *call;
	const char *const *path; /* of files or directories */
	size_t count;
	const json_t *options; /* {name: value}, as the user gave them; NULL: none */
	/* For the module import and the core. */
	enum stet_status (*take)(struct stet_source *, enum stet_source_kind, const json_t *);
	void *arg;
	const void *owner;
	/* New fields go here, and nowhere else. */
};

/*
 * A row of the table. `read` is called several times, in the slow lane, and must emit the same
 * objects each time, so all it needs is in the files. Its memory must not grow with their size
 * (stet_scope). If it cannot read the input at all, it fails with STET_VALIDATION_ERROR about
 * "file". For a part that it cannot read, it emits a notice.
 */
struct stet_importer {
	const char *name; /* "ghost": [a-z][a-z0-9_-]*, at most 32, unique on the site */
	const char *about; /* for people: what it reads, and its options */
	enum stet_status (*read)(struct stet_call *, struct stet_source *);
	/* What the admin pages call it, at most 80 bytes; NULL: its name. */
	const char *label;
	/* The files that it reads, by their endings (".json") and media types, NULL-terminated:
	 * browsers offer these first. NULL: any. */
	const char *const *files;
	/* The members of `options` of a source. The admin pages make a form of them, with the names
	 * and `about` of the members. They describe: `read` is what validates. NULL: the pages show
	 * no form. */
	const struct stet_member *options;
	/* New fields go here, and nowhere else. */
};

/* Emits an object; takes the reference. If it fails, `read` must return its status. */
STET_API STET_MUST enum stet_status stet_source_put(
    struct stet_source *, enum stet_source_kind, json_t *);

/* ---- for the module import ---- */

/* Names of importers of enabled modules, in their order, NULL at the end; owned by the call. */
STET_API const char *const *stet_importers(struct stet_call *);
/* Runs `read` of this importer, as its module. Fails with NOT_FOUND. */
STET_API STET_MUST enum stet_status stet_importer_read(
    struct stet_call *, const char *name, struct stet_source *);

#endif
