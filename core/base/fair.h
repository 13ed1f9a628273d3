/*
 * fair.h - a queue that takes turns: each key has a line of its own, and the lines are served one
 * after the other, so that who has queued a hundred things is not served before who has queued one.
 */
#ifndef CORE_FAIR_H
#define CORE_FAIR_H

#include <stdint.h>

#define FAIR_LINES 256 /* a power of two */

/* The first member of what is queued. */
struct fair_item {
	struct fair_item *next;
};
/* Zero-initialised is empty. */
struct fair {
	struct fair_line *last; /* last of the ring of lines in use; NULL: all are empty */
	struct fair_line *line[FAIR_LINES]; /* hash table by key */
};

void fair_push(struct fair *, uint64_t key, struct fair_item *);
/* The first of the next line; NULL: there is none. */
struct fair_item *fair_pop(struct fair *);

#endif
