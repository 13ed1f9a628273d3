/* pool.h - memory pool for one tree of gumbo: its thousands of nodes are freed together. */
#ifndef HTML_POOL_H
#define HTML_POOL_H

#include <stddef.h>

#define POOL_FIRST 32768 /* bytes without malloc: the tree of a paragraph */

struct pool {
	struct pool_block *blocks;
	char *at, *end, *last; /* last: the latest allocation, which pool_free can undo */
	size_t size; /* bytes of the blocks */
	char first[POOL_FIRST] __attribute__((aligned(16)));
};

void pool_begin(struct pool *);
void pool_end(struct pool *);
/* Makes the next bytes that the pool will give out zero. */
void pool_clear(struct pool *, size_t);
/* The allocator functions of gumbo; the first argument is the pool. pool_free reuses only the
 * latest allocation. */
void *pool_alloc(void *pool, size_t);
void pool_free(void *pool, void *);

#endif
