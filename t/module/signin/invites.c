/* invites.c - invitations: who may make and use them, and when they expire. */
#include "authenticator.h"
#include "browser.h"
#include "inside.h"
#include "mailed.h"
#include "people.h"
#include <stdio.h>
#include <stdlib.h>

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
		assert_null(json_object_get(o->data, "siteTitle"));
	}
	assert_ok(
	    harness_request(*state, admin, "POST /settings", NULL, "{\"title\":\"Slipstream\"}"));
	harness_ok(o, browser_send(*state, NULL, path, NULL));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Slipstream");
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

/* ---- inviters who may not invite any more ---- */

/* Invites a user as an administrator; returns the token of the mail. */
static struct browser
invited_by(struct harness *h, const char *email, char token[64])
{
	struct browser b = browser_make(h, email, "admin");

	assert_ok(browser_ask(h, &b, INVITE, "{\"email\":\"" BOB "\",\"role\":50}"));
	work(h);
	postbox_token(&server, INVITED, token);
	return b;
}

static void
an_invitation_ends_when_its_inviter_is_disabled_or_demoted(void **state)
{
	static const char *const ways[][2] = {
		{ "user_disable", "{\"email\":\"adam@example.org\"}" },
		{ "user_set_role", "{\"email\":\"eva@example.org\",\"role\":\"editor\"}" },
	};
	static const char *const who[] = { "adam@example.org", "eva@example.org" };
	char token[64], id[27];
	struct outcome *o;

	browser_user(*state, "root@example.org", "admin", id); /* another one stays */
	for (size_t i = 0; i < COUNT(ways); i++) {
		later(*state, 1000 * (int)(i + 1));
		(void)invited_by(*state, who[i], token);
		assert_ok(harness_op(*state, admin, ways[i][0], "%s", ways[i][1]));
		assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
		harness_ok(o, harness_request(*state, admin, "GET /auth/invite", NULL, NULL));
		assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
		assert_ok(harness_op(*state, admin, "user_enable", "{\"email\":\"%s\"}", who[i]));
		assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
	}
	assert_string_equal(
	    inside_ask(*state, "SELECT COUNT(*) FROM users WHERE email = '" BOB "'"), "0");
}

/* The inviter's right may also end without the module noticing. */
static void
an_invitation_is_judged_again_when_it_is_used(void **state)
{
	struct browser b;
	char token[64];

	b = invited_by(*state, "adam@example.org", token);
	inside_sql(*state, "UPDATE users SET role = 40 WHERE id = ?1", b.user);
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
	inside_sql(*state, "UPDATE users SET role = 50, disabled = 1 WHERE id = ?1", b.user);
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
	inside_sql(*state, "UPDATE users SET disabled = 0 WHERE id = ?1", b.user);
	assert_ok(post(*state, COMPLETE, "token", token));
}

static void
an_invitation_of_a_user_who_is_gone_is_refused(void **state)
{
	struct browser b;
	char token[64];

	b = invited_by(*state, "adam@example.org", token);
	inside_sql(*state, "DELETE FROM users WHERE id = ?1", b.user);
	assert_code(post(*state, COMPLETE, "token", token), "INVALID_TOKEN");
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
	/* The link must not work a second time. */
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
		TEST(an_invitation_ends_when_its_inviter_is_disabled_or_demoted),
		TEST(an_invitation_is_judged_again_when_it_is_used),
		TEST(an_invitation_of_a_user_who_is_gone_is_refused),
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
