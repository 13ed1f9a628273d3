/*
 * notify.c - stores messages for NOTIFY hooks in the outbox (stet_notify), and wakes those who
 * deliver them: this process, and the daemon that has the lease of the module.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "db/rows.h"
#include "module/hook.h"
#include "work/lease.h"
#include "work/outbox.h"
#include "work/wakes.h"
#include <stdlib.h>

static void
wake_after_commit(struct stet_call *call, void *arg)
{
	(void)arg;
	outbox_wake(call->site);
}

/* Marks in the list of a call that others are told. */
static void
told_others(struct stet_call *call, void *arg)
{
	(void)call;
	(void)arg;
}

/* Returns true if this is the first time that the call's write asks for `fn`. */
static bool
first_time(struct stet_call *call, void (*fn)(struct stet_call *, void *))
{
	const struct call_commit *c = call->on_commit;

	while (c != NULL) {
		c = c->next;
		if (c->fn == fn)
			return false;
		if (c == call->on_commit)
			break;
	}
	call_on_commit(call, fn, NULL);
	return true;
}

/* Tells the daemon that delivers to the module, if this is another. */
static enum stet_status
wake(struct stet_call *call, struct stet_tx *tx, const struct loaded *module)
{
	(void)first_time(call, wake_after_commit);
	if (!call->site->shared ||
	    (call->site->leases != NULL && lease_held(call->site, outbox_lease(call, module))))
		return STET_OK;
	return first_time(call, told_others) ? wakes_ask(call, tx, OUTBOX_WAKE) : STET_OK;
}

static bool
owner_seen(const struct chain *chain, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (chain->link[k].owner == chain->link[i].owner)
			return true;
	return false;
}

enum stet_status
stet_notify(
    struct stet_call *call, struct stet_tx *tx, enum stet_hook_point at, const json_t *payload)
{
	const struct chain *chain;
	char *text, now[CLOCK_TEXT_SIZE];

	stet_assert(at < STET_HOOK_POINTS);
	if (call->gen == NULL || call->gen->chain[at].count == 0)
		return STET_OK;
	chain = &call->gen->chain[at];
	text = payload != NULL ? json_dumps(payload, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	if (payload != NULL && text == NULL)
		return stet_fault(call, "the payload of %s is not JSON", hook_point_name(at));
	stet_defer(call, free, text);
	clock_text(clock_now(), now);
	for (size_t i = 0; i < chain->count; i++)
		if (!owner_seen(chain, i)) {
			STET_TRY(stet_exec(call, tx,
			    "INSERT INTO outbox (module, point, payload, created_at, attempts)"
			    " VALUES (?1, ?2, ?3, ?4, 0)",
			    STET_ARGS(chain->link[i].owner->m.name, hook_point_name(at),
				text != NULL ? text : "null", (const char *)now)));
			STET_TRY(wake(call, tx, chain->link[i].owner));
		}
	return STET_OK;
}
