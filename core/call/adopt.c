/*
 * adopt.c - the generation of a call that writes.
 *
 * A call keeps the generation in which it began. But a write may wait in the queue while a module
 * is enabled. The new module reads the database once, when it is enabled, and from then on it
 * learns of changes by its hooks. If the waiting write then ran without these hooks, the module
 * would never learn of it. So a call that is about to write moves to the site's current generation.
 */
#include "call/adopt.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include <stdlib.h>

/* The call may hold pointers into the old generation, so its reference is kept until the call
 * ends. */
static void
become(struct stet_call *call, struct generation *gen)
{
	size_t size = (call->adopted.former_count + 1) * sizeof(*call->adopted.former);

	call->adopted.former = xrealloc(call->adopted.former, size);
	call->adopted.former[call->adopted.former_count++] = call->gen;
	call->gen = gen;
}

enum stet_status
adopt_current(struct stet_call *call)
{
	struct generation *now;

	adopt_try_over(call);
	if (call->gen == NULL || (now = site_generation(call->site)) == NULL)
		return STET_OK;
	if (now != call->gen && !generation_covers(call->gen, now)) {
		if (generation_covers(now, call->gen)) {
			become(call, now);
			return STET_OK;
		}
		generation_put(now);
		return stet_fail(call, STET_UNAVAILABLE, NULL,
		    "Modules of the site were enabled and disabled meanwhile: try again");
	}
	generation_put(now);
	return STET_OK;
}

void
adopt_try(struct stet_call *call, struct generation *gen)
{
	if (!call->adopted.trying)
		call->adopted.untried = call->gen;
	call->adopted.trying = true;
	become(call, gen);
}

void
adopt_try_over(struct stet_call *call)
{
	if (!call->adopted.trying)
		return;
	call->adopted.trying = false;
	call->adopted.pending = NULL;
	atomic_fetch_add(&call->adopted.untried->refs, 1);
	become(call, call->adopted.untried);
}

void
adopt_free(struct stet_call *call)
{
	for (size_t i = 0; i < call->adopted.former_count; i++)
		generation_put(call->adopted.former[i]);
	free(call->adopted.former);
	call->adopted.former = NULL;
	call->adopted.former_count = 0;
}
