/* mails.c - links that are sent by mail: who gets one, how often it works, and what strangers can
 * do with them. */
#include "browser.h"
#include "inside.h"
#include "mailed.h"
#include <stdio.h>

/* ---- links ---- */

static void
a_mail_signs_its_user_in_once(void **state)
{
	struct outcome *o;
	char token[64];

	assert_ok(post(*state, SEND, "email", "Ann@Example.org"));
	assert_string_equal(inside_ask(*state, "SELECT COUNT(*) FROM signin_links"), "0");
	work(*state);
	assert_int_equal(server.mails, 1);
	assert_int_equal(postbox_count(&server, "RCPT TO:<" ANN ">"), 1);
	postbox_token(&server, LINK, token);
	harness_ok(o, post(*state, USE, "token", token));
	assert_string_equal(harness_text(o->data, "user.email"), ANN);
	assert_string_equal(
	    inside_ask(*state, "SELECT email_verified FROM users WHERE email = '" ANN "'"), "1");
	assert_code(post(*state, USE, "token", token), "INVALID_TOKEN");
}

static void
a_link_ends_after_15_minutes(void **state)
{
	char token[64];

	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	postbox_token(&server, LINK, token);
	later(*state, 15 * 60);
	assert_code(post(*state, USE, "token", token), "TOKEN_EXPIRED");
}

/* The mail says how long the link is valid; a change of the setting before the mail is sent does
 * not affect it. */
static void
a_link_ends_after_as_many_minutes_as_it_was_asked_for_with(void **state)
{
	char token[64];

	set(*state, "linkMinutes", 40);
	assert_ok(post(*state, SEND, "email", ANN));
	set(*state, "linkMinutes", 5);
	work(*state);
	assert_non_null(strstr(server.mail, "within 40 minutes."));
	postbox_token(&server, LINK, token);
	later(*state, 40 * 60);
	assert_code(post(*state, USE, "token", token), "TOKEN_EXPIRED");
	later(*state, 40 * 60 - 1);
	assert_ok(post(*state, USE, "token", token));
}

/* Returns the rows that a request stores, without ids and addresses; static buffer. */
static const char *
what_is_stored(struct harness *h)
{
	return inside_ask(h,
	    "SELECT group_concat(minutes || '' || beside_passkeys || expires_at || length(email) ||"
	    " length(id)) || (SELECT COUNT(*) FROM signin_links) || (SELECT COUNT(*) FROM mail)"
	    " FROM signin_ask");
}

static void
the_request_does_the_same_for_known_and_unknown_addresses(void **state)
{
	char text[1000], stored[1000];
	struct outcome *o;

	harness_ok(o, post(*state, SEND, "email", ANN));
	(void)snprintf(text, sizeof(text), "%s", o->text);
	(void)snprintf(stored, sizeof(stored), "%s", what_is_stored(*state));
	inside_sql(*state, "DELETE FROM signin_ask", NULL);
	harness_ok(o, post(*state, SEND, "email", "una@example.org"));
	assert_string_equal(o->text, text);
	assert_string_equal(what_is_stored(*state), stored);
}

static void
nobody_else_gets_a_mail(void **state)
{
	assert_ok(post(*state, SEND, "email", "una@example.org"));
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	assert_int_equal(server.connections, 0);
	assert_string_equal(inside_ask(*state, "SELECT COUNT(*) FROM mail"), "0");
	assert_string_equal(inside_ask(*state, "SELECT COUNT(*) FROM signin_links"), "0");
}

static void
set_links_beside_passkeys(struct harness *h, const char *value)
{
	assert_ok(harness_send(h, admin, "PUT /admin/plugins/signin/settings",
	    "{\"values\":{\"linksBesidePasskeys\":%s}}", value));
}

/* Returns how many mails a request for a link leads to. Its response and rows are the same in any
 * case. */
static int
mails_of_a_request(struct harness *h, const char *email)
{
	int before = server.mails;
	struct outcome *o;

	harness_ok(o, post(h, SEND, "email", email));
	assert_non_null(strstr(o->text, "\"success\":true"));
	assert_string_equal(inside_ask(h, WAITING), "1");
	work(h);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
	return server.mails - before;
}

/* This is a setting; users without a passkey always get links, since they have no other way in. */
static void
users_with_a_passkey_get_no_link_where_a_site_says_so(void **state)
{
	char id[27];

	browser_user(*state, BOB, "author", id);
	inside_sql(*state,
	    "INSERT INTO passkeys (id, user_id, credential_id, algorithm, public_key, counter,"
	    " backup_eligible, backed_up, transports, name, created_at)"
	    " SELECT '01PASSKEY00000000000000000', id, CAST('k' AS BLOB), -7, CAST('k' AS BLOB), 0, 0, 0, '[]', 'key',"
	    " '2026-06-01T00:00:00.000Z' FROM users WHERE email = '" ANN "'",
	    NULL);
	assert_int_equal(mails_of_a_request(*state, ANN), 1);
	set_links_beside_passkeys(*state, "false");
	assert_int_equal(mails_of_a_request(*state, ANN), 0);
	assert_int_equal(mails_of_a_request(*state, BOB), 1);
	set_links_beside_passkeys(*state, "true");
	later(*state, 600); /* each client may send three requests in five minutes */
	assert_int_equal(mails_of_a_request(*state, ANN), 1);
}

static void
a_hostile_address_reaches_nobody(void **state)
{
	static const char *const bad[] = { "", "ann", "@example.org", "ann@", "ann@localhost",
		"ann@example.org\\r\\nRCPT TO:<eve@example.org", "ann@example.org,eve@example.org",
		"<" ANN ">", "Ann <" ANN ">", " " ANN, ANN " ", "ann@[127.0.0.1]", "ann@127.0.0.1",
		"\\\"ann\\\"@example.org", "ann@example.org\\n", "ann@ex\\u00e4mple.org",
		"\\u212Ann@example.org", "a%0d%0a@@example.org", "ann@example..org",
		"ann.@example.org", "eve@example.org:" ANN, "|cat@example.org>" };

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(post(*state, SEND, "email", bad[i]), "VALIDATION_ERROR");
	assert_code(browser_send(*state, NULL, SEND, "{\"email\":[\"" ANN "\",\"" BOB "\"]}"),
	    "VALIDATION_ERROR");
	work(*state);
	assert_int_equal(server.connections, 0);
}

static void
a_fourth_request_in_five_minutes_is_refused(void **state)
{
	static const char *const spellings[] = { ANN, "ANN@example.org", "ann@EXAMPLE.org" };
	struct outcome *o;

	for (size_t i = 0; i < COUNT(spellings); i++)
		assert_ok(post(*state, SEND, "email", spellings[i]));
	o = post(*state, SEND, "email", ANN);
	assert_code(o, "RATE_LIMITED");
	assert_int_equal(o->http, 429);
	assert_string_not_equal(o->retry_after, "");
	work(*state);
	assert_int_equal(server.mails, 1); /* one waiting mail is enough */
}

/* ---- strangers ---- */

/* Sends the request from a new network each time. */
static struct outcome *
ask_from_afar(struct harness *h, const char *email)
{
	static int network;
	char address[40];

	network++;
	(void)snprintf(address, sizeof(address), "10.%d.%d.1", network / 250 + 1, network % 250);
	harness_client(h, address);
	return post(h, SEND, "email", email);
}

static void
requests_for_nobody_never_enter_the_queue_of_mails(void **state)
{
	char email[40];

	for (int i = 0; i < 1100; i++) {
		(void)snprintf(email, sizeof(email), "nobody%d@example.org", i);
		assert_ok(ask_from_afar(*state, email));
	}
	assert_ok(ask_from_afar(*state, ANN));
	assert_true(inside_work(*state, "signin")); /* once */
	assert_string_equal(inside_ask(*state, WAITING), "0");
	assert_string_equal(inside_ask(*state, "SELECT group_concat(recipient) FROM mail"), ANN);
	work(*state);
	assert_int_equal(server.mails, 1);
}

/* Requests are limited separately even if the job that sends mails does not run. */
static void
requests_that_wait_do_not_keep_others_out(void **state)
{
	inside_sql(*state,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
	    " INSERT INTO signin_ask (id, email, minutes, beside_passkeys, expires_at)"
	    " SELECT 'x' || i, i || '@example.org', 15, 1, ?1 FROM n",
	    "2099-01-01T00:00:00.000Z");
	assert_ok(post(*state, SEND, "email", ANN));
	assert_string_equal(inside_ask(*state, WAITING), "1");
	work(*state);
	assert_int_equal(server.mails, 1);
}

static void
mails_with_links_leave_room_for_invitations(void **state)
{
	inside_sql(*state,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)"
	    " INSERT INTO mail (id, module, name, recipient, created_at, expires_at, attempts,"
	    " due_at) SELECT 'x' || i, 'signin', 'magic_link', i || '@example.org', ?1, ?1, 0, ?1"
	    " FROM n",
	    "2099-01-01T00:00:00.000Z");
	assert_string_equal(inside_ask(*state, QUEUED), "800");
	assert_ok(post(*state, SEND, "email", ANN));
	assert_true(inside_work(*state, "signin"));
	assert_string_equal(inside_ask(*state, WAITING), "1"); /* it was not refused */
	assert_ok(harness_send(*state, admin, INVITE, "{\"email\":\"" BOB "\"}"));
	assert_string_equal(inside_ask(*state, QUEUED), "801");
	inside_sql(*state, "DELETE FROM mail WHERE id LIKE 'x%'", NULL);
	later(*state, 2);
	work(*state);
	assert_int_equal(server.mails, 2);
}

/* Returns the cookie of a browser that has signed in to the account before; static buffer. */
static const char *
known_cookie(struct harness *h)
{
	static char cookie[120];
	char token[64];
	struct outcome *o;
	const char *at;

	browser_link(h, ANN, token);
	harness_ok(o, post(h, USE, "token", token));
	at = strstr(o->headers, "stet-known=");
	assert_non_null(at);
	(void)snprintf(cookie, sizeof(cookie), "%.*s", (int)strcspn(at, ";"), at);
	return cookie;
}

static void
strangers_do_not_use_up_an_account_for_browsers_that_know_it(void **state)
{
	const char *cookie = known_cookie(*state);
	char other[120];

	for (int i = 0; i < 10; i++)
		assert_ok(ask_from_afar(*state, ANN));
	assert_code(ask_from_afar(*state, ANN), "RATE_LIMITED");
	/* Requests from the user's own network do not lock the user out either. */
	for (int i = 0; i < 10; i++)
		(void)post(*state, SEND, "email", BOB);
	assert_code(post(*state, SEND, "email", BOB), "RATE_LIMITED");
	for (int i = 0; i < 3; i++)
		assert_ok(browser_send(*state, cookie, SEND, "{\"email\":\"" ANN "\"}"));
	assert_code(browser_send(*state, cookie, SEND, "{\"email\":\"" ANN "\"}"), "RATE_LIMITED");
	/* The cookie is valid for this account only, and cannot be forged. */
	assert_code(browser_send(*state, cookie, SEND, "{\"email\":\"" BOB "\"}"), "RATE_LIMITED");
	(void)snprintf(other, sizeof(other), "%s", cookie);
	other[20] = other[20] == 'A' ? 'B' : 'A';
	later(*state, 1);
	assert_code(browser_send(*state, other, SEND, "{\"email\":\"" ANN "\"}"), "RATE_LIMITED");
	assert_ok(ask_from_afar(*state, "una@example.org"));
}

static void
three_requests_of_one_stranger_leave_the_account_to_others(void **state)
{
	for (int i = 0; i < 3; i++)
		assert_ok(post(*state, SEND, "email", ANN));
	assert_code(post(*state, SEND, "email", ANN), "RATE_LIMITED");
	assert_ok(ask_from_afar(*state, ANN));
}

static void
a_repeated_mail_does_not_renew_a_link_that_was_used(void **state)
{
	char token[64], again[64];

	server.command = ".";
	server.answer = "451 4.3.0 Perhaps\r\n"; /* the mail was delivered despite this response */
	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	assert_int_equal(server.mails, 1);
	postbox_token(&server, LINK, token);
	assert_ok(post(*state, USE, "token", token));
	server.command = NULL;
	later(*state, 30);
	work(*state);
	assert_int_equal(server.mails, 2);
	postbox_token(&server, LINK, again);
	assert_string_equal(again, token);
	assert_code(post(*state, USE, "token", token), "INVALID_TOKEN");
}

static void
without_a_mail_server_everybody_is_told(void **state)
{
	struct outcome *o = post(*state, SEND, "email", ANN);

	assert_code(o, "EMAIL_NOT_CONFIGURED");
	assert_int_equal(o->http, 503);
	assert_code(post(*state, SEND, "email", "una@example.org"), "EMAIL_NOT_CONFIGURED");
}

/* Mail scanners follow links. */
static void
what_a_mail_scanner_does_leaves_the_link(void **state)
{
	char token[64], path[300];

	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	postbox_token(&server, LINK, token);
	(void)snprintf(path, sizeof(path), "HEAD /auth/magic-link/verify?token=%s", token);
	assert_int_equal(harness_request(*state, nobody, path, "", NULL)->http, 302);
	(void)harness_request(*state, nobody, "GET /" LINK, "", NULL);
	assert_ok(post(*state, USE, "token", token));
}

static void
the_longest_title_of_a_site_is_no_obstacle(void **state)
{
	char title[1201] = "";

	for (int i = 0; i < 200; i++)
		memcpy(title + 6 * i, "\\u00e9", 7);
	assert_ok(harness_send(*state, admin, "POST /settings", "{\"siteTitle\":\"%s\"}", title));
	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	assert_int_equal(server.mails, 1);
	assert_non_null(strstr(server.mail, "Subject: Sign in to localhost"));
	assert_ok(
	    harness_send(*state, admin, "POST /settings", "{\"siteTitle\":\"The Daily Test\"}"));
	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	assert_non_null(strstr(server.mail, "Subject: Sign in to The Daily Test\r\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define TEST_WITHOUT(name) cmocka_unit_test_setup_teardown(name, begin_without, end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_mail_signs_its_user_in_once),
		TEST(a_link_ends_after_15_minutes),
		TEST(a_link_ends_after_as_many_minutes_as_it_was_asked_for_with),
		TEST(the_request_does_the_same_for_known_and_unknown_addresses),
		TEST(nobody_else_gets_a_mail),
		TEST(users_with_a_passkey_get_no_link_where_a_site_says_so),
		TEST(a_hostile_address_reaches_nobody),
		TEST(a_fourth_request_in_five_minutes_is_refused),
		TEST(requests_for_nobody_never_enter_the_queue_of_mails),
		TEST(requests_that_wait_do_not_keep_others_out),
		TEST(mails_with_links_leave_room_for_invitations),
		TEST(strangers_do_not_use_up_an_account_for_browsers_that_know_it),
		TEST(three_requests_of_one_stranger_leave_the_account_to_others),
		TEST(a_repeated_mail_does_not_renew_a_link_that_was_used),
		TEST_WITHOUT(without_a_mail_server_everybody_is_told),
		TEST(what_a_mail_scanner_does_leaves_the_link),
		TEST(the_longest_title_of_a_site_is_no_obstacle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
