/*
 * pghangs.c - a daemon whose site is in PostgreSQL, while that server does not answer, though its
 * sockets are open: calls end with 503 in time, /readyz tells, and the daemon goes on when the
 * server does.
 */
#include "pgsite.h"
#include "watcher.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TIMEOUT_MS 3000 /* database-timeout */
#define HANGS_MS 8000
#define STILL_MS 10000 /* that a daemon may do nothing in a transaction that writes */
#define SCRAPED_MS 1000 /* for /metrics, which asks no database */
#define UP "stet_database_up{site=\"main\"}"
#define BACK_MS 2000 /* from the server's return until the daemon has gone on */

static long long served; /* since when */

static void
assert_told(const char *path, int status, const char *body)
{
	struct answer a;

	watcher_ask(pgsite.daemon, &a, path);
	assert_int_equal(a.status, status);
	assert_non_null(strstr(a.body, body));
	answer_free(&a);
}

/* Reads as long as the server hangs: each answer is 503, and says when to come again. */
static int
reads(void)
{
	long long until = pgsite_ms() + HANGS_MS;
	int slowest = 0, scraped = 0;

	while (pgsite_ms() < until) {
		long long began = pgsite_ms();
		struct answer a;
		int took;

		remote_ask(&pgsite.admin, &a, "GET", NULL, "/content/posts?limit=2");
		took = (int)(pgsite_ms() - began);
		slowest = took > slowest ? took : slowest;
		assert_int_equal(a.status, 503);
		assert_string_equal(answer_code(&a), "UNAVAILABLE");
		assert_non_null(answer_header(&a, "Retry-After"));
		answer_free(&a);
		assert_told("/healthz", 200, "ok");
		assert_told("/readyz", 503, "its database cannot be reached");
		began = pgsite_ms();
		assert_true(watcher_sample(pgsite.daemon, UP) == 0);
		took = (int)(pgsite_ms() - began);
		scraped = took > scraped ? took : scraped;
	}
	printf("# slowest /metrics: %d ms\n", scraped);
	assert_true(scraped < SCRAPED_MS);
	return slowest;
}

static void
a_server_that_hangs_is_told_in_time(void **state)
{
	int slowest, back, acknowledged, refused = 0;

	(void)state;
	served = pgsite_ms();
	assert_told("/readyz", 200, "ready");
	pgsite_writers_start();
	(void)usleep(1000000);
	pgsite_signal(SIGSTOP);
	slowest = reads();
	pgsite_signal(SIGCONT);
	back = pgsite_until_it_answers();
	(void)usleep((BACK_MS - back) * 1000);
	assert_told("/readyz", 200, "ready");
	assert_true(watcher_sample(pgsite.daemon, UP) == 1);
	assert_told("/healthz", 200, "ok");
	json_decref(remote_must(
	    &pgsite.admin, 201, "POST", "{\"data\":{\"title\":\"back\"}}", "/content/posts"));
	acknowledged = pgsite_writers_end();
	for (int i = 0; i < PGSITE_WRITERS; i++) {
		refused += pgsite_writers[i].refused;
		printf("# slowest write: %d ms\n", pgsite_writers[i].slowest);
		assert_true(pgsite_writers[i].slowest < 2 * TIMEOUT_MS);
	}
	printf(
	    "# %d writes acknowledged, %d refused; slowest read %d ms, answered again after %d ms\n",
	    acknowledged, refused, slowest, back);
	assert_true(slowest < TIMEOUT_MS + 1500);
	assert_true(back < BACK_MS);
	assert_true(acknowledged > 0 && refused > 0);
}

/* Holds the lock of the site for two seconds, as another daemon would. */
static void *
writes_elsewhere(void *arg)
{
	pgsite_sql("BEGIN; SELECT n FROM stet_main.site_state FOR UPDATE; SELECT pg_sleep(2);"
		   " COMMIT");
	return arg;
}

/* Waits until a session of the daemon waits for a lock: on a busy machine, that takes a while. */
static void
until_it_waits(void)
{
	for (int i = 0; i < 100; i++) {
		char *n = pgsite_ask(
		    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
		const bool waits = strtol(n, NULL, 10) > 0;

		free(n);
		if (waits)
			return;
		(void)usleep(20000);
	}
}

/* A daemon that waits for the lock of the site is stopped, and gets it then. Other daemons write
 * again before long. */
static void
a_daemon_that_stands_still_is_not_waited_for_without_end(void **state)
{
	pthread_t thread;
	long long began;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, writes_elsewhere, NULL), 0);
	(void)usleep(300000);
	pgsite_writers_start();
	until_it_waits();
	assert_int_equal(kill(pgsite.daemon->pid, SIGSTOP), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	began = pgsite_ms();
	pgsite_sql("SET lock_timeout = '40s'; SELECT n FROM stet_main.site_state FOR UPDATE");
	began = pgsite_ms() - began;
	assert_int_equal(kill(pgsite.daemon->pid, SIGCONT), 0);
	(void)usleep(BACK_MS * 1000);
	printf("# its transaction was ended after %lld ms\n", began);
	assert_true(pgsite_writers_end() > 0);
	assert_in_range(began, STILL_MS - 2000, STILL_MS + 2000);
}

/* Returns how often a text is in the daemon's log. */
static int
logged(const char *text)
{
	int n = 0;

	for (const char *at = pgsite.daemon->said; (at = strstr(at, text)) != NULL; at++)
		n++;
	return n;
}

/* Hundreds of calls were refused by now. On a busy machine that may have taken minutes. */
static void
what_all_calls_meet_is_logged_once_a_minute(void **state)
{
	const int most = 1 + (int)((pgsite_ms() - served) / 60000);

	(void)state;
	(void)daemon_reload(pgsite.daemon); /* reads the log so far */
	assert_in_range(logged("the database in schema stet_main cannot be reached"), 1, most);
	assert_in_range(logged(": BEGIN failed: "), 0, most);
	assert_in_range(logged(": COMMIT failed: "), 0, most);
	/* Each module that hears of writes is logged for itself. */
	assert_in_range(logged("op_written of module audit failed"), 0, most);
	assert_in_range(logged("op_written of module history failed"), 0, most);
	assert_in_range(logged("op_writing of module history failed"), 0, most);
	assert_in_range(logged(" error "), 0, most);
}

/* A daemon of a newer version has added to the database meanwhile: this one goes on. What one does
 * that finds more than that is in heard.c. */
static void
a_database_that_was_added_to_is_good(void **state)
{
	(void)state;
	pgsite_sql("INSERT INTO stet_main.migration SELECT module, 99, name, applied_at,"
		   " digest || '+' FROM stet_main.migration WHERE module = 'core' AND version = 1");
	assert_told("/readyz", 200, "ready");
	pgsite_sql("DELETE FROM stet_main.migration WHERE version = 99");
	assert_told("/readyz", 200, "ready");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_that_hangs_is_told_in_time),
		cmocka_unit_test(a_daemon_that_stands_still_is_not_waited_for_without_end),
		cmocka_unit_test(a_database_that_was_added_to_is_good),
		cmocka_unit_test(what_all_calls_meet_is_logged_once_a_minute),
	};

	if (!pgsite_serve())
		return getenv("CI") != NULL;
	return cmocka_run_group_tests(tests, pgsite_watched, pgsite_stop);
}
