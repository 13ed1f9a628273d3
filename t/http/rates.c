/* rates.c - rate limits by address, by token and by cost. The clients are behind a trusted proxy,
 * since clients on this machine are not limited by address. */
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROXY "trusted-proxies = { \"127.0.0.0/8\" }\n"

/* Sends a request of this client (NULL: one on this machine); `more`: header lines and a body. */
static void
request(struct daemon *d, struct answer *a, const char *client, const char *line, const char *more)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c, "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s%s%s%s", line,
	    client != NULL ? "X-Forwarded-For: " : "", client != NULL ? client : "",
	    client != NULL ? "\r\n" : "", more);
	client_answer(&c, a, false);
	client_close(&c);
}

/* Returns how many of 10 such requests are not refused; stores the last Retry-After. */
static char retry_after[16];
static int
admitted(struct daemon *d, const char *client, const char *line, const char *more)
{
	struct answer a;
	int n = 0;

	retry_after[0] = '\0';
	for (int i = 0; i < 10; i++) {
		request(d, &a, client, line, more);
		n += a.status != 429;
		if (a.status == 429) {
			assert_string_equal(answer_code(&a), "RATE_LIMITED");
			(void)snprintf(retry_after, sizeof(retry_after), "%s",
			    answer_header(&a, "Retry-After"));
		}
		answer_free(&a);
	}
	return n;
}

#define READ "GET " API "/echo"
#define WRITE "POST " API "/count"

static struct daemon *
limited(const char *site)
{
	struct daemon *d = daemon_new(PROXY, site);

	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	daemon_clock(d, 1800000000000LL);
	daemon_run(d, 0);
	return d;
}

static void
an_address_has_a_rate_for_each_kind_of_request(void **state)
{
	struct daemon *d =
	    limited("address-limits = { \"reads 5/10s\", \"writes 2/1m\", \"costly 3/1m\" }");

	(void)state;
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 5);
	assert_string_equal(retry_after, "2");
	assert_int_equal(admitted(d, "203.0.113.1", WRITE, "\r\n"), 2);
	assert_string_equal(retry_after, "30");
	assert_int_equal(admitted(d, "203.0.113.1", "GET " API "/slow", "\r\n"), 3);
	/* A request that is costly for some arguments counts in both classes. */
	assert_int_equal(admitted(d, "203.0.113.3", "GET " API "/dear?text=x", "\r\n"), 3);
	assert_string_equal(retry_after, "2");
	daemon_clock(d, 1800000000000LL + 10000);
	assert_int_equal(admitted(d, "203.0.113.3", "GET " API "/dear", "\r\n"), 5);
	daemon_clock(d, 1800000000000LL);
	/* Other clients have limits of their own. */
	assert_int_equal(admitted(d, "203.0.113.2", READ, "\r\n"), 5);
	/* A token of the bucket returns every two seconds; after ten seconds the bucket is full. */
	daemon_clock(d, 1800000000000LL + 1999);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 0);
	assert_string_equal(retry_after, "1");
	daemon_clock(d, 1800000000000LL + 2000);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 1);
	daemon_clock(d, 1800000000000LL + 60000);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 5);
	daemon_stop(d);
}

/* A /64 is one client, and an IPv4 address is one however it is written. */
static void
networks_and_mapped_addresses_are_one_client(void **state)
{
	struct daemon *d = limited("address-limits = { \"reads 5/10s\" }");

	(void)state;
	assert_int_equal(admitted(d, "2001:db8:1:2::1", READ, "\r\n"), 5);
	assert_int_equal(admitted(d, "2001:db8:1:2:ffff::7", READ, "\r\n"), 0);
	assert_int_equal(admitted(d, "2001:db8:1:3::1", READ, "\r\n"), 5);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 5);
	assert_int_equal(admitted(d, "::ffff:203.0.113.1", READ, "\r\n"), 0);
	/* Addresses that the client puts before those of the proxy are ignored. */
	assert_int_equal(admitted(d, "198.51.100.9, 203.0.113.1", READ, "\r\n"), 0);
	daemon_stop(d);
}

/* Clients on loopback may be all users behind a proxy that is not in trusted-proxies. */
static void
clients_of_this_machine_are_not_limited(void **state)
{
	struct daemon *d = limited("address-limits = { \"reads 1/1h\", \"writes 1/1h\" }");

	(void)state;
	assert_int_equal(admitted(d, NULL, READ, "\r\n"), 10);
	assert_int_equal(admitted(d, "127.0.0.9", WRITE, "\r\n"), 10);
	daemon_stop(d);
}

static void
without_a_word_reads_are_free_and_writes_are_not(void **state)
{
	struct daemon *d = limited(NULL);
	int writes = 0;

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 10);
		writes += admitted(d, "203.0.113.1", WRITE, "\r\n");
	}
	assert_int_equal(writes, 120);
	daemon_stop(d);
}

/* The request is refused after its head, before the body has arrived. */
static void
a_refused_request_need_not_send_its_body(void **state)
{
	struct daemon *d = limited("address-limits = { \"reads 1/1h\" }");
	struct client c;
	struct answer a;

	(void)state;
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 1);
	client_open(&c, d, false);
	client_say(&c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\n"
		       "Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 429);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	client_close(&c);
	daemon_stop(d);
}

/* Many addresses need no more memory, and do not evict the clients that are limited. */
static void
a_flood_of_addresses_stays_in_its_memory(void **state)
{
	struct daemon *d = limited("address-limits = { \"reads 5/1h\" }");
	struct client c;
	struct answer a;
	long before = 0;

	(void)state;
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 5);
	client_open(&c, d, false);
	for (int i = 0; i < 40000; i++) {
		client_say(&c, READ " HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.%d.%d.%d\r\n\r\n",
		    i >> 16, i >> 8 & 255, i & 255);
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		answer_free(&a);
		if (i == 2000)
			before = daemon_resident(d);
	}
	client_close(&c);
	assert_true(daemon_resident(d) - before < 2 << 20);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 0);
	daemon_stop(d);
}

static void
limits_change_with_the_configuration(void **state)
{
	struct daemon *d = limited("address-limits = { \"reads 1/1h\" }");

	(void)state;
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 1);
	daemon_write_conf(d, PROXY, "address-limits = { \"reads off\" }");
	(void)daemon_reload(d);
	assert_int_equal(admitted(d, "203.0.113.1", READ, "\r\n"), 10);
	daemon_stop(d);
}

/* ---- tokens ---- */

static void
tokens_have_rates_of_their_own(void **state)
{
	struct daemon *d;
	char *mine, *other, more[300];

	(void)state;
	unsetenv("STET_CLOCK");
	d = remote_new(PROXY, "address-limits = { \"reads 1/1h\", \"failures 3/1h\" }\n"
			      "token-limits = { \"reads 4/1h\" }");
	mine = remote_token(d, "admin", "admin");
	other = remote_token(d, "editor", "admin");
	daemon_run(d, 0);
	(void)snprintf(more, sizeof(more), "Authorization: Bearer %s\r\n\r\n", mine);
	assert_int_equal(admitted(d, "203.0.113.1", "GET " API "/auth/me", more), 4);
	/* The token's limit applies whatever address uses it. */
	assert_int_equal(admitted(d, "203.0.113.2", "GET " API "/auth/me", more), 0);
	(void)snprintf(more, sizeof(more), "Authorization: Bearer %s\r\n\r\n", other);
	assert_int_equal(admitted(d, "203.0.113.1", "GET " API "/auth/me", more), 4);
	/* Invalid tokens: after this many the address gets 429 for them, but a valid token still
	 * works. */
	(void)snprintf(more, sizeof(more), "Authorization: Bearer cms_pat_%043d\r\n\r\n", 0);
	assert_int_equal(admitted(d, "203.0.113.7", "GET " API "/auth/me", more), 3);
	assert_int_equal(admitted(d, "203.0.113.8", "GET " API "/auth/me", more), 3);
	/* A public op counts as an anonymous read, even with an invalid token: it is no failure. */
	assert_int_equal(admitted(d, "203.0.113.9", "GET /robots.txt", more), 1);
	assert_int_equal(admitted(d, "203.0.113.9", "GET " API "/auth/me", more), 3);
	free(mine);
	mine = remote_token(d, "author", "admin");
	(void)snprintf(more, sizeof(more), "Authorization: Bearer %s\r\n\r\n", mine);
	assert_int_equal(admitted(d, "203.0.113.7", "GET " API "/auth/me", more), 4);
	free(mine);
	free(other);
	daemon_stop(d);
}

/* A release is one write, however many changes it has; a batch is as many as it has writes. */
static void
a_release_is_a_single_write(void **state)
{
	struct daemon *d;
	struct remote r;
	json_t *data, *error;
	char body[2000], terms[1900] = "", *token;

	(void)state;
	unsetenv("STET_CLOCK");
	d = remote_new(NULL, "token-limits = { \"writes 4/1h\" }");
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&r, d, token);
	for (int i = 0; i < 8; i++) {
		size_t len = strlen(terms);

		(void)snprintf(terms + len, sizeof(terms) - len,
		    "%s{\"type\":\"term\",\"name\":\"category\",\"slug\":\"t%d\","
		    "\"content\":{\"label\":\"T\"}}",
		    i > 0 ? "," : "", i);
	}
	(void)snprintf(body, sizeof(body), "{\"name\":\"R\",\"add\":[%s]}", terms);
	json_decref(remote_must(&r, 201, "POST", body, "/releases"));
	json_decref(remote_must(&r, 200, "POST", "{}", "/releases/R/publish"));
	json_decref(remote_must(&r, 200, "POST", "{}", "/releases/R/undo"));
	/* The batch is the fourth, and what is in it the fifth. */
	data = remote_must(&r, 200, "POST",
	    "{\"calls\":[{\"op\":\"taxonomy_create_term\",\"arguments\":"
	    "{\"taxonomy\":\"category\",\"slug\":\"u\",\"label\":\"U\"}}]}",
	    "/batch");
	error = json_object_get(json_array_get(json_object_get(data, "results"), 0), "error");
	assert_string_equal(json_string_value(json_object_get(error, "code")), "RATE_LIMITED");
	json_decref(data);
	remote_close(&r);
	free(token);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_a_rate_for_each_kind_of_request),
		cmocka_unit_test(networks_and_mapped_addresses_are_one_client),
		cmocka_unit_test(clients_of_this_machine_are_not_limited),
		cmocka_unit_test(without_a_word_reads_are_free_and_writes_are_not),
		cmocka_unit_test(a_refused_request_need_not_send_its_body),
		cmocka_unit_test(a_flood_of_addresses_stays_in_its_memory),
		cmocka_unit_test(limits_change_with_the_configuration),
		cmocka_unit_test(tokens_have_rates_of_their_own),
		cmocka_unit_test(a_release_is_a_single_write),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
