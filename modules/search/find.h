/* find.h - a running search: what find.c, place.c and shown.c share. */
#ifndef SEARCH_FIND_H
#define SEARCH_FIND_H

#include "search.h"

#define TITLE_WEIGHT 10 /* weight of the title unless configured; other fields have 1 */

#define ANCHORS 8

/* A position in a stream. Numbers of shards increase, and numbers of documents in a shard. */
struct position {
	int64_t shard, n;
};

struct stream {
	const struct stet_collection *collection;
	const char *locale;
	int64_t index;
	struct ask ask;
	struct shard *shard; /* newest first */
	size_t count;
	struct position start; /* where the window begins; not in it */
	struct position end; /* the last position in the window, after the scan */
	bool active; /* in this window */
	bool bounded; /* the end is known from the cursor */
	bool more; /* there may be matches after the end */
};

struct find {
	struct stet_call *call;
	const char *status, *locale;
	struct stream *stream;
	size_t count, room;
	size_t quota; /* matches of a stream in a window; 0: as many as can be ranked */
	int64_t cost, work;
	bool later; /* not the first window: it has only streams that continue */
	struct hits hits;
	/* The last documents that the client has seen, the very last one first. Several, since
	 * one may be deleted before the next page is read. */
	struct position anchor[ANCHORS];
	size_t anchors;
	double score; /* the score of the very last one at that time */
	struct hit *page;
	size_t taken;
};

/* ---- place.c: cursors ---- */

const char *cursor_listing(struct stet_call *, const struct finding *);
/* The cursor after the page; if the page is empty, that of the next window. */
const char *cursor_text(const struct find *, bool next_window);
char *cursor_close(struct stet_call *, const char *listing, const char *text);
enum stet_status cursor_open(struct find *, const char *listing, const char *cursor);

/* ---- shown.c: the items of a page ---- */

enum stet_status shown_fill(struct find *, struct finding *);

#endif
