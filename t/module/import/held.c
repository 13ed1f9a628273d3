/* held.c - rules of the specification for imports of an export: authors, dates, types,
 * translations, what an analysis lists. */
#include "harness.h"
#include "imported.h"
#include <stdio.h>
#include <string.h>

#define ANALYZE "POST /import/platform/analyze"
#define EXECUTE "POST /import/platform/execute"
#define GET(h, path) harness_request(h, admin, "GET " path, NULL, NULL)

static int
begin(void **state)
{
	static const char *const locales[] = { "en", "de", NULL };

	*state = imported_open(locales);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

static void
a_mapped_user_is_the_author_too(void **state)
{
	struct outcome *o;
	char config[200], user[40], importer[40];

	harness_ok(o, harness_op(*state, admin, "user_add",
			  "{\"email\":\"bob@example.org\",\"role\":\"author\",\"name\":\"Bob\"}"));
	(void)snprintf(user, sizeof(user), "%s", harness_text(o->data, "id"));
	(void)snprintf(
	    config, sizeof(config), SKIP ",\"authorMappings\":{\"bob\":\"%s\",\"ann\":null}", user);
	harness_ok(
	    o, imported_run(*state, config,
		   ITEM("1", "post", "a", "<dc:creator>ann</dc:creator>") ITEM("2", "post", "b",
		       "<dc:creator>bob</dc:creator>"
		       "<wp:status>publish</wp:status>")));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	harness_ok(o, GET(*state, "/content/posts/b"));
	assert_string_equal(harness_text(o->data, "item.authorId"), user);
	assert_string_equal(harness_text(o->data, "item.byline.userId"), user);
	/* Nobody is meant by null: who imports is the author. */
	harness_ok(o, GET(*state, "/content/posts/a"));
	(void)snprintf(importer, sizeof(importer), "%s", harness_text(o->data, "item.authorId"));
	harness_ok(o, harness_op(*state, admin, "content_create",
			  "{\"collection\":\"posts\",\"data\":{\"title\":\"T\"}}"));
	assert_string_equal(harness_text(o->data, "item.authorId"), importer);
}

static void
dates_are_read_as_rfc_2822_has_them(void **state)
{
	static const char *const date[] = { "Sat, 02 Feb 2019 10:00:00 GMT",
		"Sat, 02 Feb 2019 10:00:00 UT", "Sat, 02 Feb 2019 05:00:00 EST",
		"2 Feb 2019 10:00:00 +0000", "02 Feb 2019 10:00 +0000",
		"Sat, 2 Feb 2019 12:00:00 +0200" };
	struct outcome *o;

	for (size_t i = 0; i < sizeof(date) / sizeof(date[0]); i++) {
		char channel[500], path[60];

		(void)snprintf(channel, sizeof(channel),
		    ITEM("%zu", "post", "d%zu",
			"<wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt>"
			"<pubDate>%s</pubDate>"),
		    i + 1, i, date[i]);
		harness_ok(o, imported_run(*state, SKIP, channel));
		(void)snprintf(path, sizeof(path), "GET /content/posts/d%zu", i);
		harness_ok(o, harness_request(*state, admin, path, NULL, NULL));
		assert_string_equal(
		    harness_text(o->data, "item.createdAt"), "2019-02-02T10:00:00.000Z");
	}
}

static void
internal_types_are_never_items(void **state)
{
	static const char *const types[] = { "revision", "nav_menu_item", "custom_css",
		"customize_changeset", "oembed_cache", "wp_global_styles", "wp_navigation",
		"wp_template", "wp_template_part", "attachment", "wp_block" };
	struct outcome *o;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		char channel[300], config[200];

		(void)snprintf(channel, sizeof(channel),
		    ITEM("1", "%s", "x%zu", "<title>T</title>") ITEM("2", "post", "p%zu", ""),
		    types[i], i, i);
		(void)snprintf(config, sizeof(config),
		    "{\"skipExisting\":true,\"importSections\":false,\"postTypeMappings\":{\"post\":"
		    "{\"collection\":\"posts\",\"enabled\":true},\"%s\":{\"collection\":\"posts\","
		    "\"enabled\":true}}}",
		    types[i]);
		harness_ok(o, imported_channel(*state, EXECUTE, config, channel));
		assert_int_equal(harness_int(o->data, "imported"), 1);
	}
}

static void
translations_are_joined_by_trid(void **state)
{
	struct outcome *o;
	char group[40];

	harness_ok(
	    o, imported_run(*state, SKIP,
		   ITEM("1", "post", "a", META("_icl_lang_code", "en") META("trid", "7"))
		       ITEM("2", "post", "b", META("_icl_lang_code", "de") META("trid", "7"))));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	harness_ok(o, GET(*state, "/content/posts/a?locale=en"));
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "item.translationGroup"));
	harness_ok(o, GET(*state, "/content/posts/b?locale=de"));
	assert_string_equal(harness_text(o->data, "item.translationGroup"), group);
}

static void
an_analysis_lists_fields_by_count_and_words_of_pictures(void **state)
{
	struct outcome *o;

	harness_ok(
	    o, imported_channel(*state, ANALYZE, NULL,
		   ITEM("1", "post", "a", META("rare", "x") META("often", "y"))
		       ITEM("2", "post", "b", META("often", "z")) ITEM("3", "attachment", "c",
			   "<wp:attachment_url>https://old.example/c.png</wp:attachment_url>"
			   "<excerpt:encoded><![CDATA[A &amp; <b>B</b>]]></excerpt:encoded>" META(
			       "_wp_attachment_image_alt", "Fish &amp; chips"))));
	assert_string_equal(harness_text(o->data, "customFields[0].key"), "often");
	assert_int_equal(harness_int(o->data, "customFields[0].count"), 2);
	assert_string_equal(harness_text(o->data, "customFields[1].key"), "rare");
	assert_string_equal(harness_text(o->data, "attachments.items[0].alt"), "Fish & chips");
	assert_string_equal(harness_text(o->data, "attachments.items[0].caption"), "A & B");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_mapped_user_is_the_author_too),
		TEST(dates_are_read_as_rfc_2822_has_them),
		TEST(internal_types_are_never_items),
		TEST(translations_are_joined_by_trid),
		TEST(an_analysis_lists_fields_by_count_and_words_of_pictures),
	};

	return cmocka_run_group_tests_name("import/held", tests, NULL, NULL);
}
