/* activity.c - what a thread reports that it is running, read by other threads. */
#include "base/activity.h"
#include "base/clock.h"
#include "base/thread.h"

/* cmocka.h needs these headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static void
keep(const struct activity *a, void *arg)
{
	*(struct activity *)arg = *a;
}

/* Returns the activity of this thread as others see it; depth 0: it runs nothing. */
static struct activity
seen(void)
{
	struct activity a = { 0 };

	activity_each(keep, &a);
	return a;
}

static void
steps_are_told_the_innermost_first(void **state)
{
	struct activity a;
	char text[512];

	(void)state;
	assert_int_equal(seen().depth, 0);
	activity_thread(ACTIVITY_WRITE);
	activity_enter("operation", "content", "content_create", "main", "id1", 77);
	activity_enter("hook", "looper", "content_before_save", "other", "id2", 0);
	a = seen();
	assert_int_equal(a.depth, 2);
	assert_int_equal(a.lane, ACTIVITY_WRITE);
	assert_int_equal(a.thread, gettid());
	assert_int_equal(a.deadline, 77);
	assert_string_equal(a.site, "main");
	assert_string_equal(a.call, "id1");
	assert_true(a.step[0].begun > 0 && a.step[0].begun <= clock_monotonic());
	activity_text(&a, text, sizeof(text));
	assert_string_equal(text,
	    "hook content_before_save of module looper, in operation content_create of module "
	    "content");
	activity_leave();
	a = seen();
	activity_text(&a, text, sizeof(text));
	assert_string_equal(text, "operation content_create of module content");
	activity_leave();
	assert_int_equal(seen().depth, 0);
	activity_thread(ACTIVITY_OTHER);
}

static void
long_names_and_deep_nesting_are_cut(void **state)
{
	char name[500], text[32];
	struct activity a;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 50; i++)
		activity_enter("operation", name, name, name, name, 0);
	a = seen();
	assert_int_equal(a.depth, 50);
	assert_int_equal(strlen(a.step[ACTIVITY_STEPS - 1].name), sizeof(a.step[0].name) - 1);
	assert_int_equal(strlen(a.site), sizeof(a.site) - 1);
	assert_int_equal(strlen(a.call), sizeof(a.call) - 1);
	activity_text(&a, text, sizeof(text));
	assert_int_equal(strlen(text), sizeof(text) - 1);
	for (int i = 0; i < 50; i++)
		activity_leave();
	activity_enter("job", NULL, NULL, NULL, NULL, 0);
	a = seen();
	activity_text(&a, text, sizeof(text));
	assert_string_equal(text, "job");
	assert_string_equal(a.site, "");
	activity_leave();
}

static atomic_bool over;

/* Reports activities whose site, call and name consist of the same letter, so that a mixed reading
 * is noticed. */
static void *
busy(void *arg)
{
	(void)arg;
	for (unsigned i = 0; !atomic_load(&over); i++) {
		char text[41];

		memset(text, 'a' + (int)(i % 26), sizeof(text) - 1);
		text[i % sizeof(text)] = '\0';
		text[sizeof(text) - 1] = '\0';
		activity_enter("operation", "busy", text, text, text, (int64_t)strlen(text));
		for (unsigned k = 0; k < i % 64; k++)
			(void)sched_yield();
		activity_leave();
	}
	return NULL;
}

static void
compare(const struct activity *a, void *arg)
{
	assert_string_equal(a->site, a->call);
	assert_string_equal(a->site, a->step[0].name);
	assert_int_equal(a->deadline, strlen(a->site));
	++*(unsigned *)arg;
}

static void
a_reader_never_sees_half_a_record(void **state)
{
	int64_t until = clock_monotonic() + 30000;
	pthread_t thread[2];
	unsigned count = 0;

	(void)state;
	atomic_store(&over, false);
	for (int i = 0; i < 2; i++)
		thread_start(&thread[i], "busy", busy, NULL);
	while (count < 2000 && clock_monotonic() < until)
		activity_each(compare, &count);
	atomic_store(&over, true);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_true(count >= 2000);
}

static void *
once(void *arg)
{
	activity_thread(ACTIVITY_SLOW);
	activity_enter("job", "m", "n", "s", "c", 0);
	activity_each(keep, arg);
	/* The thread ends without leaving its activity, which must disappear all the same. */
	return NULL;
}

static void
a_thread_that_ended_runs_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		struct activity a = { 0 };
		pthread_t thread;

		thread_start(&thread, "once", once, &a);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_int_equal(a.depth, 1);
		assert_int_equal(a.lane, ACTIVITY_SLOW);
		assert_int_equal(seen().depth, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_told_the_innermost_first),
		cmocka_unit_test(long_names_and_deep_nesting_are_cut),
		cmocka_unit_test(a_reader_never_sees_half_a_record),
		cmocka_unit_test(a_thread_that_ended_runs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
