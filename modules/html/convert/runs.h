/*
 * runs.h - runs of plain text in HTML. gumbo takes some hundred instructions for each character, so
 * it gets one character in place of a run, and the text nodes of its tree get the run back.
 */
#ifndef HTML_RUNS_H
#define HTML_RUNS_H

#include "html.h"
#include "pool.h"
#include <stdint.h>

#define RUNS_MOST 1024 /* in one piece; more are parsed as they are */

struct run {
	uint32_t at, len; /* its bytes in the HTML */
};

/* The runs of one piece of HTML, in their order. */
struct runs {
	struct run list[RUNS_MOST];
	size_t count;
	struct text whole; /* buffer for the text of a node */
};

void runs_begin(struct runs *);
void runs_end(struct runs *); /* frees the buffer */
/* Forgets the runs, before the next piece. */
void runs_clear(struct runs *);

/* Adds the runs in the last bytes of the piece, which are text between tags: from `from` on. */
void runs_add(struct runs *, const struct text *piece, size_t from);

/* Returns the HTML with one character in place of each run. If it has no runs, or has or may yield
 * such characters itself, returns it as it is, and forgets the runs. *len: its length, before and
 * after. Owned by the pool. */
const char *runs_cut(struct runs *, const char *html, size_t *len, struct pool *);
/* Puts the runs of the HTML back into the tree of what runs_cut returned. */
void runs_restore(struct runs *, const char *html, GumboNode *root, struct pool *);

#endif
