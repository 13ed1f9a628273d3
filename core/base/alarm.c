/* alarm.c - the timer thread: sleeps until the earliest alarm is due, and rings it. */
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define SLEEP_MAX_MS 60000 /* the longest sleep, since the calendar clock may be set meanwhile */
#define SLEEP_TEST_MS 1000 /* the same if tests set the clock */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change; /* an alarm was set, or one has rung */
	pthread_t thread;
	bool runs, stop;
	struct alarm **set; /* a heap */
	size_t count, room;
	struct alarm *ringing;
} timer = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_timer(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&timer.change, &attr);
	pthread_condattr_destroy(&attr);
}

/* ---- the heap: each is due no later than the two below it ---- */

static void
put(struct alarm *a, size_t at)
{
	timer.set[at] = a;
	a->at = at + 1;
}

static void
rise(struct alarm *a, size_t at)
{
	while (at > 0 && timer.set[(at - 1) / 2]->due > a->due) {
		put(timer.set[(at - 1) / 2], at);
		at = (at - 1) / 2;
	}
	put(a, at);
}

static void
sink(struct alarm *a, size_t at)
{
	size_t below;

	while ((below = 2 * at + 1) < timer.count) {
		if (below + 1 < timer.count && timer.set[below + 1]->due < timer.set[below]->due)
			below++;
		if (timer.set[below]->due >= a->due)
			break;
		put(timer.set[below], at);
		at = below;
	}
	put(a, at);
}

static void
add(struct alarm *a)
{
	if (timer.count == timer.room) {
		timer.room = timer.room * 2 + 64;
		timer.set = xrealloc(timer.set, timer.room * sizeof(*timer.set));
	}
	rise(a, timer.count++);
}

static void
take_off(struct alarm *a)
{
	struct alarm *last;
	size_t at = a->at - 1;

	if (a->at == 0)
		return;
	a->at = 0;
	last = timer.set[--timer.count];
	if (last == a)
		return;
	if (at > 0 && timer.set[(at - 1) / 2]->due > last->due)
		rise(last, at);
	else
		sink(last, at);
}

/* ---- alarms ---- */

void
alarm_set(struct alarm *a, int64_t due)
{
	pthread_once(&once, make_timer);
	pthread_mutex_lock(&timer.lock);
	take_off(a);
	a->due = due;
	add(a);
	pthread_cond_broadcast(&timer.change);
	pthread_mutex_unlock(&timer.lock);
}

void
alarm_unset(struct alarm *a)
{
	pthread_once(&once, make_timer);
	pthread_mutex_lock(&timer.lock);
	take_off(a);
	while (timer.ringing == a && !pthread_equal(timer.thread, pthread_self()))
		pthread_cond_wait(&timer.change, &timer.lock);
	take_off(a); /* ringing may have set the alarm again */
	pthread_mutex_unlock(&timer.lock);
}

/* Milliseconds from now on. */
static void
doze(int64_t ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&timer.change, &timer.lock, &until);
}

static void *
timer_thread(void *arg)
{
	int64_t most = getenv("STET_CLOCK") != NULL ? SLEEP_TEST_MS : SLEEP_MAX_MS;

	(void)arg;
	pthread_mutex_lock(&timer.lock);
	while (!timer.stop) {
		struct alarm *a = timer.count > 0 ? timer.set[0] : NULL;
		int64_t left = a != NULL ? a->due - clock_now() : 0;

		if (a == NULL) {
			pthread_cond_wait(&timer.change, &timer.lock);
		} else if (left > 0) {
			doze(left < most ? left : most);
		} else {
			take_off(a);
			timer.ringing = a;
			pthread_mutex_unlock(&timer.lock);
			a->ring(a->arg);
			pthread_mutex_lock(&timer.lock);
			timer.ringing = NULL;
			pthread_cond_broadcast(&timer.change);
		}
	}
	pthread_mutex_unlock(&timer.lock);
	return NULL;
}

void
alarms_start(void)
{
	pthread_once(&once, make_timer);
	stet_assert(!timer.runs);
	timer.stop = false;
	timer.runs = true;
	thread_start(&timer.thread, "stet-timer", timer_thread, NULL);
}

void
alarms_stop(void)
{
	if (!timer.runs)
		return;
	pthread_mutex_lock(&timer.lock);
	timer.stop = true;
	pthread_cond_broadcast(&timer.change);
	pthread_mutex_unlock(&timer.lock);
	pthread_join(timer.thread, NULL);
	timer.runs = false;
}
