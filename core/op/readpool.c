/* readpool.c - the queue of expensive reads and its threads; core/adr/0077. */
#include "op/readpool.h"
#include "base/activity.h"
#include "base/arena.h"
#include "base/fair.h"
#include "base/log.h"
#include "base/pace.h"
#include "base/thread.h"
#include "db/reader.h"
#include "db/snapshot.h"
#include "op/part.h"
#include <pthread.h>
#include <stdlib.h>

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct fair queue;
	unsigned max, count, busy, threads;
	pthread_t *thread;
	bool stop;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER };

/* Under the lock. Returns NULL if no call waits. */
static struct stet_call *
take(void)
{
	struct fair_item *item = fair_pop(&pool.queue);

	if (item == NULL)
		return NULL;
	pool.count--;
	pool.busy++;
	return op_part_queued(item);
}

/* Waits for the next call. Returns NULL when the pool stops. Ends the thread's snapshots before it
 * waits. */
static struct stet_call *
next_call(void)
{
	struct stet_call *call;

	pthread_mutex_lock(&pool.lock);
	call = take();
	pthread_mutex_unlock(&pool.lock);
	if (call != NULL)
		return call;
	snapshot_rest();
	pthread_mutex_lock(&pool.lock);
	while ((call = take()) == NULL && !pool.stop)
		pthread_cond_wait(&pool.work, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	return call;
}

/* Does nothing: next_call ends the snapshots. */
static void
shared(void *arg)
{
	(void)arg;
}

static void *
thread(void *arg)
{
	struct stet_call *call;

	(void)arg;
	activity_thread(ACTIVITY_READ);
	pace_behind();
	reader_keep_few();
	snapshot_share(shared, NULL);
	while ((call = next_call()) != NULL) {
		op_part(call)->turn(call);
		pthread_mutex_lock(&pool.lock);
		pool.busy--;
		pthread_mutex_unlock(&pool.lock);
	}
	snapshot_share(NULL, NULL);
	return NULL;
}

bool
readpool_submit(struct stet_call *call, uint64_t key, void (*run)(struct stet_call *))
{
	bool room;

	pthread_mutex_lock(&pool.lock);
	room = pool.threads > 0 && !pool.stop && pool.count < pool.max;
	if (room) {
		op_part(call)->turn = run;
		fair_push(&pool.queue, key, &op_part(call)->in_turn);
		pool.count++;
		pthread_cond_signal(&pool.work);
	}
	pthread_mutex_unlock(&pool.lock);
	return room;
}

void
readpool_stats(struct readpool_stats *stats)
{
	pthread_mutex_lock(&pool.lock);
	*stats = (struct readpool_stats){
		.depth = pool.count, .max = pool.max, .threads = pool.threads, .busy = pool.busy
	};
	pthread_mutex_unlock(&pool.lock);
}

void
readpool_start(unsigned threads, unsigned queue_max)
{
	stet_assert(pool.thread == NULL && threads > 0 && queue_max > 0);
	pool.max = queue_max;
	pool.stop = false;
	pool.threads = threads;
	pool.thread = xcalloc(threads, sizeof(*pool.thread));
	for (unsigned i = 0; i < threads; i++)
		thread_start(&pool.thread[i], "stet-read", thread, NULL);
}

void
readpool_stop(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.stop = true;
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
	for (unsigned i = 0; i < pool.threads; i++)
		pthread_join(pool.thread[i], NULL);
	free(pool.thread);
	pool.thread = NULL;
	pool.threads = 0;
}
