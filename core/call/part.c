/* part.c - the parts of all calls: offsets and end functions. */
#include "call/part.h"
#include "base/log.h"
#include "call/call.h"
#include <stdatomic.h>

static struct {
	size_t size; /* of a call and the parts registered so far; 0: none */
	struct call_part *first; /* parts with an end function */
	atomic_bool fixed; /* a call was made */
} parts;

static size_t
aligned(size_t size)
{
	const size_t unit = _Alignof(max_align_t);

	return (size + unit - 1) / unit * unit;
}

void
call_part_add(struct call_part *part)
{
	stet_assert(!atomic_load_explicit(&parts.fixed, memory_order_relaxed));
	part->at = parts.size != 0 ? parts.size : aligned(sizeof(struct stet_call));
	parts.size = part->at + aligned(part->size);
	if (part->end == NULL)
		return;
	part->next = parts.first;
	parts.first = part;
}

size_t
call_parts_size(void)
{
	/* Written once only, since every thread reads this memory for each call. */
	if (!atomic_load_explicit(&parts.fixed, memory_order_relaxed))
		atomic_store_explicit(&parts.fixed, true, memory_order_relaxed);
	return parts.size != 0 ? parts.size : sizeof(struct stet_call);
}

void
call_parts_end(struct stet_call *call)
{
	for (const struct call_part *part = parts.first; part != NULL; part = part->next)
		part->end(call);
}
