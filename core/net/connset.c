/*
 * connset.c - the connections of one worker: their deadlines, closing idle ones, draining. Each
 * kind of deadline has a queue of its own. All connections of a queue have the same time span,
 * so the first one is due first, and one timer for all queues suffices.
 */
#include "net/connset.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "conf/conf.h"
#include "http/address.h"
#include "net/accesslog.h"
#include "net/body.h"
#include "net/conn.h"
#include "net/filesend.h"
#include "net/loop.h"
#include "net/send.h"
#include "net/transport.h"
#include "net/weight.h"
#include "op/answer.h"
#include "op/encode.h"

#include <stdlib.h>
#include <string.h>

#define LINGER_MS 2000
#define SHED_AFTER_MS 50 /* time a new connection has to send its request */

void
connset_limits(const struct conf *conf, struct conn_limits *out)
{
	size_t n = 0;

	while (conf->trusted_proxies[n] != NULL)
		n++;
	*out = (struct conn_limits){ .head_timeout = conf->head_timeout,
		.body_timeout = conf->body_timeout,
		.idle_timeout = conf->idle_timeout,
		.call_timeout = conf->call_timeout,
		/* A read must end well before stuck.c aborts the daemon because a worker is
		 * blocked. */
		.read_timeout = conf->stuck_after > 0 ? conf->stuck_after / 2 : 0,
		.body_min_rate = conf->body_min_rate,
		.answer_min_rate = conf->answer_min_rate,
		.answer_cache = conf->answer_cache,
		.server_timing = conf->server_timing,
		.trusted = xcalloc(n + 1, sizeof(*out->trusted)) };
	for (size_t i = 0; i < n; i++)
		if (address_block_parse(
			conf->trusted_proxies[i], &out->trusted[out->trusted_count]))
			out->trusted_count++;
}

/* ---- deadlines ---- */

/* How long output may wait before the rate at which the peer takes it is checked. */
static int64_t
send_span(const struct connset *set)
{
	const struct conn_limits *l = &set->limits;

	return l->body_timeout < l->call_timeout ? l->body_timeout : l->call_timeout;
}

static int64_t
span(const struct connset *set, enum conn_queue queue)
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

static void
arm(struct connset *set, int64_t now, int64_t due)
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
connset_keeps_up(const struct conn *c)
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
	c->due = now + span(set, queue);
	c->mark = progress(c);
	TAILQ_INSERT_TAIL(&set->queue[queue], c, link);
	arm(set, now, c->due);
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
connset_settle(struct conn *c)
{
	enum conn_queue queue = queue_for(c);

	if (c->queue == queue && !c->began)
		return;
	c->began = false;
	enqueue(c, queue);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct connset *set = arg;
	int64_t now = clock_monotonic();
	struct conn *c;

	(void)fd;
	(void)what;
	set->armed = 0;
	for (int q = 0; q < QUEUES; q++)
		while ((c = TAILQ_FIRST(&set->queue[q])) != NULL && c->due <= now)
			conn_timeout(c);
	for (int q = 0; q < QUEUES; q++)
		if ((c = TAILQ_FIRST(&set->queue[q])) != NULL)
			arm(set, now, c->due);
}

/* ---- coming and going ---- */

void
connset_enter(struct conn *c)
{
	c->set->count++;
	enqueue(c, queue_for(c));
}

void
connset_leave(struct conn *c)
{
	struct connset *set = c->set;

	TAILQ_REMOVE(&set->queue[c->queue], c, link);
	c->queue = QUEUE_NONE;
	weight_drop(c);
	if (--set->count == 0 && set->on_empty != NULL)
		set->on_empty(set->on_empty_arg);
}

unsigned
connset_count(struct connset *set)
{
	return set->count;
}

/* Closes an idle connection unless a request has already arrived. Returns true if it is closed. */
static bool
drain_idle(struct conn *c)
{
	char byte;

	if (recv(bufferevent_getfd(c->bev), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1)
		return false;
	conn_close(c);
	return true;
}

void
connset_shed(struct connset *set)
{
	int64_t latest = clock_monotonic() - SHED_AFTER_MS;
	unsigned n = 1 + set->count / 16;
	struct conn *c, *next;

	for (c = TAILQ_FIRST(&set->queue[QUEUE_IDLE]); c != NULL && n > 0; c = next) {
		if (c->since > latest)
			return; /* the queue has the oldest first */
		next = TAILQ_NEXT(c, link);
		n -= drain_idle(c);
	}
}

void
connset_drain(struct connset *set, void (*empty)(void *), void *arg)
{
	struct conn *c, *next;

	set->draining = true;
	set->on_empty = empty;
	set->on_empty_arg = arg;
	for (int q = 0; q < QUEUES; q++) {
		for (c = TAILQ_FIRST(&set->queue[q]); c != NULL; c = next) {
			next = TAILQ_NEXT(c, link);
			if (c->state == CONN_BODY || c->state == CONN_CALL || c->state == CONN_FILE)
				c->last = true;
			else if (q == QUEUE_IDLE)
				(void)drain_idle(c);
			else if (c->state == CONN_OPENING)
				conn_close(c);
		}
	}
	if (set->count == 0)
		empty(arg);
}

void
connset_abort(struct connset *set)
{
	struct conn *c;

	set->on_empty = NULL;
	for (int q = 0; q < QUEUES; q++)
		while ((c = TAILQ_FIRST(&set->queue[q])) != NULL)
			conn_close(c);
	accesslog_flush(set);
}

/* ---- the set ---- */

static void
on_access_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	accesslog_flush(arg);
}

struct connset *
connset_new(struct loop *loop, const struct conn_limits *limits)
{
	struct connset *set = xcalloc(1, sizeof(*set));

	set->loop = loop;
	set->limits = *limits;
	set->answers = answers_new(limits->answer_cache);
	set->encoder = encoder_new();
	for (int q = 0; q < QUEUES; q++)
		TAILQ_INIT(&set->queue[q]);
	set->timer = evtimer_new(loop->base, on_timer, set);
	set->access_timer = evtimer_new(loop->base, on_access_timer, set);
	stet_assert(set->timer != NULL && set->access_timer != NULL);
	return set;
}

void
connset_configure(struct connset *set, const struct conn_limits *limits)
{
	struct conn *c;

	free(set->limits.trusted);
	set->limits = *limits;
	answers_resize(set->answers, limits->answer_cache);
	/* The queues are sorted by due time, so with new time spans all deadlines start again. */
	for (int q = 0; q < QUEUES; q++) {
		int64_t due = clock_monotonic() + span(set, (enum conn_queue)q);

		TAILQ_FOREACH(c, &set->queue[q], link)
		c->due = due;
		if (!TAILQ_EMPTY(&set->queue[q]))
			arm(set, clock_monotonic(), due);
	}
}

void
connset_free(struct connset *set)
{
	event_free(set->timer);
	event_free(set->access_timer);
	free(set->limits.trusted);
	answers_free(set->answers);
	encoder_free(set->encoder);
	buf_free(&set->head);
	buf_free(&set->access);
	free(set);
}
