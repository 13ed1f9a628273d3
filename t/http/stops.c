/* stops.c - a clean stop: all writes are in the databases, and no WAL is left to recover. */
#include "watcher.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"
#define MANY 40 /* more sites than may have an idle write connection */

static char *
with_sites(const struct daemon *d, int count)
{
	static char conf[16384];
	size_t len = (size_t)snprintf(conf, sizeof(conf), WATCHED);

	for (int i = 0; i < count; i++)
		len += (size_t)snprintf(conf + len, sizeof(conf) - len,
		    "site \"s%d\" { hosts = { \"s%d.example\" } data = \"%s/s%d\" }\n", i, i,
		    d->dir, i);
	assert_true(len < sizeof(conf));
	return conf;
}

static void
count_up(struct client *c, const char *host)
{
	struct answer a;

	client_say(c, "POST " API "/count HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\n\r\n", host);
	client_answer(c, &a, false);
	assert_int_equal(a.status, 201);
	answer_free(&a);
	client_say(c, "GET " API "/count HTTP/1.1\r\nHost: %s\r\n\r\n", host);
	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

/* The size of a file in the daemon's directory; 0: there is none. */
static long
size_of(const struct daemon *d, const char *name)
{
	struct stat st;

	return stat(daemon_path(d, name), &st) == 0 ? (long)st.st_size : 0;
}

static void
stop_and_start(struct daemon *d)
{
	size_t from = d->said_len;
	const char *stopped;

	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_int_equal(size_of(d, "data/stet.db-wal"), 0);
	daemon_run(d, 0);
	(void)daemon_said(d, from, "metrics are at");
	while (watcher_sample(d, "stet_jobs_unasked") > 0)
		continue;
	/* The stop itself may read a log again to empty it, of a site whose connection was closed
	 * meanwhile. */
	stopped = strstr(d->said + from, "info stopped");
	assert_non_null(stopped);
	if (strstr(stopped, "recovered") != NULL)
		fail_msg("after a clean stop: %s", stopped);
}

static void
a_clean_stop_leaves_no_log(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct client c;

	(void)state;
	client_open(&c, d, false);
	count_up(&c, "x");
	client_close(&c);
	assert_true(size_of(d, "data/stet.db-wal") > 0);
	stop_and_start(d);
	daemon_stop(d);
}

static void
a_clean_stop_of_many_sites_leaves_no_log(void **state)
{
	struct daemon *d = daemon_new(WATCHED, NULL);
	struct client c;
	char name[32];

	(void)state;
	daemon_write_conf(d, with_sites(d, MANY), "hosts = { \"main.example\" }\n");
	daemon_run(d, 0);
	client_open(&c, d, false);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "s%d.example", i);
		count_up(&c, name);
	}
	client_close(&c);
	stop_and_start(d);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "s%d/stet.db-wal", i);
		assert_int_equal(size_of(d, name), 0);
	}
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_stop_leaves_no_log),
		cmocka_unit_test(a_clean_stop_of_many_sites_leaves_no_log),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
