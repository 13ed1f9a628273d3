/*
 * limitshare.h - what this process has taken from limits that all daemons of a site share, and that
 * the others do not know yet. The caller (limit.c) holds its lock.
 */
#ifndef CORE_OP_LIMITSHARE_H
#define CORE_OP_LIMITSHARE_H

#include "op/limit.h"

struct share {
	unsigned char key[LIMIT_KEY]; /* the same in each daemon */
	uint64_t bucket; /* the key of the bucket in this process; 0: the slot is free */
	int64_t taken; /* not stored yet; microseconds, as buckets are filled */
	int64_t going; /* being stored */
};

struct shares;

/* Returns the row of a key, a new one if there is none; NULL: there are too many. *all is made when
 * it is NULL. */
struct share *share_find(struct shares **all, const unsigned char key[LIMIT_KEY], uint64_t bucket);
/* Begins to store what was taken: copies at most `most` rows. Returns how many. */
size_t share_begin(struct shares *, struct limit_taken *, size_t most);
/* One of them is stored; `stored` is called with it. */
void share_stored(struct shares *, const unsigned char key[LIMIT_KEY], uint64_t bucket,
    void (*stored)(const struct share *));
/* Ends that: what is not stored is for the next time. Forgets rows with nothing. */
void share_end(struct shares **all);

#endif
