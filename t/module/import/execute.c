/* execute.c - importing an export: items, authors, terms, comments, sections, menus, locales. */
#include "harness.h"
#include "imported.h"
#include <stdio.h>
#include <string.h>

static int
begin(void **state)
{
	*state = imported_open(NULL);
	return 0;
}

static int
begin_locales(void **state)
{
	static const char *const locales[] = { "en", "de", "fr", NULL };

	*state = imported_open(locales);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

#define GET(h, path) harness_request(h, admin, "GET " path, NULL, NULL)

/* ---- items ---- */

static void
an_item_comes_with_all_that_it_has(void **state)
{
	struct outcome *o;

	harness_ok(
	    o, imported_run(*state, SKIP,
		   ITEM("7", "post", "hello-world",
		       "<title>Hello &amp;amp; you</title><excerpt:encoded><![CDATA[Fish &amp; "
		       "chips]]></excerpt:encoded><content:encoded><![CDATA[<p>One</p>\n\n"
		       "<p>Two</p>]]></content:encoded>"
		       "<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt>"
		       "<wp:post_modified_gmt>2021-02-03 04:05:06</wp:post_modified_gmt>"
		       "<wp:status>publish</wp:status>")));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_int_equal(harness_int(o->data, "byCollection.posts"), 1);
	harness_ok(o, GET(*state, "/content/posts/hello-world"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Hello & you");
	assert_string_equal(harness_text(o->data, "item.data.excerpt"), "Fish & chips");
	assert_string_equal(harness_text(o->data, "item.data.content[0].children[0].text"), "One");
	assert_string_equal(harness_text(o->data, "item.data.content[1].children[0].text"), "Two");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2020-01-02T03:04:05.000Z");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2020-01-02T03:04:05.000Z");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2021-02-03T04:05:06.000Z");
}

static void
statuses_other_than_publish_are_drafts(void **state)
{
	struct outcome *o;

	harness_ok(o,
	    imported_run(*state, SKIP,
		ITEM("1", "post", "a", "<wp:status>pending</wp:status>") ITEM(
		    "2", "post", "b", "<wp:status>private</wp:status>")
		    ITEM("3", "post", "c", "<wp:status>future</wp:status>") ITEM(
			"4", "post", "d", "<wp:status>trash</wp:status>") ITEM("5", "post", "e",
			"<wp:status>publish</wp:status><wp:post_password>x</wp:post_password>")));
	assert_int_equal(harness_int(o->data, "imported"), 5);
	assert_non_null(strstr(harness_text(o->data, "notices[0].notice"), "password"));
	harness_ok(o, GET(*state, "/content/posts?status=draft"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	assert_true(json_is_null(harness_at(o->data, "items[0].publishedAt")));
}

/* A date of zeros is skipped, and the next source is used: GMT, the feed's, the local date, now. */
static void
dates_of_zeros_are_none(void **state)
{
#define ZEROS "<wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt>"
	struct outcome *o;

	harness_clock(*state, "2026-06-07T08:09:10Z");
	harness_ok(
	    o, imported_run(*state, SKIP,
		   ITEM("1", "post", "feed",
		       ZEROS "<pubDate>Sat, 02 Feb 2019 10:00:00 +0200</pubDate>"
			     "<wp:post_date>2018-01-01 00:00:00</wp:post_date>") ITEM("2", "post",
		       "local", ZEROS "<wp:post_date>2018-01-01 00:00:00</wp:post_date>")
		       ITEM("3", "post", "now", ZEROS)));
	assert_int_equal(harness_int(o->data, "imported"), 3);
	harness_ok(o, GET(*state, "/content/posts/feed"));
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2019-02-02T08:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-07T08:09:10.000Z");
	harness_ok(o, GET(*state, "/content/posts/local"));
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2018-01-01T00:00:00.000Z");
	harness_ok(o, GET(*state, "/content/posts/now"));
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-07T08:09:10.000Z");
}

static void
slugs_are_decoded_or_made(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "caf%c3%a9-au-lait", "") ITEM("2", "post", "",
			      "<title>My Title</title>") ITEM("9", "post", "", "")));
	assert_int_equal(harness_int(o->data, "imported"), 3);
	assert_ok(GET(*state, "/content/posts/caf%C3%A9-au-lait"));
	assert_ok(GET(*state, "/content/posts/my-title"));
	harness_ok(o, GET(*state, "/content/posts/post-9"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Untitled");
}

static void
a_second_run_makes_nothing(void **state)
{
	static const char items[] = ITEM("1", "post", "a", "<dc:creator>ann</dc:creator>")
	    ITEM("2", "post", "a", "<title>Another</title>") ITEM("3", "post", "a-2", "");
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP, items));
	assert_int_equal(harness_int(o->data, "imported"), 3);
	assert_ok(
	    harness_op(*state, admin, "content_delete", "{\"collection\":\"posts\",\"id\":\"a\"}"));
	harness_ok(o, imported_run(*state, SKIP, items));
	assert_int_equal(harness_int(o->data, "imported"), 0);
	assert_int_equal(harness_int(o->data, "skipped"), 3);
	harness_ok(o, GET(*state, "/admin/bylines"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

static void
without_skip_existing_a_taken_slug_gets_a_free_one(void **state)
{
	struct outcome *o;

	assert_ok(imported_run(*state, "", ITEM("1", "post", "a", "<title>First</title>")));
	harness_ok(o, imported_run(*state, "", ITEM("1", "post", "a", "<title>Second</title>")));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "First");
	harness_ok(o, GET(*state, "/content/posts/a-2"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Second");
}

static void
what_is_not_mapped_is_skipped_and_a_missing_collection_told(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "a", "") ITEM("2", "recipe", "b", "") ITEM(
			      "3", "off", "c", "") ITEM("4", "lost", "d", "<title>Lost</title>")));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_int_equal(harness_int(o->data, "skipped"), 2);
	assert_true(json_is_false(harness_at(o->data, "success")));
	assert_string_equal(harness_text(o->data, "errors[0].title"), "Lost");
	assert_string_equal(
	    harness_text(o->data, "errors[0].error"), "Collection \"gone\" does not exist");
}

static void
a_featured_image_is_the_attachment_wherever_it_stands(void **state)
{
	struct outcome *o;

	harness_ok(
	    o, imported_run(*state, SKIP,
		   ITEM("1", "post", "a", META("_thumbnail_id", "50")) ITEM("2", "post", "b",
		       META("_thumbnail_id", "51")) ITEM("50", "attachment", "pic",
		       "<wp:attachment_url>https://old.example/p.jpg</wp:attachment_url>" META(
			   "_wp_attachment_image_alt", "A pier &amp; a boat"))));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_string_equal(
	    harness_text(o->data, "item.data.featured_image.src"), "https://old.example/p.jpg");
	assert_string_equal(harness_text(o->data, "item.data.featured_image.provider"), "external");
	assert_string_equal(
	    harness_text(o->data, "item.data.featured_image.alt"), "A pier & a boat");
	harness_ok(o, GET(*state, "/content/posts/b"));
	assert_null(harness_at(o->data, "item.data.featured_image"));
}

static void
custom_fields_fill_prepared_ones(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "a",
			      META("price", "12.5") META("in_stock", "yes") META(
				  "_price", "field_5f3") META("_yoast_wpseo_title", "For engines")
				  META("opening", "20240131") META("rating", "lots"))));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_non_null(strstr(harness_text(o->data, "notices[0].notice"), "rating"));
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_true(json_number_value(harness_at(o->data, "item.data.price")) == 12.5);
	assert_true(json_is_true(harness_at(o->data, "item.data.in_stock")));
	assert_string_equal(harness_text(o->data, "item.data.seo_title"), "For engines");
	assert_string_equal(harness_text(o->data, "item.data.opening"), "2024-01-31T00:00:00.000Z");
	assert_null(harness_at(o->data, "item.data.rating"));
}

/* The child comes before its parent. */
static void
parents_are_found_in_any_order(void **state)
{
	struct outcome *o;
	char parent[40];

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("3", "page", "grandchild", "<wp:post_parent>2</wp:post_parent>")
			      ITEM("2", "page", "child", "<wp:post_parent>1</wp:post_parent>")
				  ITEM("1", "page", "top", "") ITEM("4", "page", "orphan",
				      "<wp:post_parent>99</wp:post_parent>")));
	assert_int_equal(harness_int(o->data, "imported"), 4);
	assert_non_null(strstr(harness_text(o->data, "notices[0].notice"), "parent"));
	harness_ok(o, GET(*state, "/content/pages/child"));
	(void)snprintf(parent, sizeof(parent), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, GET(*state, "/content/pages/grandchild"));
	assert_string_equal(harness_text(o->data, "item.data.parent"), parent);
}

/* ---- authors ---- */

static void
authors_are_guests_or_users(void **state)
{
	char config[200];
	struct outcome *o;
	char user[40];

	harness_ok(o, harness_op(*state, admin, "user_add",
			  "{\"email\":\"bob@example.org\",\"role\":\"author\",\"name\":\"Bob\"}"));
	(void)snprintf(user, sizeof(user), "%s", harness_text(o->data, "id"));
	(void)snprintf(
	    config, sizeof(config), SKIP ",\"authorMappings\":{\"bob\":\"%s\",\"ann\":null}", user);
	harness_ok(
	    o, imported_run(*state, config,
		   "<wp:author><wp:author_login>ann</wp:author_login><wp:author_display_name>Ann B"
		   "</wp:author_display_name></wp:author>" ITEM(
		       "1", "post", "a", "<dc:creator>ann</dc:creator>")
		       ITEM("2", "post", "b", "<dc:creator>bob</dc:creator>")
			   ITEM("3", "post", "c", "<dc:creator>ann</dc:creator>")));
	assert_int_equal(harness_int(o->data, "imported"), 3);
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann B");
	assert_string_equal(harness_text(o->data, "item.byline.slug"), "ann");
	assert_true(json_is_true(harness_at(o->data, "item.byline.isGuest")));
	harness_ok(o, GET(*state, "/content/posts/b"));
	assert_string_equal(harness_text(o->data, "item.byline.userId"), user);
	harness_ok(o, GET(*state, "/admin/bylines"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_code(imported_run(*state,
			SKIP ",\"authorMappings\":{\"bob\":\"01USERNOBODY00000000000000\"}",
			ITEM("1", "post", "a", "")),
	    "VALIDATION_ERROR");
}

/* ---- terms ---- */

#define CATEGORY(slug, parent, name)                                                 \
	"<wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>" slug         \
	"</wp:category_nicename><wp:category_parent>" parent "</wp:category_parent>" \
	"<wp:cat_name><![CDATA[" name "]]></wp:cat_name>"                            \
	"<wp:category_description>About it</wp:category_description></wp:category>"
static void
terms_come_with_parents_and_descriptions(void **state)
{
	static const char file[] = CATEGORY("small", "large", "Small &amp; fine")
	    CATEGORY("large", "", "Large") ITEM("1", "post", "a",
		LABELLED("category", "small", "Small") LABELLED("post_tag", "red", "Red one")
		    LABELLED("genre", "x", "X") LABELLED("nav_menu", "m", "M"));
	struct outcome *o;
	char large[40];

	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "taxonomies.termsCreated.category"), 2);
	assert_int_equal(harness_int(o->data, "taxonomies.termsCreated.tag"), 1);
	assert_int_equal(harness_int(o->data, "taxonomies.assignments"), 2);
	assert_int_equal(json_array_size(harness_at(o->data, "taxonomies.missingTaxonomies")), 1);
	assert_string_equal(harness_text(o->data, "taxonomies.missingTaxonomies[0]"), "genre");
	harness_ok(o, GET(*state, "/taxonomies/category/terms/large"));
	(void)snprintf(large, sizeof(large), "%s", harness_text(o->data, "term.translationGroup"));
	harness_ok(o, GET(*state, "/taxonomies/category/terms/small"));
	assert_string_equal(harness_text(o->data, "term.label"), "Small & fine");
	assert_string_equal(harness_text(o->data, "term.description"), "About it");
	assert_string_equal(harness_text(o->data, "term.parentId"), large);
	harness_ok(o, GET(*state, "/taxonomies/tag/terms/red"));
	assert_string_equal(harness_text(o->data, "term.label"), "Red one");
	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "taxonomies.termsReused.category"), 2);
	assert_int_equal(harness_int(o->data, "taxonomies.termsReused.tag"), 1);
	assert_null(harness_at(o->data, "taxonomies.termsCreated.category"));
	assert_int_equal(harness_int(o->data, "taxonomies.assignments"), 0);
}

/* The taxonomy category is only for posts. */
static void
a_taxonomy_of_other_collections_is_not_assigned(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "page", "a", LABELLED("category", "small", "Small"))));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_int_equal(harness_int(o->data, "taxonomies.assignments"), 0);
}

/* ---- locales ---- */

static void
translations_are_joined_in_any_order(void **state)
{
	struct outcome *o;
	char group[40];

	harness_ok(
	    o, imported_run(*state, SKIP,
		   ITEM("12", "post", "hallo",
		       META("_icl_lang_code", "de") META("_icl_trid", "5")
			   LABELLED("category", "news", "Neues")) ITEM("11", "post", "hello",
		       META("_icl_lang_code", "en") META("_icl_trid", "5")
			   LABELLED("category", "news", "News")) ITEM("21", "post", "salut",
		       LABELLED("language", "fr_FR", "F") META("_translations",
			   "a:2:{s:2:\"en\";i:22;s:5:\"fr_FR\";i:21;}")) ITEM("22", "post", "hi",
		       META("_locale", "en_US") META("_translations",
			   "a:2:{s:2:\"en\";i:22;s:7:\"fr_\xc3\xa9\xc3\xa9\";i:21;}"))
		       ITEM("30", "post", "plain", "")));
	assert_int_equal(harness_int(o->data, "imported"), 5);
	harness_ok(o, GET(*state, "/content/posts/hallo"));
	assert_string_equal(harness_text(o->data, "item.locale"), "de");
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "item.translationGroup"));
	harness_ok(o, GET(*state, "/content/posts/hello"));
	assert_string_equal(harness_text(o->data, "item.locale"), "en");
	assert_string_equal(harness_text(o->data, "item.translationGroup"), group);
	harness_ok(o, GET(*state, "/content/posts/salut"));
	assert_string_equal(harness_text(o->data, "item.locale"), "fr");
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "item.translationGroup"));
	harness_ok(o, GET(*state, "/content/posts/hi"));
	assert_string_equal(harness_text(o->data, "item.translationGroup"), group);
	harness_ok(o, GET(*state, "/content/posts/plain"));
	assert_string_equal(harness_text(o->data, "item.locale"), "en");
	/* The term exists in both locales, in one translation group. */
	harness_ok(o, GET(*state, "/taxonomies/category/terms/news?locale=de"));
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "term.translationGroup"));
	harness_ok(o, GET(*state, "/taxonomies/category/terms/news?locale=en"));
	assert_string_equal(harness_text(o->data, "term.translationGroup"), group);
}

static void
a_locale_that_the_site_lacks_is_told(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "a", META("_icl_lang_code", "ja"))
			      ITEM("2", "post", "b", META("_icl_lang_code", "de"))));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_non_null(strstr(harness_text(o->data, "errors[0].error"), "\"ja\""));
	assert_code(imported_run(*state, SKIP ",\"locale\":\"ja\"", ITEM("3", "post", "c", "")),
	    "VALIDATION_ERROR");
	harness_ok(o, imported_run(*state, SKIP ",\"locale\":\"fr\"", ITEM("3", "post", "c", "")));
	harness_ok(o, GET(*state, "/content/posts/c"));
	assert_string_equal(harness_text(o->data, "item.locale"), "fr");
}

static void
terms_of_other_groups_are_a_conflict_and_nothing_is_made(void **state)
{
	struct outcome *o;

	assert_ok(harness_op(*state, admin, "taxonomy_create_term",
	    "{\"taxonomy\":\"category\",\"slug\":\"news\",\"label\":\"N\",\"locale\":\"en\"}"));
	assert_ok(harness_op(*state, admin, "taxonomy_create_term",
	    "{\"taxonomy\":\"category\",\"slug\":\"news\",\"label\":\"N\",\"locale\":\"de\"}"));
	o = imported_run(*state, SKIP,
	    ITEM("1", "post", "a", "") ITEM(
		"2", "post", "b", META("_icl_lang_code", "de") LABELLED("category", "news", "N")));
	assert_code(o, "WXR_IMPORT_TAXONOMY_CONFLICT");
	assert_int_equal(o->http, 409);
	assert_non_null(strstr(o->message, "category"));
	assert_non_null(strstr(o->message, "news"));
	harness_ok(o, GET(*state, "/content/posts"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

/* ---- comments, sections, menus ---- */

#define COMMENT(id, parent, approved, text)                                       \
	"<wp:comment><wp:comment_id>" id "</wp:comment_id><wp:comment_author>Ann" \
	"</wp:comment_author><wp:comment_author_email>a@example.org"              \
	"</wp:comment_author_email><wp:comment_date_gmt>2020-01-0" id " 00:00:00" \
	"</wp:comment_date_gmt><wp:comment_parent>" parent "</wp:comment_parent>" \
	"<wp:comment_approved>" approved "</wp:comment_approved>"                 \
	"<wp:comment_content><![CDATA[" text "]]></wp:comment_content></wp:comment>"

static void
comments_keep_threads_dates_and_states(void **state)
{
	static const char file[] = ITEM("1", "post", "a",
	    COMMENT("3", "2", "1", "Deep") COMMENT("2", "1", "1", "Reply")
		COMMENT("1", "0", "1", "<b>Root</b> &amp; all") COMMENT("4", "0", "0", "Waits"))
	    ITEM("2", "recipe", "b", COMMENT("5", "0", "1", "Of nothing"));
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "comments.imported"), 4);
	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "comments.imported"), 0);
	harness_ok(o, GET(*state, "/admin/comments?status=approved"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	harness_ok(o, GET(*state, "/admin/comments?status=pending"));
	assert_string_equal(harness_text(o->data, "items[0].body"), "Waits");
	assert_string_equal(
	    harness_text(o->data, "items[0].createdAt"), "2020-01-04T00:00:00.000Z");
}

static void
reusable_blocks_become_sections(void **state)
{
	static const char file[] = ITEM("1", "wp_block", "call-to-action",
	    "<title>Call</title><content:encoded>Do it</content:encoded>")
	    ITEM("2", "wp_block", "", "<title>Only Title</title>") ITEM("3", "wp_block", "", "");
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "sections.created"), 3);
	assert_int_equal(harness_int(o->data, "imported"), 0);
	harness_ok(o, GET(*state, "/sections/call-to-action"));
	assert_string_equal(harness_text(o->data, "source"), "import");
	assert_string_equal(harness_text(o->data, "content[0].children[0].text"), "Do it");
	assert_ok(GET(*state, "/sections/only-title"));
	harness_ok(o, GET(*state, "/sections/block-3"));
	assert_string_equal(harness_text(o->data, "title"), "Untitled Block");
	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "sections.created"), 0);
	assert_int_equal(harness_int(o->data, "sections.skipped"), 3);
	harness_ok(o, imported_run(*state, SKIP ",\"importSections\":false", file));
	assert_null(harness_at(o->data, "sections"));
}

static void
menus_are_nested_and_lead_to_items(void **state)
{
	static const char file[] =
	    "<wp:category><wp:term_id>7</wp:term_id><wp:category_nicename>news"
	    "</wp:category_nicename><wp:cat_name>The news</wp:cat_name>"
	    "</wp:category>" LINK("102", "2", "101", "post_type", "1", "", "")
		LINK("101", "1", "0", "custom", "101", "https://a.example/", "Home")
		    LINK("103", "3", "0", "post_type", "77", "", "Gone")
			LINK("104", "4", "0", "taxonomy", "7", "", "")
			    LINK("105", "5", "0", "taxonomy", "8", "", "No such") ITEM("1", "page",
				"about", "<title>About us</title><wp:status>publish</wp:status>");
	struct outcome *o;
	char top[40];

	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "menus.created"), 1);
	assert_int_equal(harness_int(o->data, "menus.items"), 5);
	harness_ok(o, GET(*state, "/menus/main"));
	assert_string_equal(harness_text(o->data, "label"), "Main menu");
	assert_string_equal(harness_text(o->data, "items[0].label"), "Home");
	assert_string_equal(harness_text(o->data, "items[0].customUrl"), "https://a.example/");
	assert_string_equal(harness_text(o->data, "items[0].cssClasses"), "big");
	(void)snprintf(top, sizeof(top), "%s", harness_text(o->data, "items[0].id"));
	assert_string_equal(harness_text(o->data, "items[1].parentId"), top);
	assert_string_equal(harness_text(o->data, "items[1].label"), "About us");
	assert_string_equal(harness_text(o->data, "items[1].type"), "page");
	assert_string_equal(harness_text(o->data, "items[1].referenceCollection"), "pages");
	assert_string_equal(harness_text(o->data, "items[2].type"), "custom");
	assert_string_equal(harness_text(o->data, "items[3].type"), "taxonomy");
	assert_string_equal(harness_text(o->data, "items[3].label"), "The news");
	assert_string_equal(harness_text(o->data, "items[3].url"), "/category/news");
	assert_string_equal(harness_text(o->data, "items[4].type"), "custom");
	harness_ok(o, imported_run(*state, SKIP, file));
	assert_int_equal(harness_int(o->data, "menus.created"), 0);
}

/* ---- what fails ---- */

static void
an_item_that_is_refused_is_a_draft_with_its_markup(void **state)
{
	struct outcome *o;
	char rev[80];

	assert_ok(harness_op(*state, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"isbn\",\"label\":\"I\",\"type\":\"string\","
	    "\"required\":true}"));
	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "good", META("isbn", "1")) ITEM("2", "post", "bad",
			      "<title>Bad</title><content:encoded>Text</content:encoded>"
			      "<wp:status>publish</wp:status>")
			      ITEM("3", "post", "last", META("isbn", "3"))));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	assert_int_equal(harness_int(o->data, "failed"), 1);
	assert_string_equal(harness_text(o->data, "errors[0].title"), "Bad");
	assert_ok(GET(*state, "/content/posts/last"));
	harness_ok(o, GET(*state, "/content/posts/bad"));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.data.title"), "Bad");
	assert_string_equal(harness_text(o->data, "item.data._importError.markup"), "Text");
	assert_non_null(strstr(harness_text(o->data, "item.data._importError.message"), "isbn"));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_code(harness_send(*state, admin, "PUT /content/posts/bad",
			"{\"data\":{\"isbn\":7},\"_rev\":\"%s\"}", rev),
	    "VALIDATION_ERROR");
	harness_ok(o, GET(*state, "/content/posts/bad"));
	assert_non_null(harness_at(o->data, "item.data._importError"));
	assert_ok(harness_send(*state, admin, "PUT /content/posts/bad",
	    "{\"data\":{\"isbn\":\"7\"},\"_rev\":\"%s\"}", rev));
	harness_ok(o, GET(*state, "/content/posts/bad"));
	assert_null(harness_at(o->data, "item.data._importError"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Bad");
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "7");
}

static void
a_file_that_is_not_whole_leaves_nothing(void **state)
{
	struct outcome *o;

	o = imported_run(*state, SKIP, ITEM("1", "post", "a", "") "<item><title>cut");
	assert_code(o, "VALIDATION_ERROR");
	harness_ok(o, GET(*state, "/content/posts"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

static void
an_empty_export_imports_nothing(void **state)
{
	struct outcome *o;

	harness_ok(o, imported_run(*state, SKIP, ""));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_int_equal(harness_int(o->data, "imported"), 0);
}

static void
a_form_needs_a_file_and_a_configuration(void **state)
{
	struct outcome *o = imported_send(*state, NULL, "<rss/>");

	assert_code(o, "VALIDATION_ERROR");
	assert_string_equal(o->message, "No config provided");
	o = imported_send(*state, "{}", NULL);
	assert_code(o, "VALIDATION_ERROR");
	assert_string_equal(o->message, "No file provided");
	assert_code(imported_send(*state, "not JSON", "<rss/>"), "VALIDATION_ERROR");
	o = imported_send(*state, "{}", "<rss/>");
	assert_true(harness_issue(o, "config.postTypeMappings"));
	o = imported_send(*state, "{\"postTypeMappings\":{\"post\":{\"collection\":7}}}", "<rss/>");
	assert_true(harness_issue(o, "config.postTypeMappings.post.collection"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define TEST_LOCALES(name) cmocka_unit_test_setup_teardown(name, begin_locales, end)
	const struct CMUnitTest tests[] = {
		TEST(an_item_comes_with_all_that_it_has),
		TEST(statuses_other_than_publish_are_drafts),
		TEST(dates_of_zeros_are_none),
		TEST(slugs_are_decoded_or_made),
		TEST(a_second_run_makes_nothing),
		TEST(without_skip_existing_a_taken_slug_gets_a_free_one),
		TEST(what_is_not_mapped_is_skipped_and_a_missing_collection_told),
		TEST(a_featured_image_is_the_attachment_wherever_it_stands),
		TEST(custom_fields_fill_prepared_ones),
		TEST(parents_are_found_in_any_order),
		TEST(authors_are_guests_or_users),
		TEST(terms_come_with_parents_and_descriptions),
		TEST(a_taxonomy_of_other_collections_is_not_assigned),
		TEST_LOCALES(translations_are_joined_in_any_order),
		TEST_LOCALES(a_locale_that_the_site_lacks_is_told),
		TEST_LOCALES(terms_of_other_groups_are_a_conflict_and_nothing_is_made),
		TEST(comments_keep_threads_dates_and_states),
		TEST(reusable_blocks_become_sections),
		TEST(menus_are_nested_and_lead_to_items),
		TEST(an_item_that_is_refused_is_a_draft_with_its_markup),
		TEST(a_file_that_is_not_whole_leaves_nothing),
		TEST(an_empty_export_imports_nothing),
		TEST(a_form_needs_a_file_and_a_configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
