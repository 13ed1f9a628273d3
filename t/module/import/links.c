/*
 * links.c - custom fields that refer to items and files of the source, before or after them;
 * footnotes; the site's title.
 */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define QUIET "{\"importMedia\":false}"
#define FIELD(slug, type, more)                                                            \
	"{\"collection\":\"posts\",\"slug\":\"" slug "\",\"label\":\"F\",\"type\":\"" type \
	"\"" more "}"
#define OF(collection) ",\"options\":{\"collection\":\"" collection "\"}"
#define MANY(collection) ",\"options\":{\"collection\":\"" collection "\",\"allowMultiple\":true}"

static int
begin(void **state)
{
	struct harness *h = *state = importing_open();
	char id[40];

	/* The import creates the collections; then the test adds fields. */
	importing_create(h, QUIET,
	    ITEM("900", "post", "x", "<title>X</title>")
		ITEM("901", "page", "y", "<title>Y</title>"),
	    id);
	(void)importing_work(h, id, "done");
	assert_ok(harness_op(
	    h, admin, "schema_create_field", FIELD("related", "reference", OF("posts"))));
	assert_ok(
	    harness_op(h, admin, "schema_create_field", FIELD("home", "reference", OF("pages"))));
	assert_ok(
	    harness_op(h, admin, "schema_create_field", FIELD("all", "reference", MANY("posts"))));
	assert_ok(harness_op(h, admin, "schema_create_field", FIELD("cover", "image", "")));
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

static struct outcome *
run(struct harness *h, const char *config, const char *channel)
{
	char id[40], all[12000];

	(void)snprintf(all, sizeof(all),
	    "<wp:base_blog_url>https://old.example</wp:base_blog_url>%s", channel);
	importing_create(h, config, all, id);
	return importing_work(h, id, "done");
}

static struct outcome *
get(struct harness *h, const char *path)
{
	char request[100];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/%s", path);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return o;
}

#define POST(id, slug, more) \
	ITEM(id, "post", slug, "<title>" slug "</title><wp:status>publish</wp:status>" more)
#define ALL "a:3:{i:0;s:1:\"3\";i:1;s:1:\"1\";i:2;s:2:\"77\";}"

/* The published version gets its references before the draft is written. */
static void
a_draft_comes_after_the_references(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *channel = POST("1", "a",
	    META("related", "2")
		META("_stet", "{\"draft\":{\"fields\":{\"title\":\"New\"}},\"scheduledAt\":"
			      "\"2090-01-01T00:00:00.000Z\"}")) POST("2", "b", "");

	o = run(h, QUIET, channel);
	assert_int_equal(harness_int(o->data, "result.items.created"), 2);
	harness_ok(o, harness_request(h, subscriber, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "a");
	assert_string_equal(harness_text(o->data, "item.data.related"),
	    inside_ask(h, "SELECT id FROM c_posts WHERE slug = 'b'"));
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.title"), "New");
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2090-01-01T00:00:00.000Z");
	o = run(h, "{\"importMedia\":false,\"update\":true}", channel);
	assert_int_equal(harness_int(o->data, "result.items.unchanged"), 2);
}

static void
references_hold_whatever_comes_first(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[40], c[40];

	o = run(h, QUIET,
	    POST("1", "a", META("related", "3") META("home", "9") META("cover", "5"))
		POST("2", "b", META("related", "1") META("all", ALL))
		    POST("3", "c", META("related", "1") META("all", "[3]")) ITEM("5", "attachment",
			"f", "<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>")
			ITEM("9", "page", "home", "<title>Home</title>"));
	assert_int_equal(harness_int(o->data, "result.items.created"), 4);
	assert_int_equal(harness_int(o->data, "result.items.repaired"), 1);
	(void)snprintf(
	    a, sizeof(a), "%s", inside_ask(h, "SELECT id FROM c_posts WHERE slug = 'a'"));
	(void)snprintf(
	    c, sizeof(c), "%s", inside_ask(h, "SELECT id FROM c_posts WHERE slug = 'c'"));
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.related"), c);
	assert_string_equal(harness_text(o->data, "item.data.home"),
	    inside_ask(h, "SELECT id FROM c_pages WHERE slug = 'home'"));
	assert_string_equal(
	    harness_text(o->data, "item.data.cover.src"), "https://192.0.2.1/f.png");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_true(json_is_null(harness_at(o->data, "item.draftRevisionId")));
	o = get(h, "posts/b");
	assert_string_equal(harness_text(o->data, "item.data.related"), a);
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.all")), 2);
	assert_string_equal(harness_text(o->data, "item.data.all[0]"), c);
	o = get(h, "posts/c");
	assert_string_equal(harness_text(o->data, "item.data.all[0]"), c);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_map"), "0");
	/* References that the import set later are no change by a user. */
	o = run(h, "{\"importMedia\":false,\"update\":true}",
	    POST("1", "a", META("related", "2") META("home", "9"))
		POST("3", "c", META("related", "1") META("all", "[3]")));
	assert_int_equal(harness_int(o->data, "result.items.updated"), 1);
	assert_int_equal(harness_int(o->data, "result.items.unchanged"), 1);
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.related"),
	    inside_ask(h, "SELECT id FROM c_posts WHERE slug = 'b'"));
	assert_true(harness_at(o->data, "item.data.cover") == NULL ||
		    json_is_null(harness_at(o->data, "item.data.cover")));
}

/* A field for posts refuses a page, and a number that is no id. */
static void
what_a_field_does_not_take_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, QUIET,
	    ITEM("9", "page", "home", "<title>Home</title>") POST("1", "a", META("related", "9"))
		POST("2", "b", META("cover", "55")) POST("3", "c", META("related", "10"))
		    ITEM("10", "page", "late", "<title>Late</title>"),
	    id);
	o = importing_work(h, id, "done");
	assert_int_equal(harness_int(o->data, "result.items.created"), 5);
	harness_ok(o, importing_at(h, "GET", id, "/items"));
	/* The item whose reference was to be set later has a notice of its own. */
	assert_string_equal(harness_text(o->data, "items[0].outcome"), "repaired");
	assert_non_null(strstr(harness_text(o->data, "items[0].reason"), "related"));
	assert_non_null(harness_at(o->data, "items[2].notices[0]"));
	assert_string_equal(harness_text(o->data, "items[3].notices[0]"),
	    "The file 55 of cover is not in the export");
}

static void
assert_field(struct harness *h, const char *slug, const char *type)
{
	struct outcome *o;
	json_t *field;
	size_t i;

	harness_ok(o, harness_op(h, admin, "schema_get_collection", "{\"slug\":\"posts\"}"));
	json_array_foreach(harness_at(o->data, "fields"), i, field)
	{
		if (strcmp(harness_text(field, "slug"), slug) == 0) {
			assert_string_equal(harness_text(field, "type"), type);
			return;
		}
	}
	fail_msg("%s: %s", slug, o->text);
}

/* Types come from all values: a few choices that repeat, and addresses. */
static void
custom_fields_are_choices_or_links(void **state)
{
	static const char *const sizes[] = { "Small", "Medium", "Fish &amp; chips" };
	struct harness *h = *state;
	char channel[10000] = "", path[40];
	struct outcome *o;
	size_t at = 0;

	for (size_t i = 0; i < 12; i++)
		at += (size_t)snprintf(channel + at, sizeof(channel) - at,
		    ITEM("%zu", "post", "p%zu",
			META("size", "%s") META("site", "https://a.example/%zu") META("mixed", "%s")
			    META("own", "Value %zu")),
		    i + 1, i, sizes[i % 3], i, i == 11 ? "no link" : "https://a.example", i);
	o = run(h, "{\"importMedia\":false,\"importFields\":true}", channel);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	for (size_t i = 0; i < 12; i += 11) {
		(void)snprintf(path, sizeof(path), "posts/p%zu", i);
		o = get(h, path);
		assert_string_equal(
		    harness_text(o->data, "item.data.size"), i == 0 ? "Small" : sizes[2]);
	}
	assert_field(h, "size", "select");
	assert_field(h, "site", "url");
	assert_field(h, "mixed", "string");
	assert_field(h, "own", "string");
}

static void
custom_fields_are_told_or_made(void **state)
{
	static const char item[] = POST("1", "a",
	    META("price", "5") META("colour", "red") META("_hidden", "x") META("rows_0_name", "n")
		META("opened_date", "2024-01-02")) POST("2", "b", META("price", "many"));
	struct harness *h = *state;
	struct outcome *o;

	o = run(h, "{\"importMedia\":false,\"dryRun\":true}", item);
	assert_string_equal(harness_text(o->data, "result.notes[0].about"), "post");
	assert_string_equal(harness_text(o->data, "result.notes[0].note"),
	    "Custom fields that have no field here are left out: price, colour, opened_date");
	o = run(h, "{\"importMedia\":false,\"importFields\":true}", item);
	assert_string_equal(harness_text(o->data, "result.notes[0].note"),
	    "Hidden custom fields are left out: _hidden. A field whose name is one of these without "
	    "\"_\" gets its values");
	assert_null(harness_at(o->data, "result.notes[1]"));
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.price"), "5");
	assert_string_equal(harness_text(o->data, "item.data.colour"), "red");
	assert_string_equal(
	    harness_text(o->data, "item.data.opened_date"), "2024-01-02T00:00:00.000Z");
	o = get(h, "posts/b");
	assert_string_equal(harness_text(o->data, "item.data.price"), "many");
}

static void
templates_of_seo_plugins_are_filled_in(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(harness_op(h, admin, "schema_create_field", FIELD("seo_title", "string", "")));
	assert_ok(
	    harness_op(h, admin, "schema_create_field", FIELD("seo_description", "text", "")));
	(void)run(h, QUIET,
	    ITEM("1", "post", "a",
		"<title>R &amp;amp; D</title>" META(
		    "_yoast_wpseo_title", "%%title%% %%page%%%%sep%% %%sitename%%")
		    META("rank_math_description", "100% %title% 5%% %unknown% %%title%"))
		ITEM("2", "post", "b", "<title>B</title>" META("_yoast_wpseo_title", "Plain")));
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.seo_title"), "R & D - Site");
	assert_string_equal(
	    harness_text(o->data, "item.data.seo_description"), "100% R & D 5%% %unknown% %R & D");
	o = get(h, "posts/b");
	assert_string_equal(harness_text(o->data, "item.data.seo_title"), "Plain");
}

static void
seo_plugins_fill_the_seo_of_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(harness_op(h, admin, "schema_update_collection",
	    "{\"slug\":\"posts\",\"supports\":[\"drafts\",\"revisions\",\"seo\"]}"));
	(void)run(h, QUIET,
	    ITEM("1", "post", "a",
		"<title>A</title>" META("_yoast_wpseo_title", "%%title%% %%sep%% %%sitename%%")
		    META("_yoast_wpseo_metadesc", "D") META("_yoast_wpseo_canonical",
			"https://example.org/x") META("_yoast_wpseo_meta-robots-noindex", "1")
			META("_yoast_wpseo_opengraph-image", "https://example.org/p.png"))
		ITEM("2", "post", "b",
		    "<title>B</title>" META("rank_math_title", "R") META("rank_math_robots",
			"a:1:{i:0;s:7:\"noindex\";}") META("rank_math_canonical_url", "/x")));
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.seo.title"), "A - Site");
	assert_string_equal(harness_text(o->data, "item.seo.description"), "D");
	assert_string_equal(harness_text(o->data, "item.seo.canonical"), "https://example.org/x");
	assert_string_equal(harness_text(o->data, "item.seo.image"), "https://example.org/p.png");
	assert_true(json_is_true(harness_at(o->data, "item.seo.noIndex")));
	o = get(h, "posts/b");
	assert_string_equal(harness_text(o->data, "item.seo.title"), "R");
	assert_true(json_is_true(harness_at(o->data, "item.seo.noIndex")));
	assert_true(json_is_null(harness_at(o->data, "item.seo.canonical")));
}

static void
footnotes_are_text(void **state)
{
	static const char notes[] = "[{\"content\":\"See <em>there</em>\",\"id\":\"f1\"},"
				    "{\"content\":\"And here\",\"id\":\"f2\"}]";
	struct harness *h = *state;
	struct outcome *o;
	char channel[2000];

	(void)snprintf(channel, sizeof(channel),
	    ITEM("1", "post", "a",
		"<title>A</title><content:encoded><![CDATA[<!-- wp:paragraph --><p>One<sup "
		"data-fn=\"f1\" class=\"fn\"><a href=\"#f1\">1</a></sup></p><!-- /wp:paragraph -->"
		"<!-- wp:footnotes /--><!-- wp:paragraph --><p>End</p><!-- /wp:paragraph -->]]>"
		"</content:encoded>" META("footnotes", "%s")),
	    notes);
	(void)run(h, QUIET, channel);
	o = get(h, "posts/a");
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.content")), 4);
	assert_string_equal(harness_text(o->data, "item.data.content[1].listItem"), "number");
	assert_string_equal(harness_text(o->data, "item.data.content[1].children[0].text"), "See ");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[2].children[0].text"), "And here");
	assert_string_equal(harness_text(o->data, "item.data.content[3].children[0].text"), "End");
}

static void
a_site_without_a_name_takes_that_of_the_source(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	/* The channels of imported.c have the title "Site". */
	harness_ok(o, harness_request(h, admin, "GET /settings", NULL, NULL));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Site");
	assert_ok(harness_request(h, admin, "POST /settings", NULL, "{\"siteTitle\":\"Mine\"}"));
	(void)run(h, QUIET, POST("1", "a", ""));
	harness_ok(o, harness_request(h, admin, "GET /settings", NULL, NULL));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Mine");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(references_hold_whatever_comes_first),
		TEST(a_draft_comes_after_the_references),
		TEST(what_a_field_does_not_take_is_told),
		TEST(custom_fields_are_told_or_made),
		TEST(custom_fields_are_choices_or_links),
		TEST(templates_of_seo_plugins_are_filled_in),
		TEST(seo_plugins_fill_the_seo_of_items),
		TEST(footnotes_are_text),
		TEST(a_site_without_a_name_takes_that_of_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
