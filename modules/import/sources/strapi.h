/* strapi.h - what the files of the source for Strapi share. */
#ifndef STET_IMPORT_STRAPI_H
#define STET_IMPORT_STRAPI_H

#include "sources/documents.h"

#define STRAPI_FILE "plugin::upload.file"

struct strapi {
	struct documents all; /* by id of the document: its type */
	json_t *schemas; /* {type: attributes} */
	json_t *rows; /* {row: id of its document} */
	json_t *public; /* {id of a document: when its published row was changed} */
	json_t *links; /* {row: {field: [row]}}, in the order that the field has */
	json_t *places; /* {row: {field: [place]}} of these */
	json_t *files; /* {row: {url, name, alt, mime}} */
	json_t *uploads; /* {address in Strapi: row}, with those of renditions */
	json_t *components; /* {row: {data, bytes}} */
	size_t bytes; /* of components and schemas */
	int64_t lost; /* links, components and schemas that are too many */
	/* Of the present entity. */
	json_t *item;
	int64_t taken; /* components so far, each time that they are referred to */
	int64_t copied; /* bytes of those that were copied */
	const char *root; /* of the export, in the source */
};

/* Is it the type of a component, or a row of one? */
bool strapi_is_component(const char *type);
/* Is it a relation to several documents? */
bool strapi_is_many(const json_t *attribute, const json_t *rows);

/* ---- strapi_values.c ---- */

/* The address of a file from that which it has in Strapi; NULL: there is none. Follows
 * `struct rich`. */
const char *strapi_file(void *strapi, const char *url, const char **alt);
/* Sets the files of a field, by their rows. */
STET_MUST enum stet_status strapi_put_files(struct strapi *, const char *name, const json_t *rows);
/* Sets the components of a field, by their rows. */
STET_MUST enum stet_status strapi_put_components(
    struct strapi *, const char *name, const json_t *attribute, const json_t *rows);
/* Sets in a value that contains components what these refer to. */
STET_MUST enum stet_status strapi_fill(
    struct strapi *, const json_t *attribute, json_t *value, int depth);

/* ---- strapi_text.c ---- */

/* Returns the blocks of a text in Markdown, with the addresses that its files have here, and hands
 * these files on; owned by the call. */
STET_MUST enum stet_status strapi_markdown(struct strapi *, const char *text, json_t **blocks);
/* Has the zone a component with a text? */
bool strapi_is_text(const struct strapi *, const json_t *zone);
/* Returns the components of a zone, filled, as the blocks of one text; owned by the call: texts,
 * pictures, quotes; others are blocks of their own type with their members. */
STET_MUST enum stet_status strapi_zone(struct strapi *, const json_t *zone, json_t **blocks);

#endif
