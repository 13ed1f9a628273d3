/*
 * handle.h - the interface between convert.c and the handlers of blocks.
 */
#ifndef HTML_HANDLE_H
#define HTML_HANDLE_H

#include "blocks.h"
#include "flow.h"

/* One text with its blocks. */
struct work {
	struct conv conv;
	struct blocks blocks;
	/* Converts a block of any name: a pointer, so that a handler needs to know no other. */
	void (*block)(struct work *, const struct block *, json_t *to);
};

struct handler {
	const char *name; /* without core/ */
	void (*put)(struct work *, const struct block *, json_t *to);
};
/* Returns NULL for an unknown block. */
const struct handler *handler_of(const struct block *);

/* ---- inner.c ---- */

/* Converts the content of a block: inner blocks are appended to `to`, the HTML between them to
 * `loose`. */
void put_children(struct work *, const struct block *, json_t *to, json_t *loose, bool classic);
/* Converts only the HTML between the inner blocks. */
void put_between(struct work *, const struct block *, json_t *to);
void put_block(struct work *, const struct block *, json_t *to);
/* Converts HTML, unless it is only blanks. */
void put_html(struct work *, json_t *to, const char *begin, const char *end, bool classic);
/* Appends the unconverted content of a block as an htmlBlock. */
void put_raw(struct work *, const struct block *, json_t *to);

#endif
