/* arena.c - memory that is freed all at once. */
#include "base/arena.h"
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>
#include <unistd.h>

#define BLOCK ((size_t)4096 - sizeof(struct arena_block))

/* Allocates nothing and cleans nothing up, since that might allocate. */
void
stet_out_of_memory(void)
{
	static const char said[] = "stet: out of memory\n";

	(void)!write(STDERR_FILENO, said, sizeof(said) - 1);
	_exit(EXIT_FAILURE);
}

/* Jansson uses our allocator from the start, so its results need no checks. */
__attribute__((constructor)) static void
give_to_jansson(void)
{
	json_set_alloc_funcs(xmalloc, free);
}

void *
xmalloc(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		stet_out_of_memory();
	return p;
}

void *
xcalloc(size_t count, size_t size)
{
	void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (p == NULL)
		stet_out_of_memory();
	return p;
}

void *
xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size > 0 ? size : 1);

	if (p == NULL)
		stet_out_of_memory();
	return p;
}

char *
xstrdup(const char *s)
{
	size_t len = strlen(s) + 1;

	return memcpy(xmalloc(len), s, len);
}

/* The rest of the block keeps what an earlier user left in it. */
static void *
take(struct arena *a, size_t size)
{
	struct arena_block *b = a->head;
	void *p;

	if (size > SIZE_MAX / 2)
		stet_out_of_memory();
	size = (size + 15) & ~(size_t)15;
	if (b == NULL || b->size - b->used < size) {
		size_t want = size > BLOCK ? size : BLOCK;

		b = xmalloc(sizeof(*b) + want);
		b->used = 0;
		b->size = want;
		b->next = a->head;
		a->head = b;
		a->size += want;
	}
	p = b->mem + b->used;
	b->used += size;
	return p;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	return memset(take(a, size), 0, size);
}

char *
arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = take(a, len + 1);

	if (len > 0)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

void
arena_reset(struct arena *a)
{
	struct arena_block *kept = NULL, *next;

	for (struct arena_block *b = a->head; b != NULL; b = next) {
		next = b->next;
		if (kept == NULL && b->size == BLOCK) {
			b->used = 0;
			b->next = NULL;
			kept = b;
		} else
			free(b);
	}
	a->head = kept;
	a->size = kept != NULL ? kept->size : 0;
}

void
arena_cut(struct arena *a, struct arena_block *last)
{
	while (a->head != last) {
		struct arena_block *b = a->head;

		a->head = b->next;
		a->size -= b->size;
		free(b);
	}
}

void
arena_free(struct arena *a)
{
	arena_cut(a, NULL);
}
