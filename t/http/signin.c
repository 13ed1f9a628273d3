/*
 * signin.c - sign-in over real sockets: one link or code used by many at once, requests of other
 * sites' pages with a session, limits, and the log of a site without an administrator.
 */
#include "crowd.h"
#include "postbox.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define ANN "ann@example.org"

/* A daemon with one user, an administrator. */
static struct daemon *
begin(const char *site)
{
	struct daemon *d = remote_new("trusted-proxies = { \"127.0.0.1\" }\n", site);

	free(COMMAND(d, "user", "add", ANN, "--role", "admin"));
	daemon_run(d, 0);
	return d;
}

/* Returns the token of a new link. */
static void
link_token(struct daemon *d, char token[64])
{
	char *url = COMMAND(d, "user", "recover", ANN);

	assert_non_null(strchr(url, '#'));
	(void)snprintf(token, 64, "%s", strchr(url, '#') + 1);
	free(url);
}

static void
cookie_of(struct answer *a, char cookie[100])
{
	const char *set = answer_header(a, "Set-Cookie");

	assert_non_null(set);
	(void)snprintf(cookie, 100, "%.*s", (int)strcspn(set, ";"), set);
}

static void
sign_in(struct daemon *d, char cookie[100])
{
	char token[64], body[100];
	struct answer a;
	struct remote r;

	link_token(d, token);
	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/auth/magic-link/verify");
	assert_int_equal(a.status, 200);
	cookie_of(&a, cookie);
	answer_free(&a);
	remote_close(&r);
}

/* Returns how many of a crowd are signed in by this request. */
static int
winners(struct daemon *d, const char *method, const char *body, const char *path)
{
	struct crowd c;

	crowd_rush(&c, d, method, path, &body, 1, "");
	return crowd_signed_in(&c);
}

static void
of_many_with_one_link_one_gets_in(void **state)
{
	struct daemon *d = begin(NULL);
	char token[64], text[200];

	*state = d;
	link_token(d, token);
	(void)snprintf(text, sizeof(text), "{\"token\":\"%s\"}", token);
	assert_int_equal(winners(d, "POST", text, "/auth/magic-link/verify"), 1);
	link_token(d, token);
	(void)snprintf(text, sizeof(text), "/auth/magic-link/verify?token=%s", token);
	assert_int_equal(winners(d, "GET", NULL, text), 1);
}

static void
of_many_with_one_mailed_link_one_gets_in(void **state)
{
	static const char send[] = "{\"email\":\"" ANN "\"}";
	struct postbox server;
	struct daemon *d;
	struct remote r;
	char site[200], token[64], body[200];

	postbox_open(&server, NULL, NULL);
	(void)snprintf(site, sizeof(site),
	    "mail = \"smtp://127.0.0.1:%d\"\nmail-from = \"Site <info@example.org>\"\n",
	    server.port);
	*state = d = begin(site);
	remote_open(&r, d, NULL);
	json_decref(remote_must(&r, 200, "POST", send, "/auth/magic-link/send"));
	remote_close(&r);
	(void)daemon_said(d, 0, "sent in attempt 1");
	postbox_token(&server, "/_cms/signin/link", token);
	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	assert_int_equal(winners(d, "POST", body, "/auth/magic-link/verify"), 1);
	assert_int_equal(winners(d, "POST", body, "/auth/magic-link/verify"), 0);
	postbox_close(&server);
}

static void
of_many_with_one_code_one_gets_in(void **state)
{
	struct daemon *d = begin(NULL);
	char cookie[100], body[200];
	struct remote r;
	json_t *data;

	*state = d;
	sign_in(d, cookie);
	remote_open(&r, d, NULL);
	(void)snprintf(r.more, sizeof(r.more), "Cookie: %s\r\n", cookie);
	data = remote_must(&r, 201, "POST", NULL, "/auth/recovery-codes");
	(void)snprintf(body, sizeof(body), "{\"email\":\"" ANN "\",\"code\":\"%s\"}",
	    json_string_value(json_array_get(json_object_get(data, "codes"), 0)));
	json_decref(data);
	remote_close(&r);
	assert_int_equal(winners(d, "POST", body, "/auth/recovery-codes/use"), 1);
}

/* Failed sign-ins are counted for the account, from all addresses together. */
static void
guessing_codes_is_limited(void **state)
{
	struct daemon *d = begin(NULL);
	struct remote r;
	bool limited = false;

	*state = d;
	remote_open(&r, d, NULL);
	for (int i = 0; i < 20 && !limited; i++) {
		struct answer a;

		remote_ask(&r, &a, "POST", "{\"email\":\"Bob@example.org\",\"code\":\"x\"}",
		    "/auth/recovery-codes/use");
		limited = a.status == 429;
		if (limited)
			assert_non_null(answer_header(&a, "Retry-After"));
		else
			assert_string_equal(answer_code(&a), "INVALID_CODE");
		assert_true(i > 0 || !limited);
		answer_free(&a);
	}
	assert_true(limited);
	remote_close(&r);
}

static void
a_session_is_of_no_use_to_a_page_of_another_site(void **state)
{
	static const struct {
		const char *headers, *code;
	} cases[] = { { "", "CSRF_REJECTED" }, { "X-CMS-Request: 0\r\n", "CSRF_REJECTED" },
		{ "X-CMS-Request: 1\r\nOrigin: https://evil.example\r\n", "CSRF_REJECTED" },
		{ "X-CMS-Request: 1\r\nSec-Fetch-Site: same-site\r\n", "CSRF_REJECTED" },
		{ "X-CMS-Request: 1\r\nAuthorization: Bearer x\r\n", "UNAUTHORIZED" },
		{ "X-CMS-Request: 1\r\nSec-Fetch-Site: same-origin\r\n", "" } };
	struct daemon *d = begin(NULL);
	char cookie[100];
	struct client c;

	*state = d;
	sign_in(d, cookie);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a;

		client_open(&c, d, false);
		client_say(&c,
		    "POST /_cms/api/auth/logout HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n"
		    "%sContent-Length: 0\r\n\r\n",
		    cookie, cases[i].headers);
		client_answer(&c, &a, false);
		assert_string_equal(answer_code(&a), cases[i].code);
		answer_free(&a);
		client_close(&c);
	}
}

static void
nobody_signs_in_where_others_can_read_it(void **state)
{
	struct daemon *d = begin("base-url = \"http://example.org\"\n");
	char token[64], body[100];
	struct answer a;
	struct remote r;

	*state = d;
	link_token(d, token);
	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/auth/magic-link/verify");
	assert_string_equal(answer_code(&a), "FORBIDDEN");
	assert_non_null(strstr(a.body, "set up https"));
	assert_null(answer_header(&a, "Set-Cookie"));
	answer_free(&a);
	remote_close(&r);
}

/* httpInLan opens addresses that only the local network reaches, and no others. */
static void
by_http_people_sign_in_in_a_network_that_is_trusted(void **state)
{
	static const struct {
		const char *host;
		bool let_in;
	} cases[] = { { "192.168.1.5:8080", true }, { "10.0.0.1", true }, { "172.31.255.1", true },
		{ "169.254.1.1", true }, { "[fd12::1]:80", true }, { "[fe80::1]", true },
		{ "nas", true }, { "nas2:8080", true }, { "NAS.Local", true },
		{ "nas.home.arpa", true }, { "a.nas.lan", true }, { "nas.internal", true },
		{ "example.org", false }, { "192.168.1.5.example.org", false },
		{ "172.32.0.1", false }, { "192.169.1.5", false }, { "8.8.8.8", false },
		{ "[2001:db8::1]", false }, { "local.example", false }, { "notlan", true },
		{ "example.orglan", false }, { "3232235777", false } };
	static const char conf[] = "trusted-proxies = { \"127.0.0.1\" }\n";
	struct daemon *d = remote_new(conf, NULL);
	char site[128], cookie[100];
	json_t *status;

	*state = d;
	free(COMMAND(d, "user", "add", ANN, "--role", "admin"));
	free(COMMAND(d, "call", "plugin_settings_put", "id=signin", "values={\"httpInLan\":true}"));
	daemon_run(d, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct remote r;

		(void)snprintf(site, sizeof(site), "base-url = \"http://%s\"\n", cases[i].host);
		daemon_write_conf(d, conf, site);
		(void)daemon_reload(d);
		remote_open(&r, d, NULL);
		status = remote_must(&r, 200, "GET", NULL, "/setup/status");
		if (json_is_true(json_object_get(status, "signIn")) != cases[i].let_in)
			fail_msg("http://%s", cases[i].host);
		json_decref(status);
		remote_close(&r);
	}
	daemon_write_conf(d, conf, "base-url = \"http://nas\"\n");
	(void)daemon_reload(d);
	sign_in(d, cookie);
	assert_memory_equal(cookie, "stet=", 5);
}

static void
under_https_the_cookie_is_bound_to_the_host(void **state)
{
	struct daemon *d = begin("base-url = \"https://example.org\"\n");
	char token[64], body[100], cookie[100];
	struct answer a;
	struct remote r;

	*state = d;
	link_token(d, token);
	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/auth/magic-link/verify");
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(answer_header(&a, "Set-Cookie"), "; Secure"));
	cookie_of(&a, cookie);
	assert_int_equal(strncmp(cookie, "__Host-stet=", 12), 0);
	answer_free(&a);
	(void)snprintf(r.more, sizeof(r.more), "Cookie: %s\r\n", cookie);
	json_decref(remote_must(&r, 200, "GET", NULL, "/auth/me"));
	/* A cookie that a page of another host of the domain could have set is ignored. */
	(void)snprintf(r.more, sizeof(r.more), "Cookie: %s\r\n", cookie + 7);
	remote_ask(&r, &a, "GET", NULL, "/auth/me");
	assert_int_equal(a.status, 401);
	answer_free(&a);
	remote_close(&r);
}

static void
the_daemon_tells_the_setup_link_of_a_new_site(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char *url;

	*state = d;
	url = COMMAND(d, "setup-link");
	daemon_run(d, 0);
	daemon_said(d, 0, strchr(url, '#'));
	free(url);
}

/* Sessions are in the database: they survive a restart. */
static void
a_session_survives_a_restart(void **state)
{
	struct daemon *d = begin(NULL);
	char cookie[100];
	struct remote r;

	*state = d;
	sign_in(d, cookie);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	daemon_run(d, 0);
	remote_open(&r, d, NULL);
	(void)snprintf(r.more, sizeof(r.more), "Cookie: %s\r\n", cookie);
	json_decref(remote_must(&r, 200, "GET", NULL, "/auth/me"));
	remote_close(&r);
}

#define TEST(name) cmocka_unit_test_teardown(name, daemon_teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(of_many_with_one_link_one_gets_in),
		TEST(of_many_with_one_mailed_link_one_gets_in),
		TEST(of_many_with_one_code_one_gets_in),
		TEST(guessing_codes_is_limited),
		TEST(a_session_is_of_no_use_to_a_page_of_another_site),
		TEST(nobody_signs_in_where_others_can_read_it),
		TEST(by_http_people_sign_in_in_a_network_that_is_trusted),
		TEST(under_https_the_cookie_is_bound_to_the_host),
		TEST(the_daemon_tells_the_setup_link_of_a_new_site),
		TEST(a_session_survives_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
