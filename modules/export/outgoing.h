/*
 * outgoing.h - exports that are no WXR: `stet export markdown` and `stet export jsonl`. An item
 * becomes an object as importers hand it on (stet/importer.h), which the format writes.
 */
#ifndef EXPORT_OUTGOING_H
#define EXPORT_OUTGOING_H

#include "leaving.h"
#include <stdio.h>

#define MEDIA "media/" /* directory of the library's files */

struct outgoing {
	struct export x;
	bool folders; /* a directory of Markdown; otherwise lines of JSON */
	bool media; /* files of the library are copied */
	int root; /* the directory; -1: none */
	FILE *out; /* lines of JSON */
	json_t *lost; /* {what the format cannot hold: how often} */
	int64_t files;
	/* redirects.c */
	json_t *earlier; /* {id of an item: [earlier path]} */
	json_t *paths; /* set of all of them */
	FILE *redirects; /* NULL: no line was written yet */
};

/* ---- object.c ---- */

/* Counts something that the format cannot hold, by the name of what has it. */
void outgoing_lost(struct leaving *, const char *name, const char *what);
/* Makes the object of an item. *body: the slug of the field that is the item's text, or NULL. */
STET_MUST enum stet_status object_of(
    struct stet_call *, struct leaving *, json_t **object, const char **body);
/* Returns the name of an item's document without its ending, such as "posts/hello.de". */
const char *object_path(struct stet_call *, const struct export *, const char *collection,
    const char *id, const char *slug, const char *locale);

/* ---- library.c ---- */

/* *out: the address that a URL of this site gets in the export. */
STET_MUST enum stet_status library_address(
    struct stet_call *, struct outgoing *, const char *url, const char **out);
/* Copies the value. Addresses of files of the library become those in the export. */
STET_MUST enum stet_status library_value(
    struct stet_call *, struct outgoing *, const json_t *value, json_t **out);
STET_MUST enum stet_status library_lines(struct outgoing *); /* writes attachments */
STET_MUST enum stet_status library_copy(struct outgoing *); /* copies the files */

/* ---- document.c, yaml.c ---- */

STET_MUST enum stet_status document_put(struct stet_call *, struct leaving *);
/* Returns an object as YAML, a member a line. Owned by the call. */
const char *yaml_of(struct stet_call *, const json_t *object);

/* ---- redirects.c ---- */

STET_MUST enum stet_status redirects_read(struct outgoing *);
/* Writes the redirects of an item, and sets its aliases in the front matter. */
STET_MUST enum stet_status redirects_put(struct stet_call *, struct leaving *, json_t *front);
STET_MUST enum stet_status redirects_end(struct outgoing *);

/* ---- folder.c: a directory that gets its name when it is complete ---- */

struct folder {
	const char *path; /* as it will be named */
	char *beside; /* its present name */
	int fd;
};
STET_MUST enum stet_status folder_begin(struct stet_call *, const char *path, struct folder *);
/* Makes a file in a directory of the root. No part of the path may be empty or begin with a dot. */
STET_MUST enum stet_status folder_file(struct stet_call *, int root, const char *path, int *fd);
/* Names the directory, or removes it if `status` is a failure. */
STET_MUST enum stet_status folder_end(struct stet_call *, struct folder *, enum stet_status status);

#endif
