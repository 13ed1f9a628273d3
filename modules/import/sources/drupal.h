/* drupal.h - documents of Drupal's JSON:API: what the files of this importer share. */
#ifndef IMPORT_DRUPAL_H
#define IMPORT_DRUPAL_H

#include "sources/documents.h"

struct drupal {
	struct documents all;
	const char *site; /* its address, without a slash at the end */
	json_t *resources; /* {id: resource} of all that is no node: terms, files, users … */
	json_t *comments; /* {id of a node: [comment]} */
	json_t *old; /* {number of a node: [path]}, of its redirects */
	json_t *languages; /* set of the langcodes of nodes */
	json_t *done; /* set of nodes that were handed on: several files may contain one */
	json_t *pages, *nexts; /* addresses of documents, and of pages that follow them */
	json_t *left; /* {type: number} of resources that have no place here */
	bool full; /* not all resources are kept */
	bool knowing; /* the first pass */
	/* Of the present node. */
	json_t *item;
};

/* Returns a text member, "" if there is none. */
const char *drupal_text(const json_t *object, const char *member);
const char *drupal_attribute(const json_t *resource, const char *name);
/* Returns the resource that a relationship names, NULL if it is not in the export. */
const json_t *drupal_resource(const struct drupal *, const json_t *reference);
/* Is it a reference to something of this kind, such as "file--"? */
bool drupal_is(const json_t *reference, const char *kind);

/* ---- drupal_files.c ---- */

/* Returns the HTML with addresses of the files of the site, which are handed on. */
STET_MUST enum stet_status drupal_html(struct drupal *, const char *html, const char **out);
/* Returns the address of the file of a file or media resource, "" if there is none; *type: its
 * media type. */
const char *drupal_file(const struct drupal *, const json_t *resource, const char **type);
/* The taxonomy here of a type, taxonomy_term--NAME; owned by the call. */
const char *drupal_taxonomy(struct stet_call *, const char *type);
const char *drupal_term_slug(struct stet_call *, const json_t *term);

/* ---- drupal_values.c ---- */

/* Sets the attributes and the relationships of a node in the present item. */
STET_MUST enum stet_status drupal_values(struct drupal *, const json_t *node);

#endif
