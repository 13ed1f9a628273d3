/* stuck.c - the watchdog thread for handlers that do not return; it tidies the heap, too. */
#include "daemon/stuck.h"
#include "base/activity.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call/metrics.h"
#include "daemon/heap.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* a call is logged from here on, or from half of stuck-after if that is less */
#define TELL_MS 10000
#define LOOK_MS 1000 /* maximum time between two looks */
#define DRAIN_LOOK_MS 100 /* while the daemon stops */
#define GRACE_MS 2000 /* after drain-timeout, for threads that are just ending */
#define ABORT_MS 3000 /* time for the stuck thread to abort */
#define JOB_TIMES 10 /* times stuck-after for a write without a deadline: a job's */
#define TEXT_SIZE 640

/* A thread whose step was logged. */
struct told {
	pid_t thread;
	uint64_t serial; /* serial number of its outermost step */
	int64_t next; /* duration at which it is logged again */
	bool seen;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	pthread_t thread;
	bool runs, stop;
	_Atomic int64_t after; /* stuck-after */
	_Atomic int64_t deadline; /* deadline of the drain; 0: none */
	struct told *told; /* used only by its own thread */
	size_t count;
} watch = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t
tell_after(void)
{
	int64_t half = atomic_load(&watch.after) / 2;

	return half > 0 && half < TELL_MS ? half : TELL_MS;
}

static int64_t
ran(const struct activity *a)
{
	return clock_monotonic() - a->step[0].begun;
}

/* Writes "operation x of module y runs for 12 s on site main [id] in the read lane". */
static void
text_of(const struct activity *a, char out[TEXT_SIZE])
{
	int64_t ms = ran(a);
	char what[TEXT_SIZE / 2];

	activity_text(a, what, sizeof(what));
	(void)snprintf(out, TEXT_SIZE,
	    "%s runs for %" PRId64 ".%" PRId64 " s%s%s%s%s%s in the %s lane", what, ms / 1000,
	    ms % 1000 / 100, *a->site != '\0' ? " on site " : "", a->site,
	    *a->call != '\0' ? " [" : "", a->call, *a->call != '\0' ? "]" : "",
	    activity_lane_name[a->lane]);
}

static bool
holds_others_up(const struct activity *a)
{
	return a->lane == ACTIVITY_READ || a->lane == ACTIVITY_WRITE;
}

/* ---- ending the daemon ---- */

/* Makes the stuck thread abort, so that the crash report or the core file shows where it is. */
static _Noreturn void
end_daemon(const struct activity *a)
{
	struct timespec wait = { ABORT_MS / 1000, 0 };

	(void)syscall(SYS_tgkill, getpid(), a->thread, SIGABRT);
	while (nanosleep(&wait, &wait) == -1)
		continue;
	abort();
}

static bool
is_over(const struct activity *a, int64_t after)
{
	if (after <= 0)
		return false;
	if (a->lane == ACTIVITY_READ)
		return ran(a) >= after;
	if (a->lane != ACTIVITY_WRITE)
		return false;
	if (a->deadline == 0)
		return ran(a) / JOB_TIMES >= after;
	return ran(a) >= after && clock_monotonic() - a->deadline >= after;
}

static void
list(const struct activity *a, void *arg)
{
	char text[TEXT_SIZE];

	text_of(a, text);
	log_line(STET_ERROR, "still running: %s", text);
	++*(unsigned *)arg;
}

/* Ends the daemon. All commits are on disk, so the next start loses nothing. */
static void
end_drain(void)
{
	int64_t deadline = atomic_load(&watch.deadline);
	unsigned count = 0;

	if (deadline == 0 || clock_monotonic() < deadline + GRACE_MS)
		return;
	activity_each(list, &count);
	log_line(STET_ERROR, "drain-timeout is over: stopping at once%s",
	    count == 0 ? ", though no handler runs" : "");
	_exit(EXIT_FAILURE);
}

/* ---- looking ---- */

static struct told *
told_of(const struct activity *a)
{
	struct told *t = NULL;

	for (size_t i = 0; i < watch.count && t == NULL; i++)
		if (watch.told[i].thread == a->thread)
			t = &watch.told[i];
	if (t == NULL) {
		watch.told = xrealloc(watch.told, (watch.count + 1) * sizeof(*t));
		t = &watch.told[watch.count++];
		*t = (struct told){ .thread = a->thread };
	}
	if (t->next == 0 || t->serial != a->serial) {
		t->serial = a->serial;
		t->next = tell_after();
	}
	t->seen = true;
	return t;
}

static void
look_at(const struct activity *a, void *arg)
{
	char text[TEXT_SIZE];
	struct told *t;

	(void)arg;
	if (ran(a) < tell_after())
		return;
	t = told_of(a);
	text_of(a, text);
	if (is_over(a, atomic_load(&watch.after))) {
		log_line(STET_ERROR,
		    "stuck: %s, beyond stuck-after: the daemon ends, to be started again", text);
		end_daemon(a);
	}
	if (ran(a) < t->next)
		return;
	while (t->next <= ran(a))
		t->next *= 2;
	log_line(holds_others_up(a) ? STET_WARN : STET_INFO, "still running: %s", text);
}

/* Forgets threads that have ended, since a new thread may get the same id. */
static void
forget(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < watch.count; i++)
		if (watch.told[i].seen) {
			watch.told[kept] = watch.told[i];
			watch.told[kept++].seen = false;
		}
	watch.count = kept;
}

static void
doze(void)
{
	int64_t most = atomic_load(&watch.deadline) != 0 ? DRAIN_LOOK_MS : LOOK_MS;
	int64_t ms = tell_after() / 4 < most ? tell_after() / 4 + 1 : most;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	(void)pthread_cond_timedwait(&watch.change, &watch.lock, &until);
}

static void *
run(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&watch.lock);
	while (!watch.stop) {
		doze();
		pthread_mutex_unlock(&watch.lock);
		activity_each(look_at, NULL);
		forget();
		end_drain();
		heap_tidy();
		pthread_mutex_lock(&watch.lock);
	}
	pthread_mutex_unlock(&watch.lock);
	return NULL;
}

void
stuck_start(int64_t after_ms)
{
	pthread_condattr_t attr;

	stuck_configure(after_ms);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&watch.change, &attr);
	pthread_condattr_destroy(&attr);
	watch.runs = true;
	thread_start(&watch.thread, "stet-stuck", run, NULL);
}

void
stuck_configure(int64_t after_ms)
{
	atomic_store(&watch.after, after_ms);
}

void
stuck_drain(int64_t deadline)
{
	int64_t none = 0;

	(void)atomic_compare_exchange_strong(&watch.deadline, &none, deadline);
}

void
stuck_stop(void)
{
	if (!watch.runs)
		return;
	pthread_mutex_lock(&watch.lock);
	watch.stop = true;
	pthread_cond_signal(&watch.change);
	pthread_mutex_unlock(&watch.lock);
	stet_assert(pthread_join(watch.thread, NULL) == 0);
	pthread_cond_destroy(&watch.change);
	free(watch.told);
	watch.runs = false;
}

/* ---- for those who watch ---- */

struct telling {
	struct buf *text;
	bool urgent;
};

static void
tell(const struct activity *a, void *arg)
{
	struct telling *t = arg;
	char text[TEXT_SIZE];

	if (ran(a) < tell_after())
		return;
	text_of(a, text);
	buf_printf(t->text, "still running: %s\n", text);
	t->urgent |= holds_others_up(a);
}

bool
stuck_told(struct buf *b)
{
	struct telling t = { b, false };

	activity_each(tell, &t);
	return t.urgent;
}

struct lane {
	unsigned running, told;
	int64_t longest;
};

static void
count_lane(const struct activity *a, void *arg)
{
	struct lane *lane = (struct lane *)arg + a->lane;
	int64_t ms = ran(a);

	lane->running++;
	lane->told += ms >= tell_after();
	if (ms > lane->longest)
		lane->longest = ms;
}

static void
gauge(struct buf *b, const char *name, const char *help, const double number[ACTIVITY_LANES])
{
	metrics_head(b, name, "gauge", help);
	for (int i = 0; i < ACTIVITY_LANES; i++)
		metrics_line(b, name, "lane", activity_lane_name[i], NULL, NULL, number[i]);
}

void
stuck_scrape(struct buf *b)
{
	struct lane lane[ACTIVITY_LANES] = { 0 };
	double running[ACTIVITY_LANES], told[ACTIVITY_LANES], longest[ACTIVITY_LANES];

	activity_each(count_lane, lane);
	for (int i = 0; i < ACTIVITY_LANES; i++) {
		running[i] = lane[i].running;
		told[i] = lane[i].told;
		longest[i] = (double)lane[i].longest / 1000;
	}
	gauge(b, "stet_handlers_running", "Handlers, hooks and jobs that run now.", running);
	gauge(b, "stet_handlers_stuck", "Of those, how many run for ten seconds and more.", told);
	gauge(b, "stet_handler_longest_seconds", "For how long the longest of them runs.", longest);
}
