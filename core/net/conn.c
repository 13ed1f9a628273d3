/*
 * conn.c - one connection's state machine on a bufferevent: head, body, the call in its lane,
 * reply, next head. Pipelined requests wait in the input.
 */
#include "net/conn.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/held.h"
#include "call/metrics.h"
#include "call/status.h"
#include "call/timing.h"
#include "db/rows.h"
#include "http/address.h"
#include "net/body.h"
#include "net/connqueue.h"
#include "net/exchange.h"
#include "net/filesend.h"
#include "net/peers.h"
#include "net/send.h"
#include "net/stream.h"
#include "net/transport.h"
#include "net/wait.h"
#include "net/weight.h"
#include "op/answer.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/far.h"
#include "op/gate.h"
#include "op/part.h"
#include "op/route.h"
#include "site/sites.h"
#include <stdlib.h>

static bool hold(struct conn *);
static void release(struct conn *, bool outer);

/* ---- the end of a request ---- */

/* Enters the state between two requests, or the closing state. */
static bool
next_request(struct conn *c)
{
	if (c->broken)
		conn_drop(c);
	c->body = NULL;
	/* New requests do not prove that the peer reads its pending output. */
	if (c->queue != QUEUE_SEND || conn_pending(c) == 0)
		c->began = true;
	c->state = c->last ? CONN_CLOSING : CONN_HEAD;
	return true;
}

static void
answer(struct conn *c)
{
	if (send_reply(c))
		next_request(c);
}

/* Sends an error for a request that cannot become a call or is not read to its end, then closes. */
static void
refuse(struct conn *c, enum stet_status status, const char *why)
{
	struct stet_call *call = c->call;

	c->call = NULL;
	c->last = true;
	if (call != NULL) {
		rows_end_call(call);
		call_free(call);
	}
	send_refusal(c, status, why);
	next_request(c);
}

/* The call failed before its handler ran: discards the body and sends the error, or closes. */
static void
answer_error(struct conn *c, bool body_follows)
{
	if (body_follows)
		c->last = true;
	answer(c);
}

/* A call has come back from its lane. Runs on the worker. */
static void
call_done(struct stet_call *call)
{
	struct exchange *x = op_part(call)->io;
	struct conn *c = x->conn;
	bool outer;

	if (c == NULL) {
		call_free(call);
		return;
	}
	if (wait_park(call)) {
		conn_go_on(c); /* the peer may have closed its side while the call ran */
		return;
	}
	if (far_is(call))
		c->caller = call->held.caller;
	outer = hold(c);
	if ((x->stream != NULL && stream_end(c)) || send_reply(c))
		next_request(c);
	release(c, outer);
}

/* ---- calls ---- */

static void
start(struct conn *c, const char *text, size_t len)
{
	struct stet_call *call = c->call;
	struct exchange *x =
	    op_part(call)->io != NULL ? op_part(call)->io : exchange_tie(c, call_done);

	/* Its body may have taken a while since a reader has admitted it. */
	call->deadline = clock_monotonic() + c->set->limits.call_timeout;
	if (answer_find(c->set->answers, call) || !held_room(call) ||
	    body_weigh(call, text, len) != STET_OK || args_http(call, text, len) != STET_OK) {
		rows_end_call(call);
		answer(c);
		return;
	}
	if ((call->op->row.flags & STET_STREAM) != 0)
		stream_begin(call, x);
	x->mark = call_mark(call);
	atomic_store_explicit(&x->weight, held_now(call), memory_order_relaxed);
	c->state = CONN_CALL;
	dispatch_call(call);
}

/* ---- bodies ---- */

/* Starts reading the body. For a refused head, the call has an error and the body is discarded. */
static void
body_begin(struct conn *c)
{
	struct stet_call *call = c->call;
	const struct http1_head *head = call->head;
	bool refused = call->error.status != STET_OK;

	if (!body_follows(head)) {
		if (refused)
			answer(c);
		else
			start(c, NULL, 0);
		return;
	}
	(void)(refused || held_room(call)); /* before the body is read */
	c->body = body_open(call);
	if (c->body == NULL) {
		answer_error(c, true);
		return;
	}
	if (head->expect_continue && evbuffer_get_length(bufferevent_get_input(c->bev)) == 0)
		send_continue(c);
	c->state = CONN_BODY;
}

/* A small body that has arrived as a whole is used where it lies in the input. */
static bool
body_whole(struct conn *c, struct evbuffer *in)
{
	size_t len = evbuffer_get_length(in);
	const char *text;

	if (!body_is_whole(c->body, len))
		return false;
	len = (size_t)c->body->left;
	text = (const char *)evbuffer_pullup(in, (ssize_t)len);
	stet_assert(text != NULL);
	start(c, text, len);
	if (c->bev != NULL)
		(void)evbuffer_drain(in, len);
	return true;
}

static void
body_finish(struct conn *c)
{
	if (!body_end(c->body))
		answer(c);
	else
		start(c, c->body->text.data, c->body->text.len);
}

static bool
body_step(struct conn *c)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	struct body *b = c->body;
	size_t len;

	if (body_whole(c, in))
		return true;
	while (!b->done && (len = evbuffer_get_length(in)) > 0) {
		size_t first = evbuffer_get_contiguous_space(in);
		long used = body_feed(b, (char *)evbuffer_pullup(in, (ssize_t)first), first);

		if (used == 0 && first < len)
			used = body_feed(b, (char *)evbuffer_pullup(in, -1), len);
		if (used == -1) {
			answer_error(c, true);
			return true;
		}
		if (used == 0)
			break;
		(void)evbuffer_drain(in, (size_t)used);
	}
	if (b->done) {
		body_finish(c);
		return true;
	}
	if (c->eof)
		conn_drop(c);
	return false;
}

/* ---- heads ---- */

/* The call is admitted, or refused. */
static void
admitted(struct conn *c)
{
	c->caller = held_by_principal(c->call);
	timing_admitted(c->call);
	body_begin(c);
}

/* ---- admission by a reader (op/far.h) ---- */

/* The call has come back. Runs on the worker. */
static void
admitted_far(struct stet_call *call)
{
	struct conn *c = ((struct exchange *)op_part(call)->io)->conn;
	bool outer;

	if (c == NULL) {
		call_free(call);
		return;
	}
	outer = hold(c);
	admitted(c);
	release(c, outer);
}

/* A well-formed head: finds its site and op, and authenticates the caller. */
static void
admit(struct conn *c)
{
	struct stet_call *call = c->call;
	struct http1_head *head = call->head;
	struct site *site = sites_find(head->host != NULL ? head->host : "");

	exchange_client(c, call);
	if (!head->keep_alive || c->set->draining)
		c->last = true;
	if (site == NULL) {
		stet_fail(call, STET_NOT_FOUND, NULL, "No site answers for this host");
	} else {
		call_enter(call, site);
		if (call->gen == NULL)
			stet_fail(call, STET_UNAVAILABLE, NULL, "The site is not available");
		else if (head->method != HTTP_OPTIONS && far_is(call)) {
			/* Other modules may be enabled there: then a reader routes it again. */
			if (route_call(call) != STET_OK)
				call_rewind(call);
			exchange_enter(c, call_done, admitted_far);
			return;
		} else if (head->method != HTTP_OPTIONS &&
			   (route_call(call) != STET_OK || gate_admit(call) != STET_OK))
			rows_end_call(call);
	}
	if (head->method == HTTP_OPTIONS && call->error.status == STET_OK) {
		c->caller = held_by_principal(call);
		timing_admitted(call);
		if (body_follows(head))
			c->last = true;
		send_options(c);
		next_request(c);
		return;
	}
	admitted(c);
}

/* Waits for the rest of an incomplete head. */
static bool
await_head(struct conn *c, size_t len)
{
	if (c->eof) {
		conn_drop(c);
		return false;
	}
	if (len < weight_input_max(c))
		return false;
	refuse(c, STET_UNAVAILABLE, "Too many requests are under way, try again later");
	return true;
}

static bool
head_step(struct conn *c)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	size_t len = evbuffer_get_length(in);
	struct stet_call *call;
	const char *text;
	int status = 400;
	long end;

	if (len == 0 || weight_output_waits(c)) {
		if (len == 0 && c->eof)
			c->state = CONN_CLOSING;
		return c->state == CONN_CLOSING;
	}
	end = transport_head(c, &text, &status);
	if (end == 0)
		return await_head(c, len);
	c->scanned = 0;
	if (end < 0) {
		refuse(c, status_of_head(status),
		    status == 431 ? "The request's line and headers are too long"
				  : "Malformed request");
		return true;
	}
	c->call = call = call_new();
	call->head = arena_alloc(&call->arena, sizeof(*call->head));
	if (c->set->limits.server_timing)
		timing_begin(call);
	text = arena_strndup(&call->arena, text, (size_t)end);
	evbuffer_drain(in, (size_t)end);
	if (http1_parse((char *)(uintptr_t)text, (size_t)end, call->head)) {
		call_identify(call);
		admit(c);
	} else {
		refuse(c, status_of_head(call->head->status), call->head->why);
	}
	return true;
}

/* ---- the machine ---- */

/* If the peer has closed its sending side, end a parked call now: the peer is gone, or it waits
 * for the response we have. */
static bool
call_step(struct conn *c)
{
	return c->eof && wait_end(c->call);
}

static bool
closing_step(struct conn *c)
{
	if (conn_pending(c) > 0)
		return false;
	if (c->eof) {
		transport_goodbye(c);
		conn_drop(c);
		return false;
	}
	/* Closing a socket with unread bytes resets the connection, and the peer might lose the
	 * reply. So read what it still sends before closing. */
	transport_shut(c);
	c->state = CONN_LINGER;
	return true;
}

static bool
linger_step(struct conn *c)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);

	(void)evbuffer_drain(in, evbuffer_get_length(in));
	if (c->eof)
		conn_drop(c);
	return false;
}

static bool
step(struct conn *c)
{
	switch (c->state) {
	case CONN_OPENING:
		return false;
	case CONN_HEAD:
		return head_step(c);
	case CONN_BODY:
		return body_step(c);
	case CONN_CALL:
		return call_step(c);
	case CONN_FILE:
		return filesend_step(c) && next_request(c);
	case CONN_CLOSING:
		return closing_step(c);
	case CONN_LINGER:
		return linger_step(c);
	}
	return false;
}

/* Holds the connection: conn_drop then closes it but does not free it. */
static bool
hold(struct conn *c)
{
	bool outer = c->running;

	c->running = true;
	return outer;
}

static void
release(struct conn *c, bool outer)
{
	if (outer)
		return;
	while (c->bev != NULL && !c->broken && step(c))
		continue;
	if (c->broken)
		conn_drop(c);
	c->running = false;
	if (c->bev == NULL) {
		free(c);
		return;
	}
	weight_settle(c);
	(void)transport_flow(c);
	connqueue_settle(c);
}

/* ---- deadlines ---- */

static void
call_timeout(struct conn *c)
{
	struct exchange *x = op_part(c->call)->io;

	/* wait.c ends parked calls itself, at the deadline of the request. */
	if (clock_monotonic() < c->call->deadline || wait_parked(c->call)) {
		c->began = true; /* restart the deadline */
		return;
	}
	if (x->stream != NULL && stream_began(x)) {
		conn_drop(c);
		return;
	}
	exchange_cut(c);
	refuse(c, STET_REQUEST_TIMEOUT, "The request took too long");
}

void
conn_timeout(struct conn *c)
{
	bool outer = hold(c);

	switch (c->queue) {
	case QUEUE_HEAD:
		if (c->state == CONN_OPENING)
			conn_drop(c);
		else
			refuse(c, STET_REQUEST_TIMEOUT, "The head of the request took too long");
		break;
	case QUEUE_BODY:
		if (connqueue_keeps_up(c))
			c->began = true;
		else
			refuse(c, STET_REQUEST_TIMEOUT, "The body of the request came too slowly");
		break;
	case QUEUE_SEND:
		if (connqueue_keeps_up(c)) {
			c->began = true;
		} else {
			metrics_add(METRIC_SLOW_READERS, 1);
			conn_drop(c);
		}
		break;
	case QUEUE_CALL:
		call_timeout(c);
		break;
	default:
		conn_drop(c);
		break;
	}
	release(c, outer);
}

/* ---- the socket ---- */

void
conn_drop(struct conn *c)
{
	if (c->bev == NULL)
		return;
	if (c->call != NULL)
		metrics_add(METRIC_ABORTED, 1);
	if (c->state == CONN_FILE)
		filesend_drop(c);
	exchange_cut(c);
	if (c->state == CONN_HEAD && conn_pending(c) == 0)
		transport_goodbye(c);
	transport_close(c);
	connqueue_leave(c);
	peers_forget(&c->peer);
}

void
conn_close(struct conn *c)
{
	bool outer = hold(c);

	conn_drop(c);
	release(c, outer);
}

void
conn_go_on(struct conn *c)
{
	release(c, hold(c));
}

static void
on_read(struct bufferevent *bev, void *arg)
{
	(void)bev;
	weight_came(arg);
	conn_go_on(arg);
}

static void
on_write(struct bufferevent *bev, void *arg)
{
	struct conn *c = arg;
	bool outer = hold(c);

	(void)bev;
	if (conn_pending(c) == 0)
		c->began = true; /* what follows has its own time */
	if (c->state == CONN_CALL)
		stream_moved(c);
	release(c, outer);
}

static void
opening_failed(struct conn *c)
{
	if (transport_bare(c))
		refuse(c, STET_INVALID_REQUEST, "This port speaks HTTPS: ask with https://");
	else
		conn_drop(c);
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	struct conn *c = arg;
	bool outer = hold(c);

	(void)bev;
	if ((what & BEV_EVENT_CONNECTED) != 0) {
		c->state = CONN_HEAD;
	} else if (c->state == CONN_OPENING) {
		opening_failed(c);
	} else if ((what & BEV_EVENT_EOF) != 0) {
		c->eof = true;
		transport_half(c);
	} else {
		conn_drop(c);
	}
	release(c, outer);
}

void
conn_accept(struct connset *set, evutil_socket_t fd, const struct address *peer, bool secure)
{
	struct conn *c = xcalloc(1, sizeof(*c));

	c->set = set;
	c->secure = secure;
	c->state = secure ? CONN_OPENING : CONN_HEAD;
	c->peer = c->client = *peer;
	if (!transport_open(c, fd)) {
		peers_forget(peer);
		free(c);
		return;
	}
	address_text(peer, c->peer_text);
	c->queue = QUEUE_NONE;
	bufferevent_setcb(c->bev, on_read, on_write, on_event, c);
	connqueue_enter(c);
	weight_settle(c);
	if (!transport_flow(c))
		conn_close(c);
}
