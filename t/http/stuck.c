/* stuck.c - handlers that do not return: the daemon reports them and ends; SQL is interrupted. */
#include "watcher.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"
#define ROUTE API "/loop"

static struct daemon *
begin(const char *conf)
{
	char text[512];

	daemon_modules = "t/plugins/stuck/.libs";
	(void)snprintf(text, sizeof(text), WATCHED "workers = 2\n%s", conf);
	return daemon_start(text, NULL, 0);
}

/* ThreadSanitizer counts threads that run when a process ends as leaks; here they are meant to. */
static void
allow_threads_at_the_end(void)
{
	const char *options = getenv("TSAN_OPTIONS");
	char text[1024];

	if (options == NULL)
		return;
	(void)snprintf(text, sizeof(text), "%s:report_thread_leaks=0", options);
	assert_int_equal(setenv("TSAN_OPTIONS", text, 1), 0);
}

/* Sends a request that gets no response. */
static void
leave(struct client *c, struct daemon *d, const char *request)
{
	client_open(c, d, false);
	client_say(c, "%s HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", request);
}

static void
assert_said(const struct daemon *d, const char *text)
{
	if (strstr(d->said, text) == NULL)
		fail_msg("\"%s\" is not in: %s", text, d->said);
}

static void
assert_body(struct daemon *d, const char *path, int status, const char *text)
{
	struct answer a;

	watcher_ask(d, &a, path);
	if (a.status != status || strstr(a.body, text) == NULL)
		fail_msg("%s: %d %s", path, a.status, a.body);
	answer_free(&a);
}

/* The daemon reports the handler, in /readyz and /metrics, too, and then ends itself. */
static void
check_end(const char *conf, const char *request, const char *lane, const char *what)
{
	struct daemon *d = begin(conf);
	struct client c;
	char text[160];
	size_t at;

	leave(&c, d, request);
	(void)snprintf(text, sizeof(text), "warning still running: %s runs for ", what);
	at = daemon_said(d, 0, text);
	assert_body(d, "/readyz", 503, what);
	(void)snprintf(text, sizeof(text), "\nstet_handlers_stuck{lane=\"%s\"} 1\n", lane);
	assert_body(d, "/metrics", 200, text);
	(void)snprintf(text, sizeof(text), "error stuck: %s runs for ", what);
	at = daemon_said(d, at, text);
	(void)daemon_said(d, at, "beyond stuck-after");
	assert_int_not_equal(daemon_ended(d), 0);
	client_close(&c);
	(void)snprintf(text, sizeof(text), " in the %s lane", lane);
	assert_said(d, text);
	assert_said(d, " on site main [");
	daemon_stop(d);
}

static void
a_read_that_loops_ends_the_daemon(void **state)
{
	(void)state;
	check_end("stuck-after = \"6s\"\n", "GET " ROUTE "/read", "read",
	    "operation looper_read of module looper");
}

static void
a_write_that_loops_ends_the_daemon_after_its_deadline(void **state)
{
	(void)state;
	check_end("stuck-after = \"5s\"\ncall-timeout = \"1s\"\n", "POST " ROUTE "/write", "write",
	    "operation looper_write of module looper");
}

static void
a_hook_that_loops_is_named(void **state)
{
	(void)state;
	check_end("stuck-after = \"5s\"\ncall-timeout = \"1s\"\n", "POST " ROUTE "/hook", "write",
	    "hook op_written of module looper");
}

/* The daemon reports the handler again at growing intervals, and stays ready; only a stop ends it,
 * in time. */
static void
check_slow(const char *request, const char *what)
{
	struct daemon *d =
	    begin("stuck-after = \"500ms\"\ncall-timeout = \"1s\"\ndrain-timeout = \"1s\"\n");
	struct client c;
	char text[160];
	size_t at = 0;

	leave(&c, d, request);
	(void)snprintf(text, sizeof(text), "info still running: %s runs for ", what);
	for (int i = 0; i < 4; i++)
		at = daemon_said(d, at, text);
	assert_body(d, "/readyz", 200, "ready\nstill running: ");
	assert_body(d, "/readyz", 200, what);
	assert_body(d, "/metrics", 200, "\nstet_handlers_stuck{lane=\"slow\"} 1\n");
	daemon_signal(d, SIGTERM);
	(void)snprintf(text, sizeof(text), "error still running: %s runs for ", what);
	at = daemon_said(d, at, text);
	(void)daemon_said(d, at, "error drain-timeout is over: stopping at once\n");
	assert_int_equal(daemon_ended(d), EXIT_FAILURE);
	client_close(&c);
	assert_null(strstr(d->said, "stuck: "));
	daemon_stop(d);
}

static void
a_job_that_loops_ends_nothing_but_a_stop_is_in_time(void **state)
{
	(void)state;
	check_slow("POST " ROUTE "/job", "job turn of module looper");
}

static void
a_slow_operation_that_loops_ends_nothing(void **state)
{
	(void)state;
	check_slow("POST " ROUTE "/slow", "operation looper_slow of module looper");
}

/* A job has no deadline, so the limit is ten times stuck-after. */
static void
a_write_of_a_job_that_loops_ends_the_daemon_late(void **state)
{
	struct daemon *d = begin("stuck-after = \"500ms\"\n");
	struct answer a;
	size_t at = 0;

	(void)state;
	ask(d, &a, "POST", ROUTE "/job/write");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	for (int i = 0; i < 4; i++)
		at = daemon_said(
		    d, at, "warning still running: a write of turn of module looper runs for ");
	at = daemon_said(d, at, "error stuck: a write of turn of module looper runs for ");
	assert_true(strtod(d->said + at, NULL) >= 5);
	(void)daemon_said(d, at, "beyond stuck-after");
	assert_int_not_equal(daemon_ended(d), 0);
	daemon_stop(d);
}

/* The loop is shown by the log, /readyz and the metrics, and does not delay a stop. */
static void
a_write_of_a_job_that_loops_is_told_of(void **state)
{
	struct daemon *d = begin("stuck-after = \"4s\"\ndrain-timeout = \"1s\"\n");
	struct answer a;
	size_t at;

	(void)state;
	ask(d, &a, "POST", ROUTE "/job/write");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	at = daemon_said(d, 0, "warning still running: a write of turn of module looper runs for ");
	assert_body(d, "/readyz", 503, "a write of turn of module looper");
	assert_body(d, "/metrics", 200, "\nstet_handlers_stuck{lane=\"write\"} 1\n");
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, at, "error drain-timeout is over: stopping at once\n");
	assert_int_equal(daemon_ended(d), EXIT_FAILURE);
	assert_null(strstr(d->said, "stuck: "));
	daemon_stop(d);
}

/* A stop takes no longer than drain-timeout, although stuck-after is off and the request never
 * ends. */
static void
check_stop(const char *request)
{
	struct daemon *d = begin("stuck-after = \"off\"\ndrain-timeout = \"1s\"\n");
	struct client c;
	struct answer a;

	ask(d, &a, "POST", ROUTE "/note");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	leave(&c, d, request);
	while (watcher_sample(d, "stet_handler_longest_seconds{lane=\"read\"}") <= 0 &&
	       watcher_sample(d, "stet_handler_longest_seconds{lane=\"write\"}") <= 0)
		continue;
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, 0, "error drain-timeout is over: stopping at once\n");
	assert_int_equal(daemon_ended(d), EXIT_FAILURE);
	client_close(&c);
	assert_null(strstr(d->said, "stuck: "));
	/* The acknowledged write is on disk. */
	daemon_run(d, 0);
	ask(d, &a, "GET", ROUTE "/note");
	assert_int_equal(json_integer_value(json_object_get(a.json, "data")), 1);
	answer_free(&a);
	daemon_stop(d);
}

static void
drain_timeout_is_kept_though_a_worker_hangs(void **state)
{
	(void)state;
	check_stop("GET " ROUTE "/read");
}

static void
drain_timeout_is_kept_though_a_writer_hangs(void **state)
{
	(void)state;
	check_stop("POST " ROUTE "/write");
}

/* The thread that serves is not the one that opens sites. */
static void
drain_timeout_is_kept_though_a_migration_hangs(void **state)
{
	struct daemon *d;
	const char *fifo;
	int fd;

	(void)state;
	daemon_modules = "t/plugins/.libs";
	d = daemon_new(WATCHED "drain-timeout = \"1s\"\n", NULL);
	fifo = daemon_path(d, "fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(setenv("STET_PROBE_MIGRATION", fifo, 1), 0);
	daemon_begin(d, 0);
	assert_int_equal(unsetenv("STET_PROBE_MIGRATION"), 0);
	fd = open(fifo, O_WRONLY | O_CLOEXEC); /* when the migration reads it */
	assert_true(fd >= 0);
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, 0, "error drain-timeout is over: stopping at once");
	assert_int_equal(daemon_ended(d), EXIT_FAILURE);
	(void)close(fd);
	daemon_stop(d);
}

static void
check_timeout(struct daemon *d, const char *method)
{
	struct answer a;

	ask(d, &a, method, ROUTE "/sql");
	assert_int_equal(a.status, 408);
	assert_string_equal(answer_code(&a), "REQUEST_TIMEOUT");
	answer_free(&a);
}

static void
sql_that_does_not_end_is_interrupted(void **state)
{
	struct daemon *d = begin("call-timeout = \"1s\"\n");
	struct client good[8];
	struct answer a;
	int64_t notes = 0, kept;

	(void)state;
	check_timeout(d, "GET");
	check_timeout(d, "POST");
	/* The writes that shared its transaction do not fail with it. */
	leave(&good[0], d, "POST " ROUTE "/sql");
	for (int i = 1; i < 8; i++)
		leave(&good[i], d, "POST " ROUTE "/note");
	for (int i = 0; i < 8; i++) {
		client_answer(&good[i], &a, false);
		notes += a.status == 200;
		assert_true(a.status == 200 || a.status == 408);
		answer_free(&a);
		client_close(&good[i]);
	}
	ask(d, &a, "GET", ROUTE "/note");
	kept = json_integer_value(json_object_get(a.json, "data"));
	assert_true(notes <= kept && kept <= 7); /* a late response may belong to a stored write */
	answer_free(&a);
	ask(d, &a, "POST", ROUTE "/note");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_stop(d);
}

/* The request may take five minutes. Its SQL is interrupted before, so the daemon is not ended as
 * stuck. */
static void
sql_that_only_reads_never_ends_the_daemon(void **state)
{
	struct daemon *d = begin("stuck-after = \"2s\"\n");

	(void)state;
	check_timeout(d, "GET");
	assert_null(strstr(d->said, "stuck: "));
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_that_loops_ends_the_daemon),
		cmocka_unit_test(a_write_that_loops_ends_the_daemon_after_its_deadline),
		cmocka_unit_test(a_hook_that_loops_is_named),
		cmocka_unit_test(a_job_that_loops_ends_nothing_but_a_stop_is_in_time),
		cmocka_unit_test(a_slow_operation_that_loops_ends_nothing),
		cmocka_unit_test(a_write_of_a_job_that_loops_is_told_of),
		cmocka_unit_test(a_write_of_a_job_that_loops_ends_the_daemon_late),
		cmocka_unit_test(drain_timeout_is_kept_though_a_worker_hangs),
		cmocka_unit_test(drain_timeout_is_kept_though_a_writer_hangs),
		cmocka_unit_test(drain_timeout_is_kept_though_a_migration_hangs),
		cmocka_unit_test(sql_that_does_not_end_is_interrupted),
		cmocka_unit_test(sql_that_only_reads_never_ends_the_daemon),
	};

	allow_threads_at_the_end();
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
