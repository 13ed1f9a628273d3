/* limitshare.c - a hash table with open addressing. It is emptied about once a second. */
#include "op/limitshare.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

#define SLOTS 2048
#define MOST 1024 /* rows; clients beyond have a divided limit until the next time */

struct shares {
	unsigned count;
	struct share slot[SLOTS];
};

/* Returns the row with this key, or the free slot for it. */
static struct share *
find(struct shares *s, const unsigned char key[LIMIT_KEY], uint64_t bucket)
{
	uint64_t i = bucket % SLOTS;

	while (s->slot[i].bucket != 0 && memcmp(s->slot[i].key, key, LIMIT_KEY) != 0)
		i = (i + 1) % SLOTS;
	return &s->slot[i];
}

struct share *
share_find(struct shares **all, const unsigned char key[LIMIT_KEY], uint64_t bucket)
{
	struct share *row;

	if (*all == NULL)
		*all = xcalloc(1, sizeof(**all));
	row = find(*all, key, bucket);
	if (row->bucket != 0)
		return row;
	if ((*all)->count == MOST)
		return NULL;
	(*all)->count++;
	memcpy(row->key, key, LIMIT_KEY);
	row->bucket = bucket;
	return row;
}

size_t
share_begin(struct shares *s, struct limit_taken *out, size_t most)
{
	size_t n = 0;

	for (struct share *row = s->slot; row < s->slot + SLOTS && n < most; row++) {
		if (row->bucket == 0 || row->taken == 0)
			continue;
		memcpy(out[n].key, row->key, LIMIT_KEY);
		out[n++].us = row->taken;
		row->going = row->taken;
		row->taken = 0;
	}
	return n;
}

void
share_stored(struct shares *s, const unsigned char key[LIMIT_KEY], uint64_t bucket,
    void (*stored)(const struct share *))
{
	struct share *row = find(s, key, bucket);

	stored(row);
	row->going = 0;
}

void
share_end(struct shares **all)
{
	struct shares *old = *all;

	if (old == NULL)
		return;
	*all = NULL;
	for (const struct share *row = old->slot; row < old->slot + SLOTS; row++) {
		struct share *now;

		if (row->taken + row->going == 0) /* the slot may be free, too */
			continue;
		now = share_find(all, row->key, row->bucket);
		now->taken = row->taken + row->going;
	}
	free(old);
}
