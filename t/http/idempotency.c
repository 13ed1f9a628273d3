/* idempotency.c - repeated keys over the wire: batches, kills, failures. */
#include "daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"

static struct daemon *d;

/* Kills the daemon with SIGKILL, and starts it again. */
static void
kill_and_run(void)
{
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	daemon_run(d, 0);
}

static void
send_keyed(struct client *c, const char *path, const char *key, const char *body)
{
	client_say(c,
	    "POST " API "%s HTTP/1.1\r\nHost: x\r\nIdempotency-Key: %s\r\nContent-Type: "
	    "application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    path, key, strlen(body), body);
}

/* Sends a request with a key on a new connection. */
static void
post(const char *path, const char *key, const char *body, struct answer *a)
{
	struct client c;

	client_open(&c, d, false);
	send_keyed(&c, path, key, body);
	client_answer(&c, a, false);
	client_close(&c);
}

static bool
replayed(const struct answer *a)
{
	const char *said = answer_header(a, "Idempotency-Replayed");

	return said != NULL && strcmp(said, "true") == 0;
}

static int
count_of(const struct answer *a)
{
	return (int)json_integer_value(json_object_get(json_object_get(a->json, "data"), "count"));
}

static int
counter(void)
{
	struct answer a;
	int n;

	ask(d, &a, "GET", API "/count");
	assert_int_equal(a.status, 200);
	n = count_of(&a);
	answer_free(&a);
	return n;
}

static void
a_kill_does_not_lose_the_answer(void **state)
{
	struct answer first, again;
	int before = counter();

	(void)state;
	post("/count", "kill", "{}", &first);
	assert_int_equal(first.status, 201);
	assert_false(replayed(&first));
	for (int i = 0; i < 2; i++) {
		kill_and_run();
		post("/count", "kill", "{}", &again);
		assert_int_equal(again.status, 201);
		assert_true(replayed(&again));
		assert_string_equal(again.body, first.body);
		answer_free(&again);
	}
	assert_int_equal(counter(), before + 1);
	answer_free(&first);
}

/* The first response was never sent: the client learns the result from the second request. */
static void
a_kill_between_commit_and_answer_is_healed(void **state)
{
	struct client c;
	struct answer a;
	int before = counter();

	(void)state;
	client_open(&c, d, false);
	send_keyed(&c, "/count", "gone", "{}");
	while (counter() == before)
		continue;
	kill_and_run();
	client_close(&c);
	post("/count", "gone", "{}", &a);
	assert_int_equal(a.status, 201);
	assert_true(replayed(&a));
	assert_int_equal(count_of(&a), before + 1);
	answer_free(&a);
	assert_int_equal(counter(), before + 1);
}

static void
two_in_flight_are_one_write_and_one_replay(void **state)
{
	struct client busy, c[4];
	struct answer a[4];
	int before = counter(), fresh = 0, fd;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&busy, d, false);
	client_say(&busy, "POST " API "/slow?wait=%s&started=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "started"));
	daemon_file(d, "started");
	/* The requests queue behind the first one, and are in one batch with it. */
	for (int i = 0; i < 4; i++) {
		client_open(&c[i], d, false);
		send_keyed(&c[i], "/count", "twin", i == 3 ? "{\"text\":\"x\"}" : "{}");
	}
	fd = open(daemon_path(d, "fifo"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	for (int i = 0; i < 4; i++)
		client_answer(&c[i], &a[i], false);
	for (int i = 0; i < 4; i++) {
		fresh += a[i].status == 201 && !replayed(&a[i]);
		if (a[i].status == 201)
			assert_int_equal(count_of(&a[i]), before + 1);
		else
			assert_string_equal(answer_code(&a[i]), "CONFLICT");
		client_close(&c[i]);
		answer_free(&a[i]);
	}
	assert_int_equal(fresh, 1);
	assert_int_equal(counter(), before + 1);
	client_answer(&busy, &a[0], false);
	assert_int_equal(a[0].status, 200);
	answer_free(&a[0]);
	client_close(&busy);
}

static void
a_kept_refusal_keeps_nothing_else(void **state)
{
	struct answer a;
	int before = counter();

	(void)state;
	for (int i = 0; i < 2; i++) {
		post("/count/refuse", "refuse", "", &a);
		assert_int_equal(a.status, 422);
		assert_string_equal(answer_code(&a), "PROBE_REJECTED");
		assert_non_null(strstr(a.body, "counted in vain"));
		assert_int_equal(replayed(&a), i == 1);
		answer_free(&a);
	}
	assert_int_equal(counter(), before);
	/* The next write is not affected by the failed ones. */
	post("/count", "after", "", &a);
	assert_int_equal(count_of(&a), before + 1);
	answer_free(&a);
}

static void
a_fault_is_not_kept(void **state)
{
	struct answer a;
	int before = counter();

	(void)state;
	for (int i = 0; i < 2; i++) {
		post("/count/fault", "fault", "", &a);
		assert_int_equal(a.status, 500);
		assert_false(replayed(&a));
		answer_free(&a);
	}
	assert_int_equal(counter(), before);
	/* After the failure the key is free, for any request. */
	post("/count", "fault", "", &a);
	assert_int_equal(a.status, 201);
	assert_false(replayed(&a));
	answer_free(&a);
}

static void
an_upload_takes_no_key(void **state)
{
	struct answer a;

	(void)state;
	post("/count/file", "file", "bytes", &a);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "VALIDATION_ERROR");
	answer_free(&a);
}

static int
begin(void **state)
{
	*state = d = daemon_start(NULL, NULL, 0);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_does_not_lose_the_answer),
		cmocka_unit_test(a_kill_between_commit_and_answer_is_healed),
		cmocka_unit_test(two_in_flight_are_one_write_and_one_replay),
		cmocka_unit_test(a_kept_refusal_keeps_nothing_else),
		cmocka_unit_test(a_fault_is_not_kept),
		cmocka_unit_test(an_upload_takes_no_key),
	};

	return cmocka_run_group_tests(tests, begin, daemon_teardown);
}
