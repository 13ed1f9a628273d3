/*
 * blocks.h - parses block markup (<!-- wp:name -->) into a tree of blocks.
 */
#ifndef HTML_BLOCKS_H
#define HTML_BLOCKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define BLOCK_DEPTH 40 /* comments of deeper blocks are ignored; their HTML stays */
#define NO_BLOCK ((size_t)-1)

struct block {
	const char *name; /* "paragraph", "yoast/faq-block"; not terminated */
	size_t name_len;
	const char *attributes; /* JSON; NULL: none */
	size_t attributes_len;
	const char *open; /* where its opening comment begins */
	const char *begin, *end; /* its content */
	const char *close; /* the first byte after its closing comment */
	size_t parent, first, last, next; /* indexes; NO_BLOCK: none */
};

/* The blocks of a text. The first is the text itself. */
struct blocks {
	struct block *list;
	size_t count, room;
	size_t passed; /* blocks deeper than BLOCK_DEPTH, which are ignored */
};

/*
 * Accepts every text: a block without an end ends with the block around it; an end without a
 * beginning is ignored. Takes time linear in the text.
 */
void blocks_read(struct blocks *, const char *, size_t len);
void blocks_free(struct blocks *);
bool block_is(const struct block *, const char *name);
/* Returns the attributes, a new reference: an empty object if there are none or they are no JSON
 * object. */
json_t *block_attributes(const struct block *);

#endif
