/*
 * importer.h - importers: what reads an export of another system. A module brings them in the table
 * `importers` of its descriptor; the module import makes items, terms, bylines and media of what
 * they read, in all that it offers: `stet import from`, jobs, reports, redirects, updates.
 */
#ifndef STET_IMPORTER_H
#define STET_IMPORTER_H

#include <stet/call.h>

/* What an importer hands on, each as an object. Members are texts unless something else is said,
 * and may be missing; texts are plain, without entities. */
enum stet_source_kind {
	/* {title, url}: before all items. Ids are kept under the address. */
	STET_SOURCE_SITE,
	/* {login, name, email} */
	STET_SOURCE_AUTHOR,
	/* {taxonomy, slug, name, description, parent: slug of the parent} */
	STET_SOURCE_TERM,
	/*
	 * {id, type, title, slug, status: "published" or "draft", created, published, updated,
	 * link, locale, group, excerpt, parent: id of an item, authors: [login],
	 * terms: {taxonomy: [slug, or {slug, name}]}, fields: {slug: value},
	 * picture: address, or {url, alt}, oldLinks: [path, that began with "/"]}, and one of html,
	 * markdown, blocks (Portable Text). `type` is as for posts of an export: each becomes a
	 * collection; "attachment" is a file: {id, url, title, alt, caption}. Items of one `group`
	 * are translations of each other. Times are ISO 8601. `fields` are values as the API takes
	 * them; texts are converted to what the field takes.
	 */
	STET_SOURCE_ITEM,
	/* {place, text, skipped: boolean}: something was wrong there; skipped: and is left out */
	STET_SOURCE_NOTICE,
};

/* What is read. */
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
 * A row of the table. `read` is called several times, in the slow lane, and has to hand on the same
 * each time: what it needs, it reads from the files. It holds little in memory whatever their size
 * (stet_scope), and fails with STET_VALIDATION_ERROR about "file" for what it cannot read at all. A
 * thing that it cannot read is a notice.
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

/* Hands a thing on; takes the reference. A status that is not STET_OK ends the reading: return it.
 */
STET_API STET_MUST enum stet_status stet_source_put(
    struct stet_source *, enum stet_source_kind, json_t *);

/* ---- for the module import ---- */

/* Names of importers of enabled modules, in their order, NULL at the end; owned by the call. */
STET_API const char *const *stet_importers(struct stet_call *);
/* Runs `read` of this importer, as its module. Fails with NOT_FOUND. */
STET_API STET_MUST enum stet_status stet_importer_read(
    struct stet_call *, const char *name, struct stet_source *);

#endif
