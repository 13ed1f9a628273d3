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

/* ---- page builders ---- */

#define DIVI                                                                                        \
	"[et_pb_section fb_built=\"1\" background_image=\"https://192.0.2.1/b.jpg\"]"               \
	"[et_pb_row column_structure=\"1_2,1_2\"]"                                                  \
	"[et_pb_column type=\"1_2\"][et_pb_text _builder_version=\"4\"]<p>Left <b>side</b></p>"     \
	"[gallery ids=\"9\"][/et_pb_text][et_pb_divider /][et_pb_map zoom=\"3\"][/et_pb_map]"       \
	"[/et_pb_column][et_pb_column type=\"1_2\"]"                                                \
	"[et_pb_image src=\"https://192.0.2.1/p.png\" alt=\"Alt\" title_text=\"no\"][/et_pb_image]" \
	"[et_pb_button button_text=\"Say %22go%22\" button_url=\"/go\"][/et_pb_button]"             \
	"[/et_pb_column][/et_pb_row][et_pb_row][et_pb_column type=\"4_4\"]"                         \
	"[et_pb_toggle title=\"Question\"]Answer[/et_pb_toggle][et_pb_strange a=\"b\"]"             \
	"[et_pb_map][/et_pb_map][/et_pb_column][/et_pb_row][/et_pb_section]"

#define AT(path) harness_text(o->data, "item.data.content" path)

static void
layouts_of_divi_become_columns(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, QUIET,
	    HERE POST("1", "a", TEXT(DIVI)) ITEM("9", "attachment", "f",
		"<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>"));
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(AT("[0]._type"), "columns");
	assert_string_equal(AT("[0].columns[0].content[0].children[1].text"), "side");
	assert_string_equal(
	    AT("[0].columns[0].content[1].images[0].asset.url"), "https://192.0.2.1/f.png");
	assert_string_equal(AT("[0].columns[0].content[2]._type"), "break");
	assert_string_equal(AT("[0].columns[1].content[0].alt"), "Alt");
	assert_string_equal(AT("[0].columns[1].content[1].buttons[0].text"), "Say \"go\"");
	assert_string_equal(AT("[0].columns[1].content[1].buttons[0].url"), "/go");
	assert_string_equal(AT("[1].style"), "h3");
	assert_string_equal(AT("[2].children[0].text"), "Answer");
	assert_string_equal(AT("[3].children[0].text"), "[et_pb_strange a=\"b\"]");
	assert_null(harness_at(o->data, "item.data.content[4]"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
			  "'%no words: background_image (1), et_pb_map (2)\",\"Kept as "
			  "shortcodes: et_pb_strange (1)%'"),
	    "1");
}

#define BAKERY                                                                                    \
	"[vc_row][vc_column width=\"1/2\"][vc_column_text]One\n\nTwo[/vc_column_text]"            \
	"[vc_single_image image=\"9\" img_size=\"full\"][vc_custom_heading text=\"Head\" "        \
	"font_container=\"tag:h4|text_align:left\"][/vc_column][vc_column width=\"1/2\"]"         \
	"[vc_row_inner][vc_column_inner width=\"1/2\"][vc_raw_html]JTNDYiUzRVJhdyUzQyUyRmIlM0U="  \
	"[/vc_raw_html][/vc_column_inner][vc_column_inner width=\"1/2\"]"                         \
	"[vc_btn title=\"Go\" link=\"url:https%3A%2F%2Fa.example%2Fb|title:x\"]"                  \
	"[/vc_column_inner][/vc_row_inner][vc_empty_space][vc_video link=\"https://youtu.be/a\"]" \
	"[/vc_column][/vc_row][vc_row][vc_column][vc_progress_bar values=\"%5B%7B%22label%22%3A"  \
	"%22Good%22%7D%5D\"][contact-form-7 id=\"5\"][/vc_column][/vc_row]"

static void
layouts_of_wpbakery_become_columns(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, QUIET,
	    HERE POST("1", "a", TEXT(BAKERY)) ITEM("9", "attachment", "f",
		"<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>"));
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(AT("[0].columns[0].content[1].children[0].text"), "Two");
	assert_string_equal(AT("[0].columns[0].content[2].asset.url"), "https://192.0.2.1/f.png");
	assert_string_equal(AT("[0].columns[0].content[3].style"), "h4");
	assert_string_equal(
	    AT("[0].columns[1].content[0].columns[0].content[0].html"), "<b>Raw</b>");
	assert_string_equal(AT("[0].columns[1].content[0].columns[1].content[0].buttons[0].url"),
	    "https://a.example/b");
	assert_string_equal(AT("[0].columns[1].content[1].url"), "https://youtu.be/a");
	assert_string_equal(AT("[1].children[0].text"), "Good");
	assert_string_equal(AT("[2].children[0].text"), "[contact-form-7 id=\"5\"]");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
					  "'%no words: vc_empty_space (1)%'"),
	    "1");
}

#define AVADA                                                                                      \
	"[fusion_builder_container hundred_percent=\"no\"][fusion_builder_row]"                    \
	"[fusion_builder_column type=\"1_2\"][fusion_title size=\"4\"]Head <em>line</em>"          \
	"[/fusion_title][fusion_text columns=\"\"]<p>Left</p>[/fusion_text]"                       \
	"[fusion_imageframe image_id=\"9|full\" alt=\"Alt\" link=\"/big\"]https://192.0.2.1/f.png" \
	"[/fusion_imageframe][/fusion_builder_column][fusion_builder_column type=\"1_2\"]"         \
	"[fusion_button link=\"/go\" title=\"\" color=\"default\"]Go[/fusion_button]"              \
	"[fusion_separator style_type=\"none\" /][fusion_youtube id=\"abc\" /]"                    \
	"[fusion_code]PGI+UmF3PC9iPg==[/fusion_code][/fusion_builder_column]"                      \
	"[/fusion_builder_row][/fusion_builder_container][fusion_builder_container]"               \
	"[fusion_builder_row][fusion_builder_column type=\"1_1\"][fusion_accordion]"               \
	"[fusion_toggle title=\"Question\" open=\"no\"]Answer[/fusion_toggle][/fusion_accordion]"  \
	"[fusion_blog number_posts=\"3\" /][fusion_strange a=\"b\" /][/fusion_builder_column]"     \
	"[/fusion_builder_row][/fusion_builder_container]"
#define ENFOLD                                                                                      \
	"[av_section color='main_color' id='']"                                                     \
	"[av_one_half first min_height='' av_uid='av-1'][av_heading heading='Head' tag='h4' "       \
	"size='']Below[/av_heading][av_textblock size='']<p>Left</p>[/av_textblock][/av_one_half]"  \
	"[av_one_half min_height=''][av_image src='https://192.0.2.1/f.png' attachment='9' "        \
	"link='manually,/big']caption[/av_image][av_button label='Go' link='page,2' size='small']"  \
	"[/av_one_half][av_one_third first][av_gallery ids='9' columns='3'][/av_one_third]"         \
	"[av_two_third][av_hr class='default'][/av_two_third][av_one_full first]"                   \
	"[av_toggle_container][av_toggle title='Question']Answer[/av_toggle][/av_toggle_container]" \
	"[av_blog blog_type='posts'][av_strange][/av_one_full][/av_section]"

static struct outcome *
laid_out(struct harness *h, const char *text)
{
	struct outcome *o;
	char channel[6000];

	(void)snprintf(channel, sizeof(channel),
	    HERE POST("1", "a", TEXT("%s")) ITEM("9", "attachment", "f",
		"<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>"),
	    text);
	o = importing_run(h, QUIET, channel);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	return o;
}

static void
layouts_of_avada_become_columns(void **state)
{
	struct harness *h = *state;
	struct outcome *o = laid_out(h, AVADA);

	assert_string_equal(AT("[0]._type"), "columns");
	assert_string_equal(AT("[0].columns[0].content[0].style"), "h4");
	assert_string_equal(AT("[0].columns[0].content[0].children[1].text"), "line");
	assert_string_equal(AT("[0].columns[0].content[1].children[0].text"), "Left");
	assert_string_equal(AT("[0].columns[0].content[2].asset.url"), "https://192.0.2.1/f.png");
	assert_string_equal(AT("[0].columns[0].content[2].alt"), "Alt");
	assert_string_equal(AT("[0].columns[0].content[2].link"), "/big");
	assert_string_equal(AT("[0].columns[1].content[0].buttons[0].text"), "Go");
	assert_string_equal(AT("[0].columns[1].content[0].buttons[0].url"), "/go");
	assert_string_equal(AT("[0].columns[1].content[1]._type"), "break");
	assert_string_equal(
	    AT("[0].columns[1].content[2].url"), "https://www.youtube.com/watch?v=abc");
	assert_string_equal(AT("[0].columns[1].content[3].html"), "<b>Raw</b>");
	assert_string_equal(AT("[1].children[0].text"), "Question");
	assert_string_equal(AT("[2].children[0].text"), "Answer");
	assert_string_equal(AT("[3].children[0].text"), "[fusion_strange a=\"b\" /]");
	assert_null(harness_at(o->data, "item.data.content[4]"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
					  "'%no words: fusion_blog (1)\",\"Kept as shortcodes: "
					  "fusion_strange (1)%'"),
	    "1");
}

/* The address of a whole section or column goes to its first picture or heading. */
static void
links_of_whole_columns_stay(void **state)
{
	struct harness *h = *state;
	struct outcome *o = laid_out(h,
	    "[fusion_builder_container][fusion_builder_row][fusion_builder_column type=\"1_2\" "
	    "link=\"/whole\"][fusion_text]Words[/fusion_text][fusion_imageframe]https://"
	    "192.0.2.1/f.png[/fusion_imageframe][fusion_title]Head[/fusion_title]"
	    "[/fusion_builder_column][fusion_builder_column type=\"1_2\" link=\"/text\"]"
	    "[fusion_text]Only[/fusion_text][/fusion_builder_column][/fusion_builder_row]"
	    "[/fusion_builder_container]");

	assert_string_equal(AT("[0].columns[0].content[1].link"), "/whole");
	assert_null(harness_at(o->data, "item.data.content[0].columns[0].content[2].markDefs[0]"));
	assert_string_equal(AT("[0].columns[1].content[0].children[0].text"), "Only");
	assert_string_equal(AT("[0].columns[1].content[1].markDefs[0].href"), "/text");
}

static void
links_of_sections_and_pictures_stay(void **state)
{
	struct harness *h = *state;
	struct outcome *o = laid_out(h,
	    "[et_pb_section link_option_url=\"/section\"][et_pb_row][et_pb_column "
	    "type=\"4_4\"][et_pb_text]<p>Words</p>[/et_pb_text][et_pb_heading title=\"Head\" /]"
	    "[et_pb_image src=\"https://192.0.2.1/f.png\" /][/et_pb_column][/et_pb_row]"
	    "[/et_pb_section][vc_row][vc_column][vc_single_image image=\"9\" "
	    "img_link=\"/picture\"][/vc_column][/vc_row]");

	assert_string_equal(AT("[1].markDefs[0].href"), "/section");
	assert_null(harness_at(o->data, "item.data.content[2].link"));
	assert_string_equal(AT("[3].link"), "/picture");
}

static void
layouts_of_enfold_become_columns(void **state)
{
	struct harness *h = *state;
	struct outcome *o = laid_out(h, ENFOLD);

	assert_string_equal(AT("[0]._type"), "columns");
	assert_string_equal(AT("[0].columns[0].content[0].style"), "h4");
	assert_string_equal(AT("[0].columns[0].content[1].children[0].text"), "Below");
	assert_string_equal(AT("[0].columns[0].content[2].children[0].text"), "Left");
	assert_string_equal(AT("[0].columns[1].content[0].link"), "/big");
	assert_string_equal(AT("[0].columns[1].content[1].children[0].text"), "caption");
	assert_string_equal(AT("[0].columns[1].content[2].buttons[0].text"), "Go");
	assert_string_equal(AT("[1]._type"), "columns");
	assert_string_equal(
	    AT("[1].columns[0].content[0].images[0].asset.url"), "https://192.0.2.1/f.png");
	assert_string_equal(AT("[1].columns[1].content[0]._type"), "break");
	assert_string_equal(AT("[2].children[0].text"), "Question");
	assert_string_equal(AT("[3].children[0].text"), "Answer");
	assert_string_equal(AT("[4].children[0].text"), "[av_strange]");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
					  "'%no words: av_blog (1)\",\"Kept as shortcodes: "
					  "av_strange (1)%'"),
	    "1");
}

#define ELEMENTOR                                                                                  \
	"[{\"elType\":\"section\",\"settings\":[],\"elements\":[{\"elType\":\"column\","           \
	"\"elements\":[{\"elType\":\"widget\",\"widgetType\":\"heading\",\"settings\":{\"title\":" \
	"\"Head\",\"header_size\":\"h1\"}}]},{\"elType\":\"column\",\"elements\":[{\"elType\":"    \
	"\"widget\",\"widgetType\":\"text-editor\",\"settings\":{\"editor\":\"<p>Words</p>\"}},"   \
	"{\"elType\":\"widget\",\"widgetType\":\"image\",\"settings\":{\"image\":{\"url\":"        \
	"\"https://192.0.2.1/p.png\",\"id\":7}}},{\"elType\":\"widget\",\"widgetType\":"           \
	"\"spacer\",\"settings\":{\"space\":{\"size\":5}}},{\"elType\":\"widget\",\"widgetType\":" \
	"\"icon-list\",\"settings\":{\"icon_list\":[{\"text\":\"One\",\"link\":{\"url\":\"/one\"}" \
	"}]}}]}]}]"

static void
layouts_of_elementor_are_used_if_they_lose_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, QUIET,
	    HERE POST("1", "a",
		TEXT("<h1>Head</h1><p>Words</p><img src=\"https://192.0.2.1/p-300x200.png\"/>"
		     "<a href=\"/one\">One</a>") META("_elementor_data", ELEMENTOR))
		POST("2", "b", TEXT("<p>More words</p>") META("_elementor_data", ELEMENTOR))
		    POST("3", "c", META("_elementor_data", ELEMENTOR))
			POST("4", "d", META("_elementor_data", "[]")));
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(AT("[0].columns[0].content[0].style"), "h1");
	assert_string_equal(AT("[0].columns[1].content[0].children[0].text"), "Words");
	assert_string_equal(AT("[0].columns[1].content[1].asset.url"), "https://192.0.2.1/p.png");
	assert_string_equal(AT("[0].columns[1].content[2].markDefs[0].href"), "/one");
	harness_ok(o, harness_request(h, admin, "GET /content/posts/b", NULL, NULL));
	assert_string_equal(AT("[0].children[0].text"), "More words");
	harness_ok(o, harness_request(h, admin, "GET /content/posts/c", NULL, NULL));
	assert_string_equal(AT("[0]._type"), "columns");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
					  "'%no words: spacer (1)%'"),
	    "2");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome WHERE notices LIKE "
					  "'%without words of its text (More)%'"),
	    "1");
}

static void
layouts_that_are_not_read_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	harness_ok(
	    o, imported_run(h, "", POST("1", "a", TEXT("[fusion_text]Words[/fusion_text]"))));
	assert_non_null(strstr(o->text, "It has a layout of Avada"));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_non_null(strstr(o->text, "Words"));
}

/* Shortcodes that do not fit into each other. */
static void
odd_layouts_keep_their_words(void **state)
{
	static const char *const odd[] = { "[vc_row]A[vc_column]B", "A[/vc_row]B[vc_row",
		"[vc_row][vc_column]A[/vc_row]B[/vc_column]", "[[vc_row]] A B",
		"[vc_column][vc_column]A[/vc_column][/vc_column][vc_row/]B",
		"[vc_row][vc_single_image][vc_column]A[/vc_column][vc_column]B[/vc_column]",
		"A[vc_[vc_row][vc_[vc_row]B[/vc_row a=\"[vc_column]\"]",
		"[vc_row a=\"[vc_column]A[/vc_column]B[/vc_row]",
		"[et_pb_row a=b c='d\" e][vc_column]A[/vc_column][et_pb_column]B" };
	struct harness *h = *state;
	char channel[500], path[80];
	struct outcome *o;

	imported_prepare(h);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		(void)snprintf(channel, sizeof(channel),
		    ITEM("%zu", "post", "a%zu",
			"<title>x</title><wp:status>publish</wp:status>" TEXT("%s")),
		    i + 1, i, odd[i]);
		harness_ok(o, imported_run(h, "", channel));
		(void)snprintf(path, sizeof(path), "GET /content/posts/a%zu", i);
		harness_ok(o, harness_request(h, admin, path, NULL, NULL));
		if (strstr(o->text, "A") == NULL || strstr(o->text, "B") == NULL)
			fail_msg("%s: %s", odd[i], o->text);
	}
}

/* ---- pictures ---- */

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

#define PICTURE(id, order, title)                                                        \
	ITEM(id, "attachment", "f" id,                                                   \
	    "<title>" title "</title>"                                                   \
	    "<wp:post_parent>1</wp:post_parent><wp:menu_order>" order "</wp:menu_order>" \
	    "<wp:attachment_url>https://192.0.2.1/" id ".png</wp:attachment_url>")

/* Without ids it shows the pictures attached to the item, in their order; with link="file" (or a
 * page of the picture, which does not exist here) they lead to their files. */
static void
a_gallery_without_ids_has_the_pictures_of_its_item(void **state)
{
	static const struct {
		const char *code, *first, *last, *link; /* link NULL: none */
		int64_t lost;
	} cases[] = {
		{ "[gallery]", "8.png", "11.png", NULL, 0 },
		{ "[gallery columns=\"2\" link=\"file\"]", "8.png", "11.png", "8.png", 0 },
		{ "[gallery order=\"DESC\" link='none']", "11.png", "8.png", NULL, 0 },
		{ "[gallery orderby=ID size=large]", "8.png", "11.png", NULL, 0 },
		{ "[gallery exclude=\"8,1\"]", "9.png", "11.png", NULL, 0 },
		{ "[gallery include=\"11,8\" link=\"attachment\"]", "8.png", "11.png", "8.png", 0 },
		{ "[gallery include=\"11,8\" orderby='post__in']", "11.png", "8.png", NULL, 0 },
		{ "[gallery ids=\"8,9\" orderby=\"title\"]", "9.png", "8.png", NULL, 0 },
		{ "[gallery orderby=\"title\" order=\"desc\" ids=\"9,8\"]", "8.png", "9.png", NULL,
		    0 },
		{ "[gallery ids=\"9,8\" orderby=\"rand\"]", "9.png", "8.png", NULL, 0 },
		{ "[gallery ids=\"9,8\" order=\"DESC\"]", "9.png", "8.png", NULL, 0 },
		{ "[gallery ids='11,9,8' orderby='ID']", "8.png", "11.png", NULL, 0 },
		{ "[gallery ids=\"11,9,8\" orderby=\"menu_order ID\"]", "8.png", "11.png", NULL,
		    0 },
		{ "[gallery ids=\"99,11,8\" orderby=\"title\"]", "11.png", NULL, NULL, 1 },
		{ "[gallery ids=\"9,8\"]", "9.png", "8.png", NULL, 0 },
		/* The picture and its link are not there. */
		{ "[gallery ids=\"8,99\" link=\"file\"]", "8.png", NULL, "8.png", 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct harness *h = importing_open();
		char channel[3000];
		struct outcome *o;
		json_t *images;
		const char *link;

		(void)snprintf(channel, sizeof(channel),
		    HERE POST("1", "a", TEXT("%s")) PICTURE("11", "2", "b") PICTURE("9", "1", "A")
			PICTURE("8", "0", "c"),
		    cases[i].code);
		o = importing_run(h, QUIET, channel);
		assert_int_equal(harness_int(o->data, "result.lost"), cases[i].lost);
		harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
		images = harness_at(o->data, "item.data.content[0].images");
		assert_string_equal(
		    harness_text(json_array_get(images, 0), "asset.url") + 18, cases[i].first);
		if (cases[i].last != NULL)
			assert_string_equal(
			    harness_text(
				json_array_get(images, json_array_size(images) - 1), "asset.url") +
				18,
			    cases[i].last);
		link = json_string_value(json_object_get(json_array_get(images, 0), "link"));
		if (cases[i].link == NULL)
			assert_null(link);
		else
			assert_string_equal(link + 18, cases[i].link);
		harness_close(h, false);
	}
	(void)state;
}

#define COLUMNS(text)                                                                \
	"<!-- wp:group --><div><!-- wp:columns --><div><!-- wp:column --><div>" text \
	"</div><!-- /wp:column --><!-- wp:column --><div><p>B</p></div>"             \
	"<!-- /wp:column --></div><!-- /wp:columns --></div><!-- /wp:group -->"
#define IN_COLUMN "item.data.content[0].columns[0].content[0]"

static void
galleries_in_columns_have_their_addresses(void **state)
{
	static const char *const codes[] = { "<!-- wp:shortcode -->[gallery ids=\"9,10\" "
					     "columns=\"2\"]<!-- /wp:shortcode -->",
		"<!-- wp:freeform -->[gallery ids=\"9,10\" columns=\"2\"]<!-- /wp:freeform -->" };
	struct harness *h = *state;
	struct outcome *o;
	char channel[2000];

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		(void)snprintf(channel, sizeof(channel),
		    HERE ITEM("%zu", "post", "a%zu",
			"<title>A</title><wp:status>publish</wp:status>" TEXT(COLUMNS("%s")))
			ITEM("9", "attachment", "f",
			    "<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>"),
		    i + 1, i, codes[i]);
		o = importing_run(h, QUIET, channel);
		assert_int_equal(harness_int(o->data, "result.lost"), 1); /* the picture 10 */
		harness_ok(
		    o, harness_request(h, admin,
			   i == 0 ? "GET /content/posts/a0" : "GET /content/posts/a1", NULL, NULL));
		assert_string_equal(harness_text(o->data, IN_COLUMN ".images[0].asset.url"),
		    "https://192.0.2.1/f.png");
		assert_int_equal(harness_int(o->data, IN_COLUMN ".columns"), 2);
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome"
					  " WHERE notices LIKE '%picture 10 is not in the%'"),
	    "2");
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
		TEST(layouts_of_divi_become_columns),
		TEST(layouts_of_avada_become_columns),
		TEST(links_of_whole_columns_stay),
		TEST(links_of_sections_and_pictures_stay),
		TEST(layouts_of_enfold_become_columns),
		TEST(layouts_of_wpbakery_become_columns),
		TEST(layouts_of_elementor_are_used_if_they_lose_nothing),
		TEST(layouts_that_are_not_read_are_told),
		TEST(odd_layouts_keep_their_words),
		TEST(pictures_of_a_gallery_have_their_address),
		cmocka_unit_test(a_gallery_without_ids_has_the_pictures_of_its_item),
		TEST(galleries_in_columns_have_their_addresses),
		TEST(faults_of_form_are_repaired_and_reported),
		TEST(repeated_fields_keep_all_values_and_hidden_ones_are_told),
	};

	return cmocka_run_group_tests_name("import/wordpress", tests, NULL, NULL);
}
