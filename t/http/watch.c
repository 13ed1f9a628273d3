/* watch.c - the listener for monitoring: health, readiness, metrics. */
#include "filed.h"
#include "watcher.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void
healthz_answers_and_says_nothing_more(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0), w;
	struct answer a;

	(void)state;
	watcher_ask(d, &a, "/healthz");
	assert_int_equal(a.status, 200);
	assert_string_equal(a.body, "ok\n");
	answer_free(&a);
	watcher_ask(d, &a, "/elsewhere");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	w = watcher(d);
	ask(&w, &a, "DELETE", "/healthz");
	assert_true(a.status == 405 || a.status == 501);
	answer_free(&a);
	ask(&w, &a, "HEAD", "/healthz");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	/* The listener of sites does not serve it. */
	ask(d, &a, "GET", "/metrics");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	daemon_stop(d);
}

/* Checks that every family has one HELP and one TYPE before its samples, and that every sample is a
 * number. */
static void
check_format(char *text)
{
	char family[128] = "", *save = NULL;
	int samples = 0;

	for (char *line = strtok_r(text, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save)) {
		char name[128], *end;
		const char *number = strrchr(line, ' ');

		assert_non_null(number);
		if (strncmp(line, "# HELP ", 7) == 0)
			continue;
		if (strncmp(line, "# TYPE ", 7) == 0) {
			(void)word_of(line, 2, family, sizeof(family));
			assert_true(strcmp(number, " counter") == 0 ||
				    strcmp(number, " gauge") == 0 ||
				    strcmp(number, " histogram") == 0);
			continue;
		}
		(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, "{ "), line);
		assert_int_equal(strncmp(name, family, strlen(family)), 0);
		(void)strtod(number + 1, &end);
		assert_true(end > number + 1 && *end == '\0');
		samples++;
	}
	assert_true(samples > 60);
}

static void
metrics_count_what_was_asked(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct answer a;

	(void)state;
	for (int i = 0; i < 3; i++) {
		ask(d, &a, "GET", API "/echo");
		assert_int_equal(a.status, 200);
		answer_free(&a);
	}
	ask(d, &a, "POST", API "/count");
	assert_int_equal(a.status, 201);
	answer_free(&a);
	ask(d, &a, "GET", "/nowhere");
	answer_free(&a);
	watcher_ask(d, &a, "/metrics");
	assert_int_equal(a.status, 200);
	assert_string_equal(
	    answer_header(&a, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
	assert_non_null(strstr(a.body,
	    "\nstet_http_requests_total{site=\"main\",op=\"probe_echo\",status=\"200\"} 3\n"));
	assert_non_null(strstr(a.body,
	    "\nstet_http_requests_total{site=\"main\",op=\"probe_count_up\",status=\"201\"} 1\n"));
	assert_non_null(strstr(
	    a.body, "\nstet_http_requests_total{site=\"main\",op=\"none\",status=\"404\"} 1\n"));
	assert_non_null(
	    strstr(a.body, "\nstet_http_request_duration_seconds_count{op=\"probe_echo\"} 3\n"));
	assert_non_null(strstr(a.body, "\nstet_writer_queue_depth{site=\"main\"} 0\n"));
	assert_non_null(strstr(a.body, "\nstet_site_up{site=\"main\"} 1\n"));
	assert_non_null(strstr(a.body, "\nstet_build_info{version=\""));
	assert_non_null(strstr(a.body, "\nstet_connections_accepted_total 5\n"));
	/* A plugin's metrics; one that it has not set yet is left out. */
	assert_non_null(strstr(a.body, "# HELP stet_probe_counts_total Times that it counted.\n"
				       "# TYPE stet_probe_counts_total counter\n"
				       "stet_probe_counts_total{site=\"main\"} 1\n"));
	assert_non_null(strstr(a.body, "\nstet_probe_level{site=\"main\"} -5\n"));
	assert_null(strstr(a.body, "stet_probe_unused"));
	check_format(a.body);
	answer_free(&a);
	daemon_stop(d);
}

static void
a_daemon_that_is_told_no_address_does_not_listen(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);

	(void)state;
	assert_null(strstr(d->said, "metrics are at"));
	/* A reload with an address opens the listener, and one without it closes it again. */
	daemon_write_conf(d, WATCHED, NULL);
	(void)daemon_reload(d);
	(void)watcher(d);
	daemon_stop(d);
}

static void
a_site_that_cannot_be_opened_is_not_ready(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct answer a;
	char conf[256];

	(void)state;
	watcher_ask(d, &a, "/readyz");
	assert_int_equal(a.status, 200);
	assert_string_equal(a.body, "ready\n");
	answer_free(&a);
	(void)snprintf(conf, sizeof(conf),
	    WATCHED "site \"other\" {\n hosts = { \"other.example\" }\n data = \"%s\"\n}\n",
	    daemon_path(d, "stet.conf/other"));
	daemon_write_conf(d, conf, NULL);
	(void)daemon_reload(d);
	watcher_ask(d, &a, "/readyz");
	assert_int_equal(a.status, 503);
	assert_non_null(strstr(a.body, "site other: cannot be opened: "));
	assert_null(strstr(a.body, "site main"));
	answer_free(&a);
	watcher_ask(d, &a, "/healthz");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	watcher_ask(d, &a, "/metrics");
	assert_non_null(strstr(a.body, "\nstet_site_up{site=\"other\"} 0\n"));
	answer_free(&a);
	daemon_stop(d);
}

static void
a_daemon_that_drains_is_not_ready(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct client c;
	struct answer a;
	FILE *file;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&c, d, false);
	client_say(&c, "GET " API "/slow?wait=%s&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "started"), daemon_path(d, "ended"));
	daemon_file(d, "started");
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, 0, "stopping");
	for (int tries = 0; tries < 1000; tries++) {
		watcher_ask(d, &a, "/readyz");
		if (a.status == 503)
			break;
		answer_free(&a);
	}
	assert_int_equal(a.status, 503);
	assert_string_equal(a.body, "draining\n");
	answer_free(&a);
	watcher_ask(d, &a, "/healthz");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	file = fopen(daemon_path(d, "fifo"), "w");
	assert_non_null(file);
	fclose(file);
	client_answer(&c, &a, false);
	answer_free(&a);
	client_close(&c);
	assert_int_equal(daemon_ended(d), 0);
	daemon_stop(d);
}

static void
a_start_with_nothing_to_do_writes_nothing(void **state)
{
	const char *probe = daemon_modules;
	struct daemon *d;
	size_t from;
	int tries = 0;

	(void)state;
	daemon_modules = "modules/.libs";
	d = daemon_start(NULL, NULL, 0);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	daemon_write_conf(d, WATCHED, NULL);
	from = d->said_len;
	daemon_run(d, 0);
	(void)daemon_said(d, from, "metrics are at");
	assert_true(watcher_sample(d, "stet_jobs") >= 8);
	while (
	    watcher_sample(d, "stet_jobs_unasked") > 0 || watcher_sample(d, "stet_jobs_active") > 0)
		assert_true(++tries < 20000);
	assert_true(watcher_sample(d, "stet_writer_batches_total{site=\"main\"}") == 0);
	daemon_stop(d);
	daemon_modules = probe;
}

static void
get_all(struct daemon *d, const char *name, size_t size)
{
	struct answer a;

	filed_get(d, &a, name, "", "");
	filed_bytes(&a, 0, size);
	answer_free(&a);
}

/* A slow thread that is idle reads the disk; the values are cached, and nobody reads them twice. */
static void
what_is_read_from_the_disk_is_counted(void **state)
{
	static const char *const name[] = { "large", "small" };
	static const size_t size[] = { 3000000, 1000 };
	struct daemon *d = daemon_start(WATCHED, NULL, 0);

	(void)state;
	for (int i = 0; i < 2; i++) {
		double before = watcher_sample(d, "stet_file_reads_total"), after = before;
		bool cold = true;

		filed_make(d, name[i], size[i]);
		for (int k = 0; cold && after == before && k < 200; k++) {
			cold = filed_forget(d, name[i]);
			get_all(d, name[i], size[i]);
			after = watcher_sample(d, "stet_file_reads_total");
		}
		assert_true(!cold || after > before);
		get_all(d, name[i], size[i]);
		assert_true(watcher_sample(d, "stet_file_reads_total") == after);
	}
	daemon_stop(d);
}

/* Connections wait in the kernel's queue: the daemon does not spin, and its log does not grow. */
static void
out_of_descriptors_those_who_watch_wait(void **state)
{
	struct daemon *d = daemon_start(WATCHED "workers = 1\n", NULL, 64), w = watcher(d);
	struct client c[64];
	struct answer a;
	size_t from = d->said_len;
	int n = 0;

	(void)state;
	do {
		assert_true(n < 64);
		client_open(&c[n], &w, false);
		client_say(&c[n], "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
	} while (!client_quiet(&c[n++], 300));
	for (int i = 0; i < n; i++) {
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 200);
		answer_free(&a);
		client_close(&c[i]);
	}
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_true(d->said_len - from < 4000);
	daemon_stop(d);
}

static void
assert_answers(struct daemon *d)
{
	struct answer a;

	watcher_ask(d, &a, "/readyz");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	ask(d, &a, "GET", "/_cms/api/echo");
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

/* A wrong address in the file must not close the present listeners. */
static void
an_address_that_cannot_be_bound_closes_no_other(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	char conf[128];
	size_t at;

	(void)state;
	daemon_write_conf(d, "listen = { \"192.0.2.1:0\" }\nmetrics-listen = \"192.0.2.1:0\"\n",
	    NULL); /* RFC 5737: no machine has it */
	at = daemon_said(d, daemon_reload(d), "cannot listen on 192.0.2.1:0: ");
	assert_answers(d);
	/* A new address that overlaps the old one replaces it. */
	(void)snprintf(conf, sizeof(conf),
	    "listen = { \"0.0.0.0:%d\" }\nmetrics-listen = \"127.0.0.1:0\"\n", d->port);
	daemon_write_conf(d, conf, NULL);
	daemon_signal(d, SIGHUP);
	(void)daemon_said(d, at, "listening on http://0.0.0.0:");
	assert_answers(d);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthz_answers_and_says_nothing_more),
		cmocka_unit_test(metrics_count_what_was_asked),
		cmocka_unit_test(a_daemon_that_is_told_no_address_does_not_listen),
		cmocka_unit_test(a_site_that_cannot_be_opened_is_not_ready),
		cmocka_unit_test(a_daemon_that_drains_is_not_ready),
		cmocka_unit_test(what_is_read_from_the_disk_is_counted),
		cmocka_unit_test(out_of_descriptors_those_who_watch_wait),
		cmocka_unit_test(an_address_that_cannot_be_bound_closes_no_other),
		cmocka_unit_test(a_start_with_nothing_to_do_writes_nothing),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
