/* sessions.c - session cookies: which user they stand for, how long, and what ends them. */
#include "browser.h"
#include "people.h"
#include <stdio.h>

#define ANN "ann@example.org"

static void
assert_out(struct outcome *o)
{
	assert_code(o, "UNAUTHORIZED");
	assert_int_equal(o->http, 401);
}

static struct outcome *
me(struct harness *h, const struct browser *b)
{
	return browser_ask(h, b, "GET /auth/me", NULL);
}

static void
a_session_is_its_user(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	struct outcome *o;

	harness_ok(o, me(*state, &b));
	assert_string_equal(harness_text(o->data, "id"), b.user);
	assert_int_equal(harness_int(o->data, "role"), 30);
}

static void
the_cookie_is_for_this_site_alone(void **state)
{
	char token[64], body[100], id[27];
	struct outcome *o;

	browser_user(*state, ANN, "author", id);
	browser_link(*state, ANN, token);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	harness_ok(o, browser_send(*state, NULL, "POST /auth/magic-link/verify", body));
	assert_non_null(strstr(o->set_cookie, "; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000"));
	assert_null(strstr(o->set_cookie, "Domain"));
	assert_int_equal(strcspn(o->set_cookie, ";"), 5 + 43);
}

static void
what_is_no_session_is_nobody(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	char twice[200], flipped[80];
	static const char *const bad[] = { "stet=", "stet=x", "stet", "=", ";;;",
		"stet=;stet=", "STET=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"stet=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"stet=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"stet=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "stet=\xff\xfe",
		"xstet=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_out(browser_send(*state, bad[i], "GET /auth/me", NULL));
	snprintf(twice, sizeof(twice), "%s; stet=x", b.cookie);
	assert_out(browser_send(*state, twice, "GET /auth/me", NULL));
	snprintf(flipped, sizeof(flipped), "%s", b.cookie);
	flipped[10] = flipped[10] == 'A' ? 'B' : 'A';
	assert_out(browser_send(*state, flipped, "GET /auth/me", NULL));
	snprintf(twice, sizeof(twice), "a=b; %s; stett=1; c=\"d\"", b.cookie);
	assert_ok(browser_send(*state, twice, "GET /auth/me", NULL));
}

static void
an_unused_session_ends_after_14_days(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");

	harness_clock(*state, "2026-06-15T11:59:59.999Z");
	assert_ok(me(*state, &b));
	harness_clock(*state, "2026-06-15T12:00:00.000Z");
	assert_out(me(*state, &b));
}

static void
a_new_sign_in_ends_the_session_that_the_browser_came_with(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	char token[64], body[100];

	browser_link(*state, ANN, token);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	assert_ok(browser_ask(*state, &b, "POST /auth/magic-link/verify", body));
	assert_out(me(*state, &b));
}

static void
a_link_is_used_once(void **state)
{
	char token[64], body[100], id[27];

	browser_user(*state, ANN, "author", id);
	browser_link(*state, ANN, token);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	assert_ok(browser_send(*state, NULL, "POST /auth/magic-link/verify", body));
	assert_code(
	    browser_send(*state, NULL, "POST /auth/magic-link/verify", body), "INVALID_TOKEN");
}

static void
a_role_change_counts_at_once(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	struct outcome *o;

	assert_ok(harness_op(
	    *state, admin, "user_set_role", "{\"email\":\"" ANN "\",\"role\":\"editor\"}"));
	harness_ok(o, me(*state, &b));
	assert_int_equal(harness_int(o->data, "role"), 40);
}

static void
a_disabled_user_is_told_and_loses_the_session(void **state)
{
	struct browser b = browser_make(*state, ANN, "author");
	struct outcome *o = NULL;

	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	o = me(*state, &b);
	assert_code(o, "ACCOUNT_DISABLED");
	assert_int_equal(o->http, 403);
	assert_non_null(strstr(o->set_cookie, "stet=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"));
	assert_ok(harness_op(*state, admin, "user_enable", "{\"email\":\"" ANN "\"}"));
	assert_out(me(*state, &b));
}

static void
signing_out_ends_the_session(void **state)
{
	struct browser b = browser_make(*state, ANN, "author"), c;
	struct outcome *o;

	browser_sign_in(*state, ANN, &c);
	harness_ok(o, browser_ask(*state, &b, "POST /auth/logout", NULL));
	assert_non_null(strstr(o->set_cookie, "Max-Age=0"));
	assert_out(me(*state, &b));
	assert_ok(me(*state, &c));
}

static void
sessions_are_listed_and_ended(void **state)
{
	struct browser b = browser_make(*state, ANN, "author"), c;
	struct outcome *o;
	char path[80];

	browser_sign_in(*state, ANN, &c);
	harness_ok(o, browser_ask(*state, &b, "GET /auth/sessions", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	assert_true(json_is_false(harness_at(o->data, "items[0].current")));
	assert_true(json_is_true(harness_at(o->data, "items[1].current")));
	assert_string_equal(harness_text(o->data, "items[0].method"), "recovery");
	snprintf(
	    path, sizeof(path), "DELETE /auth/sessions/%s", harness_text(o->data, "items[0].id"));
	assert_ok(browser_ask(*state, &b, path, NULL));
	assert_out(me(*state, &c));
	assert_code(browser_ask(*state, &b, path, NULL), "NOT_FOUND");
	browser_sign_in(*state, ANN, &c);
	assert_ok(browser_ask(*state, &c, "DELETE /auth/sessions", NULL));
	assert_out(me(*state, &b));
	assert_ok(me(*state, &c));
}

static void
a_user_has_50_sessions_at_most(void **state)
{
	struct browser first = browser_make(*state, ANN, "author"), second, last;
	struct outcome *o;

	browser_sign_in(*state, ANN, &second);
	for (int i = 2; i < 51; i++) {
		harness_clock(
		    *state, i % 20 == 0 ? "2026-06-01T12:10:00.000Z" : "2026-06-01T12:20:00.000Z");
		browser_sign_in(*state, ANN, &last);
	}
	assert_out(me(*state, &first));
	assert_ok(me(*state, &second));
	harness_ok(o, browser_ask(*state, &last, "GET /auth/sessions", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 50);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, person_begin, person_end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_session_is_its_user),
		TEST(the_cookie_is_for_this_site_alone),
		TEST(what_is_no_session_is_nobody),
		TEST(an_unused_session_ends_after_14_days),
		TEST(a_new_sign_in_ends_the_session_that_the_browser_came_with),
		TEST(a_link_is_used_once),
		TEST(a_role_change_counts_at_once),
		TEST(a_disabled_user_is_told_and_loses_the_session),
		TEST(signing_out_ends_the_session),
		TEST(sessions_are_listed_and_ended),
		TEST(a_user_has_50_sessions_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
