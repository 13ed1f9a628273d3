/* sources.h - importers of this module (stet/importer.h), and what they share. */
#ifndef IMPORT_SOURCES_H
#define IMPORT_SOURCES_H

#include <stet/importer.h>

#define DOCUMENT_MAX (8u << 20) /* bytes of one document, or of one row */

/* ---- the importers ---- */

enum stet_status markdown_source(struct stet_call *, struct stet_source *);
enum stet_status ghost_source(struct stet_call *, struct stet_source *);
enum stet_status csv_source(struct stet_call *, struct stet_source *);
enum stet_status lines_source(struct stet_call *, struct stet_source *);
enum stet_status sanity_source(struct stet_call *, struct stet_source *);
enum stet_status contentful_source(struct stet_call *, struct stet_source *);
enum stet_status strapi_source(struct stet_call *, struct stet_source *);
enum stet_status directus_source(struct stet_call *, struct stet_source *);
enum stet_status payload_source(struct stet_call *, struct stet_source *);
enum stet_status notion_source(struct stet_call *, struct stet_source *);
enum stet_status blogger_source(struct stet_call *, struct stet_source *);
enum stet_status substack_source(struct stet_call *, struct stet_source *);
enum stet_status medium_source(struct stet_call *, struct stet_source *);
enum stet_status drupal_source(struct stet_call *, struct stet_source *);

/* ---- tree.c: documents of directories, zip files and single files ---- */

/* Takes a document: its name, relative to its directory, and its text, which ends with NUL. */
typedef enum stet_status document_fn(
    struct stet_source *, const char *name, const char *text, size_t len);
/* Calls fn for each document whose name has one of these endings (read/source.h), in the order of
 * the names, each in a scope of its own. A document that is too long gives a notice. */
STET_MUST enum stet_status tree_each(struct stet_source *, const char *ends, document_fn *fn);

/* Calls fn with the name of each file, whatever it is, as tree_each names documents. */
typedef void name_fn(void *arg, const char *name);
STET_MUST enum stet_status tree_names(struct stet_source *, name_fn *fn, void *arg);
/* Like tree_each, with an argument. names: an object that has the names of the documents; NULL:
 * all.
 */
typedef enum stet_status text_fn(void *arg, const char *name, const char *text, size_t len);
STET_MUST enum stet_status tree_some(
    struct stet_source *, const char *ends, const json_t *names, text_fn *fn, void *arg);

struct source;
/* Calls fn for each document, which reads its bytes itself (read/source.h). */
typedef enum stet_status stream_fn(void *arg, const char *name, struct source *);
STET_MUST enum stet_status tree_streams(
    struct stet_source *, const char *ends, stream_fn *fn, void *arg);

/* A line of JSON. */
struct line_read {
	const char *name; /* of its document, relative to its directory; "" if there is one file */
	const char *place; /* for notices */
	size_t len; /* bytes of the line */
	const json_t *object;
};
typedef enum stet_status line_fn(void *arg, const struct line_read *);
/* Calls fn for each object of the lines of such documents, in a scope of its own; an array of
 * objects counts as one line for each. The documents may be of any size. Lines that are too long or
 * no objects give notices. */
STET_MUST enum stet_status tree_lines(
    struct stet_source *, const char *ends, line_fn *fn, void *arg);
/* The same, also for documents that are one object whose first member is an array of this name: its
 * elements count as lines, and the other members together as the last one. */
STET_MUST enum stet_status tree_answers(
    struct stet_source *, const char *ends, const char *list, line_fn *fn, void *arg);

/* Takes a document that is JSON; its name is relative to its directory, or "" for a single file. */
typedef enum stet_status object_fn(void *arg, const char *name, const json_t *object);
/* Calls fn for each such document, in a scope of its own. Fails if one is no JSON, or has more than
 * 256 MiB. */
STET_MUST enum stet_status tree_objects(
    struct stet_source *, const char *ends, object_fn *fn, void *arg);

/* ---- notice.c ---- */

/* Tells of a whole item that cannot be read, for the account. type: its type, as far as it is known
 * ("": document). */
STET_MUST enum stet_status source_left(
    struct stet_source *, const char *type, const char *place, const char *text);
/* Hands on a notice: something at this place cannot be read. `skipped`: it is left out. */
STET_MUST enum stet_status source_notice(
    struct stet_source *, const char *place, bool skipped, const char *text);

/* Converts HTML by the module html; a new reference. Adds to `lost`, an array as
 * content->blocks_foreign has it, what the blocks lack. */
json_t *source_blocks(struct stet_call *, const char *html, size_t len, json_t *lost);
/* Tells such losses of the text of an item, and counts them in its member `lost`. */
STET_MUST enum stet_status source_losses(
    struct stet_source *, const char *place, const json_t *lost, json_t *item);

/* ---- front.c: what stands before the text of a document ---- */

/*
 * Reads the front matter of a document: YAML between lines of ---, TOML between lines of +++, or an
 * object of JSON. *out is owned by the call, {} if there is none; *body: where the text begins.
 * *why: what is wrong with it, or NULL.
 */
void front_read(struct stet_call *, const char *text, size_t len, const json_t **out,
    const char **body, const char **why);

/* Reads a file by its ending: .yaml, .yml, .toml or .json. Owned by the call; NULL: it cannot be
 * read, and *why says what is wrong with it. */
const json_t *front_file(
    struct stet_call *, const char *name, const char *text, size_t len, const char **why);

/* ---- toml.c ---- */

/* Reads TOML that begins in the document's second line; an object. *why: what is wrong with it, or
 * NULL. The text behind it must end with NUL. */
json_t *toml_read(struct stet_call *, const char *text, size_t len, const char **why);

/* Returns the number that a text is in YAML and TOML; NULL: it is none. "007" is none, since it
 * begins with 0. */
json_t *toml_number(const char *text);

#endif
