/* bodyroom.c - counts the memory of request bodies. */
#include "net/bodyroom.h"

#include <stdatomic.h>

static struct {
	atomic_uint_fast64_t held, most, peak; /* peak: approximate, since bodyroom_fell */
} room = { .most = UINT64_MAX };

void
bodyroom_limit(uint64_t most)
{
	atomic_store(&room.most, most);
}

uint64_t
bodyroom_most(void)
{
	return atomic_load(&room.most);
}

enum stet_status
bodyroom_take(struct stet_call *call, uint64_t bytes)
{
	uint64_t now;

	if (bytes == 0)
		return STET_OK;
	now = atomic_fetch_add(&room.held, bytes) + bytes;
	if (now <= atomic_load(&room.most)) {
		if (now > atomic_load_explicit(&room.peak, memory_order_relaxed))
			atomic_store(&room.peak, now);
		return STET_OK;
	}
	bodyroom_give(bytes);
	return stet_fail(
	    call, STET_UNAVAILABLE, NULL, "Too many large requests are under way, try again later");
}

void
bodyroom_give(uint64_t bytes)
{
	atomic_fetch_sub(&room.held, bytes);
}

uint64_t
bodyroom_fell(void)
{
	uint64_t now = atomic_load(&room.held), peak = atomic_exchange(&room.peak, now);

	return peak > now ? peak - now : 0;
}
