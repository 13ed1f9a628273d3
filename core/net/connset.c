/*
 * connset.c - the connections of one worker: closing those that are overdue or idle, draining,
 * other limits for all.
 */
#include "net/connset.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "conf/conf.h"
#include "http/address.h"
#include "net/accesslog.h"
#include "net/conn.h"
#include "net/connqueue.h"
#include "net/loop.h"
#include "op/answer.h"
#include "op/encode.h"

#include <stdlib.h>
#include <string.h>

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
			connqueue_arm(set, now, c->due);
}

/* ---- coming and going ---- */

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
	set->go_on = conn_go_on;
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
		int64_t due = clock_monotonic() + connqueue_span(set, (enum conn_queue)q);

		TAILQ_FOREACH(c, &set->queue[q], link)
		c->due = due;
		if (!TAILQ_EMPTY(&set->queue[q]))
			connqueue_arm(set, clock_monotonic(), due);
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
