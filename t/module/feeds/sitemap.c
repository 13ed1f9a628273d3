/* sitemap.c - the sitemap: its URLs, its files, and when clients must fetch it again. */
#include "inside.h"
#include "posts.h"
#include "xmlread.h"
#include <stdio.h>
#include <stdlib.h>

#define MAP "GET //sitemap.xml"
#define MANY 120000

static int
begin(void **state)
{
	posts_begin(state);
	assert_ok(say(*state, admin, "PUT /schema/collections/posts",
	    "{'publicRead':true,'urlPattern':'/{locale}/{slug}'}"));
	return 0;
}

static int
end(void **state)
{
	xml_forget();
	return posts_end(state);
}

static struct outcome *
map(struct harness *h, const struct harness_user *user, const char *request)
{
	static const struct xml_space spaces[] = {
		{ "s", "http://www.sitemaps.org/schemas/sitemap/0.9" },
		{ "x", "http://www.w3.org/1999/xhtml" }
	};
	struct outcome *o = ask(h, user, "%s", request);

	assert_int_equal(o->http, 200);
	xml_read(o->text, spaces, COUNT(spaces));
	return o;
}

static void
it_has_what_everybody_may_read(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	make(h, author, id, "{'slug':'ä','status':'published','data':{'title':'Two'}}");
	make(h, author, id, "{'slug':'draft','data':{'title':'Draft'}}");
	make(h, author, id, "{'slug':'gone','status':'published','data':{'title':'Gone'}}");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_ok(say(h, author, "POST /content/pages",
	    "{'slug':'page','status':'published','data':{'name':'P'}}"));
	o = map(h, nobody, MAP);
	assert_non_null(strstr(o->headers, "l:posts"));
	assert_null(strstr(strstr(o->headers, "l:posts") + 1, "l:posts"));
	assert_non_null(strstr(o->headers, "l:posts"));
	assert_path("count(/s:urlset/s:url)", "2");
	assert_path("//s:url[1]/s:loc", "http://localhost/en/one");
	assert_path("//s:url[2]/s:loc", "http://localhost/en/%C3%A4");
	assert_path("//s:url[1]/s:lastmod", "2026-06-01T12:00:00.000Z");
	assert_path("count(//x:link)", "0");
	assert_ok(say(h, admin, "PUT /schema/collections/pages",
	    "{'publicRead':true,'urlPattern':'/p/{slug}'}"));
	assert_ok(say(h, admin, "POST /settings", "{'url':'https://example.org/?a=b'}"));
	map(h, nobody, MAP);
	assert_path("count(//s:url)", "3");
	assert_path("count(//s:loc[. = 'https://example.org/p/page'])", "1");
}

static void
translations_name_each_other(void **state)
{
	struct harness *h = *state;
	char id[27], other[27];

	make(h, author, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	make(h, author, other,
	    "{'slug':'un','locale':'fr','translationOf':'%s','status':'published','data':{}}", id);
	make(h, author, other, "{'slug':'eins','locale':'de','translationOf':'%s','data':{}}", id);
	make(h, author, other, "{'slug':'alone','status':'published','data':{}}");
	map(h, nobody, MAP);
	assert_path("count(//s:url)", "3");
	for (int i = 1; i <= 2; i++) {
		char path[200];

		(void)snprintf(path, sizeof(path), "count(//s:url[%d]/x:link)", i);
		assert_path(path, "3");
		(void)snprintf(path, sizeof(path), "//s:url[%d]/x:link[@hreflang='en']/@href", i);
		assert_path(path, "http://localhost/en/one");
		(void)snprintf(path, sizeof(path), "//s:url[%d]/x:link[@hreflang='fr']/@href", i);
		assert_path(path, "http://localhost/fr/un");
		(void)snprintf(
		    path, sizeof(path), "//s:url[%d]/x:link[@hreflang='x-default']/@href", i);
		assert_path(path, "http://localhost/en/one");
	}
	assert_path("count(//s:url[3]/x:link)", "0");
	assert_path("count(//x:link[@hreflang='de'])", "0");
}

static void
seo_keeps_items_out(void **state)
{
	struct harness *h = *state;
	char id[27], other[27];

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'hasSeo':true}"));
	make(h, author, id,
	    "{'slug':'one','status':'published','data':{'title':'One'},"
	    "'seo':{'noIndex':true}}");
	make(h, author, other,
	    "{'slug':'un','locale':'fr','translationOf':'%s','status':'published','data':{}}", id);
	make(h, author, other,
	    "{'slug':'two','status':'published','data':{'title':'Two'},"
	    "'seo':{'canonical':'http://localhost/en/two'}}");
	make(h, author, other,
	    "{'slug':'three','status':'published','data':{'title':'Three'},"
	    "'seo':{'canonical':'https://elsewhere.example/three','noIndex':false}}");
	map(h, nobody, MAP);
	assert_path("count(//s:url)", "2");
	assert_path("//s:url[1]/s:loc", "http://localhost/fr/un");
	assert_path("count(//x:link)", "0");
	assert_path("//s:url[2]/s:loc", "http://localhost/en/two");
	map(h, nobody, "GET //sitemaps/posts/1.xml");
	assert_path("count(//s:url)", "2");
	/* Without SEO the collection's stored SEO values have no effect. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'hasSeo':false}"));
	map(h, nobody, MAP);
	assert_path("count(//s:url)", "4");
	assert_path("count(//s:url[1]/x:link)", "3");
}

/* Stores the entity tag of a response, and checks that If-None-Match gets 304. */
static void
tag_of(struct harness *h, const char *request, char tag[80])
{
	char header[120];
	struct outcome *o = ask(h, nobody, "%s", request);

	assert_int_equal(o->http, 200);
	(void)snprintf(tag, 80, "%s", o->etag);
	(void)snprintf(header, sizeof(header), "If-None-Match: \"%s\"", tag);
	o = harness_request(h, nobody, request, header, NULL);
	assert_string_equal(o->text, "");
	assert_string_equal(o->etag, tag);
}

static void
every_change_that_is_seen_changes_its_tag(void **state)
{
	static const struct {
		const char *method, *rest, *body;
		bool seen;
	} steps[] = {
		{ "POST", "/publish", "{}", true },
		{ "PUT", "", "{'data':{'title':'Staged'},'slug':'other'}", false },
		{ "POST", "/publish", "{}", true },
		{ "POST", "/unpublish", "{}", true },
		{ "POST", "/publish", "{}", true },
		{ "DELETE", "", NULL, true },
		{ "POST", "/restore", "{}", true },
	};
	struct harness *h = *state;
	char id[27], was[80], is[80], request[100];

	make(h, author, id, "{'slug':'one','data':{'title':'One'}}");
	tag_of(h, MAP, was);
	for (size_t i = 0; i < COUNT(steps); i++) {
		at(h, 1000 + (int)i);
		(void)snprintf(request, sizeof(request), "%s " BASE "/%s%s", steps[i].method, id,
		    steps[i].rest);
		if (steps[i].body != NULL)
			assert_ok(say(h, admin, request, "%s", steps[i].body));
		else
			assert_ok(ask(h, admin, "%s", request));
		tag_of(h, MAP, is);
		if ((strcmp(was, is) != 0) != steps[i].seen)
			fail_msg("%s", request);
		(void)snprintf(was, sizeof(was), "%s", is);
	}
	make(h, author, id, "{'slug':'draft','data':{'title':'Nobody knows'}}");
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, admin, request, "{'data':{'title':'Nor this'}}"));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	tag_of(h, MAP, is);
	assert_string_equal(was, is);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/x/{slug}'}"));
	tag_of(h, MAP, is);
	assert_string_not_equal(was, is);
	assert_ok(say(h, admin, "POST /settings", "{'url':'https://example.org'}"));
	tag_of(h, MAP, was);
	assert_string_not_equal(was, is);
}

/* ---- many ---- */

static void
fill_many(struct harness *h)
{
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)"
	    " INSERT INTO c_posts (id, slug, status, created_at, updated_at, published_at, version,"
	    " locale, translation_group) SELECT printf('01MANY%020d', i), printf('s%d', i),"
	    " 'published', printf('2026-01-01T00:%02d:%02d.000Z', i / 60 % 60, i % 60),"
	    " '2026-02-02T00:00:00.000Z', '2026-02-02T00:00:00.000Z', 1, 'en',"
	    " printf('01MANY%020d', i) FROM n",
	    NULL);
	inside_sql(h,
	    "INSERT INTO item_count (collection, facet, value, status, locale, n)"
	    " VALUES ('posts', '', '', 'published', 'en', 120000)",
	    NULL);
}

/* Returns the text after the URL of the next item, and its number; NULL: none. Scans by hand,
 * because strstr and strtol read the whole rest of the text each time under ASan. */
static const char *
next_item(const char *s, int *n)
{
	static const char begin[] = "<loc>http://localhost/en/s";
	size_t at = 0;

	for (; *s != '\0' && at < sizeof(begin) - 1; s++)
		at = *s == begin[at] ? at + 1 : *s == begin[0];
	if (at < sizeof(begin) - 1)
		return NULL;
	for (*n = 0; *s >= '0' && *s <= '9' && *n < MANY; s++)
		*n = *n * 10 + (*s - '0');
	return s;
}

static void
above_fifty_thousand_there_is_an_index(void **state)
{
	static bool found[MANY + 1];
	struct harness *h = *state;
	char request[80], tag[80];
	int parts, all = 0;

	fill_many(h);
	map(h, nobody, MAP);
	parts = (int)strtol(at_path("count(/s:sitemapindex/s:sitemap)"), NULL, 10);
	assert_int_equal(parts, 3);
	assert_path("//s:sitemap[2]/s:loc", "http://localhost/sitemaps/posts/2.xml");
	assert_path("//s:sitemap[2]/s:lastmod", "2026-02-02T00:00:00.000Z");
	for (int i = 1; i <= parts; i++) {
		const struct outcome *o;
		int count = 0, n;

		(void)snprintf(request, sizeof(request), "GET //sitemaps/posts/%d.xml", i);
		o = map(h, nobody, request);
		for (const char *s = o->text; (s = next_item(s, &n)) != NULL; count++) {
			assert_in_range(n, 1, MANY);
			assert_false(found[n]);
			found[n] = true;
		}
		assert_in_range(count, 1, 50000);
		all += count;
	}
	assert_int_equal(all, MANY);
	tag_of(h, MAP, tag);
	tag_of(h, request, tag);
	assert_int_equal(ask(h, nobody, "GET //sitemaps/posts/4.xml")->http, 404);
}

static void
a_new_item_is_in_a_part_at_once(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill_many(h);
	map(h, nobody, MAP);
	make(h, author, id, "{'slug':'newest','status':'published','data':{'title':'New'}}");
	map(h, nobody, "GET //sitemaps/posts/3.xml");
	assert_path("count(//s:loc[. = 'http://localhost/en/newest'])", "1");
}

static void
what_is_no_part_is_not_found(void **state)
{
	static const char *const parts[] = { "0.xml", "2.xml", "1", "1.xmlx", "-1.xml", "%2b1.xml",
		"1.5.xml", "99999999999999999999.xml", "x.xml", "01.xml" };
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	map(h, nobody, "GET //sitemaps/posts/1.xml");
	assert_path("count(//s:url)", "1");
	for (size_t i = 0; i < COUNT(parts); i++)
		if (ask(h, nobody, "GET //sitemaps/posts/%s", parts[i])->http != 404)
			fail_msg("%s", parts[i]);
	assert_int_equal(ask(h, nobody, "GET //sitemaps/pages/1.xml")->http, 401);
	assert_int_equal(ask(h, admin, "GET //sitemaps/pages/1.xml")->http, 404);
}

int
main(void)
{
#define t(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		t(it_has_what_everybody_may_read),
		t(translations_name_each_other),
		t(seo_keeps_items_out),
		t(every_change_that_is_seen_changes_its_tag),
		t(above_fifty_thousand_there_is_an_index),
		t(a_new_item_is_in_a_part_at_once),
		t(what_is_no_part_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
