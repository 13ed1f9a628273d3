/* pool.h - memory of a tree of gumbo, which goes at once: a tree is thousands of small pieces that
 * live as long as each other. */
#ifndef IMPORT_POOL_H
#define IMPORT_POOL_H

#include <stddef.h>

#define POOL_FIRST 32768 /* bytes without malloc: the tree of a paragraph */

struct pool {
	struct pool_block *blocks;
	char *at, *end, *last; /* last: what was given out last, which can be taken back */
	size_t size; /* bytes of the blocks */
	char first[POOL_FIRST] __attribute__((aligned(16)));
};

void pool_begin(struct pool *);
void pool_end(struct pool *);
/* As gumbo calls them; the first argument is the pool. */
void *pool_alloc(void *pool, size_t);
void pool_free(void *pool, void *);

#endif
