/* limit.t - rate limits of clients: bursts, addresses, accounts, calls that run again, bounded
 * memory. */
#include "inside.h"
#include <stdio.h>
#include <string.h>

/* More than 60, and so counted by each daemon and by the clock of the test: those that may guard a
 * secret go by the clock of a database that daemons share (t/http/guesses.c). */
#define MANY 65
#define SECONDS (120 * MANY)

struct attempt {
	const char *client, *what, *who;
	enum stet_via via;
	int times; /* how often one call runs the limit */
	char text[24];
};

static enum stet_status
try(struct stet_call *call, void *arg)
{
	struct attempt *a = arg;
	enum stet_status status = STET_OK;

	call->client = a->client;
	if (a->via == STET_VIA_COMMAND)
		stet_principal_set(call,
		    &(struct stet_principal){ .id = "", .role = 50, .via = STET_VIA_COMMAND });
	for (int i = 0; i < a->times && status == STET_OK; i++) {
		call_rewind(call); /* as the writer does before it runs a call again */
		status = stet_limit(call, a->what, a->who, MANY, SECONDS);
	}
	for (const struct call_pair *p = call->reply.headers; p != NULL; p = p->next)
		if (strcmp(p->name, "Retry-After") == 0)
			snprintf(a->text, sizeof(a->text), "%s", p->value);
	return status;
}

/* Returns how many of so many calls and a few more are admitted; retry_after is that of the last
 * one. */
static char retry_after[24];
static int
admitted(struct harness *h, const char *client, const char *what, const char *who)
{
	struct attempt a = { client, what, who, STET_VIA_TOKEN, 1, "" };
	int n = 0;

	for (int i = 0; i < MANY + 5; i++)
		n += inside_read(h, try, &a) == STET_OK;
	memcpy(retry_after, a.text, sizeof(retry_after));
	return n;
}

static void
a_burst_is_admitted_and_then_one_at_a_time(void **state)
{
	struct harness *h = *state;

	assert_int_equal(admitted(h, "192.0.2.1", "burst", NULL), MANY);
	assert_string_equal(retry_after, "120");
	harness_clock(h, "2026-06-01T12:01:59.001Z");
	assert_int_equal(admitted(h, "192.0.2.1", "burst", NULL), 0);
	assert_string_equal(retry_after, "1");
	harness_clock(h, "2026-06-01T12:02:00.000Z");
	assert_int_equal(admitted(h, "192.0.2.1", "burst", NULL), 1);
	harness_clock(h, "2026-06-01T12:06:00.000Z");
	assert_int_equal(admitted(h, "192.0.2.1", "burst", NULL), 2);
	harness_clock(h, "2026-06-01T15:00:00.000Z");
	assert_int_equal(admitted(h, "192.0.2.1", "burst", NULL), MANY);
}

static void
each_address_has_its_own_and_an_ipv6_network_is_one(void **state)
{
	struct harness *h = *state;

	assert_int_equal(admitted(h, "192.0.2.1", "address", NULL), MANY);
	assert_int_equal(admitted(h, "192.0.2.2", "address", NULL), MANY);
	assert_int_equal(admitted(h, "::ffff:192.0.2.2", "address", NULL), 0);
	assert_int_equal(admitted(h, "2001:db8:0:1::1", "address", NULL), MANY);
	assert_int_equal(admitted(h, "2001:db8:0:1:ffff::2", "address", NULL), 0);
	assert_int_equal(admitted(h, "2001:db8:0:2::1", "address", NULL), MANY);
}

static void
each_thing_and_each_account_has_its_own(void **state)
{
	struct harness *h = *state;

	assert_int_equal(admitted(h, "192.0.2.1", "one", NULL), MANY);
	assert_int_equal(admitted(h, "192.0.2.1", "two", NULL), MANY);
	assert_int_equal(admitted(h, "192.0.2.1", "one", "ann"), MANY);
	assert_int_equal(admitted(h, "192.0.2.9", "one", "ann"), 0);
	assert_int_equal(admitted(h, "192.0.2.9", "one", "bob"), MANY);
}

/* Calls without an address share one limit, which is four times as large. */
static void
no_address_is_not_no_limit(void **state)
{
	struct harness *h = *state;
	int n = 0;

	for (int i = 0; i < 4; i++)
		n += admitted(h, i % 2 == 0 ? "" : NULL, "nowhere", NULL);
	assert_int_equal(n, 4 * MANY);
	assert_int_equal(admitted(h, "192.0.2.1", "nowhere", NULL), MANY);
}

static void
a_handler_that_runs_again_takes_once(void **state)
{
	struct harness *h = *state;
	struct attempt a = { "192.0.2.1", "again", NULL, STET_VIA_TOKEN, 20, "" };

	for (int i = 0; i < MANY; i++)
		assert_int_equal(inside_read(h, try, &a), STET_OK);
	assert_int_equal(inside_read(h, try, &a), STET_RATE_LIMITED);
}

static enum stet_status
try_twice(struct stet_call *call, void *arg)
{
	enum stet_status status = STET_OK;

	(void)arg;
	call->client = "192.0.2.1";
	for (int i = 0; i < 3 && status == STET_OK; i++) {
		call_rewind(call);
		for (int n = 0; n < 2 && status == STET_OK; n++)
			status = stet_limit(call, "twice", NULL, MANY, SECONDS);
	}
	return status;
}

static void
a_handler_that_asks_twice_takes_two(void **state)
{
	for (int i = 0; i < MANY / 2; i++)
		assert_int_equal(inside_read(*state, try_twice, NULL), STET_OK);
	assert_int_equal(inside_read(*state, try_twice, NULL), STET_RATE_LIMITED);
}

static void
commands_are_not_limited(void **state)
{
	struct attempt a = { "", "command", NULL, STET_VIA_COMMAND, 1, "" };

	for (int i = 0; i < 2 * MANY; i++)
		assert_int_equal(inside_read(*state, try, &a), STET_OK);
}

static void
a_clock_that_was_set_back_does_not_lock_out(void **state)
{
	struct harness *h = *state;

	harness_clock(h, "2027-06-01T12:00:00.000Z");
	assert_int_equal(admitted(h, "192.0.2.1", "back", NULL), MANY);
	harness_clock(h, "2026-06-01T12:00:00.000Z");
	assert_int_equal(admitted(h, "192.0.2.1", "back", NULL), MANY);
}

/* With more clients than the table holds, a client that is over its limit is not evicted. */
static void
a_crowd_does_not_wash_away_who_is_limited(void **state)
{
	struct harness *h = *state;
	char text[40];
	struct attempt a = { text, "crowd", NULL, STET_VIA_TOKEN, 1, "" };

	assert_int_equal(admitted(h, "192.0.2.1", "crowd", NULL), MANY);
	for (int i = 0; i < 200000; i++) {
		snprintf(text, sizeof(text), "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
		assert_int_equal(inside_read(h, try, &a), STET_OK);
	}
	assert_int_equal(admitted(h, "192.0.2.1", "crowd", NULL), 0);
}

#define check(name) cmocka_unit_test_setup_teardown(name, inside_begin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_burst_is_admitted_and_then_one_at_a_time),
		check(each_address_has_its_own_and_an_ipv6_network_is_one),
		check(each_thing_and_each_account_has_its_own),
		check(no_address_is_not_no_limit),
		check(a_handler_that_runs_again_takes_once),
		check(a_handler_that_asks_twice_takes_two),
		check(commands_are_not_limited),
		check(a_clock_that_was_set_back_does_not_lock_out),
		check(a_crowd_does_not_wash_away_who_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
