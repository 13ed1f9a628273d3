/* turns.c - the order of reads: short ones overtake long ones, and long ones still get their
 * turn. */
#include "daemon.h"

#include <signal.h>
#include <stdlib.h>

#define LONG "GET /_cms/api/dawdle/long HTTP/1.1\r\nHost: x\r\n\r\n"
#define SHORT "GET /_cms/api/dawdle/short HTTP/1.1\r\nHost: x\r\n\r\n"
#define EITHER(body, length)                                                       \
	"POST /_cms/api/dawdle/either HTTP/1.1\r\nHost: x\r\nX-CMS-Request: 1\r\n" \
	"Content-Type: application/json\r\nContent-Length: " length "\r\n\r\n\"" body "\""
#define WAITING 12

#define LONG_FROM(address)                                  \
	"GET /_cms/api/dawdle/long HTTP/1.1\r\nHost: x\r\n" \
	"X-Forwarded-For: " address "\r\n\r\n"

static struct daemon *
begin_with(const char *conf)
{
	struct daemon *d;
	struct answer a;

	daemon_modules = "t/plugins/dawdler/.libs";
	d = daemon_start(conf, NULL, 0);
	/* Lets the daemon measure which of the two reads takes long. */
	ask(d, &a, "GET", "/_cms/api/dawdle/long");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	return d;
}

static struct daemon *
begin(void)
{
	return begin_with("workers = 1\n");
}

/* Returns which of the two requests this response is for. */
static int
answered(struct client *c)
{
	struct answer a;
	int n;

	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	n = (int)json_integer_value(json_object_get(a.json, "data"));
	answer_free(&a);
	return n;
}

static void
open_and_wait(struct daemon *d, struct client *c, int n, const char *request)
{
	for (int i = 0; i < n; i++)
		client_open(&c[i], d, false);
	for (int i = 0; i < n; i++)
		client_say(&c[i], "%s", request);
}

static void
overtakes(const char *short_one, const char *long_one)
{
	struct daemon *d = begin();
	struct client c[WAITING], quick;
	int known = 0;

	client_open(&quick, d, false);
	client_say(&quick, "%s", long_one);
	(void)answered(&quick);
	/* The lower of the last two times counts. On a busy machine one may be much too long. */
	for (int i = 0; i < 5; i++) {
		client_say(&quick, "%s", short_one);
		known = answered(&quick);
	}
	open_and_wait(d, c, WAITING, long_one);
	client_say(&quick, "%s", short_one);
	/* The long reads that had begun ran before it, but not all of them. */
	assert_true(answered(&quick) < known + WAITING);
	for (int i = 0; i < WAITING; i++) {
		(void)answered(&c[i]);
		client_close(&c[i]);
	}
	client_close(&quick);
	daemon_stop(d);
}

static void
short_reads_overtake_long_ones(void **state)
{
	(void)state;
	overtakes(SHORT, LONG);
}

/* The requests differ only in their bodies. */
static void
so_they_do_where_bodies_tell_them_apart(void **state)
{
	(void)state;
	overtakes(EITHER("short", "7"), EITHER("long", "6"));
}

static void
long_reads_have_their_turn(void **state)
{
	enum { SHORTS = 3000 };
	struct daemon *d = begin();
	struct client one, many;
	int at, last = 0;

	(void)state;
	client_open(&one, d, false);
	client_open(&many, d, false);
	for (int i = 0; i < SHORTS; i++)
		client_say(&many, SHORT);
	client_say(&one, LONG);
	at = answered(&one);
	for (int i = 0; i < SHORTS; i++)
		last = answered(&many);
	assert_true(at < last);
	client_close(&one);
	client_close(&many);
	daemon_stop(d);
}

static void
clients_take_turns(void **state)
{
	struct daemon *d = begin_with("workers = 1\ntrusted-proxies = { \"127.0.0.0/8\" }\n");
	struct client c[WAITING], other;

	(void)state;
	client_open(&other, d, false);
	open_and_wait(d, c, WAITING, LONG_FROM("192.0.2.1"));
	client_say(&other, LONG_FROM("192.0.2.2"));
	/* It is not served after all earlier requests of the other client. */
	assert_true(answered(&other) < WAITING / 2);
	for (int i = 0; i < WAITING; i++)
		(void)answered(&c[i]);
	for (int i = 0; i < WAITING; i++)
		client_close(&c[i]);
	client_close(&other);
	daemon_stop(d);
}

static void
more_than_may_wait_of_a_client_are_refused(void **state)
{
	struct daemon *d = begin_with("workers = 1\nmax-waiting-per-client = 4\n"
				      "trusted-proxies = { \"127.0.0.0/8\" }\n");
	struct client c[WAITING], other;
	int served = 0;

	(void)state;
	open_and_wait(d, c, WAITING, LONG_FROM("2001:db8::1"));
	open_and_wait(d, &other, 1, LONG_FROM("2001:db8:0:1::1"));
	(void)answered(&other);
	for (int i = 0; i < WAITING; i++) {
		struct answer a;

		client_answer(&c[i], &a, false);
		served += a.status == 200;
		if (a.status != 200) {
			assert_int_equal(a.status, 503);
			assert_string_equal(answer_code(&a), "UNAVAILABLE");
			assert_string_equal(answer_header(&a, "Retry-After"), "1");
		}
		answer_free(&a);
		client_close(&c[i]);
	}
	assert_in_range(served, 4, WAITING - 1);
	/* Clients that were served do not count as waiting any more. */
	open_and_wait(d, c, 4, LONG_FROM("2001:db8::1"));
	for (int i = 0; i < 4; i++) {
		(void)answered(&c[i]);
		client_close(&c[i]);
	}
	client_close(&other);
	daemon_stop(d);
}

static void
who_leaves_holds_nobody_up(void **state)
{
	struct daemon *d = begin();
	struct client c[WAITING];

	(void)state;
	open_and_wait(d, c, WAITING, LONG);
	for (int i = 0; i < WAITING; i += 2)
		client_close(&c[i]);
	for (int i = 1; i < WAITING; i += 2) {
		(void)answered(&c[i]);
		client_close(&c[i]);
	}
	daemon_stop(d);
}

static void
what_waits_is_answered_before_the_end(void **state)
{
	struct daemon *d = begin();
	struct client c[WAITING];

	(void)state;
	open_and_wait(d, c, WAITING, LONG);
	(void)answered(&c[0]);
	daemon_signal(d, SIGTERM);
	for (int i = 1; i < WAITING; i++)
		(void)answered(&c[i]);
	assert_int_equal(daemon_ended(d), EXIT_SUCCESS);
	for (int i = 0; i < WAITING; i++)
		client_close(&c[i]);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_reads_overtake_long_ones),
		cmocka_unit_test(so_they_do_where_bodies_tell_them_apart),
		cmocka_unit_test(long_reads_have_their_turn),
		cmocka_unit_test(clients_take_turns),
		cmocka_unit_test(more_than_may_wait_of_a_client_are_refused),
		cmocka_unit_test(who_leaves_holds_nobody_up),
		cmocka_unit_test(what_waits_is_answered_before_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
