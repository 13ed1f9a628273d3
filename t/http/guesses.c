/*
 * guesses.c - two daemons of one site limit their clients as one does: what guards a secret is
 * counted over both, other limits are divided.
 */
#include "daemons.h"
#include "watcher.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CONF WATCHED "trusted-proxies = { \"127.0.0.0/8\" }\n"
#define LIMITS                                 \
	"base-url = \"https://cms.example\"\n" \
	"address-limits = { \"failures 30/1h\", \"reads 8/1h\" }"
#define OVER 1 /* guesses that two daemons may let pass beyond the limit */
#define QUIET_MS 2200 /* both have read by then what the other one has counted */
#define GONE_MS 15000 /* by then, a daemon that was killed is not counted any more */

#define ME "GET " API "/auth/me"
#define WRONG "Authorization: Bearer cms_pat_0000000000000000000000000000000000000000000\r\n\r\n"

static struct daemons ds;

/* Returns the status of a request from this address to a daemon. */
static int
request(int i, const char *client, const char *line, const char *more)
{
	struct client c;
	struct answer a;
	int status;

	client_open(&c, ds.at[i], false);
	client_say(&c, "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: %s\r\n%s",
	    line, client, more);
	client_answer(&c, &a, false);
	status = a.status;
	if (status == 429)
		assert_string_equal(answer_code(&a), "RATE_LIMITED");
	answer_free(&a);
	client_close(&c);
	return status;
}

/* Sends requests to the daemons in turn until none was admitted for a while. Returns how many
 * were. */
static int
guess(const char *client, const char *line, const char *more, int expected)
{
	long long last = daemons_ms();
	int n = 0;

	for (int i = 0; daemons_ms() - last < QUIET_MS; i++) {
		int status = request(i % ds.count, client, line, more);

		if (status != 429) {
			assert_int_equal(status, expected);
			n++;
			last = daemons_ms();
		} else
			(void)usleep(20000);
	}
	return n;
}

/* Waits until a daemon knows that there are so many. */
static void
until_counted(int i, int many)
{
	long long until = daemons_ms() + GONE_MS;

	while ((int)watcher_sample(ds.at[i], "stet_daemons{site=\"main\"}") != many) {
		assert_true(daemons_ms() < until);
		(void)usleep(100000);
	}
}

static void
in_range(int n, int limit)
{
	printf("# %d of %d\n", n, limit);
	assert_true(n >= limit && n <= limit + OVER);
}

static void
refused_credentials_are_counted_over_all_daemons(void **state)
{
	char *rows;

	(void)state;
	until_counted(0, 2);
	until_counted(1, 2);
	in_range(guess("203.0.113.1", ME, WRONG, 401), 30);
	/* Other clients have a limit of their own, and one that guesses at one daemon alone has
	 * it whole. */
	assert_int_equal(request(0, "203.0.113.2", ME, WRONG), 401);
	assert_int_equal(request(1, "203.0.113.1", ME, WRONG), 429);
	rows = daemons_sql(&ds, "SELECT count(*) FROM site_failure");
	assert_true(strtol(rows, NULL, 10) > 0);
	free(rows);
}

static void
codes_of_an_account_are_counted_over_all_daemons(void **state)
{
	static const char body[] = "{\"email\":\"admin@example.org\",\"code\":\"AAAAA-AAAAA\"}";
	char more[256];

	(void)state;
	(void)snprintf(more, sizeof(more),
	    "X-CMS-Request: 1\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    strlen(body), body);
	in_range(guess("203.0.113.3", "POST " API "/auth/recovery-codes/use", more, 400), 10);
}

/* A daemon that starts knows what was guessed before. */
static void
a_start_gives_no_new_guesses(void **state)
{
	(void)state;
	daemons_end(&ds, 1);
	daemons_run(&ds, 1);
	until_counted(1, 2);
	assert_int_equal(request(1, "203.0.113.1", ME, WRONG), 429);
	assert_int_equal(request(0, "203.0.113.1", ME, WRONG), 429);
}

/* Returns how many of 10 reads of a new address a daemon admits. */
static int
admitted(int i)
{
	static int last = 10;
	char client[32];
	int n = 0;

	(void)snprintf(client, sizeof(client), "203.0.113.%d", last++);
	for (int k = 0; k < 10; k++)
		n += request(i, client, ME, "\r\n") != 429;
	return n;
}

static void
other_limits_are_divided_among_those_that_live(void **state)
{
	(void)state;
	until_counted(0, 2);
	until_counted(1, 2);
	assert_int_equal(admitted(0), 4);
	assert_int_equal(admitted(1), 4);
	daemons_kill(&ds, 1);
	until_counted(0, 1);
	assert_int_equal(admitted(0), 8);
	daemons_run(&ds, 1);
	until_counted(0, 2);
	assert_int_equal(admitted(0), 4);
}

/* Rows whose limits are whole again for a while are removed. */
static void
old_rows_are_removed(void **state)
{
	char *rows = NULL;

	(void)state;
	free(daemons_sql(&ds, "UPDATE site_failure SET until = 1"));
	for (int i = 0; i < 100 && (rows == NULL || strcmp(rows, "0") != 0); i++) {
		free(rows);
		(void)usleep(100000);
		rows = daemons_sql(&ds, "SELECT count(*) FROM site_failure");
	}
	assert_string_equal(rows, "0");
	free(rows);
}

/* Of the guesses that are stored at once, one cannot be: the others count once. */
static void
what_is_stored_is_counted_once(void **state)
{
	char *rows;

	(void)state;
	free(daemons_sql(&ds,
	    "TRUNCATE site_failure;"
	    "CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF"
	    " (SELECT count(*) FROM stet_main.site_failure) > 0 AND NOT EXISTS (SELECT 1 FROM"
	    " stet_main.site_failure AS f WHERE f.key = NEW.key) THEN RAISE EXCEPTION 'no';"
	    " END IF; RETURN NEW; END $$;"
	    "CREATE TRIGGER refuse_one BEFORE INSERT ON site_failure FOR EACH ROW"
	    " EXECUTE FUNCTION refuse_one()"));
	for (int i = 0; i < 8; i++)
		assert_int_equal(
		    request(0, i % 2 == 0 ? "203.0.113.101" : "203.0.113.102", ME, WRONG), 401);
	(void)usleep((QUIET_MS + 1000) * 1000);
	rows = daemons_sql(
	    &ds, "SELECT count(*), max(until - changed) < 5 * 120000 FROM site_failure");
	assert_string_equal(rows, "1|t");
	free(rows);
	free(daemons_sql(
	    &ds, "DROP TRIGGER refuse_one ON site_failure; DROP FUNCTION refuse_one()"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused_credentials_are_counted_over_all_daemons),
		cmocka_unit_test(codes_of_an_account_are_counted_over_all_daemons),
		cmocka_unit_test(a_start_gives_no_new_guesses),
		cmocka_unit_test(other_limits_are_divided_among_those_that_live),
		cmocka_unit_test(old_rows_are_removed),
		cmocka_unit_test(what_is_stored_is_counted_once),
	};
	int status;

	if (!daemons_start(&ds, 2, CONF, LIMITS, &status))
		return status;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
