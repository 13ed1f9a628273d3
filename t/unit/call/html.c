/* html.c - HTML pages: escaping, and texts of a table with values in them. */
#include "call/call.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stet/html.h>

static const struct stet_word words[] = {
	{ "greeting", "Hello <{name}>, {b:site} & others" },
	{ "plain", "It's \"so\"" },
	{ 0 },
};

static struct stet_call *call;

static int
begin(void **state)
{
	(void)state;
	call = call_new();
	return 0;
}

static int
end(void **state)
{
	(void)state;
	call_free(call);
	return 0;
}

static void
assert_page(struct stet_html *html, const char *want)
{
	assert_int_equal(stet_html_reply(call, 200, html, NULL), STET_OK);
	assert_int_equal(call->reply.raw.len, strlen(want));
	assert_memory_equal(call->reply.raw.data, want, strlen(want));
}

static void
texts_and_values_are_escaped(void **state)
{
	struct stet_html *html = stet_html_new(call);

	(void)state;
	stet_html_fill(html, words, "<p title=\"{who}\">{greeting}</p>{none}{plain}", "who",
	    "a\"b'c", "name", "<script>", "site", "x&y", "none", NULL, NULL);
	assert_page(html,
	    "<p title=\"a&quot;b&#39;c\">Hello &lt;&lt;script&gt;&gt;, <strong>x&amp;y</strong> &amp; "
	    "others</p>It&#39;s &quot;so&quot;");
}

static void
values_are_not_read_again(void **state)
{
	struct stet_html *html = stet_html_new(call);

	(void)state;
	stet_html_fill(html, words, "{name}", "name", "{plain}", NULL);
	stet_html_fill(html, words, "{greeting}", "name", "{site}", "site", "{b:name}", NULL);
	assert_page(html, "{plain}Hello &lt;{site}&gt;, <strong>{b:name}</strong> &amp; others");
}

static void
a_text_is_found_by_its_name(void **state)
{
	(void)state;
	assert_string_equal(stet_word(words, "plain"), "It's \"so\"");
}

static void
conversions_are_filled_in(void **state)
{
	struct stet_html *html = stet_html_new(call);

	(void)state;
	stet_html_add(html, "%s|%d|%lld|%%", "<&>", -1, 5LL);
	stet_html_raw(html, "<br>");
	assert_page(html, "&lt;&amp;&gt;|-1|5|%<br>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_and_values_are_escaped, begin, end),
		cmocka_unit_test_setup_teardown(values_are_not_read_again, begin, end),
		cmocka_unit_test_setup_teardown(a_text_is_found_by_its_name, begin, end),
		cmocka_unit_test_setup_teardown(conversions_are_filled_in, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
