/* follow.c - see follow.h. */
#include "site/follow.h"
#include "call/site.h"
#include "db/common.h"
#include "db/rows.h"
#include "site/compile.h"
#include "work/watch.h"

#define TRIES 3 /* modules are changed again while the site is compiled */

/* Gives the call the generation that is current now. It has used nothing of the other one. */
static void
renew(struct stet_call *call)
{
	generation_put(call->gen);
	call->gen = site_generation(call->site);
}

enum stet_status
follow_begin(struct stet_call *call)
{
	struct db_common common;

	if (call->site->watch == NULL)
		return STET_OK;
	for (int i = 0; i < TRIES && call->gen != NULL; i++) {
		if (!common_seen(call, &common) ||
		    atomic_load(&call->gen->common) == common.generation)
			return call->error.status;
		rows_end_call(call);
		if (!compile_follow(call->site, common.generation))
			break;
		renew(call);
	}
	return stet_fail(call, STET_UNAVAILABLE, NULL, "The site is changing, try again later");
}

/* Calls need not wait then, and jobs of modules that were disabled end. */
static void
heard(struct site *site, const struct stamp *state)
{
	struct generation *gen = site_generation(site);
	struct db_common common;

	if (gen == NULL)
		return;
	if (common_of(site, state, &common) && common.generation != atomic_load(&gen->common))
		(void)compile_follow(site, common.generation);
	generation_put(gen);
}

static struct watch_beat follow = { .heard = heard };

WATCH_BEAT_ADD(follow)
