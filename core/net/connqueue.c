/*
 * connqueue.c - the deadlines of a worker's connections. Each kind of deadline has a queue of its
 * own. All connections of a queue have the same time span, so the first one is due first, and one
 * timer for all queues suffices.
 */
#include "net/connqueue.h"
#include "base/clock.h"
#include "net/body.h"
#include "net/filesend.h"
#include "net/loop.h"
#include "net/transport.h"
#include "net/weight.h"

#define LINGER_MS 2000

/* How long output may wait before the rate at which the peer takes it is checked. */
static int64_t
send_span(const struct connset *set)
{
	const struct conn_limits *l = &set->limits;

	return l->body_timeout < l->call_timeout ? l->body_timeout : l->call_timeout;
}

int64_t
connqueue_span(const struct connset *set, enum conn_queue queue)
{
	switch (queue) {
	case QUEUE_IDLE:
		return set->limits.idle_timeout;
	case QUEUE_HEAD:
		return set->limits.head_timeout;
	case QUEUE_BODY:
		return set->limits.body_timeout;
	case QUEUE_SEND:
		return send_span(set);
	case QUEUE_CALL:
		return set->limits.call_timeout;
	default:
		return LINGER_MS;
	}
}

void
connqueue_arm(struct connset *set, int64_t now, int64_t due)
{
	int64_t left = due > now ? due - now : 0;
	struct timeval tv = { .tv_sec = left / 1000, .tv_usec = left % 1000 * 1000 };

	if (set->armed != 0 && set->armed <= due)
		return;
	set->armed = due;
	evtimer_add(set->timer, &tv);
}

/* Returns the bytes received or sent, whichever the connection's queue measures. */
static uint64_t
progress(const struct conn *c)
{
	if (c->queue == QUEUE_BODY)
		return c->body != NULL ? c->body->seen : 0;
	return c->queue == QUEUE_SEND ? transport_taken(c) : 0;
}

/* Returns true if the transfer kept the minimum rate since the deadline was set. */
static bool
moved(const struct conn *c, uint64_t rate, int64_t ms)
{
	uint64_t least = rate * (uint64_t)ms / 1000;

	/* The count may go down a little: TLS adds bytes to those that it hands to the kernel. */
	return (int64_t)(progress(c) - c->mark) >= (int64_t)(least > 0 ? least : 1);
}

/* Returns true if the response took longer than call-timeout, which includes sending it, unless it
 * is a file. A call that still runs in its lane is not overdue by this rule. */
static bool
overdue(const struct conn *c)
{
	return c->answer_due != 0 && c->state != CONN_CALL && c->state != CONN_FILE &&
	       clock_monotonic() >= c->answer_due;
}

bool
connqueue_keeps_up(const struct conn *c)
{
	const struct conn_limits *l = &c->set->limits;

	if (c->queue == QUEUE_BODY)
		return moved(c, l->body_min_rate, l->body_timeout);
	return filesend_waits(c) ||
	       (!overdue(c) && moved(c, l->answer_min_rate, send_span(c->set)));
}

static void
enqueue(struct conn *c, enum conn_queue queue)
{
	struct connset *set = c->set;
	int64_t now = clock_monotonic();

	if (c->queue != QUEUE_NONE)
		TAILQ_REMOVE(&set->queue[c->queue], c, link);
	c->queue = queue;
	c->since = now;
	c->due = now + connqueue_span(set, queue);
	c->mark = progress(c);
	TAILQ_INSERT_TAIL(&set->queue[queue], c, link);
	connqueue_arm(set, now, c->due);
}

static enum conn_queue
queue_for(const struct conn *c)
{
	if (conn_pending(c) > 0 || c->state == CONN_FILE)
		return QUEUE_SEND;
	switch (c->state) {
	case CONN_HEAD:
		return evbuffer_get_length(bufferevent_get_input(c->bev)) > 0 ? QUEUE_HEAD
									      : QUEUE_IDLE;
	case CONN_OPENING:
		return QUEUE_HEAD;
	case CONN_BODY:
		return QUEUE_BODY;
	case CONN_CALL:
		return QUEUE_CALL;
	default:
		return QUEUE_LINGER;
	}
}

void
connqueue_settle(struct conn *c)
{
	enum conn_queue queue = queue_for(c);

	if (c->queue == queue && !c->began)
		return;
	c->began = false;
	enqueue(c, queue);
}

/* ---- coming and going ---- */

void
connqueue_enter(struct conn *c)
{
	c->set->count++;
	enqueue(c, queue_for(c));
}

void
connqueue_leave(struct conn *c)
{
	struct connset *set = c->set;

	TAILQ_REMOVE(&set->queue[c->queue], c, link);
	c->queue = QUEUE_NONE;
	weight_drop(c);
	if (--set->count == 0 && set->on_empty != NULL)
		set->on_empty(set->on_empty_arg);
}
