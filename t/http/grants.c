/*
 * grants.c - what programs and new users are given, asked for by sixteen at once over real sockets:
 * one gets it, and nothing is half there after it. And the authorization endpoint is for browsers
 * that go there, not for scripts of other sites (RFC 9700 2.6).
 */
#include "authenticator.h"
#include "crowd.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define ANN "ann@example.org"
#define BACK "https://client.example/back"
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" /* RFC 7636, appendix B */
#define AUTHORIZE                                                                      \
	"/_cms/oauth/authorize?response_type=code&client_id=client&redirect_uri=" BACK \
	"&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
#define FORM "Content-Type: application/x-www-form-urlencoded\r\n"

static struct daemon *d;
static char *token; /* of an administrator */
static char cookie[100];

static int
end(void **state)
{
	(void)state;
	free(token);
	token = NULL;
	daemon_stop(d);
	return 0;
}

/* ---- one request, many times at once ---- */

static void
rush(struct crowd *c, const char *path, const char *body, const char *headers)
{
	crowd_rush(c, d, "POST", path, &body, 1, headers);
}

/* ---- a user, a client, a code ---- */

static void
sign_in(void)
{
	char *url = COMMAND(d, "user", "recover", ANN), body[100];
	struct answer a;
	struct remote r;

	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", strchr(url, '#') + 1);
	free(url);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/auth/magic-link/verify");
	assert_int_equal(a.status, 200);
	(void)snprintf(cookie, sizeof(cookie), "%.*s",
	    (int)strcspn(answer_header(&a, "Set-Cookie"), ";"), answer_header(&a, "Set-Cookie"));
	answer_free(&a);
	remote_close(&r);
}

static int
begin(void **state)
{
	struct remote r;
	char *text;

	(void)state;
	d = remote_new(
	    "trusted-proxies = { \"127.0.0.1\" }\n", "base-url = \"http://localhost\"\n");
	free(COMMAND(d, "user", "add", ANN, "--role", "admin"));
	text = COMMAND(d, "token", "add", ANN, "--name", "t", "--scope", "admin");
	text[strcspn(text, "\n")] = '\0';
	token = text;
	daemon_run(d, 0);
	sign_in();
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 201, "POST",
	    "{\"id\":\"client\",\"name\":\"Client\",\"redirectUris\":[\"" BACK "\"]}",
	    "/admin/oauth-clients"));
	remote_close(&r);
	return 0;
}

/* An answer of the authorization endpoint. */
static void
authorize(struct answer *a, const char *method, const char *more, const char *body)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c,
	    "%s " AUTHORIZE " HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n%sContent-Length: "
	    "%zu\r\n\r\n%s",
	    method, cookie, more, strlen(body), body);
	client_answer(&c, a, false);
	client_close(&c);
}

static void
code_of(char code[64])
{
	struct answer a;
	const char *at;
	char form[200];

	authorize(&a, "GET", "", "");
	at = strstr(a.body, "name=\"token\" value=\"");
	assert_non_null(at);
	(void)snprintf(
	    form, sizeof(form), "action=approve&grant=content:read&token=%.43s", at + 20);
	answer_free(&a);
	authorize(&a, "POST", FORM, form);
	assert_int_equal(a.status, 303);
	at = strstr(answer_header(&a, "Location"), "code=");
	assert_non_null(at);
	(void)snprintf(code, 64, "%.43s", at + 5);
	answer_free(&a);
}

/* The value of a member of an answer, which is text of JSON. */
static void
member_of(const char *said, const char *name, char out[64])
{
	char key[40];
	const char *at;

	(void)snprintf(key, sizeof(key), "\"%s\":\"", name);
	at = strstr(said, key);
	assert_non_null(at);
	at += strlen(key);
	(void)snprintf(out, 64, "%.*s", (int)strcspn(at, "\""), at);
}

static int
refresh(const char *text)
{
	struct answer a;
	struct remote r;
	char body[200];
	int http;

	(void)snprintf(body, sizeof(body),
	    "{\"grant_type\":\"refresh_token\",\"client_id\":\"client\",\"refresh_token\":\"%s\"}",
	    text);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/oauth/token");
	http = a.status;
	answer_free(&a);
	remote_close(&r);
	return http;
}

/* How many rows there are, also of what nobody is told. */
static int
rows(const char *table)
{
	char sql[100];
	sqlite3_stmt *stmt;
	sqlite3 *db;
	int n;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	assert_int_equal(sqlite3_open(daemon_path(d, "data/stet.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_busy_timeout(db, 5000), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	n = sqlite3_column_int(stmt, 0);
	(void)sqlite3_finalize(stmt);
	(void)sqlite3_close(db);
	return n;
}

static void
exchange(struct crowd *c)
{
	char code[64], body[400];

	code_of(code);
	(void)snprintf(body, sizeof(body),
	    "{\"grant_type\":\"authorization_code\",\"code\":\"%s\",\"client_id\":\"client\","
	    "\"redirect_uri\":\"" BACK "\",\"code_verifier\":\"" VERIFIER "\"}",
	    code);
	rush(c, "/oauth/token", body, "");
}

/* ---- tests ---- */

/* RFC 9700 4.5: what came of it ends, since one of them has stolen it. */
static void
of_many_with_one_code_one_gets_tokens_that_end(void **state)
{
	struct crowd c;
	char text[64];

	(void)state;
	exchange(&c);
	member_of(c.said[crowd_winner(&c, 200, "\"invalid_grant\"", "\"invalid_grant\"")],
	    "refresh_token", text);
	assert_int_equal(refresh(text), 400);
	assert_int_equal(rows("oauth_grants"), 0);
	assert_int_equal(rows("oauth_tokens"), 0);
	assert_int_equal(rows("oauth_codes"), 0);
}

#define REFRESH \
	"{\"grant_type\":\"refresh_token\",\"client_id\":\"client\",\"refresh_token\":\"%s\"}"

/* The first refresh token of a new grant. */
static void
first_refresh_token(char text[64])
{
	char code[64], body[400];
	struct answer a;
	struct remote r;

	code_of(code);
	(void)snprintf(body, sizeof(body),
	    "{\"grant_type\":\"authorization_code\",\"code\":\"%s\",\"client_id\":\"client\","
	    "\"redirect_uri\":\"" BACK "\",\"code_verifier\":\"" VERIFIER "\"}",
	    code);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/oauth/token");
	assert_int_equal(a.status, 200);
	member_of(a.body, "refresh_token", text);
	answer_free(&a);
	remote_close(&r);
}

/* Fails unless all have got the same refresh token and an access token that opens the API. */
static void
assert_all_go_on(const struct crowd *c, const char *want)
{
	for (int i = 0; i < CROWD; i++) {
		char refresh[64], access[64];
		struct answer a;
		struct remote r;

		assert_int_equal(c->http[i], 200);
		member_of(c->said[i], "refresh_token", refresh);
		member_of(c->said[i], "access_token", access);
		assert_string_equal(refresh, want);
		remote_open(&r, d, access);
		remote_ask(&r, &a, "GET", NULL, "/search?q=quince");
		assert_int_equal(a.status, 200);
		answer_free(&a);
		remote_close(&r);
	}
}

/* Decision 32: the answer is the same. */
static void
many_with_one_refresh_token_get_the_same_successor(void **state)
{
	char first[64], next[64], body[400];
	struct crowd c;

	(void)state;
	first_refresh_token(first);
	(void)snprintf(body, sizeof(body), REFRESH, first);
	rush(&c, "/oauth/token", body, "");
	member_of(c.said[0], "refresh_token", next);
	assert_string_not_equal(first, next);
	assert_all_go_on(&c, next);
	assert_int_equal(rows("oauth_grants"), 1);
	assert_int_equal(refresh(next), 200);
}

/* Some have stored the successor and use it already while others still come with the one before:
 * the grant lives, and all end with the same token (core/adr/0056). */
static void
many_with_a_refresh_token_and_its_successor_end_with_the_same(void **state)
{
	char first[64], next[64], bodies[2][400];
	struct answer a;
	struct remote r;
	struct crowd c;

	(void)state;
	first_refresh_token(first);
	(void)snprintf(bodies[0], sizeof(bodies[0]), REFRESH, first);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", bodies[0], "/oauth/token");
	assert_int_equal(a.status, 200);
	member_of(a.body, "refresh_token", next);
	answer_free(&a);
	remote_close(&r);
	(void)snprintf(bodies[1], sizeof(bodies[1]), REFRESH, next);
	crowd_rush(&c, d, "POST", "/oauth/token", (const char *[]){ bodies[0], bodies[1] }, 2, "");
	assert_all_go_on(&c, next);
	assert_int_equal(rows("oauth_grants"), 1);
	assert_int_equal(refresh(next), 200);
}

static void
of_many_approvals_of_a_device_one_counts_and_one_gets_tokens(void **state)
{
	char device[64], user[64], body[300], headers[200], text[64];
	struct answer a;
	struct remote r;
	struct crowd c;

	(void)state;
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", "{\"client_id\":\"tool\",\"scope\":\"content:read\"}",
	    "/oauth/device/code");
	assert_int_equal(a.status, 200);
	member_of(a.body, "device_code", device);
	member_of(a.body, "user_code", user);
	answer_free(&a);
	remote_close(&r);

	(void)snprintf(headers, sizeof(headers), "Cookie: %s\r\n", cookie);
	(void)snprintf(body, sizeof(body), "{\"user_code\":\"%s\"}", user);
	rush(&c, "/oauth/device/authorize", body, headers);
	(void)crowd_winner(&c, 200, "\"INVALID_CODE\"", "\"RATE_LIMITED\"");
	assert_int_equal(rows("oauth_grants"), 1);

	(void)snprintf(body, sizeof(body),
	    "{\"grant_type\":\"urn:ietf:params:oauth:grant-type:device_code\",\"device_code\":"
	    "\"%s\"}",
	    device);
	rush(&c, "/oauth/device/token", body, "");
	member_of(c.said[crowd_winner(&c, 200, "\"invalid_grant\"", "\"invalid_grant\"")],
	    "refresh_token", text);
	assert_int_equal(rows("oauth_grants"), 1);
	assert_int_equal(rows("oauth_tokens"), 1);
	assert_int_equal(rows("oauth_devices"), 0);
}

/* The second step of a ceremony that makes a user: its body, to be freed. */
static char *
second_step(struct authenticator *a, const char *path, json_t *first, json_t *second)
{
	char *text = json_dumps(first, 0);
	struct remote r;
	json_t *data;

	remote_open(&r, d, NULL);
	data = remote_must(&r, 200, "POST", text, "%s", path);
	free(text);
	json_object_set_new(
	    second, "credential", authenticator_create_json(a, json_object_get(data, "options")));
	text = json_dumps(second, 0);
	json_decref(data);
	json_decref(first);
	json_decref(second);
	remote_close(&r);
	return text;
}

static int
begin_new(void **state)
{
	(void)state;
	d = remote_new(
	    "trusted-proxies = { \"127.0.0.1\" }\n", "base-url = \"http://localhost\"\n");
	token = NULL;
	daemon_run(d, 0);
	return 0;
}

static void
of_many_who_set_a_site_up_one_becomes_its_administrator(void **state)
{
	char *url = COMMAND(d, "setup-link"), *body;
	struct authenticator a;
	struct crowd c;
	json_t *who;

	(void)state;
	who =
	    json_pack("{s:s,s:s,s:s}", "token", strchr(url, '#') + 1, "email", ANN, "name", "Ann");
	free(url);
	authenticator_open(&a, -7, "localhost", "http://localhost");
	body = second_step(&a, "/setup/admin", who, json_deep_copy(who));
	rush(&c, "/setup/admin/verify", body, "");
	(void)crowd_winner(&c, 200, "\"SETUP_COMPLETE\"", "\"SETUP_COMPLETE\"");
	free(body);
	authenticator_close(&a);
	assert_int_equal(rows("users"), 1);
	assert_int_equal(rows("passkeys"), 1);
	assert_int_equal(rows("sessions"), 1);
	assert_int_equal(rows("used_challenges"), 1);
}

/* The link of an invitation makes one account, with one passkey, whoever else has it. */
static void
of_many_who_are_invited_by_one_link_one_gets_in(void **state)
{
	char *body, link[64];
	struct authenticator a;
	struct remote r;
	struct crowd c;
	json_t *who, *made;

	(void)state;
	remote_open(&r, d, token);
	made = remote_must(
	    &r, 200, "POST", "{\"email\":\"bob@example.org\",\"role\":30}", "/auth/invite");
	(void)snprintf(link, sizeof(link), "%s",
	    strchr(json_string_value(json_object_get(made, "inviteUrl")), '#') + 1);
	json_decref(made);
	remote_close(&r);
	who = json_pack("{s:s,s:s}", "token", link, "name", "Bob");
	authenticator_open(&a, -7, "localhost", "http://localhost");
	body = second_step(&a, "/auth/invite/register-options", who, json_deep_copy(who));
	rush(&c, "/auth/invite/complete", body, "");
	(void)crowd_winner(&c, 200, "\"INVALID_TOKEN\"", "\"INVALID_TOKEN\"");
	assert_int_equal(crowd_signed_in(&c), 1);
	free(body);
	authenticator_close(&a);
	assert_int_equal(rows("users"), 2);
	assert_int_equal(rows("passkeys"), 1);
	assert_int_equal(rows("sessions"), 2);
}

/* Scripts of other sites cannot read the page, and so not press its button. */
static void
scripts_of_other_sites_do_not_read_the_page(void **state)
{
	struct answer a;

	(void)state;
	authorize(&a, "GET", "Origin: https://evil.example\r\n", "");
	assert_null(answer_header(&a, "Access-Control-Allow-Origin"));
	answer_free(&a);
	authorize(&a, "OPTIONS",
	    "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n", "");
	assert_null(answer_header(&a, "Access-Control-Allow-Origin"));
	answer_free(&a);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(of_many_with_one_code_one_gets_tokens_that_end),
		TEST(many_with_one_refresh_token_get_the_same_successor),
		TEST(many_with_a_refresh_token_and_its_successor_end_with_the_same),
		TEST(of_many_approvals_of_a_device_one_counts_and_one_gets_tokens),
		cmocka_unit_test_setup_teardown(
		    of_many_who_set_a_site_up_one_becomes_its_administrator, begin_new, end),
		TEST(of_many_who_are_invited_by_one_link_one_gets_in),
		TEST(scripts_of_other_sites_do_not_read_the_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
