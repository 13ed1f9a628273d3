/* limits.c - deadlines, caps, running out of descriptors. */
#include "daemon.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 8 /* threads of the daemon: workers, readers and pool, which open the database */
#define API "/_cms/api"

static const char short_times[] = "head-timeout = \"300ms\"\nbody-timeout = \"300ms\"\n"
				  "idle-timeout = \"600ms\"\ncall-timeout = \"400ms\"\n"
				  "body-min-rate = 10000\n";

/* Fails unless the client gets 408 in the envelope, and the end of the connection. */
static void
timed_out(struct client *c)
{
	struct answer a;

	client_answer(c, &a, false);
	assert_int_equal(a.status, 408);
	assert_string_equal(answer_code(&a), "REQUEST_TIMEOUT");
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(c));
	client_close(c);
}

static void
a_head_that_takes_too_long_is_answered_408(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client c;

	(void)state;
	client_open(&c, d, false);
	/* Bytes that keep coming do not help: the deadline is for the whole head. */
	client_say(&c, "GET / HTTP/1.1\r\nHost: x\r\n");
	for (int i = 0; client_quiet(&c, 50) && i < 400; i++)
		client_say(&c, "X: %d\r\n", i);
	timed_out(&c);
	daemon_stop(d);
}

static void
an_idle_connection_is_closed_without_a_word(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client fresh, used;
	struct answer a;

	(void)state;
	client_open(&fresh, d, false);
	client_open(&used, d, false);
	client_say(&used, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&used, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	assert_true(client_ended(&fresh));
	assert_true(client_ended(&used));
	client_close(&fresh);
	client_close(&used);
	daemon_stop(d);
}

static void
a_body_that_stops_or_trickles_is_answered_408(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client c;

	(void)state;
	client_open(&c, d, false);
	client_say(
	    &c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc");
	timed_out(&c);
	client_open(&c, d, false);
	client_say(
	    &c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc");
	for (int i = 0; client_quiet(&c, 20) && i < 500; i++)
		client_say(&c, "x");
	timed_out(&c);
	daemon_stop(d);
}

/* The whole body takes longer than the timeout, but its rate is always good. */
static void
a_long_body_at_a_good_rate_is_taken(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	char block[2000] = { 0 };
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
	for (int i = 0; i < 30; i++) {
		client_send(&c, block, sizeof(block));
		assert_true(client_quiet(&c, i < 29 ? 30 : 0) || i == 29);
	}
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
	daemon_stop(d);
}

static void
a_call_that_takes_too_long_is_answered_408(void **state)
{
	struct daemon *d = daemon_start(short_times, NULL, 0);
	struct client c;
	FILE *file;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&c, d, false);
	client_say(&c, "GET " API "/slow?wait=%s&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "started"), daemon_path(d, "ended"));
	timed_out(&c);
	/* The handler still runs, although its client has got an error. */
	assert_int_equal(access(daemon_path(d, "ended"), F_OK), -1);
	file = fopen(daemon_path(d, "fifo"), "w");
	assert_non_null(file);
	fclose(file);
	daemon_file(d, "ended");
	daemon_stop(d);
}

/* A connection beyond the cap gets its refusal although its request has been sent. */
static void
refused(const struct daemon *d)
{
	struct client c;
	struct answer a;

	client_open(&c, d, false);
	client_say(&c, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 503);
	assert_true(a.whole);
	assert_string_equal(answer_code(&a), "UNAVAILABLE");
	assert_string_equal(answer_header(&a, "Retry-After"), "1");
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

/* Connects until the daemon accepts a request, after connections have been closed. */
static void
gets_in(const struct daemon *d)
{
	struct client c;
	struct answer a;

	for (bool in = false; !in;) {
		client_open(&c, d, false);
		client_say(&c, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
		client_answer(&c, &a, false);
		assert_true(a.status == 200 || a.status == 503);
		in = a.status == 200;
		answer_free(&a);
		client_close(&c);
	}
}

static void
an_address_has_so_many_connections(void **state)
{
	struct daemon *d = daemon_start("max-connections-per-address = 4\n", NULL, 0);
	struct client c[4];
	struct answer a;

	(void)state;
	for (int i = 0; i < 4; i++) {
		client_open(&c[i], d, false);
		client_say(&c[i], "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 200);
		answer_free(&a);
	}
	for (int i = 0; i < 100; i++)
		refused(d);
	/* When a connection ends, another one can be opened. */
	client_say(&c[0], "GET " API "/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	client_answer(&c[0], &a, false);
	answer_free(&a);
	assert_true(client_ended(&c[0]));
	client_close(&c[0]);
	gets_in(d);
	for (int i = 1; i < 4; i++)
		client_close(&c[i]);
	daemon_stop(d);
}

/* Beyond the cap, the one that was idle longest makes room; nobody is refused. */
static void
beyond_the_cap_the_oldest_idle_connection_ends(void **state)
{
	struct daemon *d = daemon_start("max-connections = 6\nworkers = 1\n", NULL, 0);
	struct client c[12];
	struct answer a;

	(void)state;
	for (int i = 0; i < 12; i++) {
		client_open(&c[i], d, false);
		client_say(&c[i], "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 200);
		answer_free(&a);
	}
	assert_true(client_ended(&c[0]));
	for (int i = 0; i < 12; i++)
		client_close(&c[i]);
	daemon_stop(d);
}

/* It may be silent until another connection waits, and then for a moment longer. */
static void
the_connection_that_takes_the_last_place_may_keep_it(void **state)
{
	struct daemon *d = daemon_start("max-connections = 1\nworkers = 1\n", NULL, 0);
	struct client first, second;
	struct answer a;

	(void)state;
	client_open(&first, d, false);
	assert_true(client_quiet(&first, 300));
	client_say(&first, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&first, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_open(&second, d, false);
	client_say(&second, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&second, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	assert_true(client_ended(&first));
	client_close(&first);
	client_close(&second);
	daemon_stop(d);
}

/* If no connection is idle, new ones are refused after a second. */
static void
beyond_the_cap_without_idle_connections_new_ones_are_answered_503(void **state)
{
	struct daemon *d = daemon_start("max-connections = 3\nworkers = 1\n", NULL, 0);
	struct client c[3];
	struct answer a;

	(void)state;
	for (int i = 0; i < 3; i++) {
		client_open(&c[i], d, false);
		client_say(&c[i], "POST " API "/count HTTP/1.1\r\nHost: x\r\n"
				  "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 100); /* the connection is not idle */
		answer_free(&a);
	}
	refused(d);
	refused(d);
	/* The earlier connections still work, and idle ones are closed for new ones again. */
	for (int i = 0; i < 3; i++) {
		client_say(&c[i], "{}");
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 201);
		answer_free(&a);
	}
	gets_in(d);
	for (int i = 0; i < 3; i++)
		client_close(&c[i]);
	daemon_stop(d);
}

/* A body that fits into the read buffer stays there and needs no other memory. */
static void
bodies_beyond_the_memory_for_them_are_answered_503(void **state)
{
	struct daemon *d = daemon_start("workers = 1\nmax-body-memory = \"64KiB\"\n", NULL, 0);
	static char text[200000];
	static const size_t sizes[] = { 10000, 60000, 200000, 60000 };
	struct client c;
	struct answer a;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		client_open(&c, d, false);
		memset(text, ' ', sizeof(text));
		memcpy(text, "{}", 2);
		client_say(&c,
		    "POST " API "/echo HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n",
		    sizes[i]);
		client_send(&c, text, sizes[i]);
		client_answer(&c, &a, false);
		assert_int_equal(a.status, i == 2 ? 503 : 200);
		if (i == 2) {
			assert_string_equal(answer_code(&a), "UNAVAILABLE");
			assert_string_equal(answer_header(&a, "Retry-After"), "1");
			assert_string_equal(answer_header(&a, "Connection"), "close");
		}
		answer_free(&a);
		client_close(&c);
	}
	daemon_stop(d);
}

/* Returns the number of files of uploads. */
static int
uploads(const struct daemon *d)
{
	DIR *dir = opendir(daemon_path(d, "data/tmp"));
	const struct dirent *entry;
	int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		n += strncmp(entry->d_name, "upload-", 7) == 0;
	closedir(dir);
	return n;
}

static void
a_killed_daemon_leaves_no_uploads_for_long(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
	for (int tries = 0; uploads(d) == 0; tries++) {
		assert_true(tries < 1000);
		ask(d, &a, "GET", API "/echo");
		answer_free(&a);
	}
	assert_int_equal(close(creat(daemon_path(d, "data/tmp/other"), 0600)), 0);
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	client_close(&c);
	assert_int_equal(uploads(d), 1);
	daemon_run(d, 0);
	assert_int_equal(uploads(d), 0);
	assert_int_equal(access(daemon_path(d, "data/tmp/other"), F_OK), 0);
	(void)daemon_said(d, 0, "1 files of interrupted uploads");
	daemon_stop(d);
}

static void
out_of_descriptors_connections_wait_their_turn(void **state)
{
	struct daemon *d = daemon_start("workers = 1\n", NULL, 48);
	struct client c[60];
	struct answer a;

	(void)state;
	for (int i = 0; i < 60; i++) {
		client_open(&c[i], d, false);
		client_say(&c[i], "POST " API "/count HTTP/1.1\r\nHost: x\r\n\r\n");
		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 201);
		answer_free(&a);
	}
	(void)daemon_said(d, 0, "Too many open files");
	for (int i = 0; i < 60; i++)
		client_close(&c[i]);
	ask(d, &a, "GET", API "/count");
	assert_string_equal(a.body, "{\"success\":true,\"data\":{\"count\":60}}");
	answer_free(&a);
	daemon_stop(d);
}

static void
descriptors_do_not_leak(void **state)
{
	struct daemon *d = daemon_start("workers = 2\n", NULL, 0);
	struct client c;
	struct answer a;
	int before, after;

	(void)state;
	for (int i = 0; i < 4; i++) {
		ask(d, &a, "GET", API "/count");
		answer_free(&a);
	}
	/* A thread opens the database and the WAL for good with its first query; threads of the
	 * pool do so at any time. A leak would be at least 25 descriptors. */
	before = daemon_descriptors(d) + 2 * THREADS;
	for (int i = 0; i < 100; i++) {
		client_open(&c, d, false);
		switch (i % 4) {
		case 0:
			client_say(&c, "GET / HT");
			break;
		case 1:
			client_say(&c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\n"
				       "Content-Length: 100\r\n\r\nabc");
			break;
		case 2:
			client_say(&c, "POST " API "/count HTTP/1.1\r\nHost: x\r\n\r\n");
			break;
		default:
			client_say(&c, "GET " API "/big?size=900000 HTTP/1.1\r\nHost: x\r\n\r\n");
			break;
		}
		client_close(&c);
	}
	/* The last of them may still be on their way out, or wait for a reader thread. */
	for (int i = 0; i < 5000; i++) {
		ask(d, &a, "GET", API "/count");
		answer_free(&a);
		after = daemon_descriptors(d);
		if (after <= before)
			break;
	}
	assert_true(after <= before);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_head_that_takes_too_long_is_answered_408),
		cmocka_unit_test(an_idle_connection_is_closed_without_a_word),
		cmocka_unit_test(a_body_that_stops_or_trickles_is_answered_408),
		cmocka_unit_test(a_long_body_at_a_good_rate_is_taken),
		cmocka_unit_test(a_call_that_takes_too_long_is_answered_408),
		cmocka_unit_test(an_address_has_so_many_connections),
		cmocka_unit_test(beyond_the_cap_the_oldest_idle_connection_ends),
		cmocka_unit_test(the_connection_that_takes_the_last_place_may_keep_it),
		cmocka_unit_test(beyond_the_cap_without_idle_connections_new_ones_are_answered_503),
		cmocka_unit_test(bodies_beyond_the_memory_for_them_are_answered_503),
		cmocka_unit_test(a_killed_daemon_leaves_no_uploads_for_long),
		cmocka_unit_test(out_of_descriptors_connections_wait_their_turn),
		cmocka_unit_test(descriptors_do_not_leak),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
