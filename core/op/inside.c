/*
 * inside.c - runs an op inside a call: for the tool server, a command or a batch.
 *
 * stet_invoke runs it as a part of its caller: it shares the caller's memory, rights and
 * transaction. stet_invoke_alone runs it as if it were a request of its own: it passes the gate of
 * its route, does not see the state of earlier ops in the call, and is rolled back alone. Rate
 * limits of requests count the ops of a batch, but not the parts of another op.
 */
#include "base/log.h"
#include "call/call.h"
#include "call/error.h"
#include "call/json.h"
#include "call/site.h"
#include "db/rows.h"
#include "op/args.h"
#include "op/csrf.h"
#include "op/dispatch.h"
#include "op/gate.h"
#include "op/limit.h"
#include "op/part.h"
#include "op/savepoint.h"
#include "op/tokenlimit.h"
#include <stdlib.h>
#include <stet/limit.h>
#include <string.h>

/* ---- the members of a call that belong to one op ---- */

struct frame {
	const struct op *op;
	const struct loaded *owner;
	struct call_arg *args;
	struct stet_json out;
	bool nested, told, opened, plain;
	const struct op *outer;
	const char *etag;
};

static struct frame
enter(struct stet_call *call, const struct op *op)
{
	struct op_part *part = op_part(call);
	struct frame f = { call->op, call->owner, call->args, call->out, call->nested, part->told,
		part->opened, part->plain, part->outer, call->reply.etag };

	call->held.aside += call->out.buf.len;
	memset(&call->out, 0, sizeof(call->out));
	part->outer = call->nested ? NULL : call->op;
	call->op = op;
	call->nested = true;
	part->told = false;
	part->plain = false;
	return f;
}

/* Restores the caller's members; the result of the op is freed. */
static void
leave(struct stet_call *call, const struct frame *f)
{
	struct op_part *part = op_part(call);

	json_free(&call->out);
	call->out = f->out;
	call->held.aside -= call->out.buf.len;
	call->args = f->args;
	call->nested = f->nested;
	part->outer = f->outer;
	call->op = f->op;
	part->told = f->told;
	part->opened = f->opened;
	part->plain = f->plain;
	call->owner = f->owner;
	/* What a write reads on its way, in hooks too, does not tag its answer. */
	if (call->writing)
		call->reply.etag = f->etag;
}

static const char *
result(struct stet_call *call, size_t *len)
{
	const struct buf *b = &call->out.buf;

	*len = b->len > 0 ? b->len : 4;
	return b->len > 0 ? b->data : "null";
}

/* The lane of the op, which may depend on its arguments. */
static enum stet_lane
lane_of(struct stet_call *call, const struct op *op)
{
	if (op->row.choose == NULL || (op->row.flags & STET_RAW) != 0)
		return op->row.lane;
	return op->row.choose(call);
}

/* Returns true if the op may run in the lane in which this call runs. */
static bool
fits(struct stet_call *call, const struct op *op)
{
	enum stet_lane lane = lane_of(call, op);

	return lane == STET_READ || (lane == STET_WRITE && call->writing) || lane == call->lane;
}

/* ---- as a part of its caller ---- */

/* Returns the scope for an op inside the call. A scope of the core does not cover ops of another
 * plugin: a token must name the plugin. */
static const char *
scope_inside(struct stet_call *call, const struct op *op)
{
	if (op->owner->bundled || op->owner == call->owner)
		return op->row.scope;
	return stet_printf(call, "mcp:tools:%s", op->owner->m.name);
}

enum stet_status
stet_invoke(
    struct stet_call *call, const char *name, const json_t *args, const char **out, size_t *len)
{
	const struct op *op = generation_op(call->gen, name);
	enum stet_status status;
	const char *scope;
	struct frame f;

	if (op == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no operation \"%s\"", name);
	if ((op->row.flags & STET_FILE) != 0)
		return stet_fail(call, STET_INVALID_INPUT, NULL, "%s answers with a file", name);
	scope = scope_inside(call, op);
	f = enter(call, op);
	status = args_json(call, args);
	if (status == STET_OK)
		status = gate_known(call, op);
	if (status == STET_OK)
		status = gate_rights(call, op, scope);
	if (!op->row.cached)
		call->asked |= ASKED_ELSE;
	if (status == STET_OK) {
		stet_assert(fits(call, op));
		status = dispatch_handle(call);
	}
	*out = result(call, len);
	*out = stet_strndup(call, *out, *len);
	leave(call, &f);
	return status;
}

enum stet_lane
stet_op_lane(struct stet_call *call, const struct stet_op_info *info, const json_t *args)
{
	const struct op *op = generation_op(call->gen, info->name);
	__typeof__(call->error) error = call->error;
	enum stet_lane lane = info->op->lane;
	struct frame f;

	if (op == NULL || op->row.choose == NULL)
		return lane;
	f = enter(call, op);
	lane = args_json(call, args) == STET_OK ? lane_of(call, op) : STET_READ;
	leave(call, &f);
	call->error = error;
	return lane;
}

bool
stet_nested(struct stet_call *call)
{
	return call->nested;
}

void
stet_tool_set(struct stet_call *call, const char *name)
{
	op_part(call)->tool = name;
}

const char *
stet_tool_name(struct stet_call *call)
{
	return op_part(call)->tool;
}

/* ---- as if it were a request of its own ---- */

#define BYTES                                                                              \
	(STET_FILE | STET_STREAM | STET_SPOOL | STET_MULTIPART | STET_RAW | STET_AT_ROOT | \
	    STET_BLOCKS)

static enum stet_status
unknown(struct stet_call *call, const char *name)
{
	return stet_fail(call, STET_NOT_FOUND, NULL,
	    "There is no operation \"%.64s\" that can be one of several", name);
}

/* Returns true if the running op was reached by routes alone, and not as a tool: then the caller
 * could reach other routes, too. */
static bool
is_plain(struct stet_call *call)
{
	return !call->nested || op_part(call)->plain;
}

/* Refuses ops that cannot be part of a batch, before any runs. Ops of plugins are refused too,
 * because each call of one by an assistant must be recorded. */
static enum stet_status
check_kind(struct stet_call *call, const struct op *op, const char *name)
{
	bool tool = op != NULL && (op->row.flags & STET_TOOL) != 0;

	if (op == NULL || !op->owner->bundled || (!tool && (!is_plain(call) || op->route == NULL)))
		return unknown(call, name);
	if ((op->row.flags & STET_BATCH) != 0)
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "A batch is no part of another: %s", name);
	if (op->row.lane == STET_SLOW || op->row.choose != NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s takes its time, or speaks a protocol of its own: call it alone", name);
	if ((op->row.flags & BYTES) != 0 || op->row.answers != NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s takes or answers bytes that are no JSON: call it alone", name);
	if ((op->row.flags & STET_SECRET) != 0)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s answers a secret, which must not be kept: call it alone", name);
	return STET_OK;
}

/* Applies the op's limit on the size of its body. */
static enum stet_status
check_size(struct stet_call *call, const struct op *op, const json_t *args)
{
	if (op->row.body_max == 0 || args == NULL ||
	    json_dumpb(args, NULL, 0, JSON_COMPACT) <= op->row.body_max)
		return STET_OK;
	return stet_fail(call, STET_PAYLOAD_TOO_LARGE, NULL, "%s takes at most %llu bytes",
	    op->name, (unsigned long long)op->row.body_max);
}

/* Returns true if rate limits count an op that this one runs: what is a single act for the client
 * was counted when it was asked for. */
static bool
is_counted(const struct op *by, const struct op *op)
{
	return by == NULL || ((by->row.flags & STET_BATCH) | (op->row.flags & STET_COSTLY)) != 0;
}

/* Returns true if limits of tokens count each op that this one runs. */
static bool
counts_each(const struct op *by)
{
	return by != NULL && (by->row.more & STET_MORE_EACH) != 0;
}

/* Runs the gate of the op, as for a request. Tools need no X-CMS-Request header. */
static enum stet_status
check_gate(struct stet_call *call, const struct op *by, const struct op *op, bool tool)
{
	const bool plain = op_part(call)->plain;

	if (is_counted(by, op))
		STET_TRY(limit_request(call));
	STET_TRY(gate_known(call, op));
	if (!tool)
		STET_TRY(csrf_check(call, op));
	return plain ? gate_allowed(call) : gate_rights(call, op, op->row.scope);
}

/* Runs the handler with a limit on the size of its result. */
static enum stet_status
handle(struct stet_call *call)
{
	enum stet_status status = dispatch_handle(call);
	size_t len;

	if (status != STET_OK)
		return status;
	if (call->reply.type != NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s answers bytes that are no JSON: call it alone", call->op->name);
	result(call, &len);
	if (len <= op_part(call)->room)
		return STET_OK;
	return stet_fail(call, STET_INVALID_INPUT, NULL,
	    "The answer is too long beside the others: at most %zu bytes are left",
	    op_part(call)->room);
}

static enum stet_status
run(struct stet_call *call, const struct op *op)
{
	if (!fits(call, op))
		return stet_fault(call, "%s runs in the wrong lane", op->name);
	if (op->row.lane != STET_WRITE)
		return handle(call);
	return savepoint_run(call, handle);
}

/* Copies the result and frees all else that a read has allocated, so that a long batch does not
 * need the sum. A write keeps its memory, since functions of call_on_commit may use it. */
static const char *
keep(struct stet_call *call, const struct call_mark *mark, bool reads, size_t *len)
{
	const char *text = result(call, len);
	struct buf copy = { 0 };

	if (!reads)
		return stet_strndup(call, text, *len);
	buf_add(&copy, text, *len);
	rows_end_statements(call);
	call_release(call, mark);
	memset(&call->error, 0, sizeof(call->error));
	text = stet_strndup(call, copy.data, copy.len);
	buf_free(&copy);
	return text;
}

enum stet_status
stet_invoke_alone(struct stet_call *call, const char *name, const json_t *args, size_t most,
    const char **out, size_t *len)
{
	const struct op *op = generation_op(call->gen, name);
	struct call_slot *slots = call->slots;
	struct call_reply reply = call->reply;
	bool known = call->has_principal, tool = call->nested, plain = is_plain(call);
	enum stet_status status = STET_OK;
	struct call_mark mark;
	struct frame f;

	STET_TRY(check_kind(call, op, name));
	f = enter(call, op);
	op_part(call)->plain = plain;
	call->slots = NULL;
	memset(&call->reply, 0, sizeof(call->reply));
	call->has_principal = known && (op->row.flags & STET_FOR_ALL) == 0;
	op_part(call)->room = most;
	call->asked |= ASKED_ELSE;
	/* Whether an op is open to everybody may depend on its arguments. */
	if (op->row.open != NULL)
		status = args_json(call, args);
	if (status == STET_OK)
		status = check_gate(call, f.op, op, tool);
	mark = call_mark(call);
	if (status == STET_OK)
		status = check_size(call, op, args);
	if (status == STET_OK && op->row.open == NULL)
		status = args_json(call, args);
	if (status == STET_OK && (is_counted(f.op, op) || counts_each(f.op)))
		status = tokenlimit_take(call, is_counted(f.op, op));
	if (status == STET_OK)
		status = run(call, op);
	if (status == STET_OK)
		*out = keep(call, &mark, op->row.lane == STET_READ, len);
	else /* as clients see it: call->op changes from here on */
		call->error.status = error_outcome(call);
	status = call->error.status;
	stet_assert(call->reply.file == NULL);
	buf_free(&call->reply.raw);
	call->reply = reply;
	call->slots = slots;
	call->has_principal = known;
	leave(call, &f);
	return status;
}
