/* held.c - counts the memory that a call holds for its response. */
#include "call/held.h"
#include "call/metrics.h"
#include "call/unsent.h"

static enum stet_status
refuse(struct stet_call *call)
{
	metrics_add(METRIC_ANSWERS_REFUSED, 1);
	return stet_fail(call, STET_UNAVAILABLE, NULL,
	    "Too many answers wait for clients that read slowly, try again later");
}

void
held_by(struct stet_call *call, const struct address *client)
{
	call->counts = true;
	call->caller = (struct caller){ .address = caller_address(client) };
}

struct caller
held_by_principal(struct stet_call *call)
{
	const struct stet_principal *who = &call->principal;
	const char *id;

	if (call->has_principal) {
		id = who->id[0] != '\0' || who->token_id == NULL ? who->id : who->token_id;
		call->caller.principal = caller_principal(id, call->site->id);
	}
	return call->caller;
}

bool
held_room(struct stet_call *call)
{
	if (!call->counts || (call->waited ? unsent_room_again(&call->caller)
					   : unsent_room(&call->caller, call->has_principal)))
		return true;
	(void)refuse(call);
	return false;
}

size_t
held_now(const struct stet_call *call)
{
	size_t bytes =
	    call->arena.size + call->out.buf.len + call->reply.raw.len + call->aside + call->trees;

	for (const struct stet_json *j = call->texts; j != NULL; j = j->older)
		bytes += j->buf.len;
	return bytes;
}

enum stet_status
held_grow(struct stet_call *call, size_t now)
{
	if (!unsent_grow(&call->caller, call->held, now - call->held))
		return refuse(call);
	call->held = now;
	return STET_OK;
}

void
held_shrink(struct stet_call *call, size_t now)
{
	if (now >= call->held)
		return;
	unsent_settle(&call->caller, call->held - now);
	unsent_release(call->held - now);
	call->held = now;
}
