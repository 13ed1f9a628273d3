/* arena.h - memory that is freed all at once. Allocation never returns NULL: out of memory stops.
 */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(16) char mem[];
};
/* Zero-initialised is empty. */
struct arena {
	struct arena_block *head;
	size_t size; /* bytes of all blocks */
};

void *arena_alloc(struct arena *, size_t); /* zeroed, 16-byte aligned */
char *arena_strndup(struct arena *, const char *, size_t);
/* Frees all blocks but one of the usual size, which stays for the next user. */
void arena_reset(struct arena *);
void arena_free(struct arena *);
/* Frees the blocks that came after this one, which may be NULL. */
void arena_cut(struct arena *, struct arena_block *);

/* malloc and friends that end the process instead of failing: stet_out_of_memory. */
void *xmalloc(size_t);
void *xcalloc(size_t, size_t);
void *xrealloc(void *, size_t);
char *xstrdup(const char *);

#endif
