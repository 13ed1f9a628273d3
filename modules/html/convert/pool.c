/* pool.c - memory pool for one tree of gumbo, freed as a whole. */
#include "pool.h"
#include <stdint.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define BLOCK 49152 /* bytes; freeing 64 KiB or more makes malloc consolidate its heap */

struct pool_block {
	struct pool_block *next;
	char bytes[] __attribute__((aligned(16)));
};

void
pool_begin(struct pool *p)
{
	p->blocks = NULL;
	p->size = 0;
	p->at = p->first;
	p->end = p->first + sizeof(p->first);
	p->last = NULL;
}

void
pool_end(struct pool *p)
{
	struct pool_block *block, *next;

	for (block = p->blocks; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	pool_begin(p);
}

void *
pool_alloc(void *pool, size_t len)
{
	struct pool *p = pool;

	if (len > SIZE_MAX / 2)
		stet_out_of_memory();
	len = (len + 15) & ~(size_t)15;
	if (len > (size_t)(p->end - p->at)) {
		size_t size = len > BLOCK ? len : BLOCK;
		struct pool_block *block = malloc(sizeof(*block) + size);

		if (block == NULL)
			stet_out_of_memory();
		block->next = p->blocks;
		p->size += size;
		p->blocks = block;
		p->at = block->bytes;
		p->end = block->bytes + size;
	}
	p->last = p->at;
	p->at += len;
	return p->last;
}

void
pool_free(void *pool, void *what)
{
	struct pool *p = pool;

	if (what == NULL || what != p->last)
		return;
	p->at = p->last;
	p->last = NULL;
}

void
pool_clear(struct pool *p, size_t len)
{
	void *bytes = pool_alloc(p, len);

	memset(bytes, 0, len);
	pool_free(p, bytes);
}
