/* wait.c - requests that wait without a thread: for a commit of this or another process, or for a
 * time. */
#include "engine.h"
#include "remote.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define NOON_MS 1780315200000 /* 2026-06-01T12:00:00Z */
#define LATER NOON_MS + 60000
#define READERS_MAX 16 /* of a database in another process; otherwise as many as workers */
#define MANY 1000
#define CONNECTIONS_MAX 16 /* of the daemon, to a database in another process */

static struct daemon *d;

static int
start_with(const char *conf)
{
	d = daemon_new(conf, NULL);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	daemon_clock(d, NOON_MS);
	daemon_run(d, 0);
	return 0;
}

static int
start(void **state)
{
	(void)state;
	return start_with(NULL);
}

static int
start_alone(void **state)
{
	(void)state;
	return start_with("workers = 1\nbody-timeout = \"1s\"\n");
}

static int
start_short(void **state)
{
	(void)state;
	return start_with("call-timeout = \"300ms\"\n");
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	unsetenv("STET_CLOCK");
	return 0;
}

static void
count_up(int64_t want)
{
	struct answer a;

	ask(d, &a, "POST", API "/count");
	assert_int_equal(a.status, 201);
	assert_int_equal(
	    json_integer_value(json_object_get(json_object_get(a.json, "data"), "count")), want);
	answer_free(&a);
}

/* Sends a request that waits until the counter passes `since`. Its handler has run at least
 * once. */
static void
begin(struct client *c, int since, const char *name)
{
	client_open(c, d, false);
	client_say(c,
	    "GET " API "/count/wait?since=%d&until=%lld&started=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    since, (long long)LATER, daemon_path(d, name));
	daemon_file(d, name);
}

/* Checks the response, which has the counter. Returns how often the handler ran. */
static int64_t
answered(struct client *c, int64_t count)
{
	struct answer a;
	const json_t *data;
	int64_t runs;

	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	data = json_object_get(a.json, "data");
	assert_int_equal(json_integer_value(json_object_get(data, "count")), count);
	runs = json_integer_value(json_object_get(data, "runs"));
	answer_free(&a);
	return runs;
}

/* The same, and the handler ran so often. If other daemons may use the database, each state that
 * the daemon has not known wakes it, too: at its start, and when it learns of its own commits. */
static void
end(struct client *c, int64_t count, int64_t times)
{
	int64_t runs = answered(c, count);

	if (engine_is_postgresql())
		assert_true(runs >= times);
	else
		assert_int_equal(runs, times);
}

static int
threads(void)
{
	char path[64];
	int count = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)d->pid);
	dir = opendir(path);
	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

/* Returns how many sockets the daemon has open. Files are not counted: threads may open the
 * database meanwhile. */
static int
sockets(void)
{
	char path[64], to[64];
	struct dirent *entry;
	int count = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)d->pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		const ssize_t n = readlinkat(dirfd(dir), entry->d_name, to, sizeof(to));

		count += n > 7 && memcmp(to, "socket:", 7) == 0;
	}
	closedir(dir);
	return count;
}

/* Waits until the daemon has at most this many sockets open, besides new ones to the database. */
static void
wait_sockets(int most)
{
	most += engine_is_postgresql() ? CONNECTIONS_MAX : 0;
	for (int i = 0; sockets() > most; i++) {
		if (i == WAIT_MS / 10)
			fail_msg("%d sockets are open", sockets());
		(void)poll(NULL, 0, 10);
	}
}

static void
a_commit_wakes_who_waits_for_it(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	begin(&c, 0, "one");
	assert_true(client_quiet(&c, 50));
	count_up(1);
	end(&c, 1, 2);
	/* A condition that is already true is not waited for, and the connection stays usable. */
	client_say(
	    &c, "GET " API "/count/wait?until=%lld HTTP/1.1\r\nHost: x\r\n\r\n", (long long)LATER);
	end(&c, 1, 1);
	client_say(&c, "HEAD " API "/count/wait?since=1&until=%lld HTTP/1.1\r\nHost: x\r\n\r\n",
	    (long long)LATER);
	count_up(2);
	client_answer(&c, &a, true);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
}

static void
a_commit_that_is_not_enough_is_waited_through(void **state)
{
	struct client c;

	(void)state;
	begin(&c, 3, "through");
	count_up(1);
	count_up(2);
	count_up(3);
	assert_true(client_quiet(&c, 50));
	count_up(4);
	assert_true(answered(&c, 4) >= 2);
	client_close(&c);
}

static void
a_commit_of_another_process_wakes_too(void **state)
{
	struct client c;

	(void)state;
	begin(&c, 0, "other");
	free(COMMAND(d, "call", "probe_count_up"));
	end(&c, 1, 2);
	client_close(&c);
}

static void
the_time_is_that_of_the_clock(void **state)
{
	struct client c;

	(void)state;
	begin(&c, 0, "time");
	daemon_clock(d, LATER - 1);
	assert_true(client_quiet(&c, 600)); /* longer than two checks of the clock */
	daemon_clock(d, LATER);
	end(&c, 0, 2);
	/* A time in the past is not waited for. */
	client_say(
	    &c, "GET " API "/count/wait?until=%lld HTTP/1.1\r\nHost: x\r\n\r\n", (long long)LATER);
	end(&c, 0, 1);
	client_close(&c);
}

static void
many_wait_without_threads_and_wake_at_once(void **state)
{
	static struct client c[MANY];
	int before = threads();
	long memory = daemon_resident(d);
	char name[32];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "many-%d", i);
		begin(&c[i], 0, name);
	}
	/* The first long read has started threads that stay (op/readpool.h). */
	assert_in_range(threads(), before, before + READERS_MAX);
	memory = daemon_resident(d) - memory;
	print_message("# %ld bytes for each of %d that wait\n", memory / MANY, MANY);
	assert_true(memory < MANY * 20000L);
	count_up(1);
	for (int i = 0; i < MANY; i++) {
		end(&c[i], 1, 2);
		client_close(&c[i]);
	}
}

static void
who_leaves_is_forgotten(void **state)
{
	struct client c[20], last;
	char name[32];
	int with;

	(void)state;
	begin(&last, 0, "last");
	for (int i = 0; i < 20; i++) {
		(void)snprintf(name, sizeof(name), "leaves-%d", i);
		begin(&c[i], 0, name);
	}
	with = sockets();
	for (int i = 0; i < 20; i++)
		client_close(&c[i]);
	wait_sockets(with - 20);
	count_up(1);
	end(&last, 1, 2);
	client_close(&last);
}

static void
who_has_closed_its_side_is_answered_at_once(void **state)
{
	struct client c;

	(void)state;
	begin(&c, 0, "half");
	assert_int_equal(shutdown(c.fd, SHUT_WR), 0);
	end(&c, 0, 2);
	assert_true(client_ended(&c));
	client_close(&c);
}

static void
draining_answers_who_waits(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	begin(&c, 0, "drain");
	daemon_signal(d, SIGTERM);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
	assert_int_equal(daemon_ended(d), 0);
}

static void
a_request_waits_no_longer_than_one_may_take(void **state)
{
	struct client c;

	(void)state;
	begin(&c, 0, "span");
	end(&c, 0, 2);
	client_close(&c);
}

/* ---- streams ---- */

/* Reads until these bytes have arrived. */
static void
expect(struct client *c, const char *text)
{
	char bytes[4096] = "";
	size_t len = 0, n;

	while (strstr(bytes, text) == NULL) {
		n = client_read(c, bytes + len, sizeof(bytes) - 1 - len);
		if (n == 0)
			fail_msg("waited in vain for %s after %s", text, bytes);
		len += n;
		bytes[len] = '\0';
	}
}

static void
stream(struct client *c, bool slow, const char *query)
{
	client_open(c, d, slow);
	client_say(c, "GET " API "/count/stream?until=%lld%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    (long long)LATER, query);
}

static void
a_stream_says_what_comes_while_it_waits(void **state)
{
	struct client c;
	struct answer a;
	int before = threads();

	(void)state;
	count_up(1);
	stream(&c, false, "");
	expect(&c, "\r\n\r\n2\r\n1\n\r\n");
	assert_in_range(threads(), before, before + READERS_MAX);
	count_up(2);
	expect(&c, "2\r\n2\n\r\n");
	count_up(3);
	expect(&c, "2\r\n3\n\r\n");
	daemon_clock(d, LATER);
	expect(&c, "4\r\nend\n\r\n0\r\n\r\n");
	/* The connection stays open; a stream that has nothing to wait for is an ordinary
	 * response. */
	client_say(&c, "GET " API "/count/stream?until=0 HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, false);
	assert_string_equal(answer_header(&a, "Content-Length"), "6");
	assert_memory_equal(a.body, "3\nend\n", 6);
	answer_free(&a);
	client_close(&c);
}

static void
a_stream_that_fails_shows(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	count_up(1);
	stream(&c, false, "&fail=1");
	for (int i = 2; i <= 5; i++)
		count_up(i);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_false(a.whole);
	answer_free(&a);
	client_close(&c);
}

static void
draining_ends_streams(void **state)
{
	struct client c;

	(void)state;
	count_up(1);
	stream(&c, false, "");
	expect(&c, "2\r\n1\n\r\n");
	daemon_signal(d, SIGTERM);
	expect(&c, "4\r\nend\n\r\n0\r\n\r\n");
	client_close(&c);
	assert_int_equal(daemon_ended(d), 0);
}

/* Unread values must not pile up in memory, nor for an unlimited time. */
static void
a_stream_that_is_not_read_is_held_and_dropped(void **state)
{
	struct client c;
	long before;
	int with;

	(void)state;
	count_up(1);
	stream(&c, true, "&fill=1000000");
	expect(&c, "1\n\r\n");
	with = sockets();
	before = daemon_resident(d);
	for (int i = 2; i < 100; i++)
		count_up(i);
	assert_true(daemon_resident(d) - before < 20000000);
	wait_sockets(with - 1);
	client_close(&c);
}

#define check(test) cmocka_unit_test_setup_teardown(test, start, stop)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_commit_wakes_who_waits_for_it),
		check(a_commit_that_is_not_enough_is_waited_through),
		check(a_commit_of_another_process_wakes_too),
		check(the_time_is_that_of_the_clock),
		check(many_wait_without_threads_and_wake_at_once),
		check(who_leaves_is_forgotten),
		check(who_has_closed_its_side_is_answered_at_once),
		check(draining_answers_who_waits),
		cmocka_unit_test_setup_teardown(
		    a_request_waits_no_longer_than_one_may_take, start_short, stop),
		check(a_stream_says_what_comes_while_it_waits),
		check(a_stream_that_fails_shows),
		check(draining_ends_streams),
		cmocka_unit_test_setup_teardown(
		    a_stream_that_is_not_read_is_held_and_dropped, start_alone, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
