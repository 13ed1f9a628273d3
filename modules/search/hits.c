/* hits.c - the positions of hits, and their order. */
#include "find.h"

struct position
hit_position(const struct hit *h)
{
	return (struct position){ h->shard, h->n };
}

/* Returns true if a is newer than b. */
static bool
newer(struct position a, struct position b)
{
	return a.shard != b.shard ? a.shard > b.shard : a.n > b.n;
}

int
hit_order(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return newer(hit_position(x), hit_position(y)) ? -1 : 1;
}
