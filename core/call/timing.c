/* timing.c - Server-Timing (www.w3.org/TR/server-timing). */
#include "call/timing.h"
#include "base/buf.h"
#include "base/clock.h"

void
timing_begin(struct stet_call *call)
{
	call->timing = stet_alloc(call, sizeof(*call->timing));
}

void
timing_admitted(struct stet_call *call)
{
	if (call->timing != NULL)
		call->timing->admitted = clock_monotonic_us();
}

void
timing_started(struct stet_call *call)
{
	if (call->timing != NULL && !call->nested)
		call->timing->started = clock_monotonic_us();
}

void
timing_ended(struct stet_call *call)
{
	if (call->timing != NULL && !call->nested)
		call->timing->ended = clock_monotonic_us();
}

int64_t
timing_sql_begin(const struct stet_call *call)
{
	return call->timing != NULL ? clock_monotonic_us() : 0;
}

void
timing_sql_end(struct stet_call *call, int64_t begun)
{
	if (call->timing != NULL)
		call->timing->sql += clock_monotonic_us() - begun;
}

void
timing_cache(struct stet_call *call, bool hit)
{
	if (call->timing != NULL)
		call->timing->cache = hit ? "hit" : "miss";
}

/* Appends one metric in milliseconds; omitted if it has not ended. */
static void
put(struct buf *b, const char *name, int64_t from, int64_t to)
{
	if (from != 0 && to >= from)
		buf_printf(b, ", %s;dur=%lld.%03lld", name, (long long)((to - from) / 1000),
		    (long long)((to - from) % 1000));
}

void
timing_put(struct buf *b, const struct stet_call *call)
{
	const struct timing *t = call->timing;
	int64_t now;

	if (t == NULL)
		return;
	now = clock_monotonic_us();
	buf_str(b, "Server-Timing: ");
	buf_printf(b, "total;dur=%lld.%03lld", (long long)((now - call->begun) / 1000),
	    (long long)((now - call->begun) % 1000));
	put(b, "auth", call->begun, t->admitted);
	put(b, "queue", t->admitted, t->started);
	put(b, "handler", t->started, t->ended);
	put(b, "sql", t->started, t->started + t->sql);
	put(b, "render", t->ended, now);
	if (t->cache != NULL)
		buf_printf(b, ", cache;desc=%s", t->cache);
	buf_str(b, "\r\n");
}
