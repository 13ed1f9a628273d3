/* page.t - HTML pages as replies, and the forms that they submit. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/call.h"
#include <stdlib.h>
#include <stet/form.h>
#include <stet/html.h>
#include <string.h>

static int
begin(void **state)
{
	*state = call_new();
	return 0;
}

static int
end(void **state)
{
	call_free(*state);
	return 0;
}

/* ---- forms ---- */

/* Returns the fields of a form as "name=value;". NULL: the form was refused. */
static const char *
fields_of(struct stet_call *call, const char *bytes, size_t len)
{
	const struct stet_form_field *const *fields;
	const char *text = "";
	size_t count;

	if (stet_form(call, bytes, len, &fields, &count) != STET_OK) {
		assert_int_equal(call->error.status, STET_VALIDATION_ERROR);
		stet_error_clear(call);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		text = stet_printf(call, "%s%s=%s;", text, fields[i]->name, fields[i]->value);
	return text;
}

static void
fields_are_decoded_in_their_order(void **state)
{
	static const char *const cases[][2] = { { "", "" }, { "&&", "" }, { "a=1", "a=1;" },
		{ "b=2&a=1", "b=2;a=1;" }, { "a", "a=;" }, { "=x", "=x;" }, { "a=b=c", "a=b=c;" },
		{ "a+b=c+d%2B", "a b=c d+;" }, { "n=%C3%A4%E2%82%ac", "n=\xc3\xa4\xe2\x82\xac;" },
		{ "s=1&s=2&&s=3&", "s=1;s=2;s=3;" }, { "x=%26%3D%3c", "x=&=<;" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
		    fields_of(*state, cases[i][0], strlen(cases[i][0])), cases[i][1]);
}

static void
what_cannot_be_decoded_is_refused(void **state)
{
	static const char *const cases[] = { "a=%", "a=%4", "a=%zz", "%=1", "a=%00", "a%00=1",
		"a=%C3", "a=\xff", "ok=1&bad=%ff" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_null(fields_of(*state, cases[i], strlen(cases[i])));
	assert_null(fields_of(*state, "a=\0b", 4));
}

static void
forms_of_too_many_fields_are_refused(void **state)
{
	char form[STET_FORM_MAX * 2 + 3];

	for (size_t i = 0; i < sizeof(form); i++)
		form[i] = i % 2 == 0 ? 'a' : '&';
	assert_non_null(fields_of(*state, form, STET_FORM_MAX * 2 - 1));
	assert_null(fields_of(*state, form, STET_FORM_MAX * 2 + 1));
}

static void
a_repeated_name_is_counted(void **state)
{
	static const char form[] = "scope=a&x=1&scope=b";
	const struct stet_form_field *const *fields;
	const char *value;
	size_t count;

	assert_int_equal(stet_form(*state, form, strlen(form), &fields, &count), STET_OK);
	assert_int_equal(stet_form_value(fields, count, "scope", &value), 2);
	assert_string_equal(value, "a");
	assert_int_equal(stet_form_value(fields, count, "x", &value), 1);
	assert_int_equal(stet_form_value(fields, count, "y", &value), 0);
	assert_null(value);
}

/* ---- where to go ---- */

static void
only_paths_of_this_site_are_local(void **state)
{
	static const char *const good[] = { "/", "/_cms/account", "/a?b=//c#d", "/%5cx" };
	static const char *const bad[] = { NULL, "", "a", "//evil.example", "/\\evil.example",
		"/a\\b", "https://evil.example/", "javascript:alert(1)", "/a b", "/a\tb", "/\nb",
		"/\x7f", "/\xc3\xa4", "\\/x", " /a" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(stet_is_local_path(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(stet_is_local_path(bad[i]));
}

/* ---- pages ---- */

static void
values_cannot_become_markup(void **state)
{
	struct stet_call *call = *state;
	struct stet_html *page = stet_html_new(call);

	stet_html_add(page, "<p title=\"%s\">%s</p>", "\"'><script>&amp;", "a < b & c%s");
	stet_html_add(page, "<i>%d %lld %s100%%</i>", -1, 1LL << 40, (const char *)NULL);
	stet_html_raw(page, "<hr>%s");
	assert_int_equal(stet_html_reply(call, 200, page, NULL), STET_OK);
	assert_string_equal(call->reply.raw.data,
	    "<p title=\"&quot;&#39;&gt;&lt;script&gt;&amp;amp;\">a &lt; b &amp; c%s</p>"
	    "<i>-1 1099511627776 100%</i><hr>%s");
}

static const char *
header_of(const struct stet_call *call, const char *name)
{
	for (const struct call_pair *p = call->reply.headers; p != NULL; p = p->next)
		if (strcmp(p->name, name) == 0)
			return p->value;
	return NULL;
}

static void
a_page_allows_no_script_no_frame_and_no_cache(void **state)
{
	struct stet_call *call = *state;

	assert_int_equal(stet_html_reply(call, 403, stet_html_new(call), NULL), STET_OK);
	assert_int_equal(call->reply.status, 403);
	assert_string_equal(call->reply.type, "text/html; charset=utf-8");
	assert_string_equal(header_of(call, "Content-Security-Policy"),
	    "default-src 'none'; style-src 'self'; form-action 'self'; "
	    "frame-ancestors 'none'; base-uri 'none'");
	assert_string_equal(header_of(call, "X-Frame-Options"), "DENY");
	assert_string_equal(header_of(call, "Cache-Control"), "no-store");
}

static void
a_policy_of_its_own_replaces_that_of_all(void **state)
{
	struct stet_call *call = *state;

	assert_int_equal(
	    stet_html_reply(call, 200, stet_html_new(call), "default-src 'self'"), STET_OK);
	assert_string_equal(header_of(call, "Content-Security-Policy"), "default-src 'self'");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
		TEST(fields_are_decoded_in_their_order),
		TEST(what_cannot_be_decoded_is_refused),
		TEST(forms_of_too_many_fields_are_refused),
		TEST(a_repeated_name_is_counted),
		TEST(only_paths_of_this_site_are_local),
		TEST(values_cannot_become_markup),
		TEST(a_page_allows_no_script_no_frame_and_no_cache),
		TEST(a_policy_of_its_own_replaces_that_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
