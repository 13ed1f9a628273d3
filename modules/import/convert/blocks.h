/*
 * blocks.h - block markup: which blocks a text has, what they hold, and what stands between them.
 */
#ifndef IMPORT_BLOCKS_H
#define IMPORT_BLOCKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define BLOCK_DEPTH 40 /* comments of deeper blocks are passed over; their HTML stays */
#define NO_BLOCK ((size_t)-1)

struct block {
	const char *name; /* "paragraph", "yoast/faq-block"; not terminated */
	size_t name_len;
	const char *attributes; /* JSON; NULL: none */
	size_t attributes_len;
	const char *open; /* its comment */
	const char *begin, *end; /* what it holds */
	const char *close; /* behind its last comment */
	size_t parent, first, last, next; /* indexes; NO_BLOCK: none */
};

/* The blocks of a text. The first is the text itself. */
struct blocks {
	struct block *list;
	size_t count, room;
	size_t passed; /* blocks that are too deep */
};

/*
 * Every text is good: a block that does not end, ends with that around it; an end without a
 * beginning is passed over. Linear in the text.
 */
void blocks_read(struct blocks *, const char *, size_t len);
void blocks_free(struct blocks *);
bool block_is(const struct block *, const char *name);
/* Its attributes, a new reference: an empty object, if they are none or no JSON. */
json_t *block_attributes(const struct block *);

#endif
