/* readers.c - clients that read slowly or not at all: memory and time of their responses are
 * limited. */
#include "watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define API "/_cms/api"
#define PROXY "trusted-proxies = { \"127.0.0.0/8\" }\n"
#define LARGE 12000000 /* more than the kernel buffers of a response that nobody reads */

/* Sends a request of a client behind a proxy; does not read the response. */
static void
begin(struct client *c, const struct daemon *d, const char *address, const char *path)
{
	client_open(c, d, true);
	client_say(
	    c, "GET " API "%s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n\r\n", path, address);
}

/* The status of a request of such a client, on a connection of its own. */
static int
status_of(const struct daemon *d, const char *address, const char *request)
{
	struct client c;
	struct answer a;
	int status;

	client_open(&c, d, false);
	client_say(&c, "%s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n", request, address);
	client_say(
	    &c, "%s\r\n", strncmp(request, "POST", 4) == 0 ? "Content-Length: 2\r\n\r\n{}" : "");
	client_answer(&c, &a, false);
	status = a.status;
	if (status == 503) {
		assert_string_equal(answer_code(&a), "UNAVAILABLE");
		assert_string_equal(answer_header(&a, "Retry-After"), "1");
	}
	answer_free(&a);
	client_close(&c);
	return status;
}

/* Waits until unsent responses take so much memory. */
static void
wait_for_unsent(struct daemon *d, double least, double most)
{
	double held = watcher_sample(d, "stet_unsent_bytes");

	for (int ms = 0; held < least || held > most; ms += 20) {
		if (ms >= WAIT_MS)
			fail_msg("%g bytes are unsent", held);
		assert_int_equal(poll(NULL, 0, 20), 0);
		held = watcher_sample(d, "stet_unsent_bytes");
	}
}

static void
what_is_not_taken_is_counted_until_its_client_is_gone(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct client c;
	struct answer a;

	(void)state;
	begin(&c, d, "", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	client_close(&c);
	wait_for_unsent(d, 0, 0);
	/* The same for a client that reads until the end. */
	begin(&c, d, "", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	client_answer(&c, &a, false);
	assert_true(a.whole);
	assert_true(a.len > LARGE);
	answer_free(&a);
	wait_for_unsent(d, 0, 0);
	client_close(&c);
	daemon_stop(d);
}

static void
beyond_the_memory_for_answers_calls_are_refused_before_their_work(void **state)
{
	static const char little[] = WATCHED PROXY "workers = 1\nmax-answer-memory = \"4MiB\"\n";
	struct daemon *d = daemon_start(WATCHED PROXY "workers = 1\n", NULL, 0);
	struct client c;
	struct answer a;

	(void)state;
	begin(&c, d, "192.0.2.1", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	daemon_write_conf(d, little, NULL);
	(void)daemon_reload(d);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/echo"), 503);
	assert_int_equal(status_of(d, "192.0.2.2", "POST " API "/count"), 503);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/stream?size=100"), 503);
	assert_true(watcher_sample(d, "stet_answers_refused_total") == 3);
	client_close(&c);
	wait_for_unsent(d, 0, 0);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/echo"), 200);
	ask(d, &a, "GET", API "/count");
	assert_string_equal(a.body, "{\"success\":true,\"data\":{\"count\":0}}");
	answer_free(&a);
	daemon_stop(d);
}

static void
an_answer_that_is_larger_than_the_memory_for_it_ends_in_503(void **state)
{
	struct daemon *d =
	    daemon_start(WATCHED PROXY "workers = 1\nmax-answer-memory = \"4MiB\"\n", NULL, 0);

	(void)state;
	assert_int_equal(status_of(d, "192.0.2.1", "GET " API "/big?size=1000000"), 200);
	assert_int_equal(status_of(d, "192.0.2.1", "GET " API "/big?size=12000000"), 503);
	wait_for_unsent(d, 0, 0);
	assert_int_equal(status_of(d, "192.0.2.1", "GET " API "/echo"), 200);
	daemon_stop(d);
}

static void
one_address_does_not_take_the_memory_of_others(void **state)
{
	struct daemon *d = daemon_start(
	    WATCHED PROXY "workers = 1\nmax-answer-memory-per-address = \"1MiB\"\n", NULL, 0);
	struct client c, again;

	(void)state;
	begin(&c, d, "192.0.2.1", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	assert_int_equal(status_of(d, "192.0.2.1", "GET " API "/echo"), 503);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/echo"), 200);
	/* All addresses of an IPv6 network of 64 bits count as one client. */
	begin(&again, d, "2001:db8::1", "/big?size=12000000");
	wait_for_unsent(d, 2 * LARGE, 2 * LARGE + 200000);
	assert_int_equal(status_of(d, "2001:db8::2", "GET " API "/echo"), 503);
	assert_int_equal(status_of(d, "2001:db8:0:1::1", "GET " API "/echo"), 200);
	client_close(&c);
	client_close(&again);
	wait_for_unsent(d, 0, 0);
	assert_int_equal(status_of(d, "192.0.2.1", "GET " API "/echo"), 200);
	daemon_stop(d);
}

static void
sighup_changes_the_memory_for_answers(void **state)
{
	static const char little[] = WATCHED PROXY "workers = 1\nmax-answer-memory = \"4MiB\"\n";
	struct daemon *d = daemon_start(WATCHED PROXY "workers = 1\n", NULL, 0);
	struct client c;

	(void)state;
	begin(&c, d, "192.0.2.1", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/echo"), 200);
	daemon_write_conf(d, little, NULL);
	(void)daemon_reload(d);
	assert_int_equal(status_of(d, "192.0.2.2", "GET " API "/echo"), 503);
	client_close(&c);
	daemon_stop(d);
}

#define READERS 60

/* Opens many readers of one path that do not read. Returns the growth of the daemon's memory. */
static long
crowd(struct daemon *d, const char *path, struct client c[READERS])
{
	long before = daemon_resident(d);
	char address[32];

	for (int i = 0; i < READERS; i++) {
		(void)snprintf(address, sizeof(address), "192.0.2.%d", i + 1);
		begin(&c[i], d, address, path);
		/* Some bytes of each response arrived: it was made, or refused. */
		assert_false(client_quiet(&c[i], WAIT_MS));
	}
	return daemon_resident(d) - before;
}

static void
leave(struct client c[READERS])
{
	for (int i = 0; i < READERS; i++)
		client_close(&c[i]);
}

static void
readers_of_a_large_answer_take_no_more_memory_than_there_is(void **state)
{
	struct daemon *d = daemon_start(
	    WATCHED PROXY "answer-cache = \"0\"\nmax-answer-memory = \"16MiB\"\n", NULL, 0);
	struct client c[READERS];

	(void)state;
	/* 360 MB, if each response had memory of its own. */
	assert_true(crowd(d, "/big?size=6000000", c) < 60000000);
	assert_true(watcher_sample(d, "stet_answers_refused_total") >= READERS - 10);
	leave(c);
	wait_for_unsent(d, 0, 0);
	daemon_stop(d);
}

/* Apart from the shared response, each costs only its connection. */
static void
readers_of_a_kept_answer_share_its_bytes(void **state)
{
	struct daemon *d = daemon_start(WATCHED PROXY "workers = 1\nanswer-cache = \"64MiB\"\n"
						      "max-answer-memory = \"32MiB\"\n",
	    NULL, 0);
	struct client c[READERS];

	(void)state;
	assert_true(crowd(d, "/big/kept?size=6000000", c) < 60000000);
	assert_true(watcher_sample(d, "stet_answers_refused_total") == 0);
	wait_for_unsent(d, 6000000, 7000000);
	/* A cached body that is replaced stays in memory for the clients that still receive it. */
	assert_int_equal(status_of(d, "198.51.100.1", "POST " API "/count"), 201);
	assert_int_equal(status_of(d, "198.51.100.1", "GET " API "/big/kept?size=6000000"), 200);
	for (int i = 0; i < READERS; i += 20) {
		struct answer a;

		client_answer(&c[i], &a, false);
		assert_true(a.whole && a.len > 6000000);
		assert_int_equal(strspn(strchr(a.body, 'x'), "x"), 6000000);
		answer_free(&a);
	}
	leave(c);
	wait_for_unsent(d, 0, 0);
	daemon_stop(d);
}

static const char short_times[] =
    WATCHED "body-timeout = \"300ms\"\ncall-timeout = \"900ms\"\nanswer-min-rate = 10000\n";

/* Reads up to so many bytes at about 3 MB a second, for so many steps of 10 ms; then reads the
 * rest. Returns the number of bytes. */
static size_t
trickle(struct client *c, int steps)
{
	static char bytes[65536];
	size_t total = 0, n = 1;

	for (int i = 0; i < steps && n > 0; i++) {
		n = client_read(c, bytes, 32768);
		total += n;
		assert_int_equal(poll(NULL, 0, 10), 0);
	}
	while (n > 0) {
		n = client_read(c, bytes, sizeof(bytes));
		total += n;
	}
	return total;
}

static void
a_reader_that_stops_is_closed(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client c;

	(void)state;
	begin(&c, d, "", "/big?size=12000000");
	wait_for_unsent(d, LARGE, LARGE + 100000);
	wait_for_unsent(d, 0, 0);
	assert_true(watcher_sample(d, "stet_slow_readers_total") == 1);
	assert_true(trickle(&c, 0) < LARGE);
	client_close(&c);
	daemon_stop(d);
}

static void
the_time_of_a_call_includes_its_answer(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client c;

	(void)state;
	/* The client reads at a good rate, but for longer than call-timeout. */
	begin(&c, d, "", "/big?size=12000000");
	assert_true(trickle(&c, 150) < LARGE);
	assert_true(watcher_sample(d, "stet_slow_readers_total") == 1);
	client_close(&c);
	daemon_stop(d);
}

static void
a_file_takes_as_long_as_its_reader_keeps_the_rate(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	int fd = open(daemon_path(d, "file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct client c;
	char path[200];

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, LARGE), 0);
	close(fd);
	(void)snprintf(path, sizeof(path), "/file?path=%s&type=a/b", daemon_path(d, "file"));
	client_open(&c, d, true);
	client_say(&c, "GET " API "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
	assert_true(trickle(&c, 150) > LARGE);
	assert_true(watcher_sample(d, "stet_slow_readers_total") == 0);
	client_close(&c);
	daemon_stop(d);
}

/* A client that waits for a commit reads nothing, but is not a slow reader. */
static void
a_long_poll_is_no_slow_reader(void **state)
{
	struct daemon *d =
	    daemon_start(WATCHED "body-timeout = \"200ms\"\nanswer-min-rate = 1000000\n", NULL, 0);
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, true);
	client_say(&c, "GET " API "/count/wait?since=0&until=99999999999999 HTTP/1.1\r\n"
		       "Host: x\r\n\r\n");
	assert_true(client_quiet(&c, 700));
	ask(d, &a, "POST", API "/count");
	assert_int_equal(a.status, 201);
	answer_free(&a);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	/* A connection without a request gets no response either. */
	assert_true(client_quiet(&c, 700));
	client_close(&c);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_taken_is_counted_until_its_client_is_gone),
		cmocka_unit_test(beyond_the_memory_for_answers_calls_are_refused_before_their_work),
		cmocka_unit_test(an_answer_that_is_larger_than_the_memory_for_it_ends_in_503),
		cmocka_unit_test(one_address_does_not_take_the_memory_of_others),
		cmocka_unit_test(sighup_changes_the_memory_for_answers),
		cmocka_unit_test(readers_of_a_large_answer_take_no_more_memory_than_there_is),
		cmocka_unit_test(readers_of_a_kept_answer_share_its_bytes),
		cmocka_unit_test(a_reader_that_stops_is_closed),
		cmocka_unit_test(the_time_of_a_call_includes_its_answer),
		cmocka_unit_test(a_file_takes_as_long_as_its_reader_keeps_the_rate),
		cmocka_unit_test(a_long_poll_is_no_slow_reader),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
