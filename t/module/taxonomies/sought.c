/* sought.t - terms found by the beginning of their label or slug. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>

static STET_FMT(3, 4) void add(struct harness *h, const char *taxonomy, const char *body, ...)
{
	char request[64], text[512];
	va_list ap;

	(void)snprintf(request, sizeof(request), "POST /taxonomies/%s/terms", taxonomy);
	va_start(ap, body);
	(void)vsnprintf(text, sizeof(text), body, ap);
	va_end(ap);
	assert_ok(say(h, editor, request, "%s", text));
}

/* Returns the labels that a search finds; none of them may be below another. Static buffer. */
static const char *
found(struct harness *h, const char *taxonomy, const char *locale, const char *words)
{
	static char text[512];
	struct outcome *o;
	json_t *one;
	size_t i, len = 0;

	harness_ok(o, ask(h, subscriber, "GET /taxonomies/%s/terms?locale=%s&search=%s", taxonomy,
			  locale, words));
	*text = '\0';
	json_array_foreach(harness_at(o->data, "terms"), i, one)
	{
		assert_int_equal(json_array_size(json_object_get(one, "children")), 0);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i > 0 ? " " : "",
		    harness_text(one, "label"));
		assert_true(len < sizeof(text));
	}
	return text;
}

static void
terms_are_found_by_the_beginning_of_label_or_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	add(h, "tag", "{'label':'Äther und Wind'}");
	add(h, "tag", "{'label':'ÄTHER, alt','slug':'old'}");
	add(h, "tag", "{'label':'Wind','slug':'aether-wind'}");
	add(h, "tag", "{'label':'Wind 100%%_x'}");
	add(h, "tag", "{'label':'Windig','locale':'fr'}");
	assert_string_equal(found(h, "tag", "en", "%C3%A4t"), "ÄTHER, alt Äther und Wind");
	/* Matches by label come first in the order of labels, then matches by slug; each term
	 * once. */
	assert_string_equal(found(h, "tag", "en", "WIND"), "Wind Wind 100%_x");
	assert_string_equal(found(h, "tag", "en", "wind%20100"), "Wind 100%_x");
	assert_string_equal(found(h, "tag", "en", "aether"), "Wind");
	assert_string_equal(found(h, "tag", "en", "old"), "ÄTHER, alt");
	/* Case is ignored, in the query and in the term. */
	add(h, "tag", "{'label':'Rain','slug':'Wet-DAY'}");
	assert_string_equal(found(h, "tag", "en", "wet-d"), "Rain");
	assert_string_equal(found(h, "tag", "en", "Wet-DAY"), "Rain");
	assert_string_equal(found(h, "tag", "en", "OLD"), "ÄTHER, alt");
	assert_string_equal(found(h, "tag", "en", "Aether-W"), "Wind");
	assert_string_equal(found(h, "tag", "fr", "wind"), "Windig");
	assert_string_equal(found(h, "tag", "en", "%25"), "");
	assert_string_equal(found(h, "tag", "en", "und"), "");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms?locale=en&search=w&limit=1"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 1);
	assert_null(harness_at(o->data, "nextCursor"));
	/* A new label changes the search key. */
	assert_ok(say(h, editor, "PUT /taxonomies/tag/terms/old?locale=en", "{'label':'Nebel'}"));
	assert_string_equal(found(h, "tag", "en", "%C3%A4t"), "Äther und Wind");
	assert_string_equal(found(h, "tag", "en", "neb"), "Nebel");
	/* Terms of a tree are found at every level. */
	add(h, "category", "{'label':'Alpha'}");
	add(h, "category", "{'label':'Alpine','parentId':'%s'}",
	    inside_ask(h, "SELECT id FROM term WHERE slug = 'alpha'"));
	assert_string_equal(found(h, "category", "en", "al"), "Alpha Alpine");
}

static void
a_search_needs_a_locale_and_has_one_page(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = ask(h, subscriber, "GET /taxonomies/tag/terms?search=a");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "search"));
	o = ask(h, subscriber,
	    "GET /taxonomies/tag/terms?locale=fr&search=a&cursor=x&resolveFallback=true");
	assert_true(harness_issue(o, "cursor"));
	assert_true(harness_issue(o, "resolveFallback"));
	o = ask(h, subscriber, "GET /taxonomies/tag/terms?locale=fr&search=");
	assert_true(harness_issue(o, "search"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    terms_are_found_by_the_beginning_of_label_or_slug, posts_begin, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_search_needs_a_locale_and_has_one_page, posts_begin, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
