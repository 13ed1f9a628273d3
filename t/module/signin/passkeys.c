/* passkeys - registering passkeys and signing in with them, through the API. */
#include "ceremony.h"
#include "inside.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- signing in ---- */

static void
a_passkey_signs_its_user_in(void **state)
{
	struct scene *s = *state;
	struct browser b;
	struct outcome *o;

	harness_ok(o, sign_in(s->h, &s->a));
	assert_true(json_is_true(json_object_get(o->data, "success")));
	assert_string_equal(harness_text(o->data, "user.email"), ANN);
	snprintf(
	    b.cookie, sizeof(b.cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	harness_ok(o, browser_ask(s->h, &b, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "id"), s->ann.user);
	harness_ok(o, browser_ask(s->h, &b, "GET /auth/passkey", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_true(strlen(harness_text(o->data, "items[0].lastUsedAt")) > 0);
}

static void
both_forms_of_the_body_are_read(void **state)
{
	struct scene *s = *state;

	assert_ok(post(s->h, NULL, "/auth/passkey/verify", assertion(s->h, &s->a), true));
	assert_ok(post(s->h, NULL, "/auth/passkey/verify", assertion(s->h, &s->a), false));
}

static void
options_are_the_same_for_known_and_unknown_addresses(void **state)
{
	static const char *const bodies[] = { NULL, "{}", "{\"email\":\"" ANN "\"}",
		"{\"email\":\"nobody@example.org\"}", "{\"email\":null}" };
	struct scene *s = *state;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		harness_ok(o, browser_send(s->h, NULL, "POST /auth/passkey/options", bodies[i]));
		assert_int_equal(json_object_size(json_object_get(o->data, "options")), 4);
		assert_string_equal(harness_text(o->data, "options.rpId"), "localhost");
		assert_int_equal(harness_int(o->data, "options.timeout"), 60000);
		assert_string_equal(harness_text(o->data, "options.userVerification"), "required");
	}
}

/* Returns the user verification that the sign-in options ask for; static buffer. */
static const char *
verification(struct harness *h)
{
	static char word[20];
	json_t *o;

	next_minute(h);
	o = options(h, NULL, "/auth/passkey/options");
	snprintf(word, sizeof(word), "%s", harness_text(o, "userVerification"));
	json_decref(o);
	return word;
}

/* Somebody who finds the authenticator and does not know its PIN must not get in. */
static void
a_passkey_that_verified_its_user_has_to_do_so_again(void **state)
{
	struct scene *s = *state;

	s->a.flags = AUTH_UP;
	assert_refused(sign_in(s->h, &s->a));
	s->a.flags = AUTH_UP | AUTH_UV;
	assert_ok(sign_in(s->h, &s->a));
	s->a.flags = AUTH_UP;
	assert_refused(sign_in(s->h, &s->a));
}

/* Passkeys of earlier versions never verified their user. */
static void
a_passkey_that_never_verified_its_user_works_until_it_does(void **state)
{
	struct scene *s = *state;

	inside_sql(s->h, "UPDATE passkeys SET verified = 0", NULL);
	assert_string_equal(verification(s->h), "preferred");
	s->a.flags = AUTH_UP;
	assert_ok(sign_in(s->h, &s->a));
	assert_string_equal(verification(s->h), "preferred");
	s->a.flags = AUTH_UP | AUTH_UV;
	assert_ok(sign_in(s->h, &s->a));
	assert_string_equal(verification(s->h), "required");
	s->a.flags = AUTH_UP;
	assert_refused(sign_in(s->h, &s->a));
}

static void
a_new_passkey_verifies_its_user(void **state)
{
	struct scene *s = *state;
	struct authenticator other;
	struct outcome *o;
	json_t *made;

	authenticator_open(&other, -7, "localhost", ORIGIN);
	made = options(s->h, &s->ann, "/auth/passkey/register/options");
	assert_string_equal(
	    harness_text(made, "authenticatorSelection.userVerification"), "required");
	json_decref(made);
	other.flags = AUTH_UP;
	o = enrol(s->h, &s->ann, &other);
	assert_code(o, "PASSKEY_REJECTED");
	assert_non_null(strstr(o->message, "PIN"));
	other.flags = AUTH_UP | AUTH_UV;
	assert_ok(enrol(s->h, &s->ann, &other));
	authenticator_close(&other);
}

static void
a_challenge_is_used_once(void **state)
{
	struct scene *s = *state;
	json_t *credential = assertion(s->h, &s->a);

	assert_ok(verify(s->h, json_incref(credential)));
	assert_refused(verify(s->h, json_incref(credential)));
	assert_refused(verify(s->h, credential));
}

static void
a_challenge_expires_after_five_minutes(void **state)
{
	struct scene *s = *state;
	json_t *early, *late;

	harness_clock(s->h, "2026-07-01T12:00:00.000Z");
	early = assertion(s->h, &s->a);
	late = assertion(s->h, &s->a);
	harness_clock(s->h, "2026-07-01T12:04:59.999Z");
	assert_ok(verify(s->h, early));
	harness_clock(s->h, "2026-07-01T12:05:00.000Z");
	assert_refused(verify(s->h, late));
}

static void
challenges_of_others_and_of_registration_are_refused(void **state)
{
	struct scene *s = *state;
	json_t *o = options(s->h, &s->ann, "/auth/passkey/register/options");
	char *text = strdup(json_string_value(json_object_get(o, "challenge")));

	/* The challenge of a registration. */
	assert_refused(verify(s->h, authenticator_get_json(&s->a, o)));
	json_decref(o);
	/* A challenge that was never issued, and one with a character changed. */
	o = json_pack("{s:s}", "challenge", "AAECAwQFBgcICQoLDA0ODw");
	assert_refused(verify(s->h, authenticator_get_json(&s->a, o)));
	json_decref(o);
	o = options(s->h, NULL, "/auth/passkey/options");
	for (size_t i = 0; i < 76; i += 15) {
		free(text);
		text = strdup(json_string_value(json_object_get(o, "challenge")));
		text[i] = text[i] == 'A' ? 'B' : 'A';
		json_t *changed = json_pack("{s:s}", "challenge", text);
		next_minute(s->h);
		assert_refused(verify(s->h, authenticator_get_json(&s->a, changed)));
		json_decref(changed);
	}
	json_decref(o);
	free(text);
}

static void
what_is_wrong_with_an_assertion_is_not_told(void **state)
{
	struct scene *s = *state;
	const struct authenticator good = s->a;

	s->a.origin = "http://localhost:8080";
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.rp_id = "example.org";
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.type = "webauthn.create";
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.flags = AUTH_UV;
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.id[0] ^= 1; /* an unknown credential */
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.id_len = 2000;
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.user[0] ^= 1; /* the id of another user */
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	s->a.user[0] = '\0';
	assert_refused(sign_in(s->h, &s->a));
	s->a = good;
	assert_ok(sign_in(s->h, &s->a));
}

static void
text_that_is_not_base64url_is_refused_like_a_wrong_signature(void **state)
{
	static const char *const members[] = { "clientDataJSON", "authenticatorData", "signature",
		"userHandle" };
	struct scene *s = *state;
	json_t *c;

	for (size_t i = 0; i < 4; i++) {
		next_minute(s->h);
		c = assertion(s->h, &s->a);
		json_object_set_new(
		    json_object_get(c, "response"), members[i], json_string("a+b/c=="));
		assert_refused(verify(s->h, c));
	}
	c = assertion(s->h, &s->a);
	json_object_set_new(c, "rawId", json_string("AAAA"));
	assert_refused(verify(s->h, c));
}

static void
a_body_without_its_members_is_a_validation_error(void **state)
{
	static const char *const bodies[] = { "{}", "{\"credential\":{}}",
		"{\"id\":\"a\",\"rawId\":\"a\",\"type\":\"public-key\"}",
		"{\"id\":\"a\",\"rawId\":\"a\",\"type\":\"password\",\"response\":{}}",
		"{\"id\":1,\"rawId\":\"a\",\"type\":\"public-key\",\"response\":{}}" };
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		assert_code(browser_send(s->h, NULL, "POST /auth/passkey/verify", bodies[i]),
		    "VALIDATION_ERROR");
}

static void
the_counter_that_was_used_does_not_sign_in_again(void **state)
{
	struct scene *s = *state;

	s->a.counter = 7;
	assert_ok(sign_in(s->h, &s->a));
	assert_refused(sign_in(s->h, &s->a));
	s->a.counter = 0;
	assert_refused(sign_in(s->h, &s->a));
	s->a.counter = 8;
	assert_ok(sign_in(s->h, &s->a));
}

static void
a_browsers_challenge_works_in_that_browser_alone(void **state)
{
	struct scene *s = *state;
	char cookie[100], headers[200], *text;
	struct outcome *o;
	json_t *c;

	harness_ok(o, harness_request(s->h, nobody, "POST /auth/passkey/options",
			  "Sec-Fetch-Site: same-origin", NULL));
	snprintf(cookie, sizeof(cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	assert_true(strncmp(cookie, "stet-signin=", 12) == 0);
	c = authenticator_get_json(&s->a, json_object_get(o->data, "options"));
	text = json_dumps(c, 0);
	assert_refused(verify(s->h, c));
	snprintf(headers, sizeof(headers), "Cookie: %s", cookie);
	assert_ok(harness_request(s->h, nobody, "POST /auth/passkey/verify", headers, text));
	free(text);
}

static void
pages_of_other_sites_sign_nobody_in(void **state)
{
	struct scene *s = *state;
	json_t *c = assertion(s->h, &s->a);
	char *text = json_dumps(c, 0);

	assert_code(harness_request(s->h, nobody, "POST /auth/passkey/verify",
			"Origin: https://evil.test\r\nX-CMS-Request: 0", text),
	    "CSRF_REJECTED");
	free(text);
	json_decref(c);
}

static void
ten_tries_a_minute_are_the_most(void **state)
{
	struct scene *s = *state;

	next_minute(s->h);
	for (int i = 0; i < 10; i++)
		assert_ok(browser_send(s->h, NULL, "POST /auth/passkey/options", NULL));
	assert_code(browser_send(s->h, NULL, "POST /auth/passkey/options", NULL), "RATE_LIMITED");
	for (int i = 0; i < 10; i++)
		assert_code(browser_send(s->h, NULL, "POST /auth/passkey/verify", "{}"),
		    "VALIDATION_ERROR");
	assert_code(browser_send(s->h, NULL, "POST /auth/passkey/verify", "{}"), "RATE_LIMITED");
}

static void
a_disabled_user_is_told(void **state)
{
	struct scene *s = *state;
	char request[100];

	snprintf(request, sizeof(request), "POST /admin/users/%s/disable", s->ann.user);
	assert_ok(harness_request(s->h, admin, request, NULL, NULL));
	assert_code(sign_in(s->h, &s->a), "ACCOUNT_DISABLED");
}

static void
sign_ins_and_failures_are_on_record(void **state)
{
	struct scene *s = *state;

	assert_ok(sign_in(s->h, &s->a));
	s->a.origin = "http://evil.test";
	assert_refused(sign_in(s->h, &s->a));
	next_minute(s->h);
	for (int i = 0; i < 100 && inside_work(s->h, "signin"); i++)
		continue;
	/* The records of the sign-in by link, before the passkey was registered, and of that with
	 * it. */
	assert_string_equal(
	    inside_ask(
		s->h, "SELECT count(*) || min(subject) FROM audit_log WHERE op = 'sign_in'") +
		1,
	    s->ann.user);
	assert_string_equal(inside_ask(s->h, "SELECT outcome || ' ' || reason FROM audit_log"
					     " WHERE op = 'sign_in_failed'"),
	    "failure passkey");
}

/* ---- registering ---- */

static void
options_for_a_passkey_say_who_and_what(void **state)
{
	struct scene *s = *state;
	json_t *o = options(s->h, &s->ann, "/auth/passkey/register/options");
	unsigned char id[64];
	size_t len;

	assert_string_equal(harness_text(o, "rp.id"), "localhost");
	assert_true(strlen(harness_text(o, "rp.name")) > 0);
	assert_string_equal(harness_text(o, "user.name"), ANN);
	assert_string_equal(harness_text(o, "user.displayName"), "Some One");
	assert_int_equal(sodium_base642bin(id, sizeof(id), harness_text(o, "user.id"),
			     strlen(harness_text(o, "user.id")), NULL, &len, NULL,
			     sodium_base64_VARIANT_URLSAFE_NO_PADDING),
	    0);
	assert_int_equal(len, 26);
	assert_memory_equal(id, s->ann.user, 26);
	assert_int_equal(harness_int(o, "pubKeyCredParams[0].alg"), -7);
	assert_string_equal(harness_text(o, "attestation"), "none");
	assert_string_equal(harness_text(o, "authenticatorSelection.residentKey"), "required");
	/* The user's own passkeys are excluded, with their transports. */
	assert_int_equal(json_array_size(json_object_get(o, "excludeCredentials")), 1);
	assert_string_equal(harness_text(o, "excludeCredentials[0].transports[0]"), "internal");
	json_decref(o);
}

static void
a_credential_is_registered_once(void **state)
{
	struct scene *s = *state;
	struct browser bob = browser_make(s->h, "bob@example.org", "author");

	assert_code(enrol(s->h, &s->ann, &s->a), "CREDENTIAL_EXISTS");
	assert_code(enrol(s->h, &bob, &s->a), "CREDENTIAL_EXISTS");
}

static void
a_challenge_registers_once_and_for_its_own_user(void **state)
{
	struct scene *s = *state;
	struct browser bob = browser_make(s->h, "bob@example.org", "author");
	json_t *o = options(s->h, &s->ann, "/auth/passkey/register/options");

	s->a.id[0] ^= 1;
	assert_code(post(s->h, &bob, "/auth/passkey/register/verify",
			authenticator_create_json(&s->a, o), true),
	    "CHALLENGE_EXPIRED");
	assert_ok(post(s->h, &s->ann, "/auth/passkey/register/verify",
	    authenticator_create_json(&s->a, o), false));
	s->a.id[0] ^= 2;
	assert_code(post(s->h, &s->ann, "/auth/passkey/register/verify",
			authenticator_create_json(&s->a, o), true),
	    "CHALLENGE_EXPIRED");
	json_decref(o);
}

static void
a_refused_registration_says_why(void **state)
{
	struct scene *s = *state;
	struct outcome *o;

	s->a.id[0] ^= 1;
	s->a.origin = "http://evil.test";
	o = enrol(s->h, &s->ann, &s->a);
	assert_code(o, "PASSKEY_REJECTED");
	assert_non_null(strstr(o->message, "wrong origin"));
}

static void
ten_passkeys_are_the_most(void **state)
{
	struct scene *s = *state;

	for (int i = 1; i < 10; i++) {
		s->a.id[0]++;
		assert_ok(enrol(s->h, &s->ann, &s->a));
	}
	assert_code(browser_ask(s->h, &s->ann, "POST /auth/passkey/register/options", NULL),
	    "PASSKEY_LIMIT");
}

static void
adding_a_passkey_needs_a_recent_sign_in_or_a_token(void **state)
{
	struct scene *s = *state;
	struct harness_user old = { s->ann.user, 30, NULL, true, 600001 };
	struct harness_user token = { s->ann.user, 30, "content:write", false, 0 };

	assert_code(harness_request(s->h, &old, "POST /auth/passkey/register/options", NULL, NULL),
	    "REAUTH_REQUIRED");
	assert_code(harness_request(s->h, &old, "POST /auth/passkey/register/verify", NULL, "{}"),
	    "REAUTH_REQUIRED");
	assert_code(
	    harness_request(s->h, &token, "POST /auth/passkey/register/options", NULL, NULL),
	    "INSUFFICIENT_SCOPE");
	token.scopes = "admin";
	assert_ok(harness_request(s->h, &token, "POST /auth/passkey/register/options", NULL, NULL));
	assert_code(harness_request(s->h, nobody, "GET /auth/passkey", NULL, NULL), "UNAUTHORIZED");
}

/* ---- one's own passkeys ---- */

static struct outcome *
change(struct scene *s, const struct browser *b, const char *method, const char *body)
{
	char request[100];

	snprintf(request, sizeof(request), "%s /auth/passkey/%s", method, s->id);
	return browser_ask(s->h, b, request, body);
}

static void
a_passkey_is_renamed_by_its_owner(void **state)
{
	struct scene *s = *state;
	struct browser bob = browser_make(s->h, "bob@example.org", "admin");
	struct outcome *o;

	harness_ok(o, change(s, &s->ann, "PATCH", "{\"name\":\"  Laptop \"}"));
	assert_string_equal(harness_text(o->data, "passkey.name"), "Laptop");
	assert_string_equal(harness_text(o->data, "passkey.deviceType"), "singleDevice");
	harness_ok(o, change(s, &s->ann, "PATCH", "{\"name\":\"   \"}"));
	assert_true(json_is_null(harness_at(o->data, "passkey.name")));
	assert_code(change(s, &s->ann, "PATCH", "{\"name\":\"\"}"), "VALIDATION_ERROR");
	assert_code(change(s, &bob, "PATCH", "{\"name\":\"Mine\"}"), "NOT_FOUND");
	assert_code(change(s, &bob, "DELETE", NULL), "NOT_FOUND");
}

static void
the_last_passkey_stays(void **state)
{
	struct scene *s = *state;

	assert_code(change(s, &s->ann, "DELETE", NULL), "LAST_PASSKEY");
	assert_ok(sign_in(s->h, &s->a));
}

static void
deleting_a_passkey_ends_the_sessions_that_it_started(void **state)
{
	struct scene *s = *state;
	struct authenticator other;
	struct browser b;
	struct outcome *o;

	harness_ok(o, sign_in(s->h, &s->a));
	snprintf(
	    b.cookie, sizeof(b.cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	authenticator_open(&other, -8, "localhost", ORIGIN);
	assert_ok(enrol(s->h, &s->ann, &other));
	assert_ok(browser_ask(s->h, &b, "GET /auth/me", NULL));
	assert_ok(change(s, &s->ann, "DELETE", NULL));
	assert_code(browser_ask(s->h, &b, "GET /auth/me", NULL), "UNAUTHORIZED");
	assert_ok(browser_ask(s->h, &s->ann, "GET /auth/me", NULL));
	assert_refused(sign_in(s->h, &s->a));
	assert_ok(sign_in(s->h, &other));
	authenticator_close(&other);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_passkey_signs_its_user_in),
		TEST(both_forms_of_the_body_are_read),
		TEST(options_are_the_same_for_known_and_unknown_addresses),
		TEST(a_passkey_that_verified_its_user_has_to_do_so_again),
		TEST(a_passkey_that_never_verified_its_user_works_until_it_does),
		TEST(a_new_passkey_verifies_its_user),
		TEST(a_challenge_is_used_once),
		TEST(a_challenge_expires_after_five_minutes),
		TEST(challenges_of_others_and_of_registration_are_refused),
		TEST(what_is_wrong_with_an_assertion_is_not_told),
		TEST(text_that_is_not_base64url_is_refused_like_a_wrong_signature),
		TEST(a_body_without_its_members_is_a_validation_error),
		TEST(the_counter_that_was_used_does_not_sign_in_again),
		TEST(a_browsers_challenge_works_in_that_browser_alone),
		TEST(pages_of_other_sites_sign_nobody_in),
		TEST(ten_tries_a_minute_are_the_most),
		TEST(a_disabled_user_is_told),
		TEST(sign_ins_and_failures_are_on_record),
		TEST(options_for_a_passkey_say_who_and_what),
		TEST(a_credential_is_registered_once),
		TEST(a_challenge_registers_once_and_for_its_own_user),
		TEST(a_refused_registration_says_why),
		TEST(ten_passkeys_are_the_most),
		TEST(adding_a_passkey_needs_a_recent_sign_in_or_a_token),
		TEST(a_passkey_is_renamed_by_its_owner),
		TEST(the_last_passkey_stays),
		TEST(deleting_a_passkey_ends_the_sessions_that_it_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
