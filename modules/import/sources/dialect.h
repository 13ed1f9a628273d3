/* dialect.h - Markdown as generators of sites have it: what the files of it share. */
#ifndef IMPORT_DIALECT_H
#define IMPORT_DIALECT_H

#include <stdio.h>
#include <stet/importer.h>

#define NEAR_MAX 4096 /* bytes in which the end of what begins in a line is looked for */

/* A text while it is read. Blocks that Markdown does not have become comments in it, which the
 * module content reads: <!--block {...}--> and <!--inline {...}-->. */
struct dialect {
	struct stet_call *call;
	FILE *out;
	json_t *kept; /* how often each shortcode was kept, by name */
	json_t *lost; /* as of content->blocks_foreign: what blocks and HTML in the text lack */
	bool unclosed; /* code of a shortcode has no end in the rest of the text */
	bool html; /* the text is HTML: no objects are put, and what is kept stays as it stands */
	bool components; /* MDX: names in capitals are components */
};

/* ---- dialect_put.c ---- */

/* Puts an object, whose reference it takes. */
void dialect_block(struct dialect *, json_t *);
void dialect_inline(struct dialect *, json_t *);
/* The value of an attribute or parameter in "name=value" pairs, with quotes or without; NULL: there
 * is none. */
const char *dialect_value(struct stet_call *, const char *text, size_t len, const char *name);
/* The first word without a name, without its quotes; NULL: there is none. */
const char *dialect_first(struct stet_call *, const char *text, size_t len);

/* ---- dialect_code.c: shortcodes, {{< name >}} of Hugo and {% name %} of Jekyll ---- */

/* Puts the shortcode that begins here, in a line (`alone`: it is all of it). Returns its length in
 * the text, 0: there is none. */
size_t dialect_code(struct dialect *, const char *, bool alone);

/* ---- dialect_site.c: addresses of the site ---- */

/* Puts the path that the expression here is. Returns its length in the text, 0: there is none. */
size_t dialect_site(struct dialect *, const char *);

/* ---- dialect_line.c: what stands within a line ---- */

/* Puts text: links and pictures of HTML as Markdown's, formulas and shortcodes as objects. */
void dialect_line(struct dialect *, const char *, size_t len);

/* ---- dialect.c ---- */

/* Returns a text for the module content. Blocks of HTML become blocks by the module html, if the
 * site has it. */
const char *dialect_read(struct dialect *, const char *text);

#endif
