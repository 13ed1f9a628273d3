/* widen.c - lists of members that are shorter than ours. */
#include "call/widen.h"
#include "base/arena.h"
#include <string.h>

struct widened {
	struct widened *next;
	const struct stet_member *from, *to;
};

static struct stet_member
member_at(const struct widening *w, const struct stet_member *list, size_t i)
{
	struct stet_member m = { 0 };

	memcpy(&m, (const char *)list + i * w->size, w->size);
	return m;
}

/* Lists may be shared, and refer to themselves: each is made once. */
const struct stet_member *
widen(struct widening *w, const struct stet_member *list)
{
	struct stet_member *copy;
	struct widened *d;
	size_t count = 0;

	if (list == NULL || w->size == sizeof(*list))
		return list;
	for (d = w->done; d != NULL; d = d->next)
		if (d->from == list)
			return d->to;
	while (member_at(w, list, count).name != NULL)
		count++;
	copy = arena_alloc(&w->arena, (count + 1) * sizeof(*copy));
	d = arena_alloc(&w->arena, sizeof(*d));
	*d = (struct widened){ w->done, list, copy };
	w->done = d;
	for (size_t i = 0; i < count; i++) {
		copy[i] = member_at(w, list, i);
		copy[i].of = widen(w, copy[i].of);
	}
	return copy;
}
