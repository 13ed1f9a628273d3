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
	call->held.counts = true;
	call->held.caller = (struct caller){ .address = caller_address(client) };
}

struct caller
held_by_principal(struct stet_call *call)
{
	const struct stet_principal *who = &call->principal;
	const char *id;

	if (call->has_principal) {
		id = who->id[0] != '\0' || who->token_id == NULL ? who->id : who->token_id;
		call->held.caller.principal = caller_principal(id, call->site->id);
	}
	return call->held.caller;
}

bool
held_room(struct stet_call *call)
{
	if (!call->held.counts ||
	    (call->waited ? unsent_room_again(&call->held.caller)
			  : unsent_room(&call->held.caller, call->has_principal)))
		return true;
	(void)refuse(call);
	return false;
}

size_t
held_now(const struct stet_call *call)
{
	size_t bytes = call->arena.size + call->out.buf.len + call->reply.raw.len +
		       call->held.aside + call->held.trees;

	for (const struct stet_json *j = call->held.texts; j != NULL; j = j->older)
		bytes += j->buf.len;
	return bytes;
}

enum stet_status
held_grow(struct stet_call *call, size_t now)
{
	if (!unsent_grow(&call->held.caller, call->held.bytes, now - call->held.bytes))
		return refuse(call);
	call->held.bytes = now;
	return STET_OK;
}

void
held_shrink(struct stet_call *call, size_t now)
{
	if (now >= call->held.bytes)
		return;
	unsent_settle(&call->held.caller, call->held.bytes - now);
	unsent_release(call->held.bytes - now);
	call->held.bytes = now;
}
