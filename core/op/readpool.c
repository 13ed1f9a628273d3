/*
 * readpool.c - queues of reads, and their threads; core/adr/0077 and 0088.
 *
 * One thread is woken at a time: by the time it has its calls, those that came meanwhile are among
 * them. If more wait, it wakes the next.
 */
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

#define CALLS_MAX 128 /* that a thread takes at once */

struct lane {
	struct fair queue;
	unsigned count, busy; /* busy: threads that serve it */
};

struct readpool {
	struct readpool_rules rules;
	struct readpool *next; /* of all pools */
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct lane lane[READPOOL_LANES];
	unsigned count, busy, idle, alive; /* calls that wait; threads */
	unsigned turn; /* the lane that is looked at first */
	bool waking; /* a thread has been woken or started, and has not taken its calls yet */
	bool stop;
	pthread_t *thread;
};

static struct {
	/* Held by who joins threads, so that one does; taken before the other, for no long. */
	pthread_mutex_t ending, lock;
	struct readpool *first;
	struct readpool *files; /* for sites in files; NULL: it does not run */
} pools = { .ending = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- threads; under the lock of the pool ---- */

static void *thread(void *);

/* How many threads may serve a lane at a time. */
static unsigned
most(const struct readpool *p, unsigned lane)
{
	unsigned few = p->rules.lane[lane].few, threads = p->rules.lane[lane].threads;

	if (few == 0 || few >= threads || p->rules.near == NULL || !p->rules.near(p->rules.arg))
		return threads;
	return few;
}

/* Returns true if calls of the lane wait that another thread may serve. */
static bool
wants(const struct readpool *p, unsigned lane)
{
	return p->lane[lane].count > 0 && p->lane[lane].busy < most(p, lane);
}

/* Starts another thread, if that is possible. */
static void
grow(struct readpool *p)
{
	if (thread_try(&p->thread[p->alive], p->rules.name, thread, p)) {
		p->alive++;
		p->waking = true;
	}
}

static void
wake(struct readpool *p)
{
	unsigned lane = 0;

	while (lane < READPOOL_LANES && !wants(p, lane))
		lane++;
	if (p->waking || lane == READPOOL_LANES)
		return;
	if (p->idle > 0) {
		p->waking = true;
		pthread_cond_signal(&p->work);
	} else if (p->alive < p->rules.threads)
		grow(p);
}

/* Returns the next lane with calls that another thread may serve, or READPOOL_LANES. */
static unsigned
next_lane(struct readpool *p)
{
	for (unsigned i = 0; i < READPOOL_LANES; i++) {
		unsigned k = (p->turn + i) % READPOOL_LANES;

		if (wants(p, k)) {
			p->turn = k + 1;
			return k;
		}
	}
	return READPOOL_LANES;
}

/* How many calls of the lane this thread takes, if others take as many. */
static unsigned
share(const struct readpool *p, unsigned lane)
{
	unsigned others = p->idle + (p->rules.threads - p->alive), n = p->lane[lane].count;
	unsigned limit = most(p, lane), taken = p->lane[lane].busy + 1;

	if (others + taken > limit)
		others = limit > taken ? limit - taken : 0;
	if (lane != READPOOL_ALIKE)
		n = (n + others) / (others + 1);
	return n < p->rules.lane[lane].calls ? n : p->rules.lane[lane].calls;
}

/* Takes calls of one lane. Returns how many: 0 if there are none for this thread. */
static unsigned
take(struct readpool *p, unsigned *lane, struct stet_call **calls)
{
	unsigned n = 0;

	if ((*lane = next_lane(p)) == READPOOL_LANES)
		return 0;
	for (unsigned most = share(p, *lane); n < most; n++)
		calls[n] = op_part_queued(fair_pop(&p->lane[*lane].queue));
	p->lane[*lane].count -= n;
	p->lane[*lane].busy++;
	p->count -= n;
	p->busy++;
	if (p->count > 0)
		wake(p);
	return n;
}

static void
leave(struct readpool *p, unsigned lane)
{
	p->lane[lane].busy--;
	p->busy--;
}

/* Waits for calls. Returns 0 when the pool stops. */
static unsigned
wait(struct readpool *p, unsigned *lane, struct stet_call **calls)
{
	unsigned n;

	while ((n = take(p, lane, calls)) == 0 && !p->stop) {
		p->idle++;
		pthread_cond_wait(&p->work, &p->lock);
		p->idle--;
		p->waking = false;
	}
	return n;
}

static void *
thread(void *arg)
{
	struct readpool *p = arg;
	struct stet_call *calls[CALLS_MAX];
	unsigned lane, n;

	activity_thread(ACTIVITY_READ);
	if (p->rules.enter != NULL)
		p->rules.enter();
	pthread_mutex_lock(&p->lock);
	p->waking = false;
	for (;;) {
		if ((n = take(p, &lane, calls)) == 0) {
			pthread_mutex_unlock(&p->lock);
			if (p->rules.rest != NULL)
				p->rules.rest();
			pthread_mutex_lock(&p->lock);
			if ((n = wait(p, &lane, calls)) == 0)
				break;
		}
		pthread_mutex_unlock(&p->lock);
		p->rules.serve(calls, n, p->rules.arg);
		pthread_mutex_lock(&p->lock);
		leave(p, lane);
	}
	pthread_mutex_unlock(&p->lock);
	snapshot_share(NULL, NULL);
	return NULL;
}

/* ---- pools ---- */

bool
readpool_add(struct readpool *p, enum readpool_lane lane, struct stet_call *call, uint64_t key)
{
	bool room;

	pthread_mutex_lock(&p->lock);
	room = !p->stop && p->count < p->rules.queue_max;
	if (room && p->alive == 0) /* if none can be started, nobody would come for the call */
		grow(p);
	room = room && p->alive > 0;
	if (room) {
		fair_push(&p->lane[lane].queue, key, &op_part(call)->in_turn);
		p->lane[lane].count++;
		p->count++;
		wake(p);
	}
	pthread_mutex_unlock(&p->lock);
	return room;
}

bool
readpool_crowded(struct readpool *p)
{
	bool crowded;

	pthread_mutex_lock(&p->lock);
	crowded = p->count > p->rules.queue_max / 2;
	pthread_mutex_unlock(&p->lock);
	return crowded;
}

struct readpool *
readpool_new(const struct readpool_rules *rules)
{
	struct readpool *p = xcalloc(1, sizeof(*p));

	p->rules = *rules;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	p->thread = xcalloc(rules->threads, sizeof(*p->thread));
	pthread_mutex_lock(&pools.lock);
	p->next = pools.first;
	pools.first = p;
	pthread_mutex_unlock(&pools.lock);
	return p;
}

/* Once this has returned, the pool has no thread and takes no call. */
static void
stop(struct readpool *p)
{
	unsigned alive;

	pthread_mutex_lock(&p->lock);
	p->stop = true;
	alive = p->alive;
	p->rules.threads = alive;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < alive; i++)
		pthread_join(p->thread[i], NULL);
	pthread_mutex_lock(&p->lock); /* readpool_stats may look */
	p->alive = p->rules.threads = 0;
	pthread_mutex_unlock(&p->lock);
}

void
readpool_free(struct readpool *p)
{
	struct readpool **link = &pools.first;

	if (p == NULL)
		return;
	pthread_mutex_lock(&pools.ending);
	pthread_mutex_lock(&pools.lock);
	while (*link != p)
		link = &(*link)->next;
	*link = p->next;
	pthread_mutex_unlock(&pools.lock);
	stop(p);
	pthread_mutex_unlock(&pools.ending);
	pthread_cond_destroy(&p->work);
	pthread_mutex_destroy(&p->lock);
	free(p->thread);
	free(p);
}

void
readpool_stats(struct readpool_stats *stats)
{
	*stats = (struct readpool_stats){ 0 };
	pthread_mutex_lock(&pools.lock);
	for (struct readpool *p = pools.first; p != NULL; p = p->next) {
		pthread_mutex_lock(&p->lock);
		stats->depth += p->count;
		stats->max += p->rules.queue_max;
		stats->threads += p->rules.threads;
		stats->busy += p->busy;
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_unlock(&pools.lock);
}

/* ---- the pool for sites in files ---- */

/* Does nothing: the pool ends the snapshots before it waits. */
static void
shared(void *arg)
{
	(void)arg;
}

static void
enter(void)
{
	pace_behind();
	reader_keep_few();
	snapshot_share(shared, NULL);
}

static void
serve(struct stet_call **calls, unsigned count, void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < count; i++)
		op_part(calls[i])->turn(calls[i]);
}

bool
readpool_submit(struct stet_call *call, uint64_t key, void (*run)(struct stet_call *))
{
	op_part(call)->turn = run;
	return pools.files != NULL && readpool_add(pools.files, READPOOL_SHORT, call, key);
}

void
readpool_start(unsigned threads, unsigned queue_max)
{
	const struct readpool_rules rules = { .name = "stet-read",
		.threads = threads,
		.queue_max = queue_max,
		.lane = { [READPOOL_SHORT] = { threads, 1 } },
		.enter = enter,
		.serve = serve,
		.rest = snapshot_rest };

	stet_assert(pools.files == NULL && threads > 0 && queue_max > 0);
	pools.files = readpool_new(&rules);
}

void
readpool_stop(void)
{
	struct readpool *files = pools.files, *p;

	pthread_mutex_lock(&pools.ending); /* so that none is freed */
	pthread_mutex_lock(&pools.lock);
	p = pools.first;
	pthread_mutex_unlock(&pools.lock);
	for (; p != NULL; p = p->next)
		stop(p);
	pthread_mutex_unlock(&pools.ending);
	pools.files = NULL;
	readpool_free(files);
}
