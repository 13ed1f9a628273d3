/* slow.t - the slow pool, a pool of readers, alarms, and timed jobs of modules. */
#include "op/slow.h"
#include "base/alarm.h"
#include "counter.h"
#include "db/writer.h"
#include "op/readpool.h"
#include "work/jobs.h"
#include <stdatomic.h>

static int
reset(void **state)
{
	(void)state;
	count_anew();
	set_clock(CLOCK_START);
	return 0;
}

/* ---- the pool ---- */

static void
block(void *arg)
{
	pthread_barrier_t *barrier = arg;

	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	count(NULL);
}

static void
a_full_pool_refuses_and_stopping_finishes(void **state)
{
	pthread_barrier_t barrier;

	(void)state;
	assert_false(slow_submit(count, NULL));
	pthread_barrier_init(&barrier, NULL, 3);
	slow_start(2, 5);
	assert_true(slow_submit(block, &barrier));
	assert_true(slow_submit(block, &barrier));
	pthread_barrier_wait(&barrier); /* both threads are busy */
	for (int i = 0; i < 5; i++)
		assert_true(slow_submit(count, NULL));
	assert_false(slow_submit(count, NULL));
	pthread_barrier_wait(&barrier);
	slow_stop();
	pthread_barrier_destroy(&barrier);
	assert_int_equal(counted(), 7);
	assert_false(slow_submit(count, NULL));
}

/* ---- readers ---- */

static void
serve(struct stet_call **calls, unsigned calls_count, void *barrier)
{
	(void)calls;
	for (unsigned i = 0; i < calls_count; i++)
		block(barrier);
}

/* Lets each thread have a stack of so many bytes. */
static void
set_stacks(size_t bytes)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	assert_int_equal(pthread_attr_setstacksize(&attr, bytes), 0);
	assert_int_equal(pthread_setattr_default_np(&attr), 0);
	pthread_attr_destroy(&attr);
}

static void *
stops(void *arg)
{
	readpool_stop();
	return arg;
}

static void
readers_that_cannot_start_refuse_and_stopping_holds_up_nobody(void **state)
{
	pthread_barrier_t barrier;
	const struct readpool_rules rules = { .name = "reader",
		.threads = 1,
		.queue_max = 2,
		.lane = { [READPOOL_SHORT] = { 1, 1 } },
		.serve = serve,
		.arg = &barrier };
	struct readpool *p = readpool_new(&rules);
	struct stet_call *call = call_new();
	struct readpool_stats stats;
	pthread_attr_t usual;
	pthread_t thread;
	size_t bytes;

	(void)state;
	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_getattr_default_np(&usual), 0);
	pthread_attr_getstacksize(&usual, &bytes);
	set_stacks((size_t)1 << 50); /* there is no room for it */
	assert_false(readpool_add(p, READPOOL_SHORT, call, 1));
	set_stacks(bytes);
	assert_true(readpool_add(p, READPOOL_SHORT, call, 1));
	pthread_barrier_wait(&barrier); /* its thread is busy */
	assert_int_equal(pthread_create(&thread, NULL, stops, NULL), 0);
	(void)usleep(100000);
	readpool_stats(&stats);
	assert_int_equal(stats.busy, 1);
	assert_false(readpool_add(p, READPOOL_SHORT, call, 1));
	pthread_barrier_wait(&barrier);
	assert_int_equal(pthread_join(thread, NULL), 0);
	readpool_free(p);
	call_free(call);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(counted(), 1);
}

static bool
is_near(void *barrier)
{
	(void)barrier;
	return true;
}

static void
serve_together(struct stet_call **calls, unsigned calls_count, void *barrier)
{
	if (calls_count == 1)
		serve(calls, 1, barrier);
	for (unsigned i = 1; calls_count > 1 && i <= calls_count; i++)
		count(NULL);
}

static void
where_waiting_costs_little_few_threads_take_many_calls(void **state)
{
	pthread_barrier_t barrier;
	const struct readpool_rules rules = { .name = "reader",
		.threads = 4,
		.queue_max = 8,
		.lane = { [READPOOL_SHORT] = { 4, 8, 2 } },
		.near = is_near,
		.serve = serve_together,
		.arg = &barrier };
	struct readpool *p = readpool_new(&rules);
	struct stet_call *call[6];
	struct readpool_stats stats;

	(void)state;
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 6; i++) {
		call[i] = call_new();
		assert_true(readpool_add(p, READPOOL_SHORT, call[i], 1));
		if (i == 0) /* it must not take the second one, too */
			for (stats.busy = 0; stats.busy == 0;)
				readpool_stats(&stats);
		if (i == 1)
			pthread_barrier_wait(&barrier); /* both threads are busy */
	}
	(void)usleep(50000);
	readpool_stats(&stats);
	assert_int_equal(stats.busy, 2);
	assert_int_equal(stats.depth, 4);
	pthread_barrier_wait(&barrier);
	readpool_free(p);
	for (int i = 0; i < 6; i++)
		call_free(call[i]);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(counted(), 6);
}

/* ---- alarms ---- */

static void
alarms_ring_by_the_clock_and_in_order(void **state)
{
	struct alarm late = { .ring = count }, early = { .ring = count }, never = { .ring = count };

	(void)state;
	alarms_start();
	alarm_set(&late, 3000000);
	alarm_set(&early, 2000000);
	alarm_set(&never, 2000000);
	alarm_unset(&never);
	assert_int_equal(counted(), 0);
	set_clock(2500000);
	wait_count(1);
	assert_true(late.at != 0);
	assert_true(early.at == 0);
	alarm_set(&late, 2400000); /* moved to a time that has passed, so it rings at once */
	wait_count(2);
	assert_true(late.at == 0);
	alarm_set(&early, 9000000);
	alarm_unset(&early);
	alarm_unset(&early);
	alarms_stop();
	assert_int_equal(counted(), 2);
}

/* ---- jobs ---- */

static atomic_llong due_at, ran_at[8];
static atomic_int fails;

static int64_t
job_due(struct stet_call *call)
{
	stet_assert(strcmp(call->owner->m.name, "clockwork") == 0);
	return atomic_load(&due_at);
}

static enum stet_status
job_run(struct stet_call *call)
{
	bool failing = atomic_load(&fails) > 0;
	struct stet_rows rows;

	stet_assert(stet_principal(call)->via == STET_VIA_SYSTEM && !call->writing);
	stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT 1", STET_NO_ARGS) == STET_OK);
	if (failing)
		atomic_fetch_sub(&fails, 1);
	else
		atomic_store(&due_at, -1);
	atomic_store(&ran_at[counted()], clock_now());
	count(NULL);
	return failing ? stet_fail(call, STET_FAULT, NULL, "broken spring") : STET_OK;
}

static const struct stet_job jobs[] = { { "tick", job_due, job_run } };
static const struct host_job no_host_jobs[] = { { 0 } };
static const struct loaded clockwork = {
	.m = { .name = "clockwork", .jobs = STET_TABLE(jobs) },
};

static void
start(struct store *s)
{
	writer_start(1);
	slow_start(2, 16);
	jobs_start();
	s->gen.module[0] = &clockwork;
	s->gen.module_count = 1;
	jobs_site(&s->site, no_host_jobs);
}

static void
stop(struct store *s)
{
	jobs_forget(&s->site);
	jobs_stop();
	slow_stop();
	writer_stop();
}

static void
wake(struct store *s)
{
	struct stet_call *call = store_call(s);

	call->owner = &clockwork;
	stet_job_wake(call, "tick");
	store_end(call);
}

static enum stet_status
wake_inside(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	call->owner = &clockwork;
	stet_job_wake(call, "tick");
	stet_job_wake(call, "nothing of this name");
	atomic_store(&due_at, *(int64_t *)arg); /* only a question after this change sees it */
	return STET_OK;
}

static void
a_job_runs_when_it_is_due(void **state)
{
	struct store *s = store_new();

	(void)state;
	atomic_store(&due_at, 2000000);
	start(s);
	set_clock(2000000);
	wait_count(1);
	/* The job's time is asked for again after each run, and when the job is woken. */
	set_clock(3000000);
	atomic_store(&due_at, 2900000);
	wake(s);
	wait_count(2);
	assert_int_equal(store_write(s, wake_inside, &(int64_t){ 2950000 }), STET_OK);
	set_clock(4000000);
	wait_count(3);
	stop(s);
	assert_int_equal(counted(), 3);
	store_free(s);
}

static void
a_job_that_fails_is_tried_later(void **state)
{
	struct store *s = store_new();

	(void)state;
	atomic_store(&due_at, 1000000);
	atomic_store(&fails, 2);
	start(s);
	wait_count(1);
	pass_until(3); /* the job ran twice more */
	stop(s);
	assert_int_equal(counted(), 3);
	assert_true(ran_at[1] - ran_at[0] >= 1000);
	assert_true(ran_at[2] - ran_at[1] >= 2000);
	assert_true(store_logged(s, "job tick failed: FAULT: broken spring"));
	store_free(s);
}

static void
a_module_that_is_disabled_has_no_jobs(void **state)
{
	struct store *s = store_new();

	(void)state;
	atomic_store(&due_at, 2000000);
	start(s);
	s->gen.module_count = 0;
	jobs_site(&s->site, no_host_jobs);
	set_clock(5000000);
	wake(s);
	stop(s);
	assert_int_equal(counted(), 0);
	store_free(s);
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_full_pool_refuses_and_stopping_finishes),
		TEST(readers_that_cannot_start_refuse_and_stopping_holds_up_nobody),
		TEST(where_waiting_costs_little_few_threads_take_many_calls),
		TEST(alarms_ring_by_the_clock_and_in_order),
		TEST(a_job_runs_when_it_is_due),
		TEST(a_job_that_fails_is_tried_later),
		TEST(a_module_that_is_disabled_has_no_jobs),
	};

	return cmocka_run_group_tests(tests, clock_begin, clock_end);
}
