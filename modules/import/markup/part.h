/*
 * part.h - what the files of this directory share.
 */
#ifndef IMPORT_MARKUP_PART_H
#define IMPORT_MARKUP_PART_H

#include "convert/flow.h"
#include "markup/markup.h"

#define DEEP_MAX 12 /* columns and covers in each other */

/* One value that is written. */
struct mk {
	struct text *out;
	const struct markup_rules *rules; /* or NULL */
	struct markup_report *report;
	int depth;
};

/* Writes one block. Returns false if the markup cannot say all of it; then it is what shows the
 * block best. */
typedef bool mk_writer(struct mk *, const json_t *block);

/* ---- put.c ---- */

/* Text, or the value of an attribute: what HTML or XML has no character for becomes a reference. */
void mk_text(struct text *, const char *);
void mk_attribute(struct text *, const char *name, const char *value);
/* <!-- wp:name {...} -->; takes the reference to the attributes, which may be NULL. */
void mk_open(struct text *, const char *name, json_t *attributes);
void mk_close(struct text *, const char *name);
/* The address of a file, as it stands in the export: text of the caller's buffer or of the value.
 */
const char *mk_address(const struct mk *, const char *url, struct text *buffer);
/* The number in the export of an asset; 0: none. */
int64_t mk_number(const struct mk *, const json_t *asset);
/* A text that has links beside it: all of it is the first link, others have no text. */
void mk_linked(struct text *, const char *text, const json_t *links);
void mk_caption(struct mk *, const json_t *block, const char *classes);

/* ---- inline.c ---- */

/* Spans with their marks. Returns false if one has a mark that HTML does not have. */
bool mk_spans(struct text *, const json_t *spans, const json_t *defs);
/* The spans as they are when they are read: no keys, blanks joined. A new reference; NULL: they
 * cannot be said in HTML. */
json_t *mk_canon_spans(const json_t *spans, const json_t *defs);
/* The spans as they are, without keys. A new reference. */
json_t *mk_bare_spans(const json_t *spans, const json_t *defs);

/* ---- same.c ---- */

/* Does the markup from here on read back as these blocks? With `exact`, as they are, otherwise as
 * markup_write says. */
bool mk_same(const struct mk *, size_t from, const json_t *blocks, bool exact);

/* ---- object.c, table.c, place.c ---- */

mk_writer mk_image, mk_gallery, mk_embed, mk_code, mk_pullquote, mk_html, mk_break, mk_table,
    mk_columns, mk_cover, mk_buttons, mk_file;

/* ---- markup.c ---- */

void mk_blocks(struct mk *, const json_t *blocks);

#endif
