/*
 * alike.c - public requests must not reveal who has an account. For known and unknown addresses the
 * responses, their headers and the number of statements are equal, and so is the time. The time is
 * measured only if ALIKE_SAMPLES is set, with that many samples (`make long`: 100000), alternating
 * at random between known and unknown addresses, and compared by Welch's t-test.
 */
#include "browser.h"
#include "inside.h"

#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ANN "ann@example.org"
#define UNA "una@example.org"
#define STEP 150 /* seconds between two samples, so that no rate limit applies */
#define T_MOST 5.0 /* |t| beyond which the times differ */

static const struct {
	const char *request, *body;
	int part; /* takes 1/part of the samples, since writes take long */
} ways[] = {
	{ "POST /auth/magic-link/send", "{\"email\":\"%s\"}", 5 },
	{ "POST /auth/passkey/options", "{\"email\":\"%s\"}", 1 },
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static int64_t seconds; /* since the beginning of the test */

static void
later(struct harness *h)
{
	const time_t at = (time_t)(1780315200 + (seconds += STEP));
	char text[40];
	struct tm tm;

	assert_non_null(gmtime_r(&at, &tm));
	assert_true(strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.000Z", &tm) > 0);
	harness_clock(h, text);
}

static int
begin(void **state)
{
	static const struct harness_options options = { .mail_server = "smtp://127.0.0.1:1" };
	char id[27];

	*state = harness_open(&options);
	later(*state);
	browser_user(*state, ANN, "author", id);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

static enum stet_status
count_statements(struct stet_call *call, void *arg)
{
	*(uint64_t *)arg += db_statement_count(db_part(call)->db);
	return STET_OK;
}

/* Returns the number of statements so far, of the reader and the writer. */
static uint64_t
statements(struct harness *h)
{
	uint64_t count = harness_statements(h);

	assert_int_equal(inside_write(h, count_statements, &count), STET_OK);
	return count;
}

static struct outcome *
ask(struct harness *h, size_t way, const char *email)
{
	char body[100];
	const char *at = strstr(ways[way].body, "%s");

	(void)snprintf(body, sizeof(body), "%.*s%s%s", (int)(at - ways[way].body), ways[way].body,
	    email, at + 2);
	return browser_send(h, NULL, ways[way].request, body);
}

/* Returns the response with its random parts replaced by x. */
static char *
shape_of(const struct outcome *o)
{
	char *text = strdup(o->text), *at = strstr(text, "\"challenge\":\"");

	for (at = at != NULL ? at + 13 : NULL; at != NULL && *at != '"' && *at != '\0'; at++)
		*at = 'x';
	return text;
}

static void
the_answer_and_the_work_are_the_same(void **state)
{
	struct harness *h = *state;

	for (size_t i = 0; i < WAYS; i++) {
		uint64_t count[2];
		char *text[2], headers[2][2200];
		struct outcome *o;

		harness_ok(o, ask(h, i, ANN)); /* prepares statements */
		inside_sql(h, "DELETE FROM signin_ask", NULL);
		later(h);
		for (int n = 0; n < 2; n++) {
			count[n] = statements(h);
			harness_ok(o, ask(h, i, n == 0 ? ANN : UNA));
			count[n] = statements(h) - count[n];
			text[n] = shape_of(o);
			(void)snprintf(headers[n], sizeof(headers[n]), "%zu %s %s %s",
			    strlen(o->set_cookie), o->retry_after, o->location,
			    o->etag != NULL ? o->etag : "-");
			inside_sql(h, "DELETE FROM signin_ask", NULL);
		}
		assert_string_equal(text[0], text[1]);
		assert_string_equal(headers[0], headers[1]);
		assert_int_equal(count[0], count[1]);
		free(text[0]);
		free(text[1]);
		later(h);
	}
}

/* The number of waiting mails must not reveal whether there is a user: for other addresses the mail
 * is dropped only when the job runs. */
static void
a_mail_that_waits_is_as_much_work(void **state)
{
	struct harness *h = *state;
	uint64_t count[2];
	struct outcome *o;

	harness_ok(o, ask(h, 0, ANN));
	later(h);
	for (int n = 0; n < 2; n++) {
		count[n] = statements(h);
		harness_ok(o, ask(h, 0, n == 0 ? ANN : UNA));
		count[n] = statements(h) - count[n];
	}
	assert_int_equal(count[0], count[1]);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM signin_ask"), "3");
}

/* ---- time ---- */

struct sum {
	double n, mean, m2; /* Welford */
};

static void
add(struct sum *s, double x)
{
	double delta = x - s->mean;

	s->n++;
	s->mean += delta / s->n;
	s->m2 += delta * (x - s->mean);
}

static double
welch(const struct sum *a, const struct sum *b)
{
	double error = a->m2 / (a->n - 1) / a->n + b->m2 / (b->n - 1) / b->n;

	return error > 0 ? (a->mean - b->mean) / sqrt(error) : 0;
}

/* Returns the microseconds that a request takes. */
static double
time_of(struct harness *h, size_t way, const char *email)
{
	struct timespec from, to;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &from), 0);
	assert_ok(ask(h, way, email));
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &to), 0);
	return (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3;
}

static void
the_time_is_the_same(void **state)
{
	const long samples = strtol(getenv("ALIKE_SAMPLES"), NULL, 10);
	struct harness *h = *state;

	for (size_t i = 0; i < WAYS; i++) {
		struct sum sum[2] = { { 0 }, { 0 } };
		double t;

		for (long n = 0; n < samples / ways[i].part; n++) {
			int which = (int)randombytes_uniform(2);
			double us = time_of(h, i, which == 0 ? ANN : UNA);

			if (n >= 200 && us < 50000) /* skips the first samples and disturbances */
				add(&sum[which], us);
			if (i == 0)
				inside_sql(h, "DELETE FROM signin_ask", NULL);
			later(h);
		}
		t = welch(&sum[0], &sum[1]);
		print_message("# %s: %.1f us known, %.1f us unknown, t = %.2f\n", ways[i].request,
		    sum[0].mean, sum[1].mean, t);
		assert_true(fabs(t) < T_MOST);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_answer_and_the_work_are_the_same),
		TEST(a_mail_that_waits_is_as_much_work),
	};
	static const struct CMUnitTest timed[] = {
		TEST(the_time_is_the_same),
	};

	return getenv("ALIKE_SAMPLES") != NULL ? cmocka_run_group_tests(timed, NULL, NULL)
					       : cmocka_run_group_tests(tests, NULL, NULL);
}
