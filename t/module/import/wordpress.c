/* wordpress.c - what exports of WordPress hold beside posts with categories. */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <stdio.h>
#include <string.h>

#define QUIET "{\"importMedia\":false}"
#define UPDATE "{\"importMedia\":false,\"update\":true}"
#define HERE "<wp:base_blog_url>https://old.example</wp:base_blog_url>"
#define TEXT(text) "<content:encoded><![CDATA[" text "]]></content:encoded>"
#define POST(id, slug, more) \
	ITEM(id, "post", slug, "<title>" slug "</title><wp:status>publish</wp:status>" more)

/* ---- taxonomies ---- */

#define TERM(taxonomy, slug, parent, name)                                              \
	"<wp:term><wp:term_taxonomy>" taxonomy "</wp:term_taxonomy><wp:term_slug>" slug \
	"</wp:term_slug><wp:term_parent>" parent "</wp:term_parent><wp:term_name>" name \
	"</wp:term_name></wp:term>"
#define GENRES                                                                                     \
	HERE TERM("book_genre", "noir", "", "Noir") TERM("book_genre", "sub", "noir", "Sub") ITEM( \
	    "1", "page", "a", LABELLED("category", "red", "Red") LABELLED("mood", "sad", "Sad"))   \
	    ITEM("2", "book", "b",                                                                 \
		LABELLED("category", "red", "Red") LABELLED("book_genre", "sub", "Sub")            \
		    LABELLED("post_format", "post-format-aside", "Aside"))

static void
missing_taxonomies_are_made(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, "{\"importMedia\":false,\"dryRun\":true}", GENRES);
	assert_null(harness_at(o->data, "result.terms.missing.book_genre"));
	assert_false(
	    harness_request(h, admin, "GET /taxonomies/book_genre", NULL, NULL)->http == 200);
	o = importing_run(h, QUIET, GENRES);
	assert_int_equal(harness_int(o->data, "result.terms.made.book_genre"), 2);
	harness_ok(o, harness_request(h, admin, "GET /taxonomies/book_genre", NULL, NULL));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Book genre");
	assert_true(json_is_true(harness_at(o->data, "taxonomy.hierarchical")));
	assert_int_equal(json_array_size(harness_at(o->data, "taxonomy.collections")), 1);
	assert_string_equal(harness_text(o->data, "taxonomy.collections[0]"), "book");
	harness_ok(o, harness_request(h, admin, "GET /taxonomies/mood", NULL, NULL));
	assert_false(json_is_true(harness_at(o->data, "taxonomy.hierarchical")));
	assert_string_equal(harness_text(o->data, "taxonomy.collections[0]"), "pages");
	assert_int_equal(
	    harness_request(h, admin, "GET /taxonomies/post_format", NULL, NULL)->http, 404);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM term_item"), "4");
}

/* An import of only the requests leaves a taxonomy out; an update by a job gives the terms. */
static void
an_update_sees_new_terms(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

#define ONE HERE POST("1", "a", LABELLED("mood", "sad", "Sad"))
	o = importing_run(h, "{\"importMedia\":false,\"importTaxonomies\":false}", ONE);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM term_item"), "0");
	o = importing_run(h, UPDATE, ONE);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM term_item"), "1");
	o = importing_run(h, UPDATE, ONE);
	assert_int_equal(harness_int(o->data, "result.items.unchanged"), 1);
#undef ONE
}

/* ---- items ---- */

static void
two_items_with_one_id_are_two(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

#define TWICE HERE POST("1", "a", "") POST("1", "b", TEXT("<p>B</p>")) POST("1", "a", "")
	o = importing_run(h, QUIET, TWICE);
	if (harness_int(o->data, "result.items.created") != 2)
		fail_msg("%s", o->text);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/b", NULL, NULL));
	o = importing_run(h, UPDATE, TWICE);
	assert_int_equal(harness_int(o->data, "result.items.created"), -1);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "2");
#undef TWICE
}

static void
layouts_of_page_builders_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	harness_ok(o, imported_run(h, "",
			  POST("1", "a", TEXT("[et_pb_section]Words[/et_pb_section]"))
			      POST("2", "b", META("_elementor_data", "[]"))));
	assert_non_null(strstr(o->text, "It has a layout of Divi"));
	assert_non_null(strstr(o->text, "It has a layout of Elementor"));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_non_null(strstr(o->text, "Words"));
}

static void
pictures_of_a_gallery_have_their_address(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET,
	    HERE POST("1", "a", TEXT("[gallery ids=\"9\"]")) ITEM("9", "attachment", "f",
		"<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>"));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.content[0].images[0].asset.url"),
	    "https://192.0.2.1/f.png");
}

static void
faults_of_form_are_repaired_and_reported(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	harness_ok(o, imported_run(h, "",
			  ITEM("1", "post", "a",
			      "<title>R & D <b>now</b></title><wp:status>publish</wp:status>"
			      "<content:encoded><![CDATA[<p>x]]>y</p>]]></content:encoded>")));
	assert_non_null(strstr(o->text, "A bare & is kept as text"));
	assert_non_null(strstr(o->text, "A < that begins no element is kept as text"));
	assert_non_null(strstr(o->text, "A ]]> that ends nothing is kept as text"));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "R & D <b>now</b>");
	assert_non_null(strstr(o->text, "x]]>y"));
}

/* ---- custom fields ---- */

static void
repeated_fields_keep_all_values_and_hidden_ones_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, "{\"importMedia\":false,\"importFields\":true}",
	    HERE POST("1", "a", META("size", "M") META("size", "L") META("_price", "9.90")));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.size[0]"), "M");
	assert_string_equal(harness_text(o->data, "item.data.size[1]"), "L");
	assert_null(harness_at(o->data, "item.data.price"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"price\",\"label\":\"P\",\"type\":\"string\"}"));
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", META("size", "M") META("size", "L") META("_price", "9.90")));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.price"), "9.90");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, importing_begin, importing_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(missing_taxonomies_are_made),
		TEST(an_update_sees_new_terms),
		TEST(two_items_with_one_id_are_two),
		TEST(layouts_of_page_builders_are_told),
		TEST(pictures_of_a_gallery_have_their_address),
		TEST(faults_of_form_are_repaired_and_reported),
		TEST(repeated_fields_keep_all_values_and_hidden_ones_are_told),
	};

	return cmocka_run_group_tests_name("import/wordpress", tests, NULL, NULL);
}
