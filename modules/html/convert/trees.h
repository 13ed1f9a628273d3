/*
 * trees.h - cache of the parsed pieces of one text. Converting and checking read the same HTML, and
 * parsing is most of their cost. So a part is parsed once, and found again by its position.
 */
#ifndef HTML_TREES_H
#define HTML_TREES_H

#include "html.h"
#include "pool.h"

#define NO_TREE ((size_t)-1)

struct tree {
	const char *html; /* Source HTML. All pieces of one part share this pointer. */
	size_t len;
	struct piece piece;
	size_t next; /* the next piece of the part; 0: this is the last */
};

struct trees {
	const char *text, *end;
	struct pool pool;
	struct tree *list;
	size_t count, room;
	size_t found; /* start the search here: parts are asked for in order */
	size_t bytes; /* total length of the cached parts */
};

/* Accept a text of any size. A long one is not cached, so that memory is bounded. */
void trees_begin(struct trees *, const char *text, size_t len);
void trees_end(struct trees *);

/* Returns true if the pieces of this part of the text should be cached. False also for HTML outside
 * of the text, and for `trees` NULL. */
bool trees_keep(const struct trees *, const char *html, size_t len);
/* Calls `tree` for each cached piece of a part. Returns false if the part is not cached. */
bool trees_each(struct trees *, const char *html, size_t len,
    void (*tree)(void *, const struct piece *), void *);
/* Adds a piece, whose memory is in the pool. `before`: index of the previous piece of the part, or
 * NO_TREE. Returns the index of this one. */
size_t trees_add(struct trees *, const char *html, size_t len, const struct piece *, size_t before);

#endif
