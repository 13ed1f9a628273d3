/* pghang.c - keeps which servers hang. */
#include "pghang.h"
#include "base/clock.h"
#include <stdatomic.h>

#define REST_MS 500 /* between two attempts to connect */
#define SERVERS 64

/* When the next attempt may be made (clock_monotonic); 0: the server does not hang. By a hash of
 * the place: if two places share one, the other waits a moment, too. */
static atomic_llong hangs[SERVERS];

static atomic_llong *
hanging(const struct pg_db *c)
{
	unsigned hash = 0;

	for (const char *s = c->place.uri; *s != '\0'; s++)
		hash = hash * 31 + (unsigned char)*s;
	return &hangs[hash % SERVERS];
}

void
pghang_note(const struct pg_db *c)
{
	atomic_store(hanging(c), clock_monotonic() + REST_MS);
}

bool
pghang_seen(const struct pg_db *c)
{
	long long next = atomic_load(hanging(c));

	return next != 0 && clock_monotonic() - next < c->place.timeout_ms;
}

bool
pghang_may_try(const struct pg_db *c)
{
	long long now = clock_monotonic(), next = atomic_load(hanging(c));

	return next == 0 || (now >= next && atomic_compare_exchange_strong(hanging(c), &next,
						now + c->place.timeout_ms + REST_MS));
}

void
pghang_over(const struct pg_db *c)
{
	atomic_store(hanging(c), 0);
}
