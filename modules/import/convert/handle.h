/*
 * handle.h - handlers of blocks: what handlers.c and convert.c share.
 */
#ifndef IMPORT_HANDLE_H
#define IMPORT_HANDLE_H

#include "blocks.h"
#include "flow.h"

/* One text with its blocks. */
struct work {
	struct conv conv;
	struct blocks blocks;
};

struct handler {
	const char *name; /* without core/ */
	void (*put)(struct work *, const struct block *, json_t *to);
};
/* NULL: nobody knows the block. */
const struct handler *handler_of(const struct block *);

/* The blocks in a block go to `to`, what stands between them to `loose`. */
void put_children(struct work *, const struct block *, json_t *to, json_t *loose, bool classic);
/* What stands between the blocks in a block. */
void put_between(struct work *, const struct block *, json_t *to);
void put_block(struct work *, const struct block *, json_t *to);
/* HTML, if it is more than blanks. */
void put_html(struct work *, json_t *to, const char *begin, const char *end, bool classic);
/* An htmlBlock of what a block holds. */
void put_raw(struct work *, const struct block *, json_t *to);

#endif
