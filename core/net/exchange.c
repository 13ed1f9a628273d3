/* exchange.c - ties calls to their connections. */
#include "net/exchange.h"
#include "base/arena.h"
#include "base/clock.h"
#include "call/held.h"
#include "call/timing.h"
#include "db/rows.h"
#include "http/address.h"
#include "net/loop.h"
#include "net/stream.h"
#include "net/wait.h"
#include "op/answer.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/part.h"

void
exchange_client(struct conn *c, struct stet_call *call)
{
	const struct conn_limits *l = &c->set->limits;
	char text[ADDRESS_TEXT_SIZE];

	if (l->trusted_count != 0) {
		address_forwarded(call->head, &c->peer, l->trusted, l->trusted_count, &c->client);
		address_text(&c->client, text);
	}
	call->client = stet_strdup(call, l->trusted_count != 0 ? text : c->peer_text);
	held_by(call, &c->client);
}

struct exchange *
exchange_tie(struct conn *c, void (*done)(struct stet_call *))
{
	struct stet_call *call = c->call;
	struct op_part *part = op_part(call);
	struct exchange *x = arena_alloc(&call->arena, sizeof(*x));

	x->conn = c;
	part->io = x;
	part->worker = c->set->loop;
	part->post = loop_post;
	part->done = done;
	call->deadline = clock_monotonic() + c->set->limits.call_timeout;
	part->read_timeout = c->set->limits.read_timeout;
	return x;
}

/* What conn.c does before a call runs, on the reader's thread, for a call without a body that the
 * reader runs at once. */
static bool
prepare(struct stet_call *call)
{
	struct exchange *x = op_part(call)->io;

	(void)held_by_principal(call);
	timing_admitted(call);
	if (!held_room(call) || args_http(call, NULL, 0) != STET_OK)
		return false;
	x->mark = call_mark(call);
	atomic_store_explicit(&x->weight, held_now(call), memory_order_relaxed);
	return true;
}

void
exchange_enter(
    struct conn *c, void (*done)(struct stet_call *), void (*admitted)(struct stet_call *))
{
	struct stet_call *call = c->call;
	struct op_part *part = op_part(call);

	(void)exchange_tie(c, done);
	part->kept = answer_expect(c->set->answers, call);
	part->prepare = prepare;
	part->admitted = admitted;
	c->state = CONN_CALL;
	dispatch_enter(call);
}

void
exchange_cut(struct conn *c)
{
	struct stet_call *call = c->call;
	struct exchange *x;

	c->call = NULL;
	c->body = NULL;
	if (call == NULL)
		return;
	if (c->state != CONN_CALL || wait_leave(call)) {
		rows_end_call(call);
		call_free(call);
		return;
	}
	(x = op_part(call)->io)->conn = NULL;
	atomic_store(&call->gone, true);
	if (x->stream != NULL)
		stream_dead(x);
}
