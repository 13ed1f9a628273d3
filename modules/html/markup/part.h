/*
 * part.h - the interface between the files of this folder.
 */
#ifndef HTML_PART_H
#define HTML_PART_H

#include "convert/flow.h"
#include "markup/markup.h"

#define DEEP_MAX 12 /* most levels of nested columns and covers */

/* The state of writing one value. */
struct mk {
	struct text *out;
	const struct markup_rules *rules; /* or NULL */
	struct markup_report *report;
	int depth;
	/* Writes inner blocks of any type: a pointer, so that a writer needs to know no other. */
	void (*blocks)(struct mk *, const json_t *blocks);
};

/* Writes one block. Returns false if the markup does not express all of it; then it is the closest
 * there is. */
typedef bool mk_writer(struct mk *, const json_t *block);

/* ---- put.c ---- */

/* Appends text, or the value of an attribute. Special characters, and those that XML does not have,
 * become references. */
void mk_text(struct text *, const char *);
void mk_attribute(struct text *, const char *name, const char *value);
/* <!-- wp:name {...} -->; takes the reference to the attributes, which may be NULL. */
void mk_open(struct text *, const char *name, json_t *attributes);
void mk_close(struct text *, const char *name);
/* Returns the address of a file as it is in the export: in the caller's buffer, or `url` itself. */
const char *mk_address(const struct mk *, const char *url, struct text *buffer);
/* Returns the number of an asset in the export; 0: none. */
int64_t mk_number(const struct mk *, const json_t *asset);
/* Appends a text with a list of links: the first link has all of the text, the others have none. */
void mk_linked(struct text *, const char *text, const json_t *links);
void mk_caption(struct mk *, const json_t *block, const char *classes);

/* ---- inline.c ---- */

/* Appends spans with their marks. Returns false if HTML cannot express one of them. */
bool mk_spans(struct text *, const json_t *spans, const json_t *defs);
/* Returns the spans as they read back from HTML: without keys, blanks collapsed. A new reference;
 * NULL: HTML cannot express them. */
json_t *mk_canon_spans(const json_t *spans, const json_t *defs);
/* Returns the spans without keys and with links in place of the keys of links. A new reference. */
json_t *mk_bare_spans(const json_t *spans, const json_t *defs);

/* ---- same.c ---- */

/* Returns true if the markup from `from` on reads back as these blocks: equal as markup_write says,
 * or, if `exact`, also with the same blanks and addresses. */
bool mk_same(const struct mk *, size_t from, const json_t *blocks, bool exact);

/* ---- object.c, table.c, place.c ---- */

mk_writer mk_image, mk_gallery, mk_embed, mk_code, mk_pullquote, mk_html, mk_break, mk_table,
    mk_columns, mk_cover, mk_buttons, mk_file;

#endif
