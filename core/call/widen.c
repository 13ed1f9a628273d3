/*
 * widen.c - copies structures of other versions of the SDK; members that the source lacks become
 * zero.
 */
#include "call/widen.h"
#include "base/arena.h"
#include "call/call.h"
#include <stet/table.h>
#include <string.h>

struct widened {
	struct widened *next;
	const char *from, *to;
	size_t count; /* members, including the one that ends the list */
};

void
stet_extend(void *to, size_t size, const void *from, size_t from_size)
{
	size_t part = from_size < size ? from_size : size;

	memcpy(to, from, part);
	memset((char *)to + part, 0, size - part);
}

/* ---- lists of members ---- */

static struct stet_member
member_at(const struct widening *w, const char *list, size_t i)
{
	struct stet_member m;

	stet_extend(&m, sizeof(m), list + i * w->from, w->from);
	return m;
}

/* Lists may be shared and may refer to themselves, so each is copied once. */
const struct stet_member *
widen(struct widening *w, const struct stet_member *list)
{
	const char *from = (const char *)list;
	struct widened *d;
	size_t count = 1;
	char *to;

	if (list == NULL || w->from == w->to)
		return list;
	for (d = w->done; d != NULL; d = d->next)
		if (d->from == from)
			return (const struct stet_member *)(const void *)d->to;
	while (member_at(w, from, count - 1).name != NULL)
		count++;
	to = arena_alloc(&w->arena, count * w->to);
	d = arena_alloc(&w->arena, sizeof(*d));
	*d = (struct widened){ w->done, from, to, count };
	w->done = d;
	for (size_t i = 0; i + 1 < count; i++) {
		struct stet_member m = member_at(w, from, i);

		m.of = widen(w, m.of);
		stet_extend(to + i * w->to, w->to, &m, sizeof(m));
	}
	return (const struct stet_member *)(void *)to;
}

const struct stet_member *
widened_from(const struct widening *w, const struct stet_member *member)
{
	const char *at = (const char *)member;

	for (const struct widened *d = w->done; d != NULL; d = d->next)
		if (at >= d->to && at < d->to + d->count * w->to)
			return (const struct stet_member *)(const void *)(d->from +
									  (size_t)(at - d->to) /
									      w->to * w->from);
	return member;
}

static void
lists_free(void *lists)
{
	arena_free(lists);
}

const struct stet_member *
stet_members_sized(
    struct stet_call *call, const struct stet_member *list, size_t size, size_t wanted)
{
	struct widening w = { .from = size, .to = wanted };
	struct arena *lists;

	if (list == NULL || size == wanted)
		return list;
	list = widen(&w, list);
	lists = stet_alloc(call, sizeof(*lists));
	*lists = w.arena;
	stet_defer(call, lists_free, lists);
	return list;
}
