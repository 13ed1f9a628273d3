/* feeds.c - Atom and JSON Feed of public collections: their items and their format. */
#include "posts.h"
#include "xmlread.h"
#include <stdio.h>
#include <stdlib.h>

#define ATOM "GET //feeds/posts/atom.xml"
#define JSON "GET //feeds/posts/feed.json"

static int
begin(void **state)
{
	posts_begin(state);
	assert_ok(say(*state, admin, "PUT /schema/collections/posts",
	    "{'publicRead':true,'urlPattern':'/blog/{slug}'}"));
	assert_ok(say(*state, admin, "POST /settings",
	    "{'siteTitle':'Ours & <Theirs>','tagline':'Of \\\"both\\\"','url':'https://example.org/'}"));
	return 0;
}

static int
end(void **state)
{
	xml_forget();
	return posts_end(state);
}

/* Requests the feed, which must be well-formed XML. */
static struct outcome *
atom(struct harness *h, const struct harness_user *user, const char *request)
{
	static const struct xml_space spaces[] = { { "a", "http://www.w3.org/2005/Atom" } };
	struct outcome *o = ask(h, user, "%s", request);

	assert_int_equal(o->http, 200);
	xml_read(o->text, spaces, COUNT(spaces));
	return o;
}

static void
a_feed_has_the_newest_published_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id,
	    "{'slug':'one','status':'published','data':{'title':'One','summary':'S'}}");
	at(h, 1000);
	make(h, author, id, "{'slug':'two','status':'published','data':{'title':'Two'}}");
	make(h, author, id, "{'slug':'draft','data':{'title':'Secret'}}");
	o = atom(h, nobody, ATOM);
	assert_non_null(strstr(o->headers, "Surrogate-Key: "));
	assert_non_null(strstr(o->headers, "l:posts"));
	assert_path("count(//a:entry)", "2");
	assert_path("/a:feed/a:title", "Ours & <Theirs>: Posts");
	assert_path("/a:feed/a:subtitle", "Of \"both\"");
	assert_path("/a:feed/a:id", "https://example.org/feeds/posts/atom.xml");
	assert_path(
	    "/a:feed/a:link[@rel='self']/@href", "https://example.org/feeds/posts/atom.xml");
	assert_path("/a:feed/a:updated", "2026-06-01T12:00:01.000Z");
	assert_path("count(/a:feed/a:author/a:name)", "1");
	assert_path("//a:entry[1]/a:title", "Two");
	assert_path("//a:entry[2]/a:title", "One");
	assert_path("//a:entry[2]/a:summary", "S");
	assert_path("//a:entry[2]/a:link/@href", "https://example.org/blog/one");
	assert_path("//a:entry[2]/a:published", "2026-06-01T12:00:00.000Z");
	assert_path("substring(//a:entry[1]/a:id, 1, 9)", "urn:uuid:");
	assert_path("string-length(//a:entry[1]/a:id)", "45");
	assert_path("//a:entry[1]/a:id = //a:entry[2]/a:id", "false");
	harness_ok(o, ask(h, nobody, JSON));
	assert_non_null(strstr(o->headers, "k:feeds"));
	assert_string_equal(harness_text(o->body, "version"), "https://jsonfeed.org/version/1.1");
	assert_string_equal(harness_text(o->body, "title"), "Ours & <Theirs>: Posts");
	assert_string_equal(
	    harness_text(o->body, "feed_url"), "https://example.org/feeds/posts/feed.json");
	assert_string_equal(harness_text(o->body, "items[0].title"), "Two");
	assert_string_equal(harness_text(o->body, "items[0].content_text"), "Two");
	assert_string_equal(harness_text(o->body, "items[1].url"), "https://example.org/blog/one");
	assert_string_equal(harness_text(o->body, "items[1].summary"), "S");
	assert_string_equal(
	    harness_text(o->body, "items[1].date_published"), "2026-06-01T12:00:00.000Z");
	assert_null(strstr(o->text, "Secret"));
}

static void
what_is_staged_is_not_in_it_and_its_tag_stays(void **state)
{
	struct harness *h = *state;
	char id[27], request[100], tag[80];
	struct outcome *o;

	make(h, author, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	o = atom(h, nobody, ATOM);
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, author, request, "{'data':{'title':'Staged'}}"));
	o = atom(h, admin, ATOM);
	assert_null(strstr(o->text, "Staged"));
	o = atom(h, nobody, ATOM);
	assert_string_equal(o->etag, tag);
	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/publish", id);
	assert_ok(say(h, author, request, "{}"));
	o = atom(h, nobody, ATOM);
	assert_path("//a:entry/a:title", "Staged");
	assert_string_not_equal(o->etag, tag);
	/* The entity tag depends on the site's title and tagline, too. */
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	assert_ok(say(h, admin, "POST /settings", "{'tagline':'A new one'}"));
	o = atom(h, nobody, ATOM);
	assert_path("//a:subtitle", "A new one");
	assert_string_not_equal(o->etag, tag);
}

static void
a_collection_that_is_not_shown_has_none(void **state)
{
	static const char *const changes[] = { "{'publicRead':false}", "{'urlPattern':null}",
		"{'routable':false}" };
	static const char *const back[] = { "{'publicRead':true}", "{'urlPattern':'/b/{slug}'}",
		"{'routable':true}" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(changes); i++) {
		assert_ok(say(h, admin, "PUT /schema/collections/posts", "%s", changes[i]));
		assert_int_equal(ask(h, nobody, ATOM)->http, i == 0 ? 401 : 404);
		assert_int_equal(ask(h, subscriber, JSON)->http, 404);
		assert_ok(say(h, admin, "PUT /schema/collections/posts", "%s", back[i]));
		assert_int_equal(ask(h, nobody, ATOM)->http, 200);
	}
	assert_int_equal(ask(h, nobody, "GET //feeds/pages/atom.xml")->http, 401);
	assert_int_equal(ask(h, nobody, "GET //feeds/nothing/feed.json")->http, 401);
	assert_int_equal(ask(h, admin, "GET //feeds/nothing/feed.json")->http, 404);
}

static void
a_feed_is_of_one_locale(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	make(h, author, id,
	    "{'slug':'un','locale':'fr','status':'published','data':{'title':'Un'}}");
	atom(h, nobody, ATOM);
	assert_path("count(//a:entry)", "1");
	assert_path("//a:entry/a:title", "One");
	assert_path("/a:feed/@xml:lang", "en");
	atom(h, nobody, ATOM "?locale=fr");
	assert_path("count(//a:entry)", "1");
	assert_path("//a:entry/a:title", "Un");
	assert_path("/a:feed/a:link[@rel='self']/@href",
	    "https://example.org/feeds/posts/atom.xml?locale=fr");
	assert_int_equal(ask(h, nobody, ATOM "?locale=%%21")->http, 400);
}

static void
a_feed_is_of_some_terms(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_ok(say(h, admin, "POST /taxonomies/tag/terms", "{'slug':'db','label':'Db'}"));
	make(h, author, id,
	    "{'slug':'one','status':'published','data':{'title':'One'},"
	    "'taxonomies':{'tag':['db']}}");
	make(h, author, id, "{'slug':'two','status':'published','data':{'title':'Two'}}");
	atom(h, nobody, ATOM "?terms=tag:db");
	assert_path("count(//a:entry)", "1");
	assert_path("//a:entry/a:title", "One");
	assert_path("/a:feed/a:title", "Ours & <Theirs>: Posts (tag:db)");
	assert_path("/a:feed/a:link[@rel='self']/@href",
	    "https://example.org/feeds/posts/atom.xml?terms=tag%3Adb");
	harness_ok(o, ask(h, nobody, JSON "?terms=tag:!db&locale=en"));
	assert_int_equal(json_array_size(json_object_get(o->body, "items")), 1);
	assert_string_equal(harness_text(o->body, "items[0].title"), "Two");
	assert_string_equal(harness_text(o->body, "feed_url"),
	    "https://example.org/feeds/posts/feed.json?locale=en&terms=tag%3A%21db");
	assert_int_equal(ask(h, nobody, ATOM "?terms=nothing:db")->http, 400);
	assert_int_equal(ask(h, nobody, ATOM "?terms=")->http, 400);
}

/* Tries characters that XML forbids, markup, and the end of a CDATA section. */
static void
hostile_texts_stay_texts(void **state)
{
	static const char hostile[] =
	    "]]&gt;&amp;<script>'\\u0001\\u000b\\ufffe\\uffff\\u007f\\t\\n"
	    "\\ud83d\\ude00 </title><!--";
	struct harness *h = *state;
	struct outcome *o;
	char *body;

	assert_true(asprintf(&body,
			"{\"slug\":\"one\",\"status\":\"published\",\"data\":{\"title\":\"%s\","
			"\"summary\":\"%s\",\"body\":[{\"_type\":\"block\",\"style\":\"normal\","
			"\"children\":[{\"_type\":\"span\",\"text\":\"%s\"}]}]}}",
			hostile, hostile, hostile) > 0);
	assert_ok(harness_request(h, author, "POST " BASE, NULL, body));
	free(body);
	atom(h, nobody, ATOM);
	assert_path("count(//a:entry)", "1");
	assert_path("//a:entry/a:title", "]]&gt;&amp;<script>'\t\n\xf0\x9f\x98\x80 </title><!--");
	assert_path("//a:entry/a:content",
	    "<p>]]&amp;gt;&amp;amp;&lt;script&gt;'\t<br>\xf0\x9f\x98\x80 &lt;/title&gt;&lt;!--</p>");
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'</title>&\\u00a0]]>'}"));
	atom(h, nobody, ATOM);
	harness_ok(o, ask(h, nobody, JSON));
	assert_int_equal(json_array_size(json_object_get(o->body, "items")), 1);
}

static void
portable_text_becomes_html(void **state)
{
	static const char body[] =
	    "[{'_type':'block','style':'h2','children':[{'_type':'span','text':'Head'}]},"
	    "{'_type':'block','markDefs':[{'_key':'k','_type':'link','href':'/a?b&c'},"
	    "{'_key':'j','_type':'link','href':'page.html'}],'children':["
	    "{'_type':'span','text':'a ','marks':['strong','em']},"
	    "{'_type':'span','text':'link','marks':['k']},"
	    "{'_type':'span','text':'bad','marks':['j']}]},"
	    "{'_type':'block','listItem':'bullet','level':1,'children':[{'_type':'span','text':'1'}]},"
	    "{'_type':'block','listItem':'number','level':2,'children':[{'_type':'span','text':'2'}]},"
	    "{'_type':'block','listItem':'bullet','level':1,'children':[{'_type':'span','text':'3'}]},"
	    "{'_type':'code','code':'if (a < b)'},"
	    "{'_type':'image','url':'/_cms/api/media/file/x.png','alt':'A \\\"b\\\"'},"
	    "{'_type':'image','alt':'told'}]";
	struct harness *h = *state;

	assert_ok(say(h, author, "POST " BASE,
	    "{'slug':'one','status':'published','data':{'title':'One','body':%s}}", body));
	atom(h, nobody, ATOM);
	assert_path("//a:entry/a:content",
	    "<h2>Head</h2>"
	    "<p><strong><em>a </em></strong><a href=\"https://example.org/a?b&amp;c\">link</a>bad</p>"
	    "<ul><li>1<ol><li>2</li></ol></li><li>3</li></ul>"
	    "<pre><code>if (a &lt; b)</code></pre>"
	    "<figure><img src=\"https://example.org/_cms/api/media/file/x.png\" "
	    "alt=\"A &quot;b&quot;\"></figure>"
	    "<p>told</p>");
}

/* What Markdown and imports have beside the blocks of the editor. */
static void
blocks_of_markdown_are_html(void **state)
{
	static const char body[] =
	    "[{'_type':'block','listItem':'number','level':1,'start':3,'checked':true,'children':["
	    "{'_type':'span','text':'Done'}]},"
	    "{'_type':'block','style':'normal','children':[{'_type':'span','text':'x',"
	    "'marks':['superscript']},{'_type':'footnoteReference','label':'n'},"
	    "{'_type':'math','tex':'a<b'},{'_type':'html','html':'<kbd>'},"
	    "{'_type':'image','url':'/i.png','alt':'I','link':'/to'}]},"
	    "{'_type':'table','caption':'Cap','hasHeaderRow':true,'rows':[{'cells':[{'align':'right',"
	    "'content':[{'_type':'span','text':'H'}]}]},{'cells':[{'content':[{'_type':'span',"
	    "'text':'c','marks':['strong']}]}]}]},"
	    "{'_type':'callout','kind':'note','content':[{'_type':'block','listItem':'bullet',"
	    "'children':[{'_type':'span','text':'In it'}]}]},"
	    "{'_type':'definitionList','items':[{'_type':'definition','term':[{'_type':'block',"
	    "'children':[{'_type':'span','text':'T'}]}],'content':[{'_type':'block','children':["
	    "{'_type':'span','text':'D'}]}]}]},"
	    "{'_type':'math','tex':'e = mc^2'},"
	    "{'_type':'footnote','label':'n','content':[{'_type':'span','text':'Note'}]},"
	    "{'_type':'shortcode','name':'x','source':'{{< x >}}'},"
	    "{'_type':'columns','columns':[{'content':[{'_type':'block','children':[{'_type':'span',"
	    "'text':'Left'}]}]}]},"
	    "{'_type':'buttons','buttons':[{'_type':'button','text':'Go','url':'/go'}]},"
	    "{'_type':'embed','url':'https://youtu.be/a'}]";
	struct harness *h = *state;

	assert_ok(say(h, author, "POST " BASE,
	    "{'slug':'one','status':'published','data':{'title':'One','body':%s}}", body));
	atom(h, nobody, ATOM);
	assert_path("//a:entry/a:content",
	    "<ol start=\"3\"><li>\xe2\x98\x91 Done</li></ol>"
	    "<p><sup>x</sup><sup>[n]</sup><code>a&lt;b</code>"
	    "<a href=\"https://example.org/to\"><img src=\"https://example.org/i.png\" alt=\"I\"></a></p>"
	    "<table><caption>Cap</caption><tr><th align=\"right\">H</th></tr>"
	    "<tr><td><strong>c</strong></td></tr></table>"
	    "<blockquote><p><strong>note</strong></p><ul><li>In it</li></ul></blockquote>"
	    "<dl><dt>T</dt><dd><p>D</p></dd></dl>"
	    "<pre><code>e = mc^2</code></pre><p><sup>n</sup> Note</p>"
	    "<pre><code>{{&lt; x &gt;}}</code></pre><p>Left</p>"
	    "<p><a href=\"https://example.org/go\">Go</a></p>"
	    "<p><a href=\"https://youtu.be/a\">https://youtu.be/a</a></p>");
}

static void
who_wrote_it_is_told_by_byline(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char byline[27];

	harness_ok(
	    o, say(h, admin, "POST /bylines",
		   "{'slug':'ann','displayName':'Ann <A>','websiteUrl':'https://ann.example'}"));
	(void)snprintf(byline, sizeof(byline), "%s", harness_text(o->data, "id"));
	if (*byline == '\0')
		(void)snprintf(byline, sizeof(byline), "%s", harness_text(o->data, "byline.id"));
	assert_ok(say(h, editor, "POST " BASE,
	    "{'slug':'one','status':'published','data':{'title':'One'},"
	    "'bylines':[{'bylineId':'%s'}]}",
	    byline));
	o = atom(h, nobody, ATOM);
	assert_path("//a:entry/a:author/a:name", "Ann <A>");
	assert_path("//a:entry/a:author/a:uri", "https://ann.example");
	assert_null(strstr(o->text, "@"));
	harness_ok(o, ask(h, nobody, JSON));
	assert_string_equal(harness_text(o->body, "items[0].authors[0].name"), "Ann <A>");
}

static void
robots_are_told_where_the_sitemap_is(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = ask(h, nobody, "GET //robots.txt");
	assert_non_null(strstr(o->text, "\nSitemap: https://example.org/sitemap.xml\n"));
	assert_ok(say(h, admin, "POST /settings", "{'seo':{'robotsTxt':'User-agent: x'}}"));
	o = ask(h, nobody, "GET //robots.txt");
	assert_string_equal(o->text, "User-agent: x\n\nSitemap: https://example.org/sitemap.xml\n");
	assert_ok(say(h, admin, "POST /settings",
	    "{'seo':{'robotsTxt':'User-agent: x\\nSITEMAP: https://other.example/s.xml'}}"));
	o = ask(h, nobody, "GET //robots.txt");
	assert_null(strstr(o->text, "example.org"));
	assert_ok(say(h, admin, "POST /settings", "{'seo':{}}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'publicRead':false}"));
	o = ask(h, nobody, "GET //robots.txt");
	assert_null(strstr(o->text, "Sitemap"));
}

int
main(void)
{
#define t(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		t(a_feed_has_the_newest_published_items),
		t(what_is_staged_is_not_in_it_and_its_tag_stays),
		t(a_collection_that_is_not_shown_has_none),
		t(a_feed_is_of_one_locale),
		t(a_feed_is_of_some_terms),
		t(hostile_texts_stay_texts),
		t(portable_text_becomes_html),
		t(blocks_of_markdown_are_html),
		t(who_wrote_it_is_told_by_byline),
		t(robots_are_told_where_the_sitemap_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
