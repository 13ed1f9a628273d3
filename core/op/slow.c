/*
 * slow.c - the pool of the slow lane.
 *
 * A thread whose call waits for its client (a slow reader of a stream) cannot take another call. If
 * calls are queued, an extra thread is started. A thread ends when there are more active threads
 * than configured and the queue is empty.
 */
#include "op/slow.h"
#include "base/activity.h"
#include "base/arena.h"
#include "base/fair.h"
#include "base/log.h"
#include "base/pace.h"
#include "base/thread.h"
#include "db/reader.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct task {
	struct fair_item item; /* first, for the queue */
	void (*fn)(void *);
	void *arg;
};

#define STANDINS_MAX 60 /* most threads in addition to the configured number */

struct member {
	pthread_t thread;
	enum { NONE, ALIVE, ENDED } state; /* ENDED: to be joined */
};
static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct fair queue;
	unsigned max, count, busy;
	struct member *member; /* threads + STANDINS_MAX of them */
	unsigned threads; /* configured number; 0: the pool does not run */
	unsigned alive, waiting; /* waiting: threads whose call waits for its client */
	bool stop;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER };
static _Thread_local bool is_mine; /* this thread is one of the pool */

/* Under the lock. */
static bool
is_surplus(void)
{
	return pool.alive - pool.waiting > pool.threads;
}

/* Waits for a task, which the caller frees. Returns NULL if the thread must end. */
static struct task *
next_task(struct member *me)
{
	struct task *task;

	pthread_mutex_lock(&pool.lock);
	while (pool.count == 0 && !pool.stop && !is_surplus())
		pthread_cond_wait(&pool.work, &pool.lock);
	task = (struct task *)fair_pop(&pool.queue);
	if (task != NULL) {
		pool.count--;
		pool.busy++;
	} else {
		pool.alive--;
		me->state = ENDED;
	}
	pthread_mutex_unlock(&pool.lock);
	return task;
}

static void *
thread(void *arg)
{
	struct task *task;

	activity_thread(ACTIVITY_SLOW);
	pace_behind();
	reader_keep_few();
	is_mine = true;
	while ((task = next_task(arg)) != NULL) {
		task->fn(task->arg);
		free(task);
		pthread_mutex_lock(&pool.lock);
		pool.busy--;
		pthread_mutex_unlock(&pool.lock);
	}
	return NULL;
}

/* Under the lock. Returns false if no thread can be started. */
static bool
add_thread(void)
{
	struct member *m = pool.member;

	while (m->state == ALIVE)
		m++;
	if (m->state == ENDED)
		pthread_join(m->thread, NULL);
	m->state = NONE;
	if (!thread_try(&m->thread, "stet-slow", thread, m))
		return false;
	m->state = ALIVE;
	pool.alive++;
	return true;
}

/* Starts another thread if tasks are queued and fewer threads than configured can take them. Call
 * it under the lock. If that fails, the existing threads take them later. */
static void
stand_in(void)
{
	if (pool.count > 0 && pool.alive - pool.waiting < pool.threads &&
	    pool.alive < pool.threads + STANDINS_MAX && !pool.stop)
		(void)add_thread();
}

bool
slow_wait_begins(void)
{
	bool room;

	if (!is_mine)
		return true;
	pthread_mutex_lock(&pool.lock);
	pool.waiting++;
	stand_in();
	room = pool.waiting < pool.threads + STANDINS_MAX;
	pthread_mutex_unlock(&pool.lock);
	return room;
}

void
slow_wait_ends(void)
{
	if (!is_mine)
		return;
	pthread_mutex_lock(&pool.lock);
	pool.waiting--;
	if (is_surplus())
		pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
}

void
slow_stats(struct slow_stats *stats)
{
	pthread_mutex_lock(&pool.lock);
	*stats = (struct slow_stats){
		.depth = pool.count, .max = pool.max, .threads = pool.threads, .busy = pool.busy
	};
	pthread_mutex_unlock(&pool.lock);
}

void
slow_start(int threads, unsigned queue_max)
{
	stet_assert(pool.member == NULL && threads > 0 && queue_max > 0);
	pool.max = queue_max;
	pool.count = 0;
	pool.stop = false;
	pool.threads = (unsigned)threads;
	pool.member = xcalloc((size_t)threads + STANDINS_MAX, sizeof(*pool.member));
	pthread_mutex_lock(&pool.lock);
	for (struct member *m = pool.member; m < pool.member + threads; m++) {
		m->state = ALIVE;
		pool.alive++;
		thread_start(&m->thread, "stet-slow", thread, m);
	}
	pthread_mutex_unlock(&pool.lock);
}

static bool
was_started(const struct member *m)
{
	bool started;

	pthread_mutex_lock(&pool.lock);
	started = m->state != NONE;
	pthread_mutex_unlock(&pool.lock);
	return started;
}

void
slow_stop(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.stop = true;
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
	/* No thread starts any more, and the running ones end. */
	for (unsigned i = 0; i < pool.threads + STANDINS_MAX; i++)
		if (was_started(&pool.member[i]))
			pthread_join(pool.member[i].thread, NULL);
	free(pool.member);
	pool.member = NULL;
	pool.threads = 0;
}

static bool
submit(void (*fn)(void *), void *arg, uint64_t client, bool at_once)
{
	struct task *task = xmalloc(sizeof(*task));
	bool room;

	*task = (struct task){ .fn = fn, .arg = arg };

	pthread_mutex_lock(&pool.lock);
	room = !pool.stop && pool.threads > 0 && pool.count < pool.max &&
	       (!at_once || pool.count + pool.busy - pool.waiting < pool.threads);
	if (room) {
		fair_push(&pool.queue, client, &task->item);
		pool.count++;
		pthread_cond_signal(&pool.work);
		stand_in();
	}
	pthread_mutex_unlock(&pool.lock);
	if (!room)
		free(task);
	return room;
}

bool
slow_submit(void (*fn)(void *), void *arg)
{
	return submit(fn, arg, 0, false);
}

bool
slow_submit_fair(void (*fn)(void *), void *arg, uint64_t client)
{
	return submit(fn, arg, client, false);
}

bool
slow_submit_idle(void (*fn)(void *), void *arg)
{
	return submit(fn, arg, 0, true);
}
