/* origins.c - requests from pages of other origins: which are allowed, which responses they may
 * read, and which responses a shared cache may use. */
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define NAMED                                                                              \
	"cors-origins = { \"https://app.example.org\", \"https://*.parts.example:8443\", " \
	"\"http://localhost:3000\" }"

static struct daemon *d;
static char *token;

static int
start(void **state)
{
	(void)state;
	d = remote_new("workers = 1\n", NAMED);
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	free(token);
	return 0;
}

static void
site_is(const char *site)
{
	daemon_write_conf(d, "workers = 1\n", site);
	(void)daemon_reload(d);
}

/* Sends an anonymous request with this Origin (NULL: none). */
static void
from(const char *origin, struct answer *a, const char *method, const char *more, const char *path)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c, "%s " API "%s HTTP/1.1\r\nHost: x\r\n%s%s%s%s\r\n", method, path,
	    origin != NULL ? "Origin: " : "", origin != NULL ? origin : "",
	    origin != NULL ? "\r\n" : "", more);
	client_answer(&c, a, strcmp(method, "HEAD") == 0);
	client_close(&c);
}

static void
assert_header(const struct answer *a, const char *name, const char *want)
{
	const char *is = answer_header(a, name);

	if (want == NULL)
		assert_null(is);
	else
		assert_string_equal(is != NULL ? is : "(none)", want);
}

#define PREFLIGHT                                \
	"Access-Control-Request-Method: PUT\r\n" \
	"Access-Control-Request-Headers: authorization, x-cms-request\r\n"

static void
a_preflight_is_answered_without_credentials(void **state)
{
	struct answer a;

	(void)state;
	from("https://app.example.org", &a, "OPTIONS", PREFLIGHT, "/content/notes/n");
	assert_int_equal(a.status, 204);
	assert_header(&a, "Access-Control-Allow-Origin", "https://app.example.org");
	assert_header(&a, "Access-Control-Allow-Methods", "GET, HEAD, PUT, DELETE, OPTIONS");
	assert_non_null(strstr(answer_header(&a, "Access-Control-Allow-Headers"), "Authorization"));
	assert_non_null(strstr(answer_header(&a, "Access-Control-Allow-Headers"), "X-CMS-Request"));
	assert_non_null(strstr(
	    answer_header(&a, "Access-Control-Allow-Headers"), "baggage, traceparent, tracestate"));
	assert_header(&a, "Access-Control-Max-Age", "7200");
	assert_header(&a, "Access-Control-Allow-Credentials", NULL);
	assert_header(&a, "Vary", "Origin");
	assert_int_equal(a.len, 0);
	answer_free(&a);
	/* OPTIONS without being a preflight says what the path allows, and no more. */
	from("https://app.example.org", &a, "OPTIONS", "", "/content/notes/n");
	assert_int_equal(a.status, 204);
	assert_header(&a, "Access-Control-Allow-Methods", NULL);
	answer_free(&a);
	from("https://app.example.org", &a, "OPTIONS", PREFLIGHT, "/nothing/here");
	assert_int_equal(a.status, 404);
	assert_header(&a, "Access-Control-Allow-Methods", NULL);
	answer_free(&a);
}

static void
origins_are_compared_whole(void **state)
{
	static const struct {
		const char *origin;
		bool good;
	} cases[] = { { "https://app.example.org", true }, { "HTTPS://App.Example.ORG", true },
		{ "http://localhost:3000", true }, { "https://a.parts.example:8443", true },
		{ "https://a.b.parts.example:8443", true }, { NULL, false }, { "null", false },
		{ "http://app.example.org", false }, { "https://app.example.org:8443", false },
		{ "https://app.example.org.evil.example", false },
		{ "https://app.example.or", false }, { "https://evil-app.example.org", false },
		{ "http://localhost", false }, { "http://localhost:30000", false },
		{ "https://parts.example:8443", false }, { "https://.parts.example:8443", false },
		{ "https://evilparts.example:8443", false }, { "https://a.parts.example", false },
		{ "http://a.parts.example:8443", false },
		{ "https://evil.example/.parts.example:8443", false },
		{ "https://evil.example:1@a.parts.example:8443", false },
		{ "https://*.parts.example:8443", false }, { "*", false } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *want = cases[i].good ? cases[i].origin : NULL;
		struct answer a;

		from(cases[i].origin, &a, "OPTIONS", PREFLIGHT, "/settings");
		assert_header(&a, "Access-Control-Allow-Origin", want);
		assert_header(&a, "Access-Control-Max-Age", cases[i].good ? "7200" : NULL);
		assert_header(&a, "Vary", "Origin");
		answer_free(&a);
		/* Errors have the headers, too, so that the page can read them. */
		from(cases[i].origin, &a, "GET", "", "/settings");
		assert_int_equal(a.status, 401);
		assert_header(&a, "Access-Control-Allow-Origin", want);
		assert_non_null(strstr(answer_header(&a, "Vary"), "Origin"));
		answer_free(&a);
	}
}

static void
a_page_may_read_the_headers_that_clients_need(void **state)
{
	static const char *const names[] = { "ETag", "Location", "Retry-After", "X-Request-Id",
		"WWW-Authenticate" };
	struct remote r;
	struct answer a;

	(void)state;
	remote_open(&r, d, token);
	(void)snprintf(r.more, sizeof(r.more), "Origin: https://app.example.org\r\n");
	for (int i = 0; i < 2; i++) { /* the second response is from the cache */
		remote_ask(&r, &a, "GET", NULL, "/settings");
		assert_int_equal(a.status, 200);
		assert_header(&a, "Access-Control-Allow-Origin", "https://app.example.org");
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			assert_non_null(
			    strstr(answer_header(&a, "Access-Control-Expose-Headers"), names[k]));
		assert_header(&a, "Vary", "Accept-Encoding, Origin");
		answer_free(&a);
	}
	/* The response is cached, and requested by a page that may not read it. */
	(void)snprintf(r.more, sizeof(r.more), "Origin: https://evil.example\r\n");
	remote_ask(&r, &a, "GET", NULL, "/settings");
	assert_header(&a, "Access-Control-Allow-Origin", NULL);
	assert_header(&a, "Vary", "Accept-Encoding, Origin");
	answer_free(&a);
	remote_close(&r);
}

static void
the_tool_server_takes_the_same_origins(void **state)
{
	static const char list[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
	static const struct {
		const char *origin;
		int status;
	} cases[] = { { "https://app.example.org", 200 }, { "https://a.parts.example:8443", 200 },
		{ "https://parts.example:8443", 403 }, { "null", 403 },
		{ "https://evil.example", 403 } };
	struct remote r;
	struct answer a;

	(void)state;
	remote_open(&r, d, token);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(r.more, sizeof(r.more),
		    "Origin: %s\r\nAccept: application/json, text/event-stream\r\n",
		    cases[i].origin);
		remote_ask(&r, &a, "POST", list, "/mcp");
		assert_int_equal(a.status, cases[i].status);
		assert_header(&a, "Access-Control-Allow-Origin",
		    cases[i].status == 200 ? cases[i].origin : NULL);
		answer_free(&a);
	}
	remote_close(&r);
}

static void
any_origin_and_credentials_are_what_was_configured(void **state)
{
	struct answer a;

	(void)state;
	site_is("cors-origins = { \"*\" }");
	from("https://who.ever", &a, "OPTIONS", PREFLIGHT, "/settings");
	assert_header(&a, "Access-Control-Allow-Origin", "https://who.ever");
	assert_header(&a, "Access-Control-Allow-Credentials", NULL);
	answer_free(&a);
	from("null", &a, "OPTIONS", PREFLIGHT, "/settings");
	assert_header(&a, "Access-Control-Allow-Origin", NULL);
	answer_free(&a);
	site_is("cors-origins = { \"https://app.example.org\" }\ncors-credentials = true");
	from("https://app.example.org", &a, "GET", "", "/settings");
	assert_header(&a, "Access-Control-Allow-Credentials", "true");
	answer_free(&a);
	from("https://who.ever", &a, "GET", "", "/settings");
	assert_header(&a, "Access-Control-Allow-Credentials", NULL);
	answer_free(&a);
	site_is("");
	from("https://app.example.org", &a, "GET", "", "/settings");
	assert_header(&a, "Access-Control-Allow-Origin", NULL);
	assert_true(answer_header(&a, "Vary") == NULL ||
		    strstr(answer_header(&a, "Vary"), "Origin") == NULL);
	answer_free(&a);
	site_is(NAMED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_preflight_is_answered_without_credentials),
		cmocka_unit_test(origins_are_compared_whole),
		cmocka_unit_test(a_page_may_read_the_headers_that_clients_need),
		cmocka_unit_test(the_tool_server_takes_the_same_origins),
		cmocka_unit_test(any_origin_and_credentials_are_what_was_configured),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
