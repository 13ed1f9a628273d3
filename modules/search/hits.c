/* hits.c - the positions of hits, and their order; where the words stand in the best hits. */
#include "find.h"
#include "fulltext/match.h"
#include <string.h>

#define BEST 128 /* more than a page has, and than feedback.c ranks again */

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

/* ---- places ---- */

/* The places of a hit, to make its snippet without another search. */
struct kept {
	struct hit hit;
	int32_t *place;
	size_t numbers, room;
};
/* A heap: each hit is worse than the two behind it, 2i + 1 and 2i + 2. */
struct best {
	struct kept kept[BEST];
	size_t count;
};

struct best *
best_new(struct stet_call *call)
{
	struct best *b = stet_alloc(call, sizeof(*b));

	b->count = 0;
	return b;
}

static bool
is_worse(const struct kept *a, const struct kept *b)
{
	return hit_order(&a->hit, &b->hit) > 0;
}

static void
swap(struct kept *a, struct kept *b)
{
	const struct kept c = *a;

	*a = *b;
	*b = c;
}

/* Moves a new hit from the end to its place. */
static void
rise(struct best *b)
{
	for (size_t i = b->count - 1; i > 0 && is_worse(&b->kept[i], &b->kept[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&b->kept[i], &b->kept[(i - 1) / 2]);
}

/* Moves a new hit from the beginning to its place. */
static void
sink(struct best *b)
{
	for (size_t i = 0, k; (k = 2 * i + 1) < b->count; i = k) {
		if (k + 1 < b->count && is_worse(&b->kept[k + 1], &b->kept[k]))
			k++;
		if (!is_worse(&b->kept[k], &b->kept[i]))
			return;
		swap(&b->kept[i], &b->kept[k]);
	}
}

static void
put_places(struct stet_call *call, struct kept *k, const struct hit *hit, const int32_t *match,
    size_t numbers)
{
	const size_t before = 1 + 2 * (size_t)match[0];

	k->hit = *hit;
	k->numbers = numbers - before;
	if (k->numbers > k->room) {
		k->room = 2 * k->numbers;
		k->place = stet_alloc(call, k->room * sizeof(*k->place));
	}
	memcpy(k->place, match + before, k->numbers * sizeof(*k->place));
}

void
best_keep(struct stet_call *call, struct best *b, const struct hit *hit, const int32_t *match,
    size_t numbers)
{
	/* Of more columns, stet_match does not know all places. */
	if (numbers == 0 || match[0] < 0 || match[0] >= MATCH_COLUMNS ||
	    numbers <= 1 + 2 * (size_t)match[0])
		return;
	if (b->count < BEST) {
		b->kept[b->count] = (struct kept){ 0 };
		put_places(call, &b->kept[b->count++], hit, match, numbers);
		rise(b);
	} else if (hit_order(hit, &b->kept[0].hit) < 0) {
		put_places(call, &b->kept[0], hit, match, numbers);
		sink(b);
	}
}

static const struct kept *
kept_of(const struct best *b, int64_t shard, int64_t n)
{
	for (size_t i = 0; b != NULL && i < b->count; i++)
		if (b->kept[i].hit.shard == shard && b->kept[i].hit.n == n)
			return &b->kept[i];
	return NULL;
}

bool
best_rows(struct stet_call *call, const struct best *b, int64_t shard, const int64_t *n,
    size_t count, struct stet_val *out)
{
	size_t numbers = 0;
	const struct kept *k;
	int32_t *rows, *at;

	for (size_t i = 0; i < count; i++) {
		if ((k = kept_of(b, shard, n[i])) == NULL)
			return false;
		numbers += 2 + k->numbers;
	}
	rows = at = stet_alloc(call, numbers * sizeof(*rows));
	for (size_t i = 0; i < count; i++) {
		k = kept_of(b, shard, n[i]);
		*at++ = (int32_t)n[i];
		*at++ = (int32_t)(k->numbers / MATCH_PLACE);
		memcpy(at, k->place, k->numbers * sizeof(*at));
		at += k->numbers;
	}
	*out = stet_val_blob(rows, numbers * sizeof(*rows));
	return true;
}
