/*
 * slow.c - the pool of the slow lane, and writes of calls that run there.
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
#include "call/call.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/running.h"
#include "op/dispatch.h"
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

/* ---- from the slow lane into the write lane ---- */

/* A write job of a slow call that waits for it. The error and the reply that the call had before
 * are kept here and restored, also before a second run. */
struct crossing {
	enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *);
	void *arg;
	const char *name; /* of the op or job that does the write */
	__typeof__(((struct stet_call *)0)->error) error;
	struct stet_json out; /* lengths and nesting; the bytes stay in the call */
	size_t raw;
	struct call_pair *headers;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool done;
};

static enum stet_status
cross(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct crossing *x = arg;
	struct running running;
	enum stet_status status;

	running_enter(&running, call, call->owner, RUNNING_WRITE, x->name);
	status = x->fn(call, tx, x->arg);
	running_leave(&running);
	return status == STET_OK && !call->told ? dispatch_written(call) : status;
}

static void
step_back(struct stet_call *call, void *arg)
{
	struct crossing *x = arg;
	struct buf bytes = call->out.buf;

	call->error = x->error;
	if (call->error.issues != NULL)
		*call->error.issues_tail = NULL;
	bytes.len = x->out.buf.len;
	call->out = x->out;
	call->out.buf = bytes;
	call->reply.raw.len = x->raw;
	call->reply.headers = x->headers;
	call_limits_rewind(call);
}

static void
arrived(struct stet_call *call, enum stet_status status, void *arg)
{
	struct crossing *x = arg;

	(void)call;
	(void)status;
	pthread_mutex_lock(&x->lock);
	x->done = true;
	pthread_cond_signal(&x->over);
	pthread_mutex_unlock(&x->lock);
}

/* Runs the job on the writers' pool, if there is one, together with other jobs in one
 * transaction. */
static enum stet_status
cross_over(struct stet_call *call, struct crossing *x)
{
	struct write_job job = {
		.call = call, .run = cross, .arg = x, .done = arrived, .rewind = step_back
	};

	if (!writer_pooled())
		return writer_run(call->site->writer, &job);
	STET_TRY(writer_submit(call->site->writer, &job));
	pthread_mutex_lock(&x->lock);
	while (!x->done)
		pthread_cond_wait(&x->over, &x->lock);
	pthread_mutex_unlock(&x->lock);
	return job.status;
}

enum stet_status
stet_write_lane(struct stet_call *call,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	const struct running *here = running_here();
	struct crossing x = { .fn = fn,
		.arg = arg,
		.name = here != NULL ? here->name : NULL,
		.error = call->error,
		.out = call->out,
		.raw = call->reply.raw.len,
		.headers = call->reply.headers,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.over = PTHREAD_COND_INITIALIZER };
	struct stmt *open = call->open;
	struct db *db = call->db;
	struct call_commit *on_commit = call->on_commit;
	enum stet_status status;

	stet_assert(!call->writing);
	STET_TRY(dispatch_writable(call));
	/* Later reads of the call must see the write, so its read transaction ends. While the call
	 * reads rows of a statement, all its reads keep the old snapshot until that ends. */
	if (open == NULL) {
		rows_end_call(call);
		db = NULL;
	}
	call->open = NULL;
	call->db = NULL;
	call_limits_mark(call);
	status = cross_over(call, &x);
	call->open = open;
	call->db = db;
	call->on_commit = on_commit;
	call->told |= status == STET_OK;
	pthread_cond_destroy(&x.over);
	pthread_mutex_destroy(&x.lock);
	return status;
}
