/* fetch.t - outgoing requests: which addresses are allowed, responses, limits and timeouts. */
#include "fetch/fetch.h"
#include "inside.h"
#include "neighbour.h"

#include "http/openssl.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/fetch.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct neighbour server;

static int
begin_with(void **state, const char *const *allow)
{
	const struct harness_options options = { .fetch_allow = allow };

	neighbour_open(&server);
	*state = harness_open(&options);
	return 0;
}

static int
begin(void **state)
{
	return begin_with(state, neighbour_block);
}

static int
begin_closed(void **state)
{
	return begin_with(state, NULL);
}

static int
end(void **state)
{
	neighbour_close(&server);
	harness_close(*state, false);
	return 0;
}

/* ---- asking ---- */

struct asked {
	const char *url;
	struct stet_fetch how;
	int status;
	char body[64], type[64], header[64], why[256];
	bool cut;
};

static enum stet_status
fetch(struct stet_call *call, void *arg)
{
	struct asked *a = arg;
	struct stet_fetched out;
	enum stet_status status = stet_fetch(call, a->url, &a->how, &out);

	a->status = out.status;
	a->cut = out.cut;
	(void)snprintf(a->body, sizeof(a->body), "%s", out.body);
	(void)snprintf(a->type, sizeof(a->type), "%s", out.type != NULL ? out.type : "");
	(void)snprintf(a->header, sizeof(a->header), "%s", out.header != NULL ? out.header : "");
	(void)snprintf(a->why, sizeof(a->why), "%s", stet_error_text(call));
	return status;
}

static void
what_is_asked_arrives_and_the_answer_comes_back(void **state)
{
	const char *const headers[] = { "X-One: 1", "Content-Type: application/json", NULL };
	struct asked a = { .url = neighbour_url(&server, "/hook?x=1"),
		.how = { .headers = headers, .body = "{\"a\":1}", .body_len = 7 } };

	/* Proxies of the environment are ignored. */
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
	assert_int_equal(inside_read(*state, fetch, &a), STET_OK);
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
	assert_int_equal(a.status, 200);
	assert_string_equal(a.body, "hello");
	assert_string_equal(a.type, "text/plain");
	assert_non_null(strstr(server.heard, "POST /hook?x=1 HTTP/1.1\r\n"));
	assert_non_null(strstr(server.heard, "\r\nX-One: 1\r\n"));
	assert_non_null(strstr(server.heard, "\r\n\r\n{\"a\":1}"));
	assert_null(strstr(server.heard, "Expect"));
}

static void
a_redirect_is_an_answer(void **state)
{
	struct asked a = { .url = neighbour_url(&server, "/") };

	server.answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n"
			"Content-Length: 0\r\nConnection: close\r\n\r\n";
	assert_int_equal(inside_read(*state, fetch, &a), STET_OK);
	assert_int_equal(a.status, 302);
	assert_int_equal(server.connections, 1);
}

static void
an_answer_has_its_bounds(void **state)
{
	struct asked a = { .url = neighbour_url(&server, "/"), .how = { .most = 2 } };

	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	a.how.cut = true;
	assert_int_equal(inside_read(*state, fetch, &a), STET_OK);
	assert_string_equal(a.body, "he");
	assert_true(a.cut);
	/* The Content-Length is too large: the fetch fails without waiting for the body. */
	a.how = (struct stet_fetch){ .most = 1000, .header = "x-total" };
	server.answer = "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\nX-Total: 7\r\n\r\nhe";
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	assert_true(a.cut);
	assert_non_null(strstr(a.why, "longer than 1000 bytes"));
	assert_string_equal(a.header, "7");
	server.answer = NEIGHBOUR_ANSWER("200 OK", "5", "hello");
	a.how = (struct stet_fetch){ .most = 5, .cut = true, .header = "x-total" };
	assert_int_equal(inside_read(*state, fetch, &a), STET_OK);
	assert_string_equal(a.body, "hello");
	assert_false(a.cut);
	assert_string_equal(a.header, "");
}

static void
who_does_not_answer_is_given_up(void **state)
{
	struct asked a = { .url = neighbour_url(&server, "/"), .how = { .timeout = 100 } };
	char url[128];

	server.answer = NULL;
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	assert_int_equal(a.status, 0);
	server.answer = "SSH-2.0-nobody\r\n";
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	server.answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort";
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	/* The server does not speak TLS. */
	(void)snprintf(url, sizeof(url), "https://127.0.0.1:%d/", server.port);
	a.url = url;
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
}

static void
only_certificates_that_are_vouched_for_are_believed(void **state)
{
	struct harness_options options = { .fetch_allow = neighbour_block };
	char dir[] = "/tmp/stet-fetch-XXXXXX", ca[64], url[64];
	struct asked a = { .url = url };
	struct harness *trusting;
	int port, other_port;
	pid_t good, other;

	assert_non_null(mkdtemp(dir));
	(void)snprintf(ca, sizeof(ca), "%s/ca.pem", dir);
	openssl_certificate(dir, "good", "IP:127.0.0.1");
	openssl_certificate(dir, "other", "DNS:other.example.org,IP:127.0.0.2");
	good = openssl_server(dir, "good", &port);
	other = openssl_server(dir, "other", &other_port);
	(void)snprintf(url, sizeof(url), "https://127.0.0.1:%d/", port);
	/* The certificate authority is unknown ... */
	assert_int_equal(inside_read(*state, fetch, &a), STET_UPSTREAM_ERROR);
	assert_int_equal(a.status, 0);
	assert_non_null(strstr(a.why, "certificate"));
	options.fetch_ca = ca;
	trusting = harness_open(&options);
	/* ... unless the configuration names it. */
	assert_int_equal(inside_read(trusting, fetch, &a), STET_OK);
	assert_int_equal(a.status, 200);
	/* The certificate is valid, but for another host. */
	(void)snprintf(url, sizeof(url), "https://127.0.0.1:%d/", other_port);
	assert_int_equal(inside_read(trusting, fetch, &a), STET_UPSTREAM_ERROR);
	assert_int_equal(a.status, 0);
	assert_non_null(strstr(a.why, "certificate"));
	harness_close(trusting, false);
	openssl_end(good);
	openssl_end(other);
	openssl_forget(dir);
}

/* Every spelling of a loopback or private address is refused without a connection. */
static void
no_spelling_reaches_what_is_private(void **state)
{
	static const char *const hosts[] = { "127.0.0.1", "127.1", "127.0.1", "2130706433",
		"0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "localhost",
		"LOCALHOST", "localhost.", "0.0.0.0", "0", "127.255.255.254", "10.0.0.1",
		"100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1",
		"192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::1]",
		"[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
		"[::ffff:169.254.169.254]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]",
		"[64:ff9b:1::a00:1]", "[2002:7f00:1::]", "[2001::1]", "[2001:db8::1]", "[fc00::1]",
		"[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[100::1]" };
	struct asked a = { .how = { .timeout = 2000 } };
	char url[128];

	for (size_t i = 0; i < COUNT(hosts); i++) {
		(void)snprintf(url, sizeof(url), "https://%s:%d/", hosts[i], server.port);
		a.url = url;
		/* Names that end with a dot may not resolve at all here. */
		if (inside_read(*state, fetch, &a) != STET_VALIDATION_ERROR &&
		    strstr(a.why, "resolve host") == NULL)
			fail_msg("%s: %s", url, a.why);
		assert_null(strstr(a.why, "127.")); /* the error does not disclose the address */
	}
	assert_int_equal(server.connections, 0);
}

static void
other_urls_are_refused(void **state)
{
	static const char *const urls[] = { "", "example.org", "//example.org/", "/x", "https://",
		"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/",
		"dict://127.0.0.1/", "javascript:alert(1)", "http://127.0.0.1/",
		"HTTP://127.0.0.1/", "https://user@127.0.0.1/", "https://user:word@127.0.0.1/",
		"https://127.0.0.1:99999/", "https://[::1/", "https://exa mple.org/",
		"https://a\r\nb/", "unix:///tmp/x", "https:/example.org/", "https:///example.org/",
		"https:example.org" };
	struct asked a = { .how = { .timeout = 2000 } };

	for (size_t i = 0; i < COUNT(urls); i++) {
		a.url = urls[i];
		if (inside_read(*state, fetch, &a) != STET_VALIDATION_ERROR)
			fail_msg("%s: %s", urls[i], a.why);
	}
}

static void
plain_http_is_for_what_is_named_only(void **state)
{
	struct asked a = { .url = "http://192.0.2.1/", .how = { .timeout = 2000 } };

	assert_int_equal(inside_read(*state, fetch, &a), STET_VALIDATION_ERROR);
	a.url = "http://[::1]/";
	assert_int_equal(inside_read(*state, fetch, &a), STET_VALIDATION_ERROR);
}

static void
public_addresses_are_told_from_others(void **state)
{
	static const struct {
		const char *text;
		bool is_public;
	} rows[] = { { "8.8.8.8", true }, { "1.1.1.1", true }, { "9.255.255.255", true },
		{ "10.0.0.0", false }, { "10.255.255.255", false }, { "11.0.0.0", true },
		{ "100.63.255.255", true }, { "100.64.0.0", false }, { "100.127.255.255", false },
		{ "100.128.0.0", true }, { "126.255.255.255", true }, { "128.0.0.1", true },
		{ "169.253.255.255", true }, { "169.254.0.0", false }, { "172.15.255.255", true },
		{ "172.16.0.0", false }, { "172.32.0.0", true }, { "192.167.255.255", true },
		{ "192.169.0.0", true }, { "203.0.113.9", false }, { "223.255.255.255", true },
		{ "224.0.0.0", false }, { "::ffff:8.8.8.8", true }, { "::ffff:10.0.0.1", false },
		{ "2606:4700::1111", true }, { "2001:4860:4860::8888", true },
		{ "2001:0:1::", false }, { "2001:db8::", false }, { "2002:808:808::", false },
		{ "3fff::1", false }, { "3ffe::1", true }, { "4000::", false }, { "1fff::", false },
		{ "64:ff9b::808:808", false }, { "::8.8.8.8", false }, { "fc00::", false },
		{ "fe80::1", false }, { "ff0e::1", false } };
	struct address a;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(address_parse(rows[i].text, &a));
		if (fetch_is_public(&a) != rows[i].is_public)
			fail_msg("%s", rows[i].text);
	}
}

#define check(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define check_closed(name) cmocka_unit_test_setup_teardown(name, begin_closed, end)

static void
names_that_hide_an_address_are_refused(void **state)
{
	static const char *const urls[] = { "http://127.0.0.1.nip.io/", "https://a.SSLIP.io./x",
		"https://lvh.me/", "http://x.y.traefik.me/" };
	static const char *const others[] = { "https://notnip.io.example/",
		"https://nip.io.example/", "https://xlvh.me/" };

	for (size_t i = 0; i < COUNT(urls); i++) {
		struct asked a = { .url = urls[i] };

		assert_int_equal(inside_read(*state, fetch, &a), STET_VALIDATION_ERROR);
		assert_non_null(strstr(a.why, "wildcard"));
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		struct asked a = { .url = others[i], .how = { .timeout = 1 } };

		(void)inside_read(*state, fetch, &a);
		assert_null(strstr(a.why, "wildcard"));
	}
}

/* Request headers are dropped on a redirect to another origin. */
static void
headers_do_not_follow_to_another_origin(void **state)
{
	static const char *const headers[] = { "Authorization: Basic c2VjcmV0", NULL };
	struct asked a = { .how = { .headers = headers, .redirects = 2, .plain = true } };
	struct neighbour other;
	char answer[200], url[128];

	neighbour_open(&other);
	(void)snprintf(url, sizeof(url), "%s", neighbour_url(&server, "/a"));
	(void)snprintf(answer, sizeof(answer),
	    "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: "
	    "close\r\n\r\n",
	    neighbour_url(&other, "/b"));
	server.answer = answer;
	a.url = url;
	assert_int_equal(inside_read(*state, fetch, &a), STET_OK);
	assert_string_equal(a.body, "hello");
	assert_non_null(strstr(server.heard, "Authorization: Basic"));
	assert_non_null(strstr(other.heard, "GET /b "));
	assert_null(strstr(other.heard, "Authorization"));
	neighbour_close(&other);
}

/* ---- many ---- */

struct many {
	const char *url[8];
	size_t count, done, good, last;
	size_t stop; /* stop when so many are done */
};

static enum stet_status
one_is_done(struct stet_call *call, void *arg, size_t i, enum stet_status status,
    const struct stet_fetched *got)
{
	struct many *m = arg;

	m->done++;
	m->good += status == STET_OK && strcmp(got->body, "hello") == 0;
	m->last = i;
	if (m->done == m->stop)
		return stet_fail(call, STET_CONFLICT, NULL, "enough");
	stet_error_clear(call);
	return STET_OK;
}

static enum stet_status
fetch_many(struct stet_call *call, void *arg)
{
	struct many *m = arg;
	const struct stet_fetch_many many = {
		.url = m->url, .count = m->count, .done = one_is_done, .arg = m
	};
	const struct stet_fetch ask = { .plain = true, .redirects = 1 };

	return stet_fetch_many(call, &many, &ask);
}

static void
many_are_asked_and_each_is_told(void **state)
{
	static char good[128], moved[128];
	struct many m = { .url = { good, "ftp://a.example/", moved, good, "http://x.nip.io/",
			      good },
		.count = 6 };

	(void)snprintf(good, sizeof(good), "%s", neighbour_url(&server, "/a"));
	(void)snprintf(moved, sizeof(moved), "%s", neighbour_url(&server, "/b"));
	assert_int_equal(inside_read(*state, fetch_many, &m), STET_OK);
	assert_int_equal(m.done, 6);
	assert_int_equal(m.good, 4);
	m = (struct many){ .count = 0 };
	assert_int_equal(inside_read(*state, fetch_many, &m), STET_OK);
	assert_int_equal(m.done, 0);
}

/* Fetches from a silent host do not delay the others. */
static void
a_silent_host_holds_up_nobody(void **state)
{
	static char silent[128], good[128];
	struct neighbour mute;
	struct many m = {
		.url = { silent, silent, silent, good, good, good, good }, .count = 7, .stop = 4
	};

	neighbour_open(&mute);
	mute.answer = NULL;
	(void)snprintf(silent, sizeof(silent), "%s", neighbour_url(&mute, "/"));
	(void)snprintf(good, sizeof(good), "%s", neighbour_url(&server, "/a"));
	assert_int_equal(inside_read(*state, fetch_many, &m), STET_CONFLICT);
	assert_int_equal(m.done, 4);
	assert_int_equal(m.good, 4);
	neighbour_close(&mute);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(what_is_asked_arrives_and_the_answer_comes_back),
		check(a_redirect_is_an_answer),
		check(an_answer_has_its_bounds),
		check(who_does_not_answer_is_given_up),
		check(only_certificates_that_are_vouched_for_are_believed),
		check_closed(no_spelling_reaches_what_is_private),
		check_closed(other_urls_are_refused),
		check(plain_http_is_for_what_is_named_only),
		check(names_that_hide_an_address_are_refused),
		check(headers_do_not_follow_to_another_origin),
		check(many_are_asked_and_each_is_told),
		check(a_silent_host_holds_up_nobody),
		cmocka_unit_test(public_addresses_are_told_from_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
