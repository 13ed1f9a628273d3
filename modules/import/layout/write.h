/* write.h - writes block markup. */
#ifndef IMPORT_LAYOUT_WRITE_H
#define IMPORT_LAYOUT_WRITE_H

#include "layout/layout.h"
#include <stdio.h>

struct writing {
	struct stet_call *call;
	FILE *out;
	size_t blocks; /* that were written, without columns */
	json_t *idle, *unknown; /* as in struct layout */
	const char *href; /* of a section or column, for its first heading or picture; or NULL */
};
/* layout_end sets the members of the layout. */
void layout_begin(struct writing *, struct stet_call *, char **text, size_t *len);
void layout_end(struct writing *, char **text, struct layout *);
/* Counts a name in `idle` or `unknown`. */
void layout_count(json_t *counts, const char *name);

/* Parts of columns; a column is closed before the next is opened. */
void layout_columns(struct writing *, bool open);
void layout_column(struct writing *, bool open);

/* A section or column that is a link as a whole: its first heading or picture gets the address, or,
 * if it has none, a link of its own does. layout_around returns what layout_behind needs. */
const char *layout_around(struct writing *, const char *href);
void layout_behind(struct writing *, const char *href, const char *around);

/* Each writes one block, or nothing for a text of blanks. `html`: HTML of classic texts, with
 * shortcodes. href "": no link. */
void layout_text(struct writing *, const char *html, size_t len);
void layout_heading(struct writing *, int level, const char *html, const char *href);
void layout_raw(struct writing *, const char *html);
void layout_rule(struct writing *);
void layout_button(struct writing *, const char *html, const char *href);
void layout_link(struct writing *, const char *html, const char *href);
void layout_film(struct writing *, const char *address);
/* A picture has an address, or only a number at the source. number "": not known. */
struct picture {
	const char *address, *number, *alt, *caption, *href;
};
void layout_picture(struct writing *, const struct picture *);
/* Numbers with other characters between. */
void layout_gallery(struct writing *, const char *numbers, const char *columns);

#endif
