/* mails - links and invitations that come by mail: who gets one, and how often it works. */
#include "authenticator.h"
#include "browser.h"
#include "inside.h"
#include "people.h"
#include "postbox.h"

#include "call/call.h"
#include "db/rows.h"
#include "work/mail.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ANN "ann@example.org"
#define BOB "bob@example.org"
#define SEND "POST /auth/magic-link/send"
#define USE "POST /auth/magic-link/verify"
#define INVITE "POST /auth/invite"
#define COMPLETE "POST /auth/invite/complete"
#define LINK "/_cms/signin/link"
#define INVITED "/_cms/invite"

static struct postbox server;
static time_t start; /* of the running test: limits outlive a site */

/* Sets the clock to so many seconds after the start of the test. */
static void
later(struct harness *h, int seconds)
{
	const time_t at = start + seconds;
	char text[40];
	struct tm tm;

	assert_non_null(gmtime_r(&at, &tm));
	assert_true(strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.000Z", &tm) > 0);
	harness_clock(h, text);
}

static int
open_site(void **state, bool with_mail)
{
	char url[64], id[27];
	const struct harness_options options = { .mail_server = with_mail ? url : NULL };

	postbox_open(&server, NULL, NULL);
	(void)snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", server.port);
	*state = harness_open(&options);
	start = start == 0 ? 1780315200 : start + 86400 * 30;
	later(*state, 0);
	browser_user(*state, ANN, "author", id);
	return 0;
}

static int
begin(void **state)
{
	return open_site(state, true);
}

static int
begin_without(void **state)
{
	return open_site(state, false);
}

static int
end(void **state)
{
	harness_close(*state, false);
	postbox_close(&server);
	return 0;
}

/* Runs the job that sends mails, while it is due. */
static void
work(struct harness *h)
{
	bool due;

	do {
		struct stet_call *call = inside_call(h, "signin");

		due = mail_job.due(call) <= stet_now(call);
		if (due)
			assert_int_equal(mail_job.run(call), STET_OK);
		rows_end_call(call);
		call_free(call);
	} while (due);
}

static struct outcome *
post(struct harness *h, const char *request, const char *member, const char *value)
{
	char body[600];

	(void)snprintf(body, sizeof(body), "{\"%s\":\"%s\"}", member, value);
	return browser_send(h, NULL, request, body);
}

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

static void
set(struct harness *h, const char *setting, int value)
{
	char body[80];

	(void)snprintf(body, sizeof(body), "{\"values\":{\"%s\":%d}}", setting, value);
	assert_ok(harness_request(h, admin, "PUT /admin/plugins/signin/settings", NULL, body));
}

/* The mail says how long, and keeps to it if the setting changes before it is sent. */
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

/* The rows that a request leaves, but for ids and addresses; static buffer. */
static const char *
what_is_stored(struct harness *h)
{
	return inside_ask(h,
	    "SELECT group_concat(module || name || ifnull(length(content), '-') || created_at || expires_at"
	    " || attempts || due_at || length(recipient)) || (SELECT COUNT(*) FROM signin_links)"
	    " FROM mail");
}

static void
the_request_does_the_same_for_known_and_unknown_addresses(void **state)
{
	char text[1000], stored[1000];
	struct outcome *o;

	harness_ok(o, post(*state, SEND, "email", ANN));
	(void)snprintf(text, sizeof(text), "%s", o->text);
	(void)snprintf(stored, sizeof(stored), "%s", what_is_stored(*state));
	inside_sql(*state, "DELETE FROM mail", NULL);
	harness_ok(o, post(*state, SEND, "email", "una@example.org"));
	assert_string_equal(o->text, text);
	inside_sql(*state, "UPDATE mail SET recipient = '" ANN "'", NULL);
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

/* How many mails a request for a link ends in; what it answers and stores is the same. */
static int
mails_of_a_request(struct harness *h, const char *email)
{
	int before = server.mails;
	struct outcome *o;

	harness_ok(o, post(h, SEND, "email", email));
	assert_non_null(strstr(o->text, "\"success\":true"));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "1");
	work(h);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
	return server.mails - before;
}

/* A setting; whoever has no passkey yet has no other way in. */
static void
users_with_a_passkey_get_no_link_where_a_site_says_so(void **state)
{
	char id[27];

	browser_user(*state, BOB, "author", id);
	inside_sql(*state,
	    "INSERT INTO passkeys (id, user_id, credential_id, algorithm, public_key, counter,"
	    " backup_eligible, backed_up, transports, name, created_at)"
	    " SELECT '01PASSKEY00000000000000000', id, x'01', -7, x'01', 0, 0, 0, '[]', 'key',"
	    " '2026-06-01T00:00:00.000Z' FROM users WHERE email = '" ANN "'",
	    NULL);
	assert_int_equal(mails_of_a_request(*state, ANN), 1);
	set_links_beside_passkeys(*state, "false");
	assert_int_equal(mails_of_a_request(*state, ANN), 0);
	assert_int_equal(mails_of_a_request(*state, BOB), 1);
	set_links_beside_passkeys(*state, "true");
	later(*state, 600); /* three a client in five minutes */
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

static void
a_repeated_mail_does_not_renew_a_link_that_was_used(void **state)
{
	char token[64], again[64];

	server.command = ".";
	server.answer = "451 4.3.0 Perhaps\r\n"; /* it was delivered all the same */
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

/* Programs that look at mails follow links. */
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

/* ---- invitations ---- */

static void
invite(struct harness *h, const char *more)
{
	assert_ok(harness_send(h, admin, INVITE, "{\"email\":\"Bob@example.org\"%s}", more));
}

static void
an_invitation_makes_a_user_once(void **state)
{
	struct outcome *o;
	char token[64], path[200];

	invite(*state, "");
	work(*state);
	assert_int_equal(postbox_count(&server, "RCPT TO:<" BOB ">"), 1);
	postbox_token(&server, INVITED, token);
	(void)snprintf(path, sizeof(path), "GET /auth/invite/accept?token=%s", token);
	for (int i = 0; i < 2; i++) {
		harness_ok(o, browser_send(*state, NULL, path, NULL));
		assert_string_equal(harness_text(o->data, "email"), BOB);
		assert_string_equal(harness_text(o->data, "roleName"), "Author");
	}
	assert_code(post(*state, USE, "token", token), "INVALID_TOKEN");
	harness_ok(o, post(*state, COMPLETE, "token", token));
	assert_int_equal(strncmp(o->set_cookie, "stet=", 5), 0);
	assert_int_equal(harness_int(o->data, "user.role"), 30);
	assert_string_equal(
	    inside_ask(*state, "SELECT email_verified FROM users WHERE email = '" BOB "'"), "1");
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
	assert_int_equal(browser_send(*state, NULL, path, NULL)->http, 404);
}

static void
an_invitation_ends_after_7_days(void **state)
{
	char token[64];

	invite(*state, "");
	work(*state);
	postbox_token(&server, INVITED, token);
	later(*state, 7 * 86400);
	assert_code(post(*state, COMPLETE, "token", token), "TOKEN_EXPIRED");
}

static void
an_invitation_ends_after_as_many_days_as_is_set(void **state)
{
	char token[64];

	set(*state, "inviteDays", 1);
	invite(*state, "");
	set(*state, "inviteDays", 7);
	work(*state);
	assert_non_null(strstr(server.mail, "within a day."));
	postbox_token(&server, INVITED, token);
	later(*state, 86400);
	assert_code(post(*state, COMPLETE, "token", token), "TOKEN_EXPIRED");
}

static void
who_may_invite_whom(void **state)
{
	struct person ed = person_make(*state, "ed@example.org", "editor", "[\"admin\"]", NULL);

	assert_code(person_ask(*state, ed.token, INVITE, "{\"email\":\"" BOB "\"}"), "FORBIDDEN");
	assert_code(
	    harness_send(*state, admin, INVITE, "{\"email\":\"ANN@example.org\"}"), "USER_EXISTS");
	assert_code(harness_send(*state, admin, INVITE, "{\"email\":\"" BOB "\",\"role\":35}"),
	    "VALIDATION_ERROR");
	assert_code(harness_send(*state, admin, INVITE, "{\"email\":\"" BOB "\",\"role\":60}"),
	    "VALIDATION_ERROR");
	assert_code(harness_send(*state, admin, INVITE, "{\"email\":\"bob\"}"), "VALIDATION_ERROR");
	work(*state);
	assert_int_equal(server.connections, 0);
}

static void
a_withdrawn_invitation_is_not_sent_and_not_used(void **state)
{
	struct outcome *o;
	char token[64], path[100];

	invite(*state, ",\"role\":10");
	work(*state);
	postbox_token(&server, INVITED, token);
	invite(*state, ",\"role\":20"); /* replaces the first */
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
	harness_ok(o, harness_request(*state, admin, "GET /auth/invite", NULL, NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_int_equal(harness_int(o->data, "items[0].role"), 20);
	(void)snprintf(
	    path, sizeof(path), "DELETE /auth/invite/%s", harness_text(o->data, "items[0].id"));
	assert_ok(harness_request(*state, admin, path, NULL, NULL));
	assert_code(harness_request(*state, admin, path, NULL, NULL), "NOT_FOUND");
	work(*state);
	assert_int_equal(server.mails, 1);
}

/* Accepts an invitation with a passkey, which starts the session. */
static void
join_with_passkey(struct harness *h, const char *token)
{
	struct authenticator a;
	struct outcome *o;
	json_t *credential, *body;
	char *text;

	authenticator_open(&a, -7, "localhost", "http://localhost");
	harness_ok(o, post(h, "POST /auth/invite/register-options", "token", token));
	credential = authenticator_create_json(&a, json_object_get(o->data, "options"));
	body = json_pack("{s:s,s:s,s:o}", "token", token, "name", "Bob", "credential", credential);
	text = json_dumps(body, 0);
	harness_ok(o, browser_send(h, NULL, COMPLETE, text));
	assert_string_equal(harness_text(o->data, "user.email"), BOB);
	assert_string_equal(harness_text(o->data, "user.name"), "Bob");
	assert_int_equal(strncmp(o->set_cookie, "stet=", 5), 0);
	assert_string_equal(
	    inside_ask(h, "SELECT p.name FROM passkeys p JOIN sessions s ON s.credential_id = p.id"
			  " JOIN users u ON u.id = p.user_id WHERE u.email = '" BOB "'"),
	    "Initial passkey");
	assert_code(browser_send(h, NULL, COMPLETE, text), "INVALID_TOKEN");
	free(text);
	json_decref(body);
	authenticator_close(&a);
}

static void
without_a_mail_server_the_inviter_gets_the_link(void **state)
{
	struct outcome *o;
	char path[200];
	const char *url;

	harness_ok(o, harness_send(*state, admin, INVITE, "{\"email\":\"" BOB "\"}"));
	url = harness_text(o->data, "inviteUrl");
	assert_non_null(strstr(url, INVITED "#"));
	(void)snprintf(
	    path, sizeof(path), "GET /auth/invite/accept?token=%s", strchr(url, '#') + 1);
	harness_ok(o, browser_send(*state, NULL, path, NULL));
	assert_true(json_is_true(json_object_get(o->data, "passkeyRequired")));
	/* Nobody could sign in a second time. */
	assert_code(post(*state, COMPLETE, "token", strchr(path, '=') + 1), "VALIDATION_ERROR");
	assert_string_equal(inside_ask(*state, "SELECT COUNT(*) FROM users"), "1");
	join_with_passkey(*state, strchr(path, '=') + 1);
	assert_string_equal(
	    inside_ask(*state, "SELECT email_verified FROM users WHERE email = '" BOB "'"), "0");
}

static void
whoever_is_invited_by_mail_may_add_a_passkey(void **state)
{
	char token[64];

	invite(*state, "");
	work(*state);
	postbox_token(&server, INVITED, token);
	join_with_passkey(*state, token);
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
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
		TEST(a_repeated_mail_does_not_renew_a_link_that_was_used),
		TEST_WITHOUT(without_a_mail_server_everybody_is_told),
		TEST(what_a_mail_scanner_does_leaves_the_link),
		TEST(the_longest_title_of_a_site_is_no_obstacle),
		TEST(an_invitation_makes_a_user_once),
		TEST(an_invitation_ends_after_7_days),
		TEST(an_invitation_ends_after_as_many_days_as_is_set),
		TEST(who_may_invite_whom),
		TEST(a_withdrawn_invitation_is_not_sent_and_not_used),
		TEST(whoever_is_invited_by_mail_may_add_a_passkey),
		TEST_WITHOUT(without_a_mail_server_the_inviter_gets_the_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
