/* waiting.c - counts calls that wait in the lanes, by principal and by address. */
#include "op/waiting.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/metrics.h"
#include "op/part.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BUCKETS 1024 /* a power of two */

/* One client; exists only while calls of it wait. */
struct client {
	struct client *next;
	uint64_t key;
	unsigned count;
};

static struct {
	atomic_uint most;
	pthread_mutex_t lock; /* guards the buckets */
	struct client *bucket[BUCKETS];
} waiting = { .most = UINT32_MAX, .lock = PTHREAD_MUTEX_INITIALIZER };

void
waiting_limit(unsigned most)
{
	atomic_store(&waiting.most, most);
}

uint64_t
waiting_key(const struct stet_call *call)
{
	return call->held.caller.principal != 0 ? call->held.caller.principal
						: call->held.caller.address;
}

/* ---- counts; under the lock ---- */

static struct client **
find(uint64_t key)
{
	struct client **at = &waiting.bucket[key >> 8 & (BUCKETS - 1)];

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	return at;
}

static bool
add(uint64_t key, unsigned most)
{
	struct client **at = find(key);

	if (*at != NULL && (*at)->count >= most)
		return false;
	if (*at == NULL) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->key = key;
	}
	(*at)->count++;
	return true;
}

static void
drop(uint64_t key)
{
	struct client **at = find(key), *c = *at;

	stet_assert(c != NULL && c->count > 0);
	if (--c->count > 0)
		return;
	*at = c->next;
	free(c);
}

bool
waiting_enter(struct stet_call *call)
{
	const unsigned most = atomic_load_explicit(&waiting.most, memory_order_relaxed);
	const struct caller who = call->held.caller;
	bool room;

	if (!call->held.counts)
		return true;
	pthread_mutex_lock(&waiting.lock);
	room = add(who.address, most);
	if (room && who.principal != 0 && !add(who.principal, most)) {
		drop(who.address);
		room = false;
	}
	pthread_mutex_unlock(&waiting.lock);
	if (room) {
		op_part(call)->waits_as = who;
		return true;
	}
	metrics_add(METRIC_ANSWERS_REFUSED, 1);
	stet_fail(call, STET_UNAVAILABLE, NULL,
	    "%u requests of yours are waiting already, try again later", most);
	return false;
}

void
waiting_leave(struct stet_call *call)
{
	const struct caller who = op_part(call)->waits_as;

	if (who.address == 0)
		return;
	pthread_mutex_lock(&waiting.lock);
	drop(who.address);
	if (who.principal != 0)
		drop(who.principal);
	pthread_mutex_unlock(&waiting.lock);
	op_part(call)->waits_as = (struct caller){ 0 };
}
