/*
 * worker.c - a worker: a thread that runs an event loop (loop.h) with its connections and parked
 * calls. What other threads ask of it is posted to the loop.
 */
#include "net/worker.h"
#include "base/activity.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "db/reader.h"
#include "db/snapshot.h"
#include "http/address.h"
#include "net/conn.h"
#include "net/connset.h"
#include "net/loop.h"
#include "net/wait.h"
#include "op/turns.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Event priorities, highest first. libevent gives connections and the mailbox the middle one,
 * NORMAL. */
enum { NORMAL = 2, LATER, REST, PRIORITIES };

struct worker {
	int index;
	pthread_t thread;
	struct loop loop;
	struct event *later, *turn; /* for long reads: `later` when idle, `turn` regularly */
	struct event *rest;
	struct event *last_call; /* the deadline of draining */
	struct connset *conns;
	atomic_bool shedding; /* worker_shed was called and has not run yet */
};

/* ---- functions posted to a worker ---- */

struct newcomer {
	struct worker *worker;
	evutil_socket_t fd;
	struct address peer;
	bool secure;
};

static void
take_newcomer(void *arg)
{
	struct newcomer *n = arg;

	conn_accept(n->worker->conns, n->fd, &n->peer, n->secure);
	free(n);
}

void
worker_accept(struct worker *w, evutil_socket_t fd, const struct sockaddr *sa, bool secure)
{
	struct newcomer *n = xmalloc(sizeof(*n));

	*n = (struct newcomer){ .worker = w, .fd = fd, .secure = secure };
	stet_assert(address_from(sa, &n->peer));
	loop_post(&w->loop, take_newcomer, n);
}

struct change {
	struct worker *worker;
	struct conn_limits limits;
};

static void
take_change(void *arg)
{
	struct change *c = arg;

	connset_configure(c->worker->conns, &c->limits);
	free(c);
}

void
worker_configure(struct worker *w, const struct conf *conf)
{
	struct change *c = xmalloc(sizeof(*c));

	c->worker = w;
	connset_limits(conf, &c->limits);
	loop_post(&w->loop, take_change, c);
}

static void
take_shed(void *arg)
{
	struct worker *w = arg;

	atomic_store(&w->shedding, false);
	connset_shed(w->conns);
}

void
worker_shed(struct worker *w)
{
	/* Several requests while the worker was busy count as one, so that newer connections are
	 * not closed for an older request. */
	if (!atomic_exchange(&w->shedding, true))
		loop_post(&w->loop, take_shed, w);
}

struct drain {
	struct worker *worker;
	int64_t deadline;
};

static void
on_empty(void *arg)
{
	struct worker *w = arg;

	(void)event_base_loopbreak(w->loop.base);
}

static void
on_last_call(evutil_socket_t fd, short what, void *arg)
{
	struct worker *w = arg;

	(void)fd;
	(void)what;
	log_line(STET_WARN, "worker %d: %u connections did not end in time", w->index,
	    connset_count(w->conns));
	(void)event_base_loopbreak(w->loop.base);
}

static void
take_drain(void *arg)
{
	struct drain *d = arg;
	struct worker *w = d->worker;
	int64_t left = d->deadline - clock_monotonic();
	struct timeval tv;

	if (left < 0)
		left = 0;
	tv = (struct timeval){ .tv_sec = left / 1000, .tv_usec = left % 1000 * 1000 };
	evtimer_add(w->last_call, &tv);
	connset_drain(w->conns, on_empty, w);
	waiters_drain(w->loop.waiters);
	free(d);
}

void
worker_drain(struct worker *w, int64_t deadline)
{
	struct drain *d = xmalloc(sizeof(*d));

	*d = (struct drain){ .worker = w, .deadline = deadline };
	loop_post(&w->loop, take_drain, d);
}

/* ---- the thread ---- */

/* The loop is idle: end the read transactions that calls left open. */
static void
on_rest(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	snapshot_rest();
}

static void
arm_rest(void *arg)
{
	struct worker *w = arg;

	event_active(w->rest, EV_TIMEOUT, 0);
}

/* ---- long reads ---- */

static void
arm_turns(void *arg)
{
	const struct timeval soon = { .tv_usec = TURNS_MS * 1000 };
	struct worker *w = arg;

	event_active(w->later, EV_TIMEOUT, 0);
	evtimer_add(w->turn, &soon);
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	if (turns_next())
		arm_turns(arg);
}

static void *
run(void *arg)
{
	struct worker *w = arg;

	activity_thread(ACTIVITY_READ);
	snapshot_share(arm_rest, w);
	turns_share(arm_turns, w);
	if (event_base_loop(w->loop.base, EVLOOP_NO_EXIT_ON_EMPTY) == -1)
		log_line(STET_ERROR, "worker %d: the event loop failed", w->index);
	turns_share(NULL, NULL);
	while (turns_next())
		continue;
	connset_abort(w->conns);
	/* libevent closes sockets from its loop. */
	(void)event_base_loop(w->loop.base, EVLOOP_NONBLOCK);
	snapshot_share(NULL, NULL);
	reader_close(NULL);
	return NULL;
}

struct worker *
worker_new(int index, const struct conf *conf)
{
	struct worker *w = xcalloc(1, sizeof(*w));
	struct conn_limits limits;
	char name[16];

	w->index = index;
	loop_open(&w->loop, PRIORITIES);
	w->last_call = evtimer_new(w->loop.base, on_last_call, w);
	w->rest = event_new(w->loop.base, -1, 0, on_rest, w);
	w->later = event_new(w->loop.base, -1, 0, on_turn, w);
	w->turn = evtimer_new(w->loop.base, on_turn, w);
	stet_assert(w->last_call != NULL && w->rest != NULL && w->later != NULL && w->turn != NULL);
	stet_assert(event_priority_set(w->rest, REST) == 0);
	stet_assert(event_priority_set(w->later, LATER) == 0);
	stet_assert(event_priority_set(w->turn, NORMAL) == 0);
	connset_limits(conf, &limits);
	w->conns = connset_new(&w->loop, &limits);
	w->loop.waiters = waiters_new(&w->loop);
	(void)snprintf(name, sizeof(name), "stetd-w%d", w->index % 1000);
	thread_start(&w->thread, name, run, w);
	return w;
}

struct loop *
worker_loop(struct worker *w)
{
	return &w->loop;
}

void
worker_join(struct worker *w)
{
	stet_assert(pthread_join(w->thread, NULL) == 0);
}

void
worker_free(struct worker *w)
{
	loop_read(&w->loop);
	connset_abort(w->conns);
	event_free(w->last_call);
	event_free(w->rest);
	event_free(w->later);
	event_free(w->turn);
	connset_free(w->conns);
	waiters_free(w->loop.waiters);
	/* Frees what the connections left to the loop to free. */
	loop_close(&w->loop);
	free(w);
}
