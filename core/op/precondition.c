/*
 * precondition.c - If-Match of requests that change something.
 *
 * The GET of the same path is run for its entity tag, inside the transaction of the write, so that
 * nothing changes between the two. It runs as this caller and without a check of rights: a caller
 * who may write but not read learns only whether the tag that it sent is current. For an anonymous
 * caller only a GET that is open to anonymous callers is run, because other handlers rely on a
 * principal.
 */
#include "op/precondition.h"
#include "base/buf.h"
#include "call/error.h"
#include "call/json.h"
#include "call/site.h"
#include "http/condition.h"
#include "http/http1.h"
#include "op/args.h"
#include "op/encode.h"
#include "op/gate.h"
#include "op/part.h"
#include "op/reply.h"
#include <string.h>

/* Returns the entity tag of the answer to the GET. */
static enum stet_status
read_tag(struct stet_call *call, const char **tag)
{
	enum stet_status status = args_read(call);

	if (status == STET_OK)
		status = gate_known(call, call->op);
	if (status == STET_OK) {
		call->owner = call->op->owner;
		status = call->op->row.run(call);
	}
	if (status == STET_OK)
		*tag = stet_strdup(call, reply_tag(call));
	return status;
}

/* Runs the GET in place of the op, then restores the call. */
static enum stet_status
run_read(struct stet_call *call, const char **tag)
{
	struct op_part *part = op_part(call);
	const struct op *op = call->op;
	const struct loaded *owner = call->owner;
	const struct router_match match = part->match;
	struct call_arg *args = call->args;
	struct stet_json out = call->out;
	struct call_reply reply = call->reply;
	bool nested = call->nested, opened = part->opened;
	enum stet_status status;

	memset(&call->out, 0, sizeof(call->out));
	memset(&call->reply, 0, sizeof(call->reply));
	call->op = part->precondition->op;
	part->match = *part->precondition;
	call->nested = true;
	status = read_tag(call, tag);
	json_free(&call->out);
	buf_free(&call->reply.raw);
	call->nested = nested;
	part->opened = opened;
	part->match = match;
	call->op = op;
	call->owner = owner;
	call->args = args;
	call->out = out;
	call->reply = reply;
	return status;
}

enum stet_status
precondition_check(struct stet_call *call)
{
	const char *tag = NULL;
	enum stet_status status;

	if (op_part(call)->precondition == NULL)
		return STET_OK;
	status = run_read(call, &tag);
	if (status != STET_OK && stet_status_http(error_outcome(call)) >= 500)
		return status;
	stet_error_clear(call);
	if (tag != NULL && condition_if_match(call->head, tag, encode_name, CODINGS))
		return STET_OK;
	return stet_fail(call, STET_PRECONDITION_FAILED, NULL,
	    "If-Match does not fit: what the request is about has changed since it was read, or is "
	    "gone. Read it again");
}
