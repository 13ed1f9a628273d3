/* trees.c - cache of the parsed pieces of one text. */
#include "trees.h"
#include <stdlib.h>
#include <stet/call.h>

#define TEXT_MOST 65536 /* longest text that is cached, in bytes */
#define TREES_MOST (4u << 20) /* bytes of trees: small parts take a hundred times their length */
#define PARTS_MOST (2 * TEXT_MOST) /* total bytes of cached parts, which may overlap */

void
trees_begin(struct trees *t, const char *text, size_t len)
{
	bool kept = len <= TEXT_MOST;

	t->text = kept ? text : NULL;
	t->end = kept ? text + len : NULL;
	t->list = NULL;
	t->count = t->room = t->found = t->bytes = 0;
	pool_begin(&t->pool);
}

void
trees_end(struct trees *t)
{
	free(t->list);
	pool_end(&t->pool);
}

bool
trees_keep(const struct trees *t, const char *html, size_t len)
{
	return t != NULL && t->text != NULL && html >= t->text && html <= t->end &&
	       len <= (size_t)(t->end - html) && len <= PARTS_MOST - t->bytes &&
	       t->pool.size < TREES_MOST;
}

/* Returns the index of the first piece of a part, or `count` if it is not cached. */
static size_t
find(const struct trees *t, const char *html, size_t len)
{
	for (size_t i = 0; i < t->count; i++) {
		size_t at = (t->found + i) % t->count;

		if (t->list[at].html == html && t->list[at].len == len)
			return at;
	}
	return t->count;
}

bool
trees_each(struct trees *t, const char *html, size_t len,
    void (*tree)(void *, const struct piece *), void *arg)
{
	size_t at = t != NULL ? find(t, html, len) : 0;

	if (t == NULL || at == t->count)
		return false;
	t->found = at;
	do {
		/* The list may move: the function may add to it. */
		struct piece piece = t->list[at].piece;

		tree(arg, &piece);
		at = t->list[at].next;
	} while (at != 0);
	return true;
}

size_t
trees_add(struct trees *t, const char *html, size_t len, const struct piece *piece, size_t before)
{
	size_t at = t->count;

	if (at == t->room) {
		t->room = at > 0 ? 2 * at : 16;
		t->list = realloc(t->list, t->room * sizeof(*t->list));
		if (t->list == NULL)
			stet_out_of_memory();
	}
	t->list[t->count++] = (struct tree){ html, len, *piece, 0 };
	if (before != NO_TREE)
		t->list[before].next = at;
	else
		t->bytes += len;
	return at;
}
