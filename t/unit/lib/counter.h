/* counter.h - for tests of timed work in threads: a count that the test waits for, and a clock that
 * it sets. */
#ifndef T_UNIT_COUNTER_H
#define T_UNIT_COUNTER_H

#include "base/alarm.h"
#include "store.h"
#include <pthread.h>
#include <sched.h>

#define CLOCK_START INT64_C(1000000)

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	int count;
	char clock[128]; /* path of a file */
} counter = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

static void
count(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&counter.lock);
	counter.count++;
	pthread_cond_broadcast(&counter.change);
	pthread_mutex_unlock(&counter.lock);
}

static void
wait_count(int n)
{
	pthread_mutex_lock(&counter.lock);
	while (counter.count < n)
		pthread_cond_wait(&counter.change, &counter.lock);
	pthread_mutex_unlock(&counter.lock);
}

static int
counted(void)
{
	int n;

	pthread_mutex_lock(&counter.lock);
	n = counter.count;
	pthread_mutex_unlock(&counter.lock);
	return n;
}

static void
count_anew(void)
{
	pthread_mutex_lock(&counter.lock);
	counter.count = 0;
	pthread_mutex_unlock(&counter.lock);
}

static void
set_clock(int64_t ms)
{
	FILE *f = fopen(counter.clock, "w");

	assert_non_null(f);
	fprintf(f, "%lld", (long long)ms);
	fclose(f);
}

/* Advances the clock until n things are counted. Setting any alarm makes the alarm thread look at
 * the clock. */
static void
pass_until(int n)
{
	struct alarm nudge = { .at = 0 };

	for (int64_t now = CLOCK_START; counted() < n; now += 10) {
		set_clock(now);
		alarm_set(&nudge, INT64_MAX);
		sched_yield();
	}
	alarm_unset(&nudge);
}

static int
clock_begin(void **state)
{
	(void)state;
	snprintf(counter.clock, sizeof(counter.clock), "/tmp/stet-clock-%d", (int)getpid());
	return setenv("STET_CLOCK", counter.clock, 1);
}

static int
clock_end(void **state)
{
	(void)state;
	return unlink(counter.clock);
}

#endif
