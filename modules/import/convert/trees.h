/*
 * trees.h - the trees of one text. Converting and checking read the same HTML, and parsing it is
 * most of what both cost: what was parsed once is found again by its place in the text.
 */
#ifndef IMPORT_TREES_H
#define IMPORT_TREES_H

#include "html.h"
#include "pool.h"

#define NO_TREE ((size_t)-1)

struct tree {
	const char *html; /* of the text; all pieces of a part of it have the same */
	size_t len;
	struct piece piece;
	size_t next; /* the next piece of the part; 0: this is the last */
};

struct trees {
	const char *text, *end;
	struct pool pool;
	struct tree *list;
	size_t count, room;
	size_t found; /* parts are asked for in their order: look here first */
	size_t bytes; /* of the parts */
};

/* Both are good for a text of any size. A long one is parsed again, so that memory is bounded. */
void trees_begin(struct trees *, const char *text, size_t len);
void trees_end(struct trees *);

/* Are the trees of this part of the text worth keeping? False also for HTML that is no part of it,
 * and for `trees` NULL. */
bool trees_keep(const struct trees *, const char *html, size_t len);
/* Gives the pieces of a part, as html_each does. Returns false if they are not kept. */
bool trees_each(struct trees *, const char *html, size_t len,
    void (*tree)(void *, const struct piece *), void *);
/* Keeps a piece, which is in the pool. `before`: the number of the one before it,
 * or NO_TREE. Returns its own. */
size_t trees_add(struct trees *, const char *html, size_t len, const struct piece *, size_t before);

#endif
