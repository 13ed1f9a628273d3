/* pages.c - the HTML pages of signin: their headers, and that no input becomes markup. */
#include "browser.h"
#include <stdio.h>
#include <stdlib.h>

static int
open_site(void **state)
{
	*state = harness_open(NULL);
	return 0;
}

static int
close_site(void **state)
{
	harness_close(*state, false);
	return 0;
}

static struct outcome *
get(struct harness *h, const char *path)
{
	char request[4096];

	snprintf(request, sizeof(request), "GET /%s", path);
	return harness_request(h, nobody, request, "", NULL);
}

static bool
has(const struct outcome *o, const char *text)
{
	return strstr(o->text, text) != NULL;
}

static void
every_page_is_served_to_people_who_are_not_signed_in(void **state)
{
	static const char *const paths[][2] = { { "/_cms/signin", "Sign in with a passkey" },
		{ "/_cms/signin/link", "This link works once" },
		{ "/_cms/invite", "Accept your invitation" } };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct outcome *o = get(*state, paths[i][0]);

		assert_int_equal(o->http, 200);
		assert_true(has(o, "<!doctype html>"));
		assert_true(has(o, paths[i][1]));
		assert_true(has(o, "<noscript>"));
		assert_true(has(o, "href=\"/_cms/signin/style.css\""));
		assert_false(has(o, "style=\""));
		assert_false(has(o, "<script>"));
	}
}

static void
the_account_sends_people_who_are_not_signed_in_to_the_sign_in_page(void **state)
{
	struct outcome *o = get(*state, "/_cms/account");

	assert_int_equal(o->http, 302);
	assert_string_equal(o->location, "/_cms/signin?next=/_cms/account");
}

static void
the_account_has_tokens_for_administrators_only(void **state)
{
	struct browser ann = browser_make(*state, "ann@example.org", "admin");
	struct browser ed = browser_make(*state, "ed@example.org", "editor");
	struct outcome *o = browser_ask(*state, &ann, "GET //_cms/account", NULL);

	assert_int_equal(o->http, 200);
	assert_true(has(o, "ann@example.org"));
	assert_true(has(o, "id=\"tokens\""));
	o = browser_ask(*state, &ed, "GET //_cms/account", NULL);
	assert_int_equal(o->http, 200);
	assert_true(has(o, "id=\"passkeys\""));
	assert_false(has(o, "id=\"tokens\""));
}

static void
setup_has_a_form_until_there_is_an_administrator(void **state)
{
	char id[27];

	assert_true(has(get(*state, "/_cms/setup"), "<form id=\"setup\""));
	browser_user(*state, "ann@example.org", "admin", id);
	assert_false(has(get(*state, "/_cms/setup"), "<form"));
	assert_true(has(get(*state, "/_cms/setup"), "This site is already set up"));
}

static void
the_next_page_is_one_of_this_site(void **state)
{
	static const char *const bad[] = { "https%3A%2F%2Fevil.example%2F", "%2F%2Fevil.example",
		"%2F%5Cevil.example", "javascript%3Aalert(1)", "" };
	char path[200];

	assert_true(has(get(*state, "/_cms/signin?next=%2Fa%3Fb%3D1"), "data-next=\"/a?b=1\""));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(path, sizeof(path), "/_cms/signin?next=%s", bad[i]);
		assert_true(has(get(*state, path), "data-next=\"/_cms/account\""));
	}
	assert_false(has(get(*state, "/_cms/signin?next=%2F%22%3E%3Cb%3E"), "<b>"));
}

static void
errors_are_told_in_words_and_never_as_they_came(void **state)
{
	struct outcome *o = get(*state, "/_cms/signin?error=link_expired");

	assert_true(has(o, "This link has expired"));
	o = get(*state, "/_cms/signin?error=%3Cscript%3Equince");
	assert_true(has(o, "Signing in failed"));
	assert_false(has(o, "quince"));
}

static void
a_title_cannot_become_markup(void **state)
{
	struct outcome *o;

	assert_ok(harness_op(
	    *state, admin, "settings_update", "{\"title\":\"</p><script>alert(1)</script>\"}"));
	o = get(*state, "/_cms/signin");
	assert_false(has(o, "<script>alert"));
	assert_true(has(o, "&lt;script&gt;alert(1)"));
}

static void
unknown_parameters_are_ignored(void **state)
{
	assert_int_equal(get(*state, "/_cms/signin?utm=1&x=2")->http, 200);
}

/* Returns the text of a source file; the caller frees it. */
static char *
source(const char *path)
{
	FILE *f = fopen(harness_path("STET_SOURCE", path), "r");
	char *text = calloc(1, 1 << 18);

	assert_non_null(f);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 18) - 1, f) > 0);
	fclose(f);
	return text;
}

static void
script_and_style_are_the_files_byte_by_byte(void **state)
{
	static const char *const names[] = { "script.js", "style.css" };

	for (size_t i = 0; i < 2; i++) {
		char path[100], *text;
		struct outcome *o;

		snprintf(path, sizeof(path), "/_cms/signin/%s", names[i]);
		o = get(*state, path);
		assert_int_equal(o->http, 200);
		assert_non_null(o->etag);
		snprintf(path, sizeof(path), "modules/signin/%s", names[i]);
		text = source(path);
		assert_string_equal(o->text, text);
		free(text);
	}
}

/* All texts are in words.c, where they can be translated, so markup contains none. */
static void
markup_has_no_texts_of_its_own(void **state)
{
	static const char *const files[] = { "modules/signin/page.c", "modules/oauth/page.c",
		"modules/oauth/consent.c", "modules/oauth/devicepage.c", "modules/oauth/apps.c" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *text = source(files[i]);

		for (const char *at = text; (at = strchr(at, '>')) != NULL; at++)
			if (at[-1] != '-' &&
			    ((at[1] >= 'a' && at[1] <= 'z') || (at[1] >= 'A' && at[1] <= 'Z')))
				fail_msg("%s: %.40s", files[i], at);
		free(text);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)
	const struct CMUnitTest tests[] = {
		TEST(every_page_is_served_to_people_who_are_not_signed_in),
		TEST(the_account_sends_people_who_are_not_signed_in_to_the_sign_in_page),
		TEST(the_account_has_tokens_for_administrators_only),
		TEST(setup_has_a_form_until_there_is_an_administrator),
		TEST(the_next_page_is_one_of_this_site),
		TEST(errors_are_told_in_words_and_never_as_they_came),
		TEST(a_title_cannot_become_markup),
		TEST(unknown_parameters_are_ignored),
		TEST(script_and_style_are_the_files_byte_by_byte),
		TEST(markup_has_no_texts_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
