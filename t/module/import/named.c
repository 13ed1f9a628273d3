/*
 * named.c - nothing is lost without a notice: names without a valid slug, with equal or reserved
 * slugs; terms of pages; menus with a link that cannot be kept; exports of old versions of Ghost.
 */
#include "imported.h"
#include "importing.h"
#include "inside.h"

#include <stdio.h>
#include <string.h>

static struct outcome *
run(struct harness *h, const char *config, const char *file, char id[40])
{
	struct outcome *o;

	harness_ok(o, imported_post(h, IMPORTING_JOBS, config, file));
	(void)snprintf(id, 40, "%s", harness_text(o->data, "id"));
	return importing_work(h, id, "done");
}

static struct outcome *
get(struct harness *h, const char *path)
{
	char request[200];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET %s", path);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return o;
}

/* Fails unless the report contains this text. */
static void
assert_told(struct harness *h, const char *id, const char *what)
{
	struct outcome *o;

	harness_ok(o, importing_at(h, "GET", id, "/report"));
	if (strstr(o->text, what) == NULL)
		fail_msg("not told: %s: %s", what, o->text);
}

#define CSV                                                                                        \
	"{\"format\":\"csv\",\"importMedia\":false,\"postTypeMappings\":{\"row\":{\"collection\":" \
	"\"things\",\"enabled\":true}}}"

static void
columns_of_any_script_are_fields_of_their_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, CSV,
	    "Title,2019,2020,名前,価格,Größe,,First name,first-name,First Name\n"
	    "One,a,b,c,d,e,f,g,h,i\n",
	    id);
	o = get(h, "/content/things/one");
	assert_string_equal(harness_text(o->data, "item.data.n2019"), "a");
	assert_string_equal(harness_text(o->data, "item.data.n2020"), "b");
	assert_string_equal(harness_text(o->data, "item.data.u540d_u524d"), "c");
	assert_string_equal(harness_text(o->data, "item.data.u4fa1_u683c"), "d");
	assert_string_equal(harness_text(o->data, "item.data.column_7"), "f");
	assert_string_equal(harness_text(o->data, "item.data.first_name"), "g");
	assert_string_equal(harness_text(o->data, "item.data.first_name_2"), "h");
	assert_string_equal(harness_text(o->data, "item.data.first_name_3"), "i");
	assert_told(h, id, "first_name_2");
	/* The next import uses the same fields, in another order of columns. */
	run(h, CSV, "title,価格,名前,2020\nTwo,1,2,3\n", id);
	o = get(h, "/content/things/two");
	assert_string_equal(harness_text(o->data, "item.data.u4fa1_u683c"), "1");
	assert_string_equal(harness_text(o->data, "item.data.u540d_u524d"), "2");
	assert_string_equal(harness_text(o->data, "item.data.n2020"), "3");
}

static void
columns_with_one_name_are_told_and_kept(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, CSV, "title,mark,mark,Title\nOne,a,b,c\n", id);
	o = get(h, "/content/things/one");
	assert_string_equal(harness_text(o->data, "item.data.title"), "One");
	assert_string_equal(harness_text(o->data, "item.data.mark"), "a");
	assert_string_equal(harness_text(o->data, "item.data.mark_3"), "b");
	assert_string_equal(harness_text(o->data, "item.data.title_2"), "c");
	assert_told(h, id, "mark 3");
	assert_told(h, id, "title_2");
}

static void
reserved_names_become_others(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, CSV, "title,created_at,Version\nOne,2020-01-01,7\n", id);
	o = get(h, "/content/things/one");
	assert_string_equal(
	    harness_text(o->data, "item.data.field_created_at"), "2020-01-01T00:00:00.000Z");
	assert_int_equal(harness_int(o->data, "item.data.field_version"), 7);
	assert_told(h, id, "field_version");
	run(h, "{\"format\":\"jsonl\",\"importMedia\":false}",
	    "{\"id\":\"1\",\"type\":\"member\",\"title\":\"A\",\"\xe5\x90\x8d\xe5\x89\x8d\":\"x\","
	    "\"\xe5\x80\xa4\":\"y\",\"version\":3}\n",
	    id);
	o = get(h, "/content/member/a");
	assert_string_equal(harness_text(o->data, "item.data.u540d_u524d"), "x");
	assert_string_equal(harness_text(o->data, "item.data.u5024"), "y");
	assert_int_equal(harness_int(o->data, "item.data.field_version"), 3);
}

/* ---- Ghost ---- */

static const char ghost[] =
    "{\"meta\":{\"version\":\"003\"},\"data\":{\"posts\":[{\"id\":5,\"title\":\"One\",\"slug\":"
    "\"one\",\"html\":\"<p>Hi</p>\",\"image\":\"/content/images/a.png\",\"page\":0,\"status\":"
    "\"published\",\"author_id\":1,\"created_at\":1388318310000},{\"id\":6,\"title\":\"About\","
    "\"slug\":\"about\",\"html\":\"<p>Hi</p>\",\"page\":1,\"status\":\"published\",\"author_id\":2,"
    "\"created_at\":1388318310000}],\"tags\":[{\"id\":3,\"name\":\"Blue\",\"slug\":\"blue\"}],"
    "\"posts_tags\":[{\"tag_id\":3,\"post_id\":5}],\"users\":[{\"id\":1,\"name\":\"Ann Example\","
    "\"slug\":\"ann\"},{\"id\":2,\"name\":\"Bo Example\",\"slug\":\"bo\"}]}}";

static void
numbers_are_ids_of_old_exports_of_ghost(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, "{\"format\":\"ghost\",\"options\":{\"url\":\"https://192.0.2.1\"}}", ghost, id);
	o = get(h, "/content/posts/one");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann Example");
	assert_string_equal(harness_text(o->data, "item.data.featured_image.src"),
	    "https://192.0.2.1/content/images/a.png");
	o = get(h, "/content/posts/one/terms/tag");
	assert_string_equal(harness_text(o->data, "terms[0].slug"), "blue");
	o = get(h, "/content/pages/about");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo Example");
	/* Items are recognized by their ids: a second import creates nothing. */
	(void)run(
	    h, "{\"format\":\"ghost\",\"options\":{\"url\":\"https://192.0.2.1\"}}", ghost, id);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_pages"), "1");
}

/* What Ghost has beside its texts: settings and code are told, posts for members are no public
 * ones.
 */
static const char ghost_told[] =
    "{\"data\":{\"posts\":[{\"id\":1,\"title\":\"With code\",\"slug\":\"with-code\",\"html\":"
    "\"<p>Hi</p>\",\"status\":\"published\",\"codeinjection_head\":\"<script></script>\"},"
    "{\"id\":2,\"title\":\"Paid\",\"slug\":\"paid\",\"html\":\"<p>Hi</p>\",\"status\":"
    "\"published\",\"visibility\":\"paid\"},{\"id\":3,\"title\":\"Old\",\"slug\":\"old\","
    "\"markdown\":\"*Hi*\",\"html\":null,\"status\":\"published\"}],"
    "\"settings\":[{\"key\":\"ghost_head\",\"value\":\"<style></style>\"},"
    "{\"key\":\"ghost_foot\",\"value\":\"\"}],"
    "\"newsletters\":[{\"id\":1,\"name\":\"Weekly\"}]}}";

static void
code_newsletters_and_posts_for_members_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h, "{\"format\":\"ghost\",\"importMedia\":false}", ghost_told, id);
	assert_int_equal(harness_int(o->data, "result.items.created"), 3);
	assert_told(h, id, "With code");
	assert_told(h, id, "The code that it adds to its page is left out");
	assert_told(h, id, "ghost_head");
	assert_told(h, id, "Weekly");
	assert_told(h, id, "It is for members alone");
	harness_ok(o, importing_at(h, "GET", id, "/report"));
	assert_null(strstr(o->text, "ghost_foot"));
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(slug) FROM (SELECT slug FROM c_posts WHERE status "
			  "= 'published' ORDER BY slug)"),
	    "old,with-code");
	o = get(h, "/content/posts/old");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[0].children[0].marks[0]"), "em");
}

/* ---- terms ---- */

static const char pages_with_terms[] =
    "<wp:category><wp:term_id>2</wp:term_id><wp:category_nicename>red</wp:category_nicename>"
    "<wp:cat_name><![CDATA[Red]]></wp:cat_name></wp:category>" ITEM("1", "page", "a-page",
	"<title>A page</title><wp:status>publish</wp:status>" LABELLED(
	    "category", "red", "Red")) ITEM("2", "book", "a-book",
	"<title>A book</title><wp:status>publish</wp:status>" LABELLED(
	    "category", "red", "Red")) ITEM("3", "post", "a-post",
	"<title>A post</title><wp:status>publish</wp:status>" LABELLED("category", "red", "Red"));

static void
pages_and_other_types_keep_their_terms(void **state)
{
	static const char *const paths[] = { "/content/pages/a-page/terms/category",
		"/content/book/a-book/terms/category", "/content/posts/a-post/terms/category" };
	struct harness *h = *state;
	char id[40];

	importing_create(h, NULL, pages_with_terms, id);
	(void)importing_work(h, id, "done");
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(harness_text(get(h, paths[i])->data, "terms[0].slug"), "red");
}

/* POST /import/platform/execute does not change definitions. */
static void
terms_that_a_taxonomy_does_not_allow_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	harness_ok(o, imported_run(h, "", pages_with_terms));
	if (strstr(o->text, "Its terms of the taxonomy category are left out") == NULL)
		fail_msg("%s", o->text);
	o = get(h, "/content/pages/a-page/terms/category");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 0);
}

/* ---- menus ---- */

static void
a_link_that_cannot_be_kept_costs_no_menu(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL,
	    LINK("50", "1", "0", "custom", "0", "https://x.example/", "A") LINK("51", "2", "0",
		"custom", "0", "?d=rtl", "B") LINK("52", "3", "51", "custom", "0", "/c/", "C")
		LINK("53", "4", "0", "custom", "0", "#top", "D"),
	    id);
	(void)importing_work(h, id, "done");
	o = get(h, "/menus/main");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 4);
	assert_string_equal(harness_text(o->data, "items[0].customUrl"), "https://x.example/");
	assert_string_equal(harness_text(o->data, "items[1].customUrl"), "#");
	assert_string_equal(harness_text(o->data, "items[2].customUrl"), "/c/");
	assert_string_equal(harness_text(o->data, "items[3].customUrl"), "#top");
	assert_told(h, id, "?d=rtl");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, importing_begin, importing_end)
	const struct CMUnitTest tests[] = {
		TEST(columns_of_any_script_are_fields_of_their_own),
		TEST(columns_with_one_name_are_told_and_kept),
		TEST(reserved_names_become_others),
		TEST(numbers_are_ids_of_old_exports_of_ghost),
		TEST(code_newsletters_and_posts_for_members_are_told),
		TEST(pages_and_other_types_keep_their_terms),
		TEST(terms_that_a_taxonomy_does_not_allow_are_told),
		TEST(a_link_that_cannot_be_kept_costs_no_menu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
