/* streams.c - responses that are sent while their handler runs, and clients that disconnect before
 * the end. */
#include "daemon.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"

static struct daemon *d;

static int
start(void **state)
{
	*state = d = daemon_start("slow-threads = 2\nbody-timeout = \"1s\"\n", NULL, 0);
	return 0;
}

static void
check_bytes(const struct answer *a, size_t size)
{
	assert_true(a->whole);
	assert_int_equal(a->len, size);
	for (size_t i = 0; i < size; i++)
		if (a->body[i] != (char)('a' + i % 23))
			fail_msg("byte %zu is wrong", i);
}

static void
a_streamed_reply_is_whole(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (int i = 0; i < 3; i++) {
		client_say(&c, "GET " API "/stream?size=5000000 HTTP/1.1\r\nHost: x\r\n\r\n");
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		assert_string_equal(answer_header(&a, "Transfer-Encoding"), "chunked");
		assert_string_equal(answer_header(&a, "Content-Type"), "application/octet-stream");
		assert_string_equal(answer_header(&a, "X-Probe"), "stream");
		check_bytes(&a, 5000000);
		answer_free(&a);
	}
	/* A stream without content is an ordinary empty response. */
	client_say(&c, "GET " API "/stream?size=0 HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_int_equal(a.len, 0);
	answer_free(&a);
	client_say(&c, "HEAD " API "/stream?size=5000000 HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, true);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_say(&c, "GET " API "/stream?size=1000 HTTP/1.0\r\n\r\n");
	client_answer(&c, &a, false);
	assert_null(answer_header(&a, "Transfer-Encoding"));
	check_bytes(&a, 1000);
	answer_free(&a);
	client_close(&c);
}

/* While the client does not read, the handler waits, and memory does not grow. */
static void
a_slow_reader_holds_the_producer(void **state)
{
	struct client c;
	struct answer a;
	long before = daemon_resident(d);

	(void)state;
	client_open(&c, d, true);
	client_say(&c,
	    "GET " API "/stream?size=60000000&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "held"), daemon_path(d, "held-end"));
	daemon_file(d, "held");
	/* The peer's receive window is full long before: the stream continues only when the client
	 * reads. */
	assert_int_equal(access(daemon_path(d, "held-end"), F_OK), -1);
	client_answer(&c, &a, false);
	check_bytes(&a, 60000000);
	answer_free(&a);
	daemon_file(d, "held-end");
	/* 60 MB were sent; caches may use 20 MB. */
	assert_true(daemon_resident(d) - before < 20000000);
	client_close(&c);
}

/* The kernel buffers megabytes and asks for more in bursts, so the test counts what the client
 * read. */
static void
a_reader_that_is_slow_but_steady_is_served(void **state)
{
	static char bytes[65536];
	struct client c;
	size_t total = 0, n;

	(void)state;
	client_open(&c, d, true);
	client_say(
	    &c, "GET " API "/big?size=12000000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	/* Reads about 3 MB a second for longer than body-timeout, then the rest at full speed. */
	for (int i = 0; i < 120; i++) {
		n = client_read(&c, bytes, 32768);
		assert_true(n > 0);
		total += n;
		assert_int_equal(poll(NULL, 0, 10), 0);
	}
	while ((n = client_read(&c, bytes, sizeof(bytes))) > 0)
		total += n;
	assert_true(total > 12000000);
	client_close(&c);
}

static void
a_reader_that_stops_is_dropped(void **state)
{
	struct client c;

	(void)state;
	client_open(&c, d, true);
	client_say(&c,
	    "GET " API "/stream?size=60000000&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "stop"), daemon_path(d, "stop-end"));
	daemon_file(d, "stop");
	/* body-timeout passes without a byte read: the handler's write fails, and it ends. */
	daemon_file(d, "stop-end");
	client_close(&c);
}

static void
a_handler_that_fails_halfway_shows(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "GET " API "/stream?size=5000000&fail=1000000 HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_false(a.whole);
	answer_free(&a);
	client_close(&c);
}

static void
a_client_that_leaves_a_stream_ends_its_handler(void **state)
{
	struct client c;
	char bytes[1000];

	(void)state;
	client_open(&c, d, true);
	client_say(&c,
	    "GET " API "/stream?size=600000000&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "left"), daemon_path(d, "left-end"));
	daemon_file(d, "left");
	assert_true(client_read(&c, bytes, sizeof(bytes)) > 0);
	client_close(&c);
	daemon_file(d, "left-end");
}

/* Releases a handler that waits for a FIFO. */
static void
let_go(const char *name)
{
	int fd = open(daemon_path(d, name), O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	close(fd);
}

static void
a_call_finishes_though_its_client_is_gone(void **state)
{
	static const char *const methods[] = { "GET", "POST" };
	struct client c;
	struct answer a;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct linger reset = { .l_onoff = 1 };
		char fifo[32], started[32], ended[32];

		(void)snprintf(fifo, sizeof(fifo), "fifo%d", i);
		(void)snprintf(started, sizeof(started), "gone%d", i);
		(void)snprintf(ended, sizeof(ended), "gone-end%d", i);
		assert_int_equal(mkfifo(daemon_path(d, fifo), 0600), 0);
		client_open(&c, d, false);
		client_say(&c,
		    "%s " API "/slow?wait=%s&started=%s&ended=%s HTTP/1.1\r\nHost: x\r\n\r\n",
		    methods[i], daemon_path(d, fifo), daemon_path(d, started),
		    daemon_path(d, ended));
		daemon_file(d, started);
		/* The client resets the connection, which the daemon notices at once. */
		assert_int_equal(setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
		client_close(&c);
		let_go(fifo);
		daemon_file(d, ended);
		ask(d, &a, "GET", API "/echo?text=alive");
		assert_int_equal(a.status, 200);
		answer_free(&a);
	}
}

/* Requests on other connections do not wait for a slow one. */
static void
others_are_served_while_one_is_slow(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&c, d, false);
	client_say(
	    &c, "GET " API "/slow?wait=%s HTTP/1.1\r\nHost: x\r\n\r\n", daemon_path(d, "fifo"));
	for (int i = 0; i < 10; i++) {
		ask(d, &a, "POST", API "/count");
		assert_int_equal(a.status, 201);
		answer_free(&a);
	}
	/* The pipelined request waits until the slow response has ended. */
	client_say(&c, "GET " API "/echo?text=second HTTP/1.1\r\nHost: x\r\n\r\n");
	assert_true(client_quiet(&c, 50));
	let_go("fifo");
	client_answer(&c, &a, false);
	assert_string_equal(a.body, "{\"success\":true,\"data\":\"done\"}");
	answer_free(&a);
	client_answer(&c, &a, false);
	assert_non_null(strstr(a.body, "second"));
	answer_free(&a);
	client_close(&c);
}

/* A client that does not read costs memory, but none of the threads of others. */
static void
others_are_served_while_all_threads_wait_for_readers(void **state)
{
	struct daemon *own = daemon_start("slow-threads = 2\n", NULL, 0);
	struct client c[5];
	struct answer a;
	char name[5][16];

	(void)state;
	for (int i = 0; i < 5; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "held-%d", i);
		client_open(&c[i], own, true);
		client_say(&c[i],
		    "GET " API "/stream?size=60000000&started=%s&ended=%s HTTP/1.1\r\n"
		    "Host: x\r\n\r\n",
		    daemon_path(own, name[i]), daemon_path(own, "held-end"));
		daemon_file(own, name[i]);
		ask(own, &a, "GET", API "/stream?size=1000");
		check_bytes(&a, 1000);
		answer_free(&a);
	}
	assert_int_equal(access(daemon_path(own, "held-end"), F_OK), -1);
	client_answer(&c[4], &a, false);
	check_bytes(&a, 60000000);
	answer_free(&a);
	for (int i = 0; i < 5; i++)
		client_close(&c[i]);
	daemon_stop(own);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_streamed_reply_is_whole),
		cmocka_unit_test(a_slow_reader_holds_the_producer),
		cmocka_unit_test(a_reader_that_is_slow_but_steady_is_served),
		cmocka_unit_test(a_reader_that_stops_is_dropped),
		cmocka_unit_test(a_handler_that_fails_halfway_shows),
		cmocka_unit_test(a_client_that_leaves_a_stream_ends_its_handler),
		cmocka_unit_test(a_call_finishes_though_its_client_is_gone),
		cmocka_unit_test(others_are_served_while_one_is_slow),
		cmocka_unit_test(others_are_served_while_all_threads_wait_for_readers),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
