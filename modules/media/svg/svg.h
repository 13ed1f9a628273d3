/*
 * svg.h - SVG files that nobody vouches for, reduced to what draws. Elements and attributes are
 * taken from lists; everything else is left out: scripts, event attributes, animations, links,
 * foreign markup, addresses of other files, comments and processing instructions.
 */
#ifndef MEDIA_SVG_H
#define MEDIA_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/buf.h>

#define SVG_MOST ((size_t)4 << 20) /* bytes of a file */

struct svg {
	struct stet_buf text; /* UTF-8; the caller frees it */
	int64_t width, height; /* pixels; 0: not said */
	char why[160]; /* if it is refused */
};

/* Returns false if the bytes, at most SVG_MOST, are no SVG document, or declare entities. The
 * result, read again, is itself. */
bool svg_clean(const char *bytes, size_t len, struct svg *out);

/* ---- allow.c ---- */

enum svg_element {
	SVG_LEFT_OUT, /* with all that is in it */
	SVG_OPENED, /* only what is in it is kept */
	SVG_KEPT,
	SVG_STYLE /* kept if its text is (svg_is_local) */
};
/* By the name without namespace. */
enum svg_element svg_element(const char *name);
/* Returns true if this attribute of an element may have this value. Names without namespace. */
bool svg_attribute(const char *element, const char *name, const char *value);
/* Returns true if CSS refers to nothing outside the document: no other url() than of a fragment, no
 * rules that import, and no escapes that could hide them. */
bool svg_is_local(const char *css);

#endif
