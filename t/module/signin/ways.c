/* ways.c - ways to sign in: links, the setup link, recovery codes; and their records in the audit
 * log. */
#include "browser.h"
#include "inside.h"
#include "people.h"
#include <stdio.h>
#include <stdlib.h>

#define ANN "ann@example.org"
#define USE "POST /auth/magic-link/verify"
#define HEADER "X-CMS-Request: 1"

/* ---- links ---- */

static const char *
verify_path(struct harness *h, const char *rest)
{
	static char path[300];
	char token[64];

	browser_link(h, ANN, token);
	snprintf(path, sizeof(path), "GET /auth/magic-link/verify?token=%s%s", token, rest);
	return path;
}

static void
a_link_redirects_to_a_path_of_this_site(void **state)
{
	static const struct {
		const char *redirect, *location;
	} cases[] = { { "", "/_cms/account" }, { "&redirect=/a/b%3Fc%3Dd", "/a/b?c=d" },
		{ "&redirect=//evil.example", "/_cms/account" },
		{ "&redirect=https://evil.example", "/_cms/account" },
		{ "&redirect=/%5Cevil.example", "/_cms/account" },
		{ "&redirect=%0D%0ASet-Cookie:x", "/_cms/account" },
		{ "&redirect=/a%0D%0AX:y", "/_cms/account" } };
	char id[27];

	browser_user(*state, ANN, "author", id);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome *o = harness_request(
		    *state, nobody, verify_path(*state, cases[i].redirect), "", NULL);

		assert_int_equal(o->http, 302);
		assert_string_equal(o->location, cases[i].location);
		assert_int_equal(strncmp(o->set_cookie, "stet=", 5), 0);
	}
}

static void
a_bad_link_leads_to_the_page_that_says_so(void **state)
{
	static const struct {
		const char *query, *word;
	} cases[] = { { "", "missing_token" }, { "?token=", "missing_token" },
		{ "?token=x", "invalid_link" },
		{ "?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "invalid_link" } };
	char request[200], location[100], id[27];
	const char *path;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(request, sizeof(request), "GET /auth/magic-link/verify%s", cases[i].query);
		snprintf(location, sizeof(location), "/_cms/signin?error=%s", cases[i].word);
		o = harness_request(*state, nobody, request, "", NULL);
		assert_int_equal(o->http, 302);
		assert_string_equal(o->location, location);
		assert_string_equal(o->set_cookie, "");
	}
	browser_user(*state, ANN, "author", id);
	path = verify_path(*state, "");
	harness_clock(*state, "2026-06-01T12:15:00.000Z");
	o = harness_request(*state, nobody, path, "", NULL);
	assert_string_equal(o->location, "/_cms/signin?error=link_expired");
	path = verify_path(*state, "");
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	o = harness_request(*state, nobody, path, "", NULL);
	assert_string_equal(o->location, "/_cms/signin?error=invalid_link");
	path = verify_path(*state, "");
	o = harness_request(*state, nobody, path, "", NULL);
	assert_string_equal(o->location, "/_cms/signin?error=account_disabled");
}

static void
programs_that_look_at_links_do_not_use_them(void **state)
{
	char id[27], head[300];
	const char *path;
	struct outcome *o;

	browser_user(*state, ANN, "author", id);
	path = verify_path(*state, "");
	snprintf(head, sizeof(head), "HEAD %s", path + 4);
	o = harness_request(*state, nobody, head, "", NULL);
	assert_int_equal(o->http, 302);
	assert_string_equal(o->set_cookie, "");
	/* A link on a page of another site is refused, since it would sign the visitor in as
	 * somebody else. */
	o = harness_request(*state, nobody, path, "Sec-Fetch-Site: cross-site", NULL);
	assert_string_equal(o->location, "/_cms/signin?error=verification_failed");
	assert_string_equal(o->set_cookie, "");
	o = harness_request(*state, nobody, path, "Sec-Fetch-Site: none", NULL);
	assert_int_equal(strncmp(o->set_cookie, "stet=", 5), 0);
}

static void
another_site_cannot_use_a_link(void **state)
{
	static const char *const foreign[] = { "Origin: https://evil.example", "Origin: null",
		"Sec-Fetch-Site: same-site", "Sec-Fetch-Site: cross-site" };
	char token[64], body[100], id[27];

	browser_user(*state, ANN, "author", id);
	browser_link(*state, ANN, token);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		assert_code(
		    harness_request(*state, nobody, USE, foreign[i], body), "CSRF_REJECTED");
	assert_ok(harness_request(*state, nobody, USE, "", body));
}

static void
a_second_recovery_link_replaces_the_first(void **state)
{
	char first[64], second[64], body[100], id[27];

	browser_user(*state, ANN, "author", id);
	browser_link(*state, ANN, first);
	browser_link(*state, ANN, second);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", first);
	assert_code(harness_request(*state, nobody, USE, HEADER, body), "INVALID_TOKEN");
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", second);
	assert_ok(harness_request(*state, nobody, USE, HEADER, body));
	assert_code(harness_op(*state, admin, "user_recover", "{\"email\":\"b@example.org\"}"),
	    "NOT_FOUND");
}

static void
a_link_ends_when_the_address_changes(void **state)
{
	char token[64], body[100], id[27];

	browser_user(*state, ANN, "author", id);
	browser_link(*state, ANN, token);
	snprintf(body, sizeof(body), "PUT /admin/users/%s", id);
	assert_ok(harness_send(*state, admin, body, "{\"email\":\"b@example.org\"}"));
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	assert_code(harness_request(*state, nobody, USE, HEADER, body), "INVALID_TOKEN");
}

/* ---- setup ---- */

static void
setup_token(struct harness *h, char token[64])
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "setup_link", "{}"));
	assert_non_null(strstr(harness_text(o->data, "url"), "/_cms/setup#"));
	snprintf(token, 64, "%s", strchr(harness_text(o->data, "url"), '#') + 1);
	assert_int_equal(strlen(token), 43);
}

static void
a_new_site_is_set_up_with_its_link_alone(void **state)
{
	char token[64], again[64], body[200];
	struct outcome *o;

	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_true(json_is_true(json_object_get(o->data, "needsSetup")));
	assert_true(json_is_false(json_object_get(o->data, "hasUsers")));
	assert_string_equal(harness_text(o->data, "step"), "start");
	assert_null(json_object_get(o->data, "title"));
	assert_true(json_is_boolean(json_object_get(o->data, "mail")));
	setup_token(*state, token);
	setup_token(*state, again);
	assert_string_equal(token, again);
	o = harness_request(
	    *state, nobody, "POST /setup", HEADER, "{\"title\":\"Mine\",\"includeContent\":false}");
	assert_code(o, "FORBIDDEN");
	assert_non_null(strstr(o->message, "stet setup-link"));
	token[5] = token[5] == 'A' ? 'B' : 'A';
	snprintf(body, sizeof(body),
	    "{\"token\":\"%s\",\"title\":\"Mine\",\"includeContent\":false}", token);
	assert_code(harness_request(*state, nobody, "POST /setup", HEADER, body), "FORBIDDEN");
	snprintf(body, sizeof(body),
	    "{\"token\":\"%s\",\"title\":\"Mine\",\"includeContent\":false}", again);
	assert_code(
	    harness_request(*state, nobody, "POST /setup", "Origin: https://evil.example", body),
	    "CSRF_REJECTED");
	harness_ok(o, harness_request(*state, nobody, "POST /setup", HEADER, body));
	assert_true(json_is_false(json_object_get(o->data, "setupComplete")));
	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_string_equal(harness_text(o->data, "step"), "admin");
	assert_string_equal(harness_text(o->data, "title"), "Mine");
}

static void
setup_is_over_when_there_is_an_administrator(void **state)
{
	char token[64], body[200], id[27];
	struct outcome *o;

	setup_token(*state, token);
	browser_user(*state, "ed@example.org", "editor", id);
	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_true(json_is_true(json_object_get(o->data, "needsSetup")));
	assert_true(json_is_true(json_object_get(o->data, "hasUsers")));
	browser_user(*state, ANN, "admin", id);
	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_true(json_is_false(json_object_get(o->data, "needsSetup")));
	assert_null(json_object_get(o->data, "step"));
	snprintf(body, sizeof(body),
	    "{\"token\":\"%s\",\"title\":\"Mine\",\"includeContent\":false}", token);
	o = harness_request(*state, nobody, "POST /setup", HEADER, body);
	assert_code(o, "ALREADY_CONFIGURED");
	assert_int_equal(o->http, 409);
	assert_code(harness_op(*state, admin, "setup_link", "{}"), "SETUP_COMPLETE");
}

/* ---- recovery codes ---- */

static void
use_code(struct harness *h, const char *email, const char *code, const char *expected)
{
	char body[200];

	snprintf(body, sizeof(body), "{\"email\":\"%s\",\"code\":\"%s\"}", email, code);
	assert_code(
	    harness_request(h, nobody, "POST /auth/recovery-codes/use", HEADER, body), expected);
}

/* The corresponding GET needs a session, so no entity tag can match an anonymous request. */
static void
if_match_of_nobody_fits_nothing(void **state)
{
	struct outcome *o = harness_request(*state, nobody, "POST /auth/recovery-codes/use",
	    HEADER "\r\nIf-Match: *", "{\"email\":\"ann@example.org\",\"code\":\"x\"}");

	assert_code(o, "PRECONDITION_FAILED");
	assert_int_equal(o->http, 412);
}

static void
a_recovery_code_signs_in_once(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	char code[10][40], sloppy[60];
	struct outcome *o;

	harness_ok(o, browser_ask(*state, &b, "GET /auth/recovery-codes", NULL));
	assert_int_equal(harness_int(o->data, "remaining"), 0);
	harness_ok(o, browser_ask(*state, &b, "POST /auth/recovery-codes", NULL));
	assert_int_equal(o->http, 201);
	assert_int_equal(json_array_size(json_object_get(o->data, "codes")), 10);
	for (size_t i = 0; i < 10; i++)
		snprintf(code[i], sizeof(code[i]), "%s",
		    json_string_value(json_array_get(json_object_get(o->data, "codes"), i)));
	assert_int_equal(strlen(code[0]), 19);
	use_code(*state, ANN, code[0], "");
	use_code(*state, ANN, code[0], "INVALID_CODE");
	use_code(*state, "bob@example.org", code[1], "INVALID_CODE");
	use_code(*state, ANN, "nonsense", "INVALID_CODE");
	snprintf(sloppy, sizeof(sloppy), " %.4s%.4s %.4s-%.4s", code[1], code[1] + 5, code[1] + 10,
	    code[1] + 15);
	for (char *c = sloppy; *c != '\0'; c++)
		*c = *c == '0' ? 'o' : *c == '1' ? 'l' : *c;
	use_code(*state, "Ann@Example.org", sloppy, "");
	harness_ok(o, browser_ask(*state, &b, "GET /auth/recovery-codes", NULL));
	assert_int_equal(harness_int(o->data, "remaining"), 8);
	assert_ok(browser_ask(*state, &b, "POST /auth/recovery-codes", NULL));
	use_code(*state, ANN, code[2], "INVALID_CODE");
}

static void
codes_of_one_user_are_of_no_use_to_another(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	char id[27], code[40];
	struct outcome *o;

	browser_user(*state, "bob@example.org", "admin", id);
	harness_ok(o, browser_ask(*state, &b, "POST /auth/recovery-codes", NULL));
	snprintf(code, sizeof(code), "%s",
	    json_string_value(json_array_get(json_object_get(o->data, "codes"), 0)));
	use_code(*state, "bob@example.org", code, "INVALID_CODE");
	use_code(*state, ANN, code, "");
}

static void
codes_are_made_soon_after_signing_in(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");

	harness_clock(*state, "2026-06-01T12:10:00.001Z");
	assert_code(browser_ask(*state, &b, "POST /auth/recovery-codes", NULL), "REAUTH_REQUIRED");
}

static void
disabled_users_are_not_let_in_by_codes(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	struct outcome *o;
	char code[40];

	harness_ok(o, browser_ask(*state, &b, "POST /auth/recovery-codes", NULL));
	snprintf(code, sizeof(code), "%s",
	    json_string_value(json_array_get(json_object_get(o->data, "codes"), 0)));
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	use_code(*state, ANN, code, "ACCOUNT_DISABLED");
}

/* ---- jobs ---- */

static void
work(struct harness *h)
{
	for (int i = 0; i < 100 && inside_work(h, "signin"); i++)
		continue;
}

static void
the_audit_log_knows_sign_ins_and_failed_ones(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");

	assert_string_equal(
	    inside_ask(*state, "SELECT subject FROM audit_log WHERE op = 'sign_in'"), b.user);
	work(*state);
	for (int i = 0; i < 3; i++)
		use_code(*state, "eve@example.org", "nonsense", "INVALID_CODE");
	harness_clock(*state, "2026-06-01T12:01:00.000Z");
	work(*state);
	assert_string_equal(
	    inside_ask(*state, "SELECT subject || ' ' || outcome || ' ' || reason FROM audit_log"
			       " WHERE op = 'sign_in_failed'"),
	    "eve@example.org failure recovery");
	assert_non_null(
	    strstr(inside_ask(*state, "SELECT names FROM audit_log WHERE op = 'sign_in_failed'"),
		"\"count\":3"));
}

/* Anonymous clients can fail with any number of names. */
static void
failures_leave_few_records(void **state)
{
	char name[60];

	work(*state);
	for (int i = 0; i < 200; i++) {
		char time[40];

		/* Slowly, so that no rate limit applies. */
		snprintf(time, sizeof(time), "2026-06-01T12:%02d:%02d.000Z", i / 6, i % 6 * 10);
		harness_clock(*state, time);
		snprintf(name, sizeof(name), "eve%d@example.org", i);
		use_code(*state, name, "nonsense", "INVALID_CODE");
	}
	work(*state);
	assert_string_equal(
	    inside_ask(*state, "SELECT count(*) FROM audit_log WHERE op = 'sign_in_failed'"), "33");
}

static void
use_keeps_a_session_for_90_days_at_most(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	static const char *const days[] = { "2026-06-14", "2026-06-27", "2026-07-10", "2026-07-23",
		"2026-08-05", "2026-08-18", "2026-08-29" };
	char time[40];

	for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
		snprintf(time, sizeof(time), "%sT12:00:00.000Z", days[i]);
		harness_clock(*state, time);
		assert_ok(browser_ask(*state, &b, "GET /auth/me", NULL));
		snprintf(time, sizeof(time), "%sT12:01:00.000Z", days[i]);
		harness_clock(*state, time);
		work(*state);
	}
	harness_clock(*state, "2026-08-30T11:59:59.000Z");
	assert_ok(browser_ask(*state, &b, "GET /auth/me", NULL));
	harness_clock(*state, "2026-08-30T12:00:00.000Z");
	assert_code(browser_ask(*state, &b, "GET /auth/me", NULL), "UNAUTHORIZED");
}

static void
what_has_ended_is_deleted(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	char token[64];

	(void)b;
	browser_link(*state, ANN, token);
	harness_clock(*state, "2026-09-01T12:00:00.000Z");
	work(*state);
	assert_string_equal(inside_ask(*state, "SELECT (SELECT count(*) FROM sessions) || ' ' ||"
					       " (SELECT count(*) FROM signin_links)"),
	    "0 0");
}

static void
no_session_outlives_a_time_when_the_module_was_off(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");

	inside_enable(*state, "oidc", false); /* it needs signin */
	inside_enable(*state, "signin", false);
	assert_code(browser_ask(*state, &b, "GET /auth/me", NULL), "UNAUTHORIZED");
	inside_enable(*state, "signin", true);
	work(*state);
	assert_code(browser_ask(*state, &b, "GET /auth/me", NULL), "UNAUTHORIZED");
	browser_sign_in(*state, ANN, &b);
	work(*state);
	assert_ok(browser_ask(*state, &b, "GET /auth/me", NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, person_begin, person_end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_link_redirects_to_a_path_of_this_site),
		TEST(a_bad_link_leads_to_the_page_that_says_so),
		TEST(programs_that_look_at_links_do_not_use_them),
		TEST(another_site_cannot_use_a_link),
		TEST(a_second_recovery_link_replaces_the_first),
		TEST(a_link_ends_when_the_address_changes),
		TEST(a_new_site_is_set_up_with_its_link_alone),
		TEST(setup_is_over_when_there_is_an_administrator),
		TEST(if_match_of_nobody_fits_nothing),
		TEST(a_recovery_code_signs_in_once),
		TEST(codes_of_one_user_are_of_no_use_to_another),
		TEST(codes_are_made_soon_after_signing_in),
		TEST(disabled_users_are_not_let_in_by_codes),
		TEST(the_audit_log_knows_sign_ins_and_failed_ones),
		TEST(failures_leave_few_records),
		TEST(use_keeps_a_session_for_90_days_at_most),
		TEST(what_has_ended_is_deleted),
		TEST(no_session_outlives_a_time_when_the_module_was_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
