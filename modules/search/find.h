/* find.h - a search that runs: what find.c, place.c and shown.c share. */
#ifndef SEARCH_FIND_H
#define SEARCH_FIND_H

#include "search.h"

#define TITLE_WEIGHT 10 /* of the title, unless the configuration says another; others have 1 */

#define ANCHORS 8

/* A place in a stream: shards count up, and so do the numbers in them. */
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
	struct position start; /* of the window; itself not in it */
	struct position end; /* the last in it, once it was scanned */
	bool active; /* in this window */
	bool bounded; /* the end is known from the cursor */
	bool more; /* there may be matches behind the end */
};

struct find {
	struct stet_call *call;
	const char *status, *locale;
	struct stream *stream;
	size_t count, room;
	size_t quota; /* matches of a stream in a window; 0: as many as can be ranked */
	int64_t cost, work;
	bool later; /* not the first window: only streams that go on are in it */
	struct hits hits;
	/* The last that the client has seen, the very last first: one may be gone meanwhile. */
	struct position anchor[ANCHORS];
	size_t anchors;
	double score; /* of the very last, then */
	struct hit *page;
	size_t taken;
};

/* ---- place.c: where a page ended ---- */

const char *cursor_listing(struct stet_call *, const struct finding *);
/* What the cursor of the page that is taken says; of the window that comes next, if none is. */
const char *cursor_text(const struct find *, bool next_window);
char *cursor_close(struct stet_call *, const char *listing, const char *text);
enum stet_status cursor_open(struct find *, const char *listing, const char *cursor);

/* ---- shown.c: the items of a page ---- */

enum stet_status shown_fill(struct find *, struct finding *);

#endif
