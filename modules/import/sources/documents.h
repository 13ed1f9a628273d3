/*
 * documents.h - items from the documents of other headless systems: plain values, references,
 * pictures, rich texts. An item is built as JSON (STET_SOURCE_ITEM), and then put.
 */
#ifndef IMPORT_DOCUMENTS_H
#define IMPORT_DOCUMENTS_H

#include "sources/sources.h"

/* The documents of one reading. */
struct documents {
	struct stet_source *source;
	json_t *types; /* {id: type of the document} */
	json_t *files; /* {url: true}: the files that were handed on */
	bool full; /* not all are known */
};

void documents_begin(struct documents *, struct stet_source *);
/* documents_know notes that there is a document. documents_type returns its type; NULL: there is
 * none, or it is not known. At most KNOWN_MAX are noted, so that memory is bounded. */
#define KNOWN_MAX 200000
void documents_know(struct documents *, const char *id, const char *type);
const char *documents_type(const struct documents *, const char *id);

/* Returns the source for a first pass: it tells nothing, since the second one meets the same. */
struct stet_source documents_silent(const struct stet_source *);

/* Returns the collection of a file of documents: its name up to the first blank or dot, or the
 * option `type` for a single file; "": it is not known. */
const char *documents_collection(const struct stet_source *, const char *name);

/* Returns a new item; owned by the call. */
json_t *document_new(struct stet_call *, const char *id, const char *type, bool published);
/* Sets a value. Later ones of the same name win. */
void document_value(json_t *item, const char *name, const json_t *value);
/* Sets a value that needs a field of this type. Takes the reference. */
void document_typed(json_t *item, const char *name, const char *type, json_t *value);
/* Sets a rich text: the first one called content or body is that of the item, others are values. */
void document_blocks(json_t *item, const char *name, const json_t *blocks);
void document_html(struct stet_call *, json_t *item, const char *name, const char *html);
/* Sets a reference to documents of these ids; if these have several types, a list of references
 * inside a value. Says so if none of them is known. */
STET_MUST enum stet_status document_references(
    const struct documents *, json_t *item, const char *name, const json_t *ids, bool many);
/* Returns a reference inside a value to the item of this id: {_type: reference, _ref}, which the
 * import replaces by one to the item here. Returns a new reference. */
json_t *document_reference(struct stet_call *, const char *id);
/* Returns HTML that becomes a block {_type: type} with these members; owned by the call. */
const char *document_block(struct stet_call *, const char *type, const json_t *members);
/* Returns HTML that becomes a block that shows the item of this id; owned by the call. title: "":
 * it is not known. */
const char *document_embed(struct stet_call *, const char *id, const char *title);
/* Returns HTML of a link to the item of this id, with this title; owned by the call. */
const char *document_anchor(struct stet_call *, const char *id, const char *title);
/* Returns the address of a link to the item of this id; owned by the call. */
const char *document_item(struct stet_call *, const char *id);
/* Returns the address of a file of the source by its path, relative to a document; owned by the
 * call. */
const char *document_file(struct stet_call *, const char *document, const char *path);
/* Returns a value for a field of type image or file; a new reference. */
json_t *document_asset(const char *url, const char *alt);
/* Hands on a file, so that it is copied. The second function does so once for each address; of an
 * export whose files are known, hand on those that no document shows last. */
STET_MUST enum stet_status document_put_file(
    struct stet_source *, const char *url, const char *title, const char *alt);
STET_MUST enum stet_status documents_file(
    const struct documents *, const char *url, const char *title, const char *alt);

/* Returns the option `url`, without a slash at the end; that of files without one if it is missing.
 */
const char *document_site(const struct stet_source *);
/* Hands on the site of that option, if it is given: ids of items are kept under its address. */
STET_MUST enum stet_status document_put_site(struct stet_source *);
/* Hands on the pictures of an HTML text that have addresses of the web. */
STET_MUST enum stet_status document_put_pictures(struct stet_source *, const char *html);

/* Takes comments with the members of STET_SOURCE_ITEM, and `own` and `to`: their id in the source,
 * and that of the comment to which they reply. Gives them ids that grow with their time, so that
 * replies and later exports come later. Returns them in that order; owned by the call. */
const json_t *document_comments(struct stet_call *, const json_t *list);

/* Hands on an author by name, and makes them that of the item. A name of "" is none. */
STET_MUST enum stet_status document_author(
    struct stet_source *, json_t *item, const char *name, const char *email);

#endif
