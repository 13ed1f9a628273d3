/* readpool.c - reads that take more than a millisecond run on reader threads, beside the worker. */
#include "daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api/dawdle/"
#define GET(what) "GET " API what " HTTP/1.1\r\nHost: x\r\n\r\n"
#define NEVER "99999999999"

static struct daemon *d;

static void
get(const char *what, struct answer *a)
{
	char path[256];

	(void)snprintf(path, sizeof(path), API "%s", what);
	ask(d, a, "GET", path);
	assert_int_equal(a->status, 200);
}

static long long
number(const char *what)
{
	struct answer a;
	long long n;

	get(what, &a);
	n = json_integer_value(json_object_get(a.json, "data"));
	answer_free(&a);
	return n;
}

static void
add_note(void)
{
	struct answer a;

	ask_more(d, &a, "POST", API "notes", "X-CMS-Request: 1\r\nContent-Length: 0\r\n");
	assert_in_range(a.status, 200, 204);
	answer_free(&a);
}

/* One worker and one reader thread. Each op has run once, so that its duration is known. */
static int
start(void **state)
{
	static const char *const dear[] = { "long", "held?pipe=", "count?to=200000", "notes",
		"follow?to=0", "leave" };
	struct answer a;

	(void)state;
	daemon_modules = "t/plugins/dawdler/.libs";
	d = daemon_start("workers = 1\n", NULL, 0);
	for (size_t i = 0; i < sizeof(dear) / sizeof(dear[0]); i++) {
		get(dear[i], &a);
		answer_free(&a);
	}
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	return 0;
}

/* Requests a read; returns when its handler runs, which waits until the descriptor is closed. */
static int
hold_up(struct client *c)
{
	const char *path = daemon_path(d, "pipe");
	int fd;

	(void)unlink(path);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(chmod(path, 0666), 0);
	client_open(c, d, false);
	client_say(c, "GET " API "held?pipe=%s HTTP/1.1\r\nHost: x\r\n\r\n", path);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void
let_go(struct client *c, int fd)
{
	struct answer a;

	close(fd);
	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(c);
}

static void
a_dear_read_in_progress_holds_no_worker(void **state)
{
	struct client c;
	int fd = hold_up(&c);

	(void)state;
	for (int i = 0; i < 10; i++)
		(void)number("quick");
	add_note();
	let_go(&c, fd);
}

/* The only reader thread is busy: another long read waits, and runs in the end. */
static void
dear_reads_wait_for_a_reader_thread(void **state)
{
	struct client c, other;
	struct answer a;
	long long before;
	int fd = hold_up(&c);

	(void)state;
	client_open(&other, d, false);
	client_say(&other, GET("long"));
	before = number("quick");
	let_go(&c, fd);
	client_answer(&other, &a, false);
	assert_true(json_integer_value(json_object_get(a.json, "data")) > before);
	answer_free(&a);
	client_close(&other);
}

/* A client that has only closed its sending side may still wait for its response; after a reset it
 * does not. */
static void
the_read_of_a_client_that_is_gone_ends(void **state)
{
	const struct linger reset = { .l_onoff = 1 };
	struct client c[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		client_open(&c[i], d, false);
		client_say(&c[i], GET("count?to=" NEVER));
	}
	(void)number("quick");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
		    setsockopt(c[i].fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
		client_close(&c[i]);
	}
	(void)number("long");
}

/* Three reads at once share the snapshot of the reader thread if nothing was committed. */
static void
no_reader_thread_reads_what_was_before(void **state)
{
	long long first = number("notes");
	struct client c[3];
	struct answer a;

	(void)state;
	for (int round = 1; round <= 10; round++) {
		add_note();
		for (int i = 0; i < 3; i++) {
			client_open(&c[i], d, false);
			client_say(&c[i], GET("notes"));
		}
		for (int i = 0; i < 3; i++) {
			client_answer(&c[i], &a, false);
			assert_int_equal(
			    json_integer_value(json_object_get(a.json, "data")), first + round);
			answer_free(&a);
			client_close(&c[i]);
		}
		assert_int_equal(number("notes"), first + round);
	}
}

/* Reads until the text has come. */
static void
hear(struct client *c, const char *text)
{
	char got[4096];
	size_t len = 0, n;

	got[0] = '\0';
	while (strstr(got, text) == NULL) {
		n = client_read(c, got + len, sizeof(got) - 1 - len);
		assert_true(n > 0);
		len += n;
		got[len] = '\0';
	}
}

static void
a_stream_of_dear_reads_goes_on_after_commits(void **state)
{
	long long count = number("notes");
	struct client c;
	char text[32];

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "GET " API "follow?to=%lld HTTP/1.1\r\nHost: x\r\n\r\n", count + 2);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(text, sizeof(text), "\n%lld\n", count + i);
		hear(&c, text);
		add_note();
	}
	hear(&c, "end\n");
	client_close(&c);
}

static void
a_parked_stream_ends_when_its_client_says_its_last(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, GET("follow?to=" NEVER));
	assert_int_equal(shutdown(c.fd, SHUT_WR), 0);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.body, "end\n"));
	answer_free(&a);
	client_close(&c);
}

static void
a_read_leaves_a_reader_thread_for_the_slow_lane(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		(void)number("leave");
}

static void
what_reader_threads_have_is_answered_before_the_end(void **state)
{
	struct client parked, waits, held;
	struct answer a;
	int fd;

	(void)state;
	client_open(&parked, d, false);
	client_open(&waits, d, false);
	client_say(&parked, GET("follow?to=" NEVER));
	(void)number("long");
	fd = hold_up(&held);
	client_say(&waits, GET("long"));
	(void)number("quick");
	daemon_signal(d, SIGTERM);
	let_go(&held, fd);
	client_answer(&waits, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_answer(&parked, &a, false);
	assert_non_null(strstr(a.body, "end\n"));
	answer_free(&a);
	assert_int_equal(daemon_ended(d), EXIT_SUCCESS);
	client_close(&waits);
	client_close(&parked);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dear_read_in_progress_holds_no_worker),
		cmocka_unit_test(dear_reads_wait_for_a_reader_thread),
		cmocka_unit_test(the_read_of_a_client_that_is_gone_ends),
		cmocka_unit_test(no_reader_thread_reads_what_was_before),
		cmocka_unit_test(a_stream_of_dear_reads_goes_on_after_commits),
		cmocka_unit_test(a_parked_stream_ends_when_its_client_says_its_last),
		cmocka_unit_test(a_read_leaves_a_reader_thread_for_the_slow_lane),
		cmocka_unit_test(what_reader_threads_have_is_answered_before_the_end),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
