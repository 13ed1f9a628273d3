/*
 * wait.c - parked calls. Each worker keeps the parked calls of its own connections in lists that
 * only its thread touches. A commit posts one event to each worker, however many calls are parked
 * there; the worker then looks at its calls in portions of RUNS, at most once in PAUSE_MS. A tick,
 * which runs only while calls are parked, ends those whose time is up, and notices commits of other
 * processes by the state of the database, unless a thread of the site does so (work/watch.h). A
 * call that reads for long runs on a reader thread (op/readpool.h) and is parked here again when it
 * returns.
 */
#include "net/wait.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/json.h"
#include "call/part.h"
#include "call/unsent.h"
#include "db/dbstate.h"
#include "net/conn.h"
#include "net/loop.h"
#include "net/stream.h"
#include "net/transport.h"
#include "op/dispatch.h"
#include "op/far.h"
#include "op/part.h"
#include "op/readpool.h"
#include "work/watch.h"

#include <stdlib.h>

#define TICK_MS 250
#define PAUSE_MS 10 /* between the starts of two scans of all parked calls */
#define RUNS 64 /* calls that run before other events of the worker get their turn */
#define REPLY_KEPT 4096 /* bytes of reply buffer that a parked call keeps */
#define LOOKED 16 /* sites whose state a tick remembers */

TAILQ_HEAD(wait_list, wait);

struct wait {
	TAILQ_ENTRY(wait) link; /* of *list */
	struct wait_list *list; /* NULL: not parked */
	struct stet_call *call;
	int64_t until; /* clock_now: the handler asked to wait until then */
	int64_t end; /* clock_monotonic: when the request is over; 0: never */
	int64_t span; /* ms allowed for each run */
	uint64_t commits; /* commits of this process that the last run saw */
	struct dbstate state; /* state that the last run saw, of all processes */
	bool due;
	bool last; /* the next run is the last one */
	void *memory; /* stet_wait_memory */
};

struct waiters {
	struct waiters *next; /* in the list of all workers */
	struct loop *loop;
	struct wait_list parked, looking; /* looking: calls not yet reached by the scan */
	unsigned count;
	struct event *tick, *look;
	int64_t looked; /* clock_monotonic: when the last scan began */
	bool pending; /* a scan is scheduled or under way */
	bool again; /* another scan is needed after it */
	atomic_bool draining; /* reader threads read it, too */
	atomic_bool rung;
};

/* The waiters of all workers: commits post to each. */
static struct {
	pthread_mutex_t lock;
	struct waiters *first;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
arm(struct event *event, int64_t ms)
{
	struct timeval tv = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	stet_assert(evtimer_add(event, &tv) == 0);
}

static uint64_t
commits_of(struct site *site)
{
	return atomic_load(&site->commits);
}

/* ---- coming and going ---- */

static void
enter(struct waiters *ws, struct wait *w, struct wait_list *list)
{
	w->list = list;
	TAILQ_INSERT_TAIL(list, w, link);
	if (atomic_fetch_add(&w->call->site->waiting, 1) == 0)
		watch_wait(w->call->site);
	if (ws->count++ == 0)
		arm(ws->tick, TICK_MS);
}

static void
leave(struct waiters *ws, struct wait *w)
{
	TAILQ_REMOVE(w->list, w, link);
	w->list = NULL;
	atomic_fetch_sub(&w->call->site->waiting, 1);
	if (--ws->count == 0)
		evtimer_del(ws->tick);
}

/* ---- scanning ---- */

static void
look_soon(struct waiters *ws)
{
	int64_t left = ws->looked + PAUSE_MS - clock_monotonic();

	ws->again = true;
	if (ws->pending)
		return;
	ws->pending = true;
	arm(ws->look, left > 0 ? left : 0);
}

/* Returns true if the call should run now. Returns false while its client has much unsent output.
 * If memory for responses is short, marks the call as due for the next tick. */
static bool
ready(struct wait *w)
{
	const struct exchange *x = op_part(w->call)->io;

	if (!w->due && commits_of(w->call->site) == w->commits)
		return false;
	/* It was admitted, so it waits rather than being refused. */
	if (far_is(w->call) && readpool_crowded(w->call->site->readers)) {
		w->due = true;
		return false;
	}
	if (w->last)
		return true;
	if (!unsent_room_again(&w->call->held.caller)) {
		w->due = true;
		return false;
	}
	return conn_pending(x->conn) < CONN_OUTPUT_MAX;
}

static void
run_again(struct waiters *ws, struct wait *w)
{
	leave(ws, w);
	w->due = false;
	w->call->deadline = clock_monotonic() + w->span;
	dispatch_again(w->call);
}

/* Scans all parked calls once. A call that parks again goes to the end and waits for the next
 * scan. */
static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	struct waiters *ws = arg;
	struct wait *w;
	int runs = 0;

	(void)fd;
	(void)what;
	if (TAILQ_EMPTY(&ws->looking)) {
		ws->looked = clock_monotonic();
		ws->again = false;
		TAILQ_FOREACH(w, &ws->parked, link)
		w->list = &ws->looking;
		TAILQ_CONCAT(&ws->looking, &ws->parked, link);
	}
	while (runs < RUNS && (w = TAILQ_FIRST(&ws->looking)) != NULL) {
		if (ready(w)) {
			run_again(ws, w);
			runs++;
			continue;
		}
		TAILQ_REMOVE(&ws->looking, w, link);
		TAILQ_INSERT_TAIL(&ws->parked, w, link);
		w->list = &ws->parked;
	}
	ws->pending = !TAILQ_EMPTY(&ws->looking);
	if (ws->pending)
		arm(ws->look, 0);
	else if (ws->again)
		look_soon(ws);
}

/* ---- the tick ---- */

struct looked {
	uint64_t id; /* of the site; 0: none */
	bool watched; /* site->watch counts what other processes commit among site->commits */
	struct dbstate state; /* of others */
	const struct generation *current; /* compared by address only */
};

static const struct looked *
look_at(struct looked *table, struct site *site)
{
	struct looked *l = &table[site->id % LOOKED];

	if (l->id == site->id)
		return l;
	l->id = site->id;
	l->watched = site->watch != NULL;
	if (!l->watched)
		l->state = dbstate_now(site);
	pthread_mutex_lock(&site->lock);
	l->current = site->current;
	pthread_mutex_unlock(&site->lock);
	return l;
}

/* Returns true if the call should run for a reason other than a commit of this process: its time is
 * up, another process committed, or the configuration changed. A client that pipelined requests may
 * have left without an event, so that is tested here, too. */
static bool
time_to_run(struct wait *w, struct looked *table, int64_t now, int64_t monotonic)
{
	const struct looked *l = look_at(table, w->call->site);

	if (l->current != w->call->gen || (w->end != 0 && monotonic >= w->end) ||
	    transport_left(((const struct exchange *)op_part(w->call)->io)->conn))
		w->last = true;
	return w->last || now >= w->until || (!l->watched && !dbstate_same(&l->state, &w->state));
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct waiters *ws = arg;
	struct looked table[LOOKED] = { { 0 } };
	int64_t now = clock_now(), monotonic = clock_monotonic();
	bool any = false;
	struct wait *w;

	(void)fd;
	(void)what;
	TAILQ_FOREACH(w, &ws->parked, link)
	any |= w->due = w->due || time_to_run(w, table, now, monotonic);
	if (any)
		look_soon(ws);
	arm(ws->tick, TICK_MS);
}

/* ---- commits ---- */

static void
take_ring(void *arg)
{
	struct waiters *ws = arg;

	atomic_store(&ws->rung, false);
	if (ws->count > 0)
		look_soon(ws);
}

void
wait_committed(struct site *site)
{
	/* The commit is already counted, so a call that parks from here on sees it. */
	if (atomic_load(&site->waiting) == 0)
		return;
	pthread_mutex_lock(&all.lock);
	for (struct waiters *ws = all.first; ws != NULL; ws = ws->next)
		if (!atomic_exchange(&ws->rung, true))
			loop_post(ws->loop, take_ring, ws);
	pthread_mutex_unlock(&all.lock);
}

/* ---- one call ---- */

static void end(struct stet_call *);

/* The part of a call: its wait; NULL: it has never waited. */
static struct call_part wait_part = { .size = sizeof(struct wait *), .end = end };

CALL_PART_ADD(wait_part)

static struct wait **
part_of(const struct stet_call *call)
{
	return call_part(call, &wait_part);
}

static void
end(struct stet_call *call)
{
	struct wait *w = *part_of(call);

	if (w == NULL)
		return;
	stet_assert(w->list == NULL);
	free(w->memory);
	free(w);
}

static struct wait *
wait_of(struct stet_call *call)
{
	struct wait *w = *part_of(call);

	if (w != NULL)
		return w;
	w = *part_of(call) = xcalloc(1, sizeof(*w));
	call->waited = true;
	w->call = call;
	w->end = call->deadline;
	w->span = call->deadline != 0 ? call->deadline - clock_monotonic() : 0;
	return w;
}

bool
stet_wait(struct stet_call *call, int64_t until)
{
	struct op_part *part = op_part(call);
	struct wait *w;

	call->asked |= ASKED_ELSE;
	if (part->worker == NULL || call->nested || call->lane != STET_READ)
		return false;
	w = wait_of(call);
	if (w->last || atomic_load(&part->worker->waiters->draining) || until <= clock_now() ||
	    !dbstate_seen(call, &w->commits, &w->state))
		return false;
	/* The call may have queued between its admission and its snapshot, and its token may have
	 * been revoked since. */
	if (part->admitted_at < w->commits)
		w->commits = part->admitted_at;
	w->until = until;
	part->waits = true;
	return true;
}

void *
stet_wait_memory(struct stet_call *call, size_t size)
{
	struct wait *w;

	if (call->nested) /* nested calls run only once */
		return stet_alloc(call, size);
	w = wait_of(call);
	if (w->memory == NULL)
		w->memory = xcalloc(1, size);
	return w->memory;
}

bool
wait_park(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	struct waiters *ws = part->worker->waiters;
	struct exchange *x = part->io;
	struct wait *w = *part_of(call);

	if (!part->waits)
		return false;
	part->waits = false;
	if (call->error.status != STET_OK)
		return false;
	if (x->stream != NULL)
		stream_part(call);
	call_rewind(call);
	if (call->out.buf.cap > REPLY_KEPT)
		json_free(&call->out); /* a large buffer of an earlier call */
	call_release(call, &x->mark);
	/* The next run authenticates again, because a token may be revoked meanwhile. */
	call->has_principal = false;
	call->principal = (struct stet_principal){ 0 };
	enter(ws, w, &ws->parked);
	/* The drain may have begun while a reader thread had the call. */
	if (atomic_load(&ws->draining))
		w->due = w->last = true;
	if (w->due || commits_of(call->site) != w->commits)
		look_soon(ws);
	return true;
}

bool
wait_parked(const struct stet_call *call)
{
	const struct wait *w;

	/* A call that is away, or in another lane, belongs to another thread. */
	if (call->away || call->lane != STET_READ)
		return false;
	w = *part_of(call);
	return w != NULL && w->list != NULL;
}

bool
wait_end(struct stet_call *call)
{
	struct wait *w;

	if (!wait_parked(call))
		return false;
	w = *part_of(call);
	w->last = true;
	run_again(op_part(call)->worker->waiters, w);
	return true;
}

bool
wait_leave(struct stet_call *call)
{
	if (!wait_parked(call))
		return false;
	leave(op_part(call)->worker->waiters, *part_of(call));
	return true;
}

/* ---- a worker's ---- */

void
waiters_drain(struct waiters *ws)
{
	struct wait_list *lists[] = { &ws->parked, &ws->looking };
	struct wait *w;

	atomic_store(&ws->draining, true);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		TAILQ_FOREACH(w, lists[i], link)
	w->due = w->last = true;
	if (ws->count > 0)
		look_soon(ws);
}

struct waiters *
waiters_new(struct loop *loop)
{
	struct waiters *ws = xcalloc(1, sizeof(*ws));

	ws->loop = loop;
	TAILQ_INIT(&ws->parked);
	TAILQ_INIT(&ws->looking);
	ws->tick = evtimer_new(loop->base, on_tick, ws);
	ws->look = evtimer_new(loop->base, on_look, ws);
	stet_assert(ws->tick != NULL && ws->look != NULL);
	pthread_mutex_lock(&all.lock);
	ws->next = all.first;
	all.first = ws;
	pthread_mutex_unlock(&all.lock);
	return ws;
}

void
waiters_free(struct waiters *ws)
{
	struct waiters **link = &all.first;

	stet_assert(ws->count == 0);
	pthread_mutex_lock(&all.lock);
	while (*link != ws)
		link = &(*link)->next;
	*link = ws->next;
	pthread_mutex_unlock(&all.lock);
	event_free(ws->tick);
	event_free(ws->look);
	free(ws);
}
