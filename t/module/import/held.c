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

#define BAD "<wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt><wp:post_date>"
#define MODIFIED "<wp:post_modified_gmt>2019-03-03 10:00:00</wp:post_modified_gmt>"

/* A date that cannot be read is told with its item; "lost" counts items without any date that can,
 * and comments. */
static void
dates_that_cannot_be_read_are_told(void **state)
{
	static const struct {
		const char *item, *created, *told; /* created NULL: the time of the import */
		int64_t lost;
	} cases[] = {
		{ "<wp:post_date_gmt>2.2.2019 10:00</wp:post_date_gmt>", "2019-02-02T10:00:00.000Z",
		    NULL, 0 },
		{ "<wp:post_date_gmt>soon</wp:post_date_gmt><wp:post_date>2019-02-02 10:00:00"
		  "</wp:post_date>",
		    "2019-02-02T10:00:00.000Z",
		    "\"soon\" is no date that can be read (post_date): it has the time "
		    "2019-02-02T10:00:00.000Z of another member",
		    0 },
		{ BAD "2019-02-30 10:00:00</wp:post_date>" MODIFIED, "2019-03-03T10:00:00.000Z",
		    "\"2019-02-30 10:00:00\" is no date that can be read (post_date): it has the time "
		    "of its last change",
		    1 },
		{ BAD "2019-02-30 10:00:00</wp:post_date>", NULL,
		    "\"2019-02-30 10:00:00\" is no date that can be read (post_date): it has the time "
		    "of the import",
		    1 },
		{ BAD "0000-00-00 00:00:00</wp:post_date><pubDate>Mon, 30 Nov -0001 00:00:00 +0000"
		      "</pubDate>" MODIFIED,
		    NULL, NULL, 0 },
		{ "<wp:comment><wp:comment_id>7</wp:comment_id><wp:comment_date>long ago"
		  "</wp:comment_date><wp:comment_approved>1</wp:comment_approved>"
		  "<wp:comment_content>Hi</wp:comment_content></wp:comment>",
		    NULL,
		    "\"long ago\" is no date that can be read (comment_date): its comment 7 has the "
		    "time of the import",
		    1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char channel[1000], path[60];
		int64_t lost = 0;
		struct outcome *o;
		json_t *row;
		size_t k;

		(void)snprintf(channel, sizeof(channel), ITEM("%zu", "post", "t%zu", "%s"), i + 1,
		    i, cases[i].item);
		harness_ok(o, imported_run(*state, SKIP, channel));
		if (cases[i].told != NULL)
			assert_string_equal(
			    harness_text(o->data, "notices[0].notice"), cases[i].told);
		else
			assert_int_equal(json_array_size(harness_at(o->data, "notices")), 0);
		json_array_foreach(harness_at(o->data, "account"), k, row) lost +=
		    harness_int(row, "lost");
		assert_int_equal(lost, cases[i].lost);
		(void)snprintf(path, sizeof(path), "GET /content/posts/t%zu", i);
		harness_ok(o, harness_request(*state, admin, path, NULL, NULL));
		if (cases[i].created != NULL)
			assert_string_equal(
			    harness_text(o->data, "item.createdAt"), cases[i].created);
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
		TEST(dates_that_cannot_be_read_are_told),
		TEST(internal_types_are_never_items),
		TEST(translations_are_joined_by_trid),
		TEST(an_analysis_lists_fields_by_count_and_words_of_pictures),
	};

	return cmocka_run_group_tests_name("import/held", tests, NULL, NULL);
}
