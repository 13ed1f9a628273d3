/* dispatch.c - finds the op of a request, and runs the handler in its lane. */
#include "op/dispatch.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/error.h"
#include "call/held.h"
#include "call/shape.h"
#include "call/site.h"
#include "call/timing.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/writer.h"
#include "http/http1.h"
#include "http/router.h"
#include "module/running.h"
#include "op/far.h"
#include "op/gate.h"
#include "op/idempotency.h"
#include "op/part.h"
#include "op/precondition.h"
#include "op/readpool.h"
#include "op/reply.h"
#include "op/savepoint.h"
#include "op/slow.h"
#include "op/tokenlimit.h"
#include "op/turns.h"
#include "op/waiting.h"
#include <stdlib.h>
#include <string.h>

enum stet_status
dispatch_writable(struct stet_call *call)
{
	char *why = NULL;

	pthread_mutex_lock(&call->site->lock);
	if (call->site->broken != NULL)
		why = stet_strdup(call, call->site->broken);
	else if (call->site->looking)
		why = stet_strdup(call, "it is open for reading only");
	pthread_mutex_unlock(&call->site->lock);
	if (why == NULL)
		return STET_OK;
	return stet_fail(
	    call, STET_MIGRATION_FAILED, NULL, "The site does not accept writes: %s", why);
}

/* ---- checking replies against their shape, in tests ---- */

static bool
checks_replies(void)
{
	static int on = -1;

	if (__atomic_load_n(&on, __ATOMIC_RELAXED) < 0)
		__atomic_store_n(&on, getenv("STET_CHECK_REPLIES") != NULL, __ATOMIC_RELAXED);
	return __atomic_load_n(&on, __ATOMIC_RELAXED) > 0;
}

/* With STET_CHECK_REPLIES set, a reply that does not fit the op's shape ends the process. */
static void
check_reply(struct stet_call *call)
{
	const struct stet_op *row = &call->op->row;
	struct stet_member whole = { .name = "data", .type = STET_OBJECT, .of = row->out };
	json_t *value;

	if (!checks_replies() || row->out == NULL || call->reply.type != NULL)
		return;
	if ((row->flags & STET_OUT_LIST) != 0)
		whole.type = STET_ARRAY;
	/* Our own replies may nest deeper than json_parse allows for clients. */
	value = json_loadb(call->out.buf.len > 0 ? call->out.buf.data : "null",
	    call->out.buf.len > 0 ? call->out.buf.len : 4, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
	    NULL);
	stet_assert(value != NULL);
	shape_check(call, &whole, "data", value);
	json_decref(value);
	for (const struct call_issue *i = call->error.issues; i != NULL; i = i->next)
		log_line(STET_ERROR, "reply of %s: %s %s in %s", call->op->name, i->path,
		    i->message, call->out.buf.data);
	stet_assert(call->error.issues == NULL);
}

/* ---- lanes ---- */

/* The op as the hooks around its run see it. Returns false if it is not told to them. */
static bool
told_as(const struct stet_call *call, struct stet_written *out)
{
	const struct op *op = call->op;

	if (op == NULL || (op->row.flags & STET_UNTOLD) != 0)
		return false;
	*out = (struct stet_written){
		.name = op->name, .module = op->owner->m.name, .names = op->names, .reply = ""
	};
	return true;
}

/* Runs the hook op_writing, if the op runs in the write lane. */
static enum stet_status
about_to_write(struct stet_call *call)
{
	struct stet_written writing;

	if (call->op->row.lane != STET_WRITE || !call->writing || !told_as(call, &writing))
		return STET_OK;
	return stet_run_op_writing(call, &call->tx, &writing);
}

enum stet_status
dispatch_written(struct stet_call *call)
{
	struct stet_written written;

	if (!told_as(call, &written))
		return STET_OK;
	written.reply = stet_json_text(&call->out, &written.reply_len);
	return stet_run_op_written(call, &call->tx, &written);
}

/* Asserted while the handler counts as running, so that a failure is blamed on its module. */
static void
check_end(const struct stet_call *call)
{
	stet_assert(call->error.issues == NULL);
	stet_assert(op_part(call)->waits || call->reply.type != NULL || call->out.depth == 0);
}

enum stet_status
dispatch_handle(struct stet_call *call)
{
	struct running running;
	enum stet_status status;

	call->owner = call->op->owner;
	timing_started(call);
	running_enter(&running, call, call->op->owner, RUNNING_OP, call->op->name);
	status = gate_collection(call);
	if (status == STET_OK && !call->nested)
		status = tokenlimit_take(call, true);
	if (status == STET_OK)
		status = about_to_write(call);
	if (status == STET_OK)
		status = call->op->row.run(call);
	if (status == STET_OK)
		check_end(call);
	else
		status = error_judge(call, status, call->op->owner, false, call->op->name);
	running_leave(&running);
	if (status == STET_OK && !op_part(call)->told)
		status = held_check(call);
	/* If the op chose the slow lane, stet_write_lane has already called op_written. */
	if (status == STET_OK && call->op->row.lane == STET_WRITE && call->writing)
		status = dispatch_written(call);
	timing_ended(call);
	if (status == STET_OK) {
		call->error.status = STET_OK;
		if (!op_part(call)->waits)
			check_reply(call);
	} else if (call->error.status !=
		   status) { /* no error text, or the text of another status */
		call->error.text = NULL;
		call->error.field = NULL;
		call->error.status = status;
	}
	return status;
}

/* Starts a call after its wait in a queue. Returns false if there is no longer memory for its
 * response. */
static bool
begins(struct stet_call *call)
{
	waiting_leave(call);
	return held_room(call);
}

static enum stet_status
run_conditional(struct stet_call *call)
{
	STET_TRY(precondition_check(call));
	return dispatch_handle(call);
}

static void
finish(void *arg)
{
	struct stet_call *call = arg;

	op_part(call)->done(call);
}

static void
run_slow(void *arg)
{
	struct stet_call *call = arg;
	struct op_part *part = op_part(call);
	enum stet_status status = begins(call) ? precondition_check(call) : call->error.status;

	rows_end_call(call);
	if (status == STET_OK)
		dispatch_handle(call);
	rows_end_call(call);
	if (part->post != NULL)
		part->post(part->worker, finish, call);
	else
		part->done(call);
}

static void
submit_slow(struct stet_call *call)
{
	if (waiting_enter(call)) {
		if (slow_submit_fair(run_slow, call, waiting_key(call)))
			return;
		waiting_leave(call);
		stet_fail(call, STET_UNAVAILABLE, NULL, "The server is busy, try again later");
	}
	op_part(call)->done(call);
}

/* Answers a repeated request with the stored answer. If the handler of a new one fails, its writes
 * are rolled back; if the failure is stored, this returns STET_OK, so that it is committed. */
static enum stet_status
run_once(struct stet_call *call, struct stet_tx *tx)
{
	enum stet_status status;
	struct rendered r;
	bool found;

	STET_TRY(idempotency_find(call, &found));
	if (found)
		return STET_OK;
	status = savepoint_run(call, run_conditional);
	if (status != STET_OK && !idempotency_lasts(call))
		return status;
	reply_render(call, &r);
	return idempotency_store(call, tx, status, &r);
}

static enum stet_status
run_write(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	if (!begins(call))
		return call->error.status;
	if (op_part(call)->idempotency != NULL)
		return run_once(call, tx);
	return run_conditional(call);
}

static void
wrote(struct stet_call *call, enum stet_status status, void *arg)
{
	struct op_part *part = op_part(call);

	(void)arg;
	waiting_leave(call); /* in case it has not begun */
	call->error.status = idempotency_outcome(call, status);
	if (part->post != NULL)
		part->post(part->worker, finish, call);
	else
		part->done(call);
}

static void
choose_lane(struct stet_call *call)
{
	const struct stet_op *row = &call->op->row;
	struct running running;

	call->owner = call->op->owner;
	call->lane = row->lane;
	if (row->choose == NULL)
		return;
	running_enter(&running, call, call->op->owner, RUNNING_OP, call->op->name);
	call->lane = row->choose(call);
	running_leave(&running);
}

/* Returns true if the op of the request may run a second time, and so may an op inside it. */
static bool
may_rerun(const struct stet_call *call)
{
	const struct op *op = call->nested ? op_part(call)->outer : call->op;

	return op != NULL && (op->row.flags & STET_STREAM) == 0 &&
	       (!call->nested || (op->row.flags & STET_RERUN) != 0);
}

/* Ends a read. If the handler failed because it may not wait in the read lane, or because tables
 * changed under it, it runs again in the slow lane. Its lookups belong to the old snapshot and are
 * repeated. */
static void
read_ended(struct stet_call *call, struct call_slot *slots)
{
	bool again = op_part(call)->slower || (db_part(call)->again && may_rerun(call));

	rows_end_call(call);
	db_part(call)->again = false;
	if (!again || call->error.status == STET_OK) {
		op_part(call)->done(call);
		return;
	}
	call_rewind(call);
	call->slots = slots;
	call->lane = STET_SLOW;
	submit_slow(call);
}

enum stet_status
stet_slow_lane(struct stet_call *call)
{
	if (call->lane != STET_READ || op_part(call)->worker == NULL || call->waited ||
	    !may_rerun(call))
		return STET_OK;
	op_part(call)->slower = true;
	return stet_fail(call, STET_UNAVAILABLE, NULL, "The server is busy, try again later");
}

static void
run_read(struct stet_call *call, int64_t now)
{
	/* ignore what the gate has asked: the gate runs for each call anyway */
	if (!call->waited)
		call->asked = 0;
	if (op_part(call)->read_timeout > 0)
		db_part(call)->read_deadline = now + op_part(call)->read_timeout;
	dispatch_handle(call);
	db_part(call)->read_deadline = 0;
}

static void
read_now(struct stet_call *call)
{
	const int64_t begun = clock_monotonic_us();
	struct call_slot *slots = call->slots;

	run_read(call, begun / 1000);
	turns_took(call, clock_monotonic_us() - begun);
	read_ended(call, slots);
}

/* Starts a queued read. Returns false if its client is gone or there is no memory for its
 * response. */
static bool
read_begins(struct stet_call *call)
{
	return begins(call) && !atomic_load(&call->gone);
}

static void
read_in_turn(struct stet_call *call)
{
	if (read_begins(call))
		read_now(call);
	else
		op_part(call)->done(call);
}

/* ---- reads by readers of a site whose database is elsewhere ---- */

static void
far_returned(void *arg)
{
	struct stet_call *call = arg;
	struct op_part *part = op_part(call);

	call->away = false;
	db_part(call)->begin_by = 0;
	if (part->far == FAR_ENTER && !part->ran) {
		part->admitted(call);
		return;
	}
	if (part->took >= 0)
		turns_took(call, part->took);
	read_ended(call, part->before);
}

/* Returns true unless the call is another reader's now. */
static bool
attempt(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	enum far_next next = far_begin(call);
	int64_t begun;

	if (next != FAR_RUN)
		return next != FAR_MOVED;
	call->owner = call->op->owner;
	call->lane = STET_READ;
	begun = clock_monotonic_us();
	part->ran = true;
	run_read(call, begun / 1000);
	part->took = clock_monotonic_us() - begun;
	return true;
}

/* A call that has not run yet may be repeated in any case: it is routed and admitted again. */
static void
run_far(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	bool good = call->error.status == STET_OK && !atomic_load(&call->gone);

	/* Whether there is memory for the response is asked when the caller is known. */
	if (part->far == FAR_ENTER)
		waiting_leave(call);
	else
		good = begins(call) && good;
	while (good) {
		if (!attempt(call))
			return;
		good = (!part->ran || may_rerun(call)) && far_repeat(call);
	}
	rows_end_call(call);
	part->post(part->worker, far_returned, call);
}

void
dispatch_enter(struct stet_call *call)
{
	if (!far_submit(call, FAR_ENTER, run_far))
		op_part(call)->admitted(call);
}

static void
submit_far(struct stet_call *call, enum far_way way)
{
	rows_end_call(call);
	if (!far_submit(call, way, run_far))
		op_part(call)->done(call);
}

/* ---- reads on a reader thread ---- */

/* The call has returned from its reader thread. Runs on the worker. */
static void
read_returned(void *arg)
{
	struct stet_call *call = arg;
	struct op_part *part = op_part(call);

	call->away = false;
	if (part->took >= 0)
		turns_took(call, part->took);
	read_ended(call, part->before);
}

/* Runs the handler on a reader thread. */
static void
read_away(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	struct turns_effort effort;

	turns_measure(&effort);
	if (read_begins(call)) {
		run_read(call, effort.wall / 1000);
		if (!atomic_load(&call->gone)) /* else it may have ended early */
			part->took = turns_spent(&effort);
	}
	rows_end_call(call);
	part->post(part->worker, read_returned, call);
}

/* Sends the call to a reader thread. Returns false if the queue is full. */
static bool
read_leaves(struct stet_call *call)
{
	call->away = true;
	op_part(call)->took = -1;
	op_part(call)->before = call->slots;
	if (readpool_submit(call, waiting_key(call), read_away))
		return true;
	call->away = false;
	return false;
}

static void
submit_read(struct stet_call *call, enum turns_cost cost)
{
	rows_end_call(call);
	if (waiting_enter(call)) {
		if (cost == TURNS_LONG) {
			turns_wait(call, read_in_turn);
			return;
		}
		if (read_leaves(call))
			return;
		waiting_leave(call);
		stet_fail(call, STET_UNAVAILABLE, NULL, "The server is busy, try again later");
	}
	op_part(call)->done(call);
}

/* Returns true for a request of an op with STET_MORE_MENDS while the site refuses writes. */
static bool
mends(struct stet_call *call)
{
	bool broken;

	if ((call->op->row.more & STET_MORE_MENDS) == 0 || call->head == NULL ||
	    !call->site->daemon)
		return false;
	pthread_mutex_lock(&call->site->lock);
	broken = call->site->broken != NULL;
	pthread_mutex_unlock(&call->site->lock);
	return broken;
}

void
dispatch_call(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	enum turns_cost cost;

	choose_lane(call);
	if (mends(call))
		call->lane = STET_SLOW;
	switch (call->lane) {
	case STET_READ:
		if (far_is(call) && part->worker != NULL)
			submit_far(call, FAR_READ);
		else if ((cost = turns_cost(call)) == TURNS_SHORT)
			read_now(call);
		else
			submit_read(call, cost);
		return;
	case STET_WRITE:
		part->job = (struct write_job){ .call = call, .run = run_write, .done = wrote };
		if (dispatch_writable(call) != STET_OK || !waiting_enter(call) ||
		    writer_submit(call->site->writer, &part->job) != STET_OK) {
			waiting_leave(call);
			part->done(call);
		}
		return;
	case STET_SLOW:
		submit_slow(call);
		return;
	}
}

/* A parked call does not count as waiting again. If the queue of the reader threads is full, it
 * runs here, since it was already admitted. */
void
dispatch_again(struct stet_call *call)
{
	if (far_is(call)) {
		submit_far(call, FAR_AGAIN);
		return;
	}
	if (gate_admit(call) != STET_OK) {
		rows_end_call(call);
		op_part(call)->done(call);
		return;
	}
	if (turns_cost(call) == TURNS_DEAR) {
		rows_end_call(call);
		if (read_leaves(call))
			return;
	}
	read_now(call);
}

enum stet_status
dispatch_run(struct stet_call *call)
{
	choose_lane(call);
	if (call->lane == STET_WRITE) {
		op_part(call)->job = (struct write_job){ .call = call, .run = run_write };
		STET_TRY(dispatch_writable(call));
		call->error.status =
		    idempotency_outcome(call, writer_run(call->site->writer, &op_part(call)->job));
		return call->error.status;
	}
	dispatch_handle(call);
	rows_end_call(call);
	return call->error.status;
}
