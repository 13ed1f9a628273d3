/*
 * exporter.h - imports content of a running site through the exporter, a plugin installed there.
 * Its JSON becomes authors, terms and items as of a WXR file, which the same code imports.
 */
#ifndef IMPORT_EXPORTER_H
#define IMPORT_EXPORTER_H

#include "remote/remote.h"
#include "state/run.h"
#include <stet/module.h>

#define EXPORTER_PAGE 50 /* items of a request */
#define EXPORTER_MS 60000 /* timeout of requests for content */
#define EXPORTER_LIST_MS 30000 /* timeout of other requests */

/* Returns a number of the source's JSON, which may be a string; 0 if it is missing. */
int64_t source_number(const json_t *, const char *member);

/* ---- exporter_items.c ---- */

struct exporter_page {
	const json_t *items; /* of /content; may be NULL */
	const json_t *taxonomies; /* of /taxonomies, with their terms; may be NULL */
	const json_t *menus; /* of /menus; may be NULL */
	bool seo; /* import titles and descriptions of SEO plugins */
};
/* Fails with SOURCE_ERROR if a part of the page is not what exporters send: an item without an id,
 * a taxonomy without a name, terms or entries of a menu that are no objects. */
STET_MUST enum stet_status exporter_check(struct stet_call *, const struct exporter_page *);
/* Passes the terms, authors, items and menus of the page to the sink. */
STET_MUST enum stet_status exporter_read(
    struct stet_call *, const struct exporter_page *, const struct wxr_sink *);
/* Records the featured images of the page in the map: items refer to them by number. */
STET_MUST enum stet_status exporter_note(struct run *, const struct exporter_page *);

/* ---- exporter.c, exporter_analyze.c: the import of a site ---- */

extern const struct stet_member exporter_in[], exporter_out[], exporter_analyze_in[],
    exporter_analyze_out[];
stet_handler exporter_execute, exporter_analyze;

struct exporter_site {
	struct stet_call *call;
	struct remote remote;
	const json_t *config;
	const json_t *types; /* [name] in the order of the import */
	json_t *ids, *groups, *roots; /* the maps that the client carries */
	struct exporter_page page;
	json_t *definitions; /* taxonomies that were created, [name] */
	json_t *result; /* report of the last page */
};
/* Returns true if an option is on, which is the default. */
static inline bool
exporter_wants(const struct exporter_site *s, const char *option)
{
	return !json_is_false(json_object_get(s->config, option));
}

/* ---- exporter_make.c ---- */

/* Fetches the taxonomies of the source and creates those that this site lacks. */
STET_MUST enum stet_status exporter_taxonomies(struct exporter_site *);
/* Creates the fields that the items of the page need and their collection lacks. Never creates a
 * collection. */
STET_MUST enum stet_status exporter_fields(struct exporter_site *, const char *type);

/* ---- exporter_talk.c ---- */

/* Stores a page of comments. `ids`: {id in the source: {id, collection}} of items. `roots`: {id in
 * the source: id here} of comments; the stored ones are added. */
struct exporter_talk {
	const json_t *comments, *ids;
	json_t *roots;
	int64_t imported, skipped;
};
STET_MUST enum stet_status exporter_talk(struct stet_call *, struct exporter_talk *);

#endif
