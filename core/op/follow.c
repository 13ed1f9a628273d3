/* follow.c - see follow.h. */
#include "op/follow.h"
#include "call/site.h"
#include "db/common.h"
#include "db/rows.h"
#include "db/snapshot.h"

#define TRIES 3 /* modules are changed again while the site is compiled */
#define CHANGING "The site is changing, try again later"

/* Returns true if the call is to begin again, routed by what the site is compiled for now. It does
 * not read any more then. With an error of the call, it has to be answered with that. */
static bool
differs(struct stet_call *call)
{
	struct db_common common;

	if (!common_seen(call, &common) || atomic_load(&call->gen->common) == common.generation)
		return false;
	rows_end_call(call);
	snapshot_rest(); /* compiling reads a state that is at least as new */
	if (call->site->follow == NULL || !call->site->follow(call->site, common.generation))
		(void)stet_fail(call, STET_UNAVAILABLE, NULL, CHANGING);
	return true;
}

/* Such a call begins again, and has to be routed again. Returns false if the site closes. */
static bool
renew(struct stet_call *call)
{
	struct generation *now = site_generation(call->site);

	if (now == NULL) /* the site closes: what the call has keeps it until then */
		return false;
	call->op = NULL;
	call->owner = NULL;
	generation_put(call->gen);
	call->gen = now;
	return true;
}

enum stet_status
follow_begin(struct stet_call *call)
{
	if (call->site->watch == NULL)
		return STET_OK;
	for (int i = 0; i < TRIES; i++) {
		if (!differs(call) || call->error.status != STET_OK)
			return call->error.status;
		if (!renew(call))
			break;
	}
	return stet_fail(call, STET_UNAVAILABLE, NULL, CHANGING);
}
