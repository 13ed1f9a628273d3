/*
 * grants.c - codes, tokens and invitations, used by sixteen at once over real sockets: one
 * succeeds, and nothing is left half done. The authorization endpoint is for navigation by
 * browsers, not for scripts of other sites (RFC 9700 2.6).
 */
#include "authenticator.h"
#include "consents.h"
#include "crowd.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static struct consents ann;
static struct daemon *d; /* the daemon that serves the site */

static int
end(void **state)
{
	(void)state;
	consents_end(&ann);
	return 0;
}

/* ---- one request, many times at once ---- */

static void
rush(struct crowd *c, const char *path, const char *body, const char *headers)
{
	crowd_rush(c, d, "POST", path, &body, 1, headers);
}

static int
begin(void **state)
{
	(void)state;
	consents_start(&ann);
	d = ann.d;
	return 0;
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

/* Returns the number of rows, also of rows that no op shows. */
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

	consents_code(&ann, "", "content:read", code);
	consents_exchange(code, body);
	rush(c, "/oauth/token", body, "");
}

/* ---- tests ---- */

/* RFC 9700 4.5: the grant ends, since one of the clients has stolen the code. */
static void
of_many_with_one_code_one_gets_tokens_that_end(void **state)
{
	struct crowd c;
	char text[64];

	(void)state;
	exchange(&c);
	consents_member(c.said[crowd_winner(&c, 200, "\"invalid_grant\"", "\"invalid_grant\"")],
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

	consents_code(&ann, "", "content:read", code);
	consents_exchange(code, body);
	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", body, "/oauth/token");
	assert_int_equal(a.status, 200);
	consents_member(a.body, "refresh_token", text);
	answer_free(&a);
	remote_close(&r);
}

/* Fails unless all clients got the same refresh token, and each an access token that the API
 * accepts. */
static void
assert_all_go_on(const struct crowd *c, const char *want)
{
	for (int i = 0; i < CROWD; i++) {
		char refresh[64], access[64];
		struct answer a;
		struct remote r;

		assert_int_equal(c->http[i], 200);
		consents_member(c->said[i], "refresh_token", refresh);
		consents_member(c->said[i], "access_token", access);
		assert_string_equal(refresh, want);
		remote_open(&r, d, access);
		remote_ask(&r, &a, "GET", NULL, "/search?q=quince");
		assert_int_equal(a.status, 200);
		answer_free(&a);
		remote_close(&r);
	}
}

/* Decision 32: a repeated refresh gets the same answer. */
static void
many_with_one_refresh_token_get_the_same_successor(void **state)
{
	char first[64], next[64], body[400];
	struct crowd c;

	(void)state;
	first_refresh_token(first);
	(void)snprintf(body, sizeof(body), REFRESH, first);
	rush(&c, "/oauth/token", body, "");
	consents_member(c.said[0], "refresh_token", next);
	assert_string_not_equal(first, next);
	assert_all_go_on(&c, next);
	assert_int_equal(rows("oauth_grants"), 1);
	assert_int_equal(refresh(next), 200);
}

/* Some clients use the successor already while others still send the token before: the grant stays
 * valid, and all get the same token in the end (core/adr/0054). */
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
	consents_member(a.body, "refresh_token", next);
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
	consents_member(a.body, "device_code", device);
	consents_member(a.body, "user_code", user);
	answer_free(&a);
	remote_close(&r);

	(void)snprintf(headers, sizeof(headers), "Cookie: %s\r\n", ann.cookie);
	(void)snprintf(body, sizeof(body), "{\"user_code\":\"%s\"}", user);
	rush(&c, "/oauth/device/authorize", body, headers);
	(void)crowd_winner(&c, 200, "\"INVALID_CODE\"", "\"RATE_LIMITED\"");
	assert_int_equal(rows("oauth_grants"), 1);

	(void)snprintf(body, sizeof(body),
	    "{\"grant_type\":\"urn:ietf:params:oauth:grant-type:device_code\",\"device_code\":"
	    "\"%s\"}",
	    device);
	rush(&c, "/oauth/device/token", body, "");
	consents_member(c.said[crowd_winner(&c, 200, "\"invalid_grant\"", "\"invalid_grant\"")],
	    "refresh_token", text);
	assert_int_equal(rows("oauth_grants"), 1);
	assert_int_equal(rows("oauth_tokens"), 1);
	assert_int_equal(rows("oauth_devices"), 0);
}

/* The body of the second request of a ceremony that makes a user; to be freed. */
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
	ann.d = d;
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

/* A link of an invitation makes one user with one passkey, even if many use it. */
static void
of_many_who_are_invited_by_one_link_one_gets_in(void **state)
{
	char *body, link[64];
	struct authenticator a;
	struct remote r;
	struct crowd c;
	json_t *who, *made;

	(void)state;
	remote_open(&r, d, ann.token);
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
	consents_authorize(&ann, &a, "GET", "", "Origin: https://evil.example\r\n", "");
	assert_null(answer_header(&a, "Access-Control-Allow-Origin"));
	answer_free(&a);
	consents_authorize(&ann, &a, "OPTIONS", "",
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
