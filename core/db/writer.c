/*
 * writer.c - the write lane: a queue for each site, and a pool of threads that serve them. A thread
 * takes a site from the list of those with jobs, runs one batch (batch.c), answers the calls after
 * the commit, and puts the site back at the end of the list if more jobs came. Whoever uses the
 * site's write connection, a thread of the pool or writer_run, first sets `held`.
 */
#include "db/writer.h"
#include "base/activity.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call/adopt.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/site.h"
#include "db/batch.h"
#include "db/db.h"
#include "db/lazydb.h"
#include "db/stamp.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUEUE_MAX 10000
#define CAREFUL 100 /* batches with savepoints after a batch that had to be undone */
#define DOUBT 100 /* batches without hope (db_hopeful) after one that hoped in vain */
#define HOPE_FROM 4 /* jobs that wait */
#define COMMAND_CACHE 24000 /* KiB for pages in a command, which has one site */
#define FOLLOW_MAX 3 /* how often a site is compiled before a batch */
#define LAZY_MS 100 /* a site is idle after so long without jobs */

struct writer {
	struct site *site;
	/* Used only by the thread that has set `held`. */
	struct db *db; /* NULL: closed, and opened for the next job */
	struct stamp stamp; /* the state after the last commit, if stamped */
	bool stamped;
	unsigned careful; /* the number of batches to come that use savepoints */
	unsigned doubt; /* the number of batches to come without hope */
	struct writer *ready; /* the next of the pool's list */

	pthread_mutex_t lock;
	pthread_cond_t change; /* held or scheduled became false */
	struct write_job *head, **tail;
	bool scheduled; /* on the pool's list, or served by one of its threads */
	bool held; /* `holder` uses the write connection */
	pthread_t holder;
	struct writer_stats stats;
	int64_t full_at;

	/* Under pool.lock. */
	struct writer *lazy; /* the next site without jobs */
	bool is_lazy;
	int64_t idle_since; /* clock_monotonic */
};

static void (*listener)(struct site *); /* set before any thread runs */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct writer *head, **tail; /* sites with jobs */
	struct writer *lazy; /* sites without jobs that have not been at rest since */
	pthread_t *thread;
	int threads;
	bool stop;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .tail = &pool.head };

/* ---- the right to use the connection ---- */

static void
seize(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	stet_assert(!w->held || !pthread_equal(w->holder, pthread_self()));
	while (w->held)
		pthread_cond_wait(&w->change, &w->lock);
	w->held = true;
	w->holder = pthread_self();
	pthread_mutex_unlock(&w->lock);
}

static bool
open_db(struct writer *w)
{
	if (w->db == NULL && lazydb_open(&w->db, w->site->db_place) && !w->site->daemon)
		db_set_cache(w->db, COMMAND_CACHE);
	return w->db != NULL;
}

/* Takes the connection and opens it. If that fails, w->db is NULL and the jobs fail. */
static void
hold(struct writer *w)
{
	seize(w);
	(void)open_db(w);
}

static void
release(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->held = false;
	pthread_cond_broadcast(&w->change);
	pthread_mutex_unlock(&w->lock);
}

/* ---- batches ---- */

/* After the commit or the failure: runs the functions of call_on_commit, or drops them. */
static void
finish(struct write_job *job)
{
	struct stet_call *call = job->call;

	if (job->status != STET_OK) {
		call->on_commit = NULL;
		adopt_try_over(call);
	}
	call->adopted.trying = false;
	call_committed(call);
}

static struct write_job *
next_job(void *arg)
{
	struct writer *w = arg;
	struct write_job *job;

	pthread_mutex_lock(&w->lock);
	job = w->head;
	if (job != NULL) {
		w->head = job->next;
		if (w->head == NULL)
			w->tail = &w->head;
		w->stats.depth--;
	}
	pthread_mutex_unlock(&w->lock);
	return job;
}

static void
replay(struct writer *w, struct batch *b)
{
	static struct log_gate gate;

	db_rollback(w->db);
	if (batch_replay(w->db, b))
		log_seldom(&gate, STET_WARN,
		    "%s: a batch of %u writes was rolled back and run again one by one",
		    site_name(w->site), b->count);
}

/* Tells of a commit: from here on no cached read of this process counts. Parked calls are only
 * woken if the database has really changed. */
static void
committed(struct writer *w)
{
	struct stamp stamp;
	bool stamped;

	if (w->db == NULL)
		return;
	stamped = stamp_read(w->db, &stamp);
	if (stamped && w->stamped && stamp_same(&stamp, &w->stamp))
		return;
	w->stamp = stamp;
	w->stamped = stamped;
	atomic_fetch_add(&w->site->commits, 1);
	if (listener != NULL)
		listener(w->site);
}

static void
note(struct writer *w, const struct batch *b, bool good)
{
	bool full = false;

	for (const struct write_job *job = b->head; job != NULL; job = job->next)
		full = full || job->status == STET_INSUFFICIENT_STORAGE;
	pthread_mutex_lock(&w->lock);
	w->stats.batches++;
	w->stats.jobs += b->count;
	w->stats.replays += !good;
	w->full_at = full ? clock_monotonic() : 0;
	pthread_mutex_unlock(&w->lock);
	metrics_add(METRIC_REPLAYS, !good);
	metrics_observe(HISTOGRAM_BATCH, b->count);
	metrics_observe(HISTOGRAM_COMMIT, (uint64_t)(clock_monotonic_us() - b->begun));
}

static void
tend(struct writer *w)
{
	if (w->db != NULL)
		db_tend(w->db);
}

/* Another process has changed modules: compiles the site for that, while nobody holds the
 * connection. Returns false if it cannot be compiled here. */
static bool
follow(struct writer *w, int64_t other)
{
	bool good;

	release(w);
	good = w->site->follow != NULL && w->site->follow(w->site, other);
	hold(w);
	return good;
}

/* Running again costs less than an answer for each only if it is rare, and the jobs are many. */
static bool
may_hope(struct writer *w)
{
	bool many;

	pthread_mutex_lock(&w->lock);
	many = w->stats.depth >= HOPE_FROM;
	pthread_mutex_unlock(&w->lock);
	return many && w->doubt == 0;
}

static bool
run_batch(struct writer *w, struct batch *b)
{
	for (int i = 1, blind = 0;; i++) {
		bool good;

		batch_init(b, w->site, w->careful > 0);
		b->hopeful = may_hope(w);
		b->blind = blind;
		good = batch_run(w->db, b, next_job, w);
		if (b->other < 0)
			return good;
		blind = !follow(w, b->other) || i == FOLLOW_MAX;
	}
}

/* Runs one batch, answers its calls, and does what the database needs then. */
static void
serve(struct writer *w)
{
	struct batch b;
	struct write_job *next;
	bool good;

	hold(w);
	good = run_batch(w, &b);
	w->careful = b.undone ? CAREFUL : w->careful - (w->careful > 0);
	w->doubt = b.hopeful && !good ? DOUBT : w->doubt - (w->doubt > 0);
	if (!good)
		replay(w, &b);
	committed(w);
	release(w);
	note(w, &b, good);
	for (struct write_job *job = b.head; job != NULL; job = next) {
		next = job->next;
		finish(job);
		job->done(job->call, job->status, job->arg);
	}
	hold(w);
	tend(w);
	release(w);
}

/* ---- the pool ---- */

static void
lazy_remove(struct writer *w)
{
	struct writer **link = &pool.lazy;

	if (!w->is_lazy)
		return;
	while (*link != w)
		link = &(*link)->lazy;
	*link = w->lazy;
	w->is_lazy = false;
}

/* Adds the site behind those that have been idle longer. */
static void
lazy_add(struct writer *w)
{
	struct writer **link = &pool.lazy;

	while (*link != NULL)
		link = &(*link)->lazy;
	*link = w;
	w->lazy = NULL;
	w->is_lazy = true;
	w->idle_since = clock_monotonic();
}

/* The site is idle: does what waits and releases memory. Returns false if work goes on; the site
 * must be looked at again. */
static bool
rest(struct writer *w)
{
	if (w->db == NULL)
		return true;
	if (!db_rest(w->db))
		return false;
	lazydb_rest(&w->db);
	return true;
}

/* Rests a site that has been idle for LAZY_MS. Called and returns with pool.lock held. */
static void
tidy(struct writer *w)
{
	bool rested;

	lazy_remove(w);
	pthread_mutex_lock(&w->lock);
	if (w->scheduled || w->held) { /* busy again: it comes back to the list */
		pthread_mutex_unlock(&w->lock);
		return;
	}
	w->held = true; /* writer_close waits for it */
	w->holder = pthread_self();
	pthread_mutex_unlock(&w->lock);
	pthread_mutex_unlock(&pool.lock);
	rested = rest(w);
	pthread_mutex_lock(&pool.lock);
	if (!rested && !w->is_lazy)
		lazy_add(w);
	release(w);
}

static struct writer *
pop(void)
{
	struct writer *w = pool.head;

	if (w != NULL && (pool.head = w->ready) == NULL)
		pool.tail = &pool.head;
	return w;
}

static void
push(struct writer *w)
{
	w->ready = NULL;
	*pool.tail = w;
	pool.tail = &w->ready;
}

static void
doze(int64_t ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_cond_timedwait(&pool.work, &pool.lock, &until);
}

/* Returns the next site to serve; NULL: stop. Meanwhile rests idle sites. Called and returns with
 * pool.lock held. */
static struct writer *
wait_work(void)
{
	while (pool.head == NULL && !pool.stop) {
		struct writer *w = pool.lazy;
		int64_t left = w != NULL ? w->idle_since + LAZY_MS - clock_monotonic() : 0;

		if (w == NULL)
			pthread_cond_wait(&pool.work, &pool.lock);
		else if (left > 0)
			doze(left);
		else
			tidy(w);
	}
	return pop();
}

/* Returns true if the site has more jobs; otherwise it is no longer scheduled. */
static bool
more(struct writer *w)
{
	bool yes;

	pthread_mutex_lock(&w->lock);
	yes = w->scheduled = w->head != NULL;
	if (!yes)
		pthread_cond_broadcast(&w->change);
	pthread_mutex_unlock(&w->lock);
	return yes;
}

static void *
thread(void *arg)
{
	struct writer *w;

	(void)arg;
	activity_thread(ACTIVITY_WRITE);
	pthread_mutex_lock(&pool.lock);
	while ((w = wait_work()) != NULL) {
		pthread_mutex_unlock(&pool.lock);
		serve(w);
		pthread_mutex_lock(&pool.lock);
		lazy_remove(w);
		lazy_add(w);
		/* Other sites come first; a single one continues in this thread. */
		if (more(w))
			push(w);
	}
	pthread_mutex_unlock(&pool.lock);
	return NULL;
}

void
writer_grow(int threads)
{
	stet_assert(threads <= WRITER_THREADS_MAX);
	for (; pool.threads < threads; pool.threads++)
		thread_start(&pool.thread[pool.threads], "stet-writer", thread, NULL);
}

void
writer_listen(void (*told)(struct site *))
{
	listener = told;
}

void
writer_start(int threads)
{
	pthread_condattr_t attr;

	stet_assert(pool.thread == NULL && threads > 0);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&pool.work, &attr);
	pthread_condattr_destroy(&attr);
	pool.thread = xcalloc(WRITER_THREADS_MAX, sizeof(*pool.thread));
	pool.stop = false;
	db_start();
	writer_grow(threads);
}

void
writer_stop(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.stop = true;
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < pool.threads; i++)
		pthread_join(pool.thread[i], NULL);
	db_stop();
	free(pool.thread);
	pool.thread = NULL;
	pool.threads = 0;
}

bool
writer_pooled(void)
{
	return pool.thread != NULL;
}

/* ---- a site's writer ---- */

struct writer *
writer_open(struct site *site, bool lazy)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->site = site;
	w->tail = &w->head;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->change, NULL);
	if (lazy || open_db(w))
		return w;
	writer_close(w);
	return NULL;
}

void
writer_rest(struct writer *w, bool last)
{
	seize(w);
	if (last)
		lazydb_settle(&w->db, w->site->db_place);
	else
		lazydb_rest(&w->db);
	release(w);
}

void
writer_close(struct writer *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	while (w->scheduled || w->held)
		pthread_cond_wait(&w->change, &w->lock);
	pthread_mutex_unlock(&w->lock);
	pthread_mutex_lock(&pool.lock);
	lazy_remove(w);
	pthread_mutex_unlock(&pool.lock);
	lazydb_close(&w->db);
	pthread_cond_destroy(&w->change);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

enum stet_status
writer_submit(struct writer *w, struct write_job *job)
{
	bool full, wake;

	stet_assert(writer_pooled());
	job->next = NULL;
	pthread_mutex_lock(&w->lock);
	full = w->stats.depth >= QUEUE_MAX;
	wake = !full && !w->scheduled;
	if (!full) {
		*w->tail = job;
		w->tail = &job->next;
		w->stats.depth++;
		w->scheduled = true;
	}
	pthread_mutex_unlock(&w->lock);
	if (full)
		return stet_fail(job->call, STET_UNAVAILABLE, NULL,
		    "Too many writes are waiting, try again later");
	if (wake) {
		pthread_mutex_lock(&pool.lock);
		push(w);
		pthread_cond_signal(&pool.work);
		pthread_mutex_unlock(&pool.lock);
	}
	return STET_OK;
}

enum stet_status
writer_run(struct writer *w, struct write_job *job)
{
	int64_t other;

	hold(w);
	for (int i = 1, blind = 0; !batch_alone(w->db, job, blind ? NULL : &other); i++)
		blind = !follow(w, other) || i == FOLLOW_MAX;
	committed(w);
	tend(w);
	release(w);
	pthread_mutex_lock(&w->lock);
	w->stats.batches++;
	w->stats.jobs++;
	pthread_mutex_unlock(&w->lock);
	finish(job);
	return job->status;
}

void
writer_between(struct writer *w, void (*fn)(void *), void *arg)
{
	seize(w);
	fn(arg);
	release(w);
}

int64_t
writer_full_at(struct writer *w)
{
	int64_t at;

	pthread_mutex_lock(&w->lock);
	at = w->full_at;
	pthread_mutex_unlock(&w->lock);
	return at;
}

void
writer_stats(struct writer *w, struct writer_stats *stats)
{
	pthread_mutex_lock(&w->lock);
	*stats = w->stats;
	pthread_mutex_unlock(&w->lock);
}
