/* addresses.c - the address of an item is the same wherever it is shown: with a date, and by
 * locale. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define SITE "https://www.example.org"

/* Two translations; the first was published a minute before midnight (UTC). */
static void
begin(struct harness *h, char en[27], char de[27])
{
	assert_ok(say(h, admin, "POST /settings", "{'url':'" SITE "'}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'publicRead':true,'urlPattern':'/{year}/{month}/{day}/{slug}',"
	    "'urlPatterns':{'de':'/beitrag/{slug}'}}"));
	make(h, editor, en,
	    "{'slug':'one','status':'published','publishedAt':'2026-02-03T23:59:00Z',"
	    "'data':{'title':'One'}}");
	make(h, editor, de,
	    "{'slug':'eins','locale':'de','translationOf':'%s','status':'published',"
	    "'data':{'title':'Eins'}}",
	    en);
}

static void
it_is_the_same_everywhere(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], de[27];

	begin(h, en, de);
	o = ask(h, nobody, "GET //sitemap.xml");
	assert_non_null(strstr(o->text, "<loc>" SITE "/2026/02/03/one</loc>"));
	assert_non_null(strstr(o->text, "<loc>" SITE "/beitrag/eins</loc>"));
	assert_non_null(strstr(o->text, "hreflang=\"de\" href=\"" SITE "/beitrag/eins\""));
	assert_non_null(strstr(o->text, "hreflang=\"en\" href=\"" SITE "/2026/02/03/one\""));
	o = ask(h, nobody, "GET //feeds/posts/feed.json?locale=en");
	assert_non_null(strstr(o->text, SITE "/2026/02/03/one"));
	o = ask(h, nobody, "GET //feeds/posts/atom.xml?locale=de");
	assert_non_null(strstr(o->text, SITE "/beitrag/eins"));

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'M'}"));
	assert_ok(say(h, editor, "POST /menus/main/items",
	    "{'type':'post','label':'a','referenceId':'%s'}", en));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "items[0].url"), "/2026/02/03/one");

	harness_ok(o, ask(h, editor, "POST " BASE "/%s/preview-url", en));
	assert_non_null(strstr(harness_text(o->data, "url"), SITE "/2026/02/03/one?_preview="));
	harness_ok(o, ask(h, editor, "POST " BASE "/%s/preview-url", de));
	assert_non_null(strstr(harness_text(o->data, "url"), SITE "/beitrag/eins?_preview="));
}

static void
redirects_have_it_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], de[27], path[64];

	begin(h, en, de);
	snprintf(path, sizeof(path), "PUT " BASE "/%s", en);
	assert_ok(say(h, editor, path, "{'slug':'two','status':'published'}"));
	snprintf(path, sizeof(path), "PUT " BASE "/%s", de);
	assert_ok(say(h, editor, path, "{'slug':'zwei','status':'published'}"));
	o = ask(h, nobody, "GET " BASE "/one");
	assert_string_equal(harness_text(o->details, "moved.url"), "/2026/02/03/two");
	o = ask(h, subscriber, "GET /redirects?format=netlify");
	assert_string_equal(
	    o->text, "/beitrag/eins /beitrag/zwei 301\n/2026/02/03/one /2026/02/03/two 301\n");
	o = ask(h, nobody, "GET //sitemap.xml");
	assert_null(strstr(o->text, "eins"));
	assert_non_null(strstr(o->text, "/beitrag/zwei"));
}

/* A draft has the date that it would get. */
static void
a_preview_has_the_date_of_a_publication_now(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], de[27], id[27];

	begin(h, en, de);
	make(h, editor, id, "{'slug':'new','data':{'title':'N'}}");
	harness_ok(o, ask(h, editor, "POST " BASE "/%s/preview-url", id));
	assert_non_null(strstr(harness_text(o->data, "url"), SITE "/2026/06/01/new?_preview="));
}

static void
patterns_are_checked(void **state)
{
	static const char *const bad[][2] = {
		{ "{'xx':'/{slug}'}", "urlPatterns.xx" },
		{ "{'de':'{slug}'}", "urlPatterns.de" },
		{ "{'de':'//evil.example/{slug}'}", "urlPatterns.de" },
		{ "{'de':'/{nothing}'}", "urlPatterns.de" },
		{ "{'de':'/{slug'}", "urlPatterns.de" },
		{ "{'de':7}", "urlPatterns.de" },
		{ "7", "urlPatterns" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, admin, "PUT /schema/collections/posts", "{'urlPatterns':%s}", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, bad[i][1]));
	}
	harness_ok(o, say(h, admin, "PUT /schema/collections/posts",
			  "{'urlPatterns':{'de':'/{day}/{slug}'}}"));
	assert_string_equal(harness_text(o->data, "item.urlPatterns.de"), "/{day}/{slug}");
	harness_ok(o, say(h, admin, "PUT /schema/collections/posts", "{'label':'P'}"));
	assert_non_null(harness_at(o->data, "item.urlPatterns"));
	harness_ok(o, say(h, admin, "PUT /schema/collections/posts", "{'urlPatterns':null}"));
	assert_null(harness_at(o->data, "item.urlPatterns"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(it_is_the_same_everywhere),
		check(redirects_have_it_too),
		check(a_preview_has_the_date_of_a_publication_now),
		check(patterns_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
