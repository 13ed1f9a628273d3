/* account.c - the account of an import: what was read of each kind, and what of it is stored. */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <stdio.h>
#include <string.h>

/* One row of an account: a value, "" and -1 for what is not there. */
static int64_t
entry(const json_t *account, const char *what, const char *name, const char *member)
{
	const json_t *row;
	size_t i;

	json_array_foreach(account, i, row)
	{
		const char *is = json_string_value(json_object_get(row, "name"));

		if (strcmp(json_string_value(json_object_get(row, "what")), what) == 0 &&
		    strcmp(is != NULL ? is : "", name) == 0)
			return json_integer_value(json_object_get(row, member));
	}
	return -1;
}

static void
assert_row(const json_t *account, const char *what, const char *name, int64_t read, int64_t stored,
    int64_t left, int64_t lost)
{
	assert_int_equal(entry(account, what, name, "read"), read);
	assert_int_equal(entry(account, what, name, "stored"), stored);
	assert_int_equal(entry(account, what, name, "left"), left);
	assert_int_equal(entry(account, what, name, "lost"), lost);
}

#define CONTENT(text) "<content:encoded><![CDATA[" text "]]></content:encoded>"
/* The field price is a number; mood has no field; the taxonomy genre is not there. */
#define SOURCE                                                                                    \
	"<wp:category><wp:category_nicename>c</wp:category_nicename><wp:cat_name>C</wp:cat_name>" \
	"</wp:category>" ITEM("1", "post", "a",                                                   \
	    "<dc:creator>ann</dc:creator>" CONTENT(                                               \
		"<p>Ab <a href=\"/x\">cd</a></p>"                                                 \
		"<img src=\"https://a.example/b.png\">"                                           \
		"<img src=\"file:///b.png\">"                                                     \
		"<iframe src=\"https://a.example/v\"></iframe>") META("price", "5")               \
		META("mood", "good") META("_edit_lock", "1") LABELLED(                            \
		    "category", "c", "C") LABELLED("category", "c", "C") LABELLED("genre", "dub", \
		    "Dub") "<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>A"     \
			   "</wp:comment_author><wp:comment_date_gmt>2020-01-01 00:00:00"         \
			   "</wp:comment_date_gmt><wp:comment_approved>1</wp:comment_approved>"   \
			   "<wp:comment_content>Hi</wp:comment_content></wp:comment>")            \
	    ITEM("2", "post", "b", META("price", "dear")) ITEM("3", "other", "c", "")             \
		ITEM("4", "revision", "d", "")

/* A job makes the taxonomy genre. */
static void
assert_account(const json_t *account, bool job)
{
	assert_row(account, "items", "post", 2, 2, 0, 0);
	assert_row(account, "items", "other", 1, 0, 1, 0);
	assert_int_equal(entry(account, "items", "revision", "read"), -1);
	assert_row(account, "values", "price", 2, 1, 0, 1);
	assert_row(account, "values", "mood", 1, 0, 1, 0);
	assert_int_equal(entry(account, "values", "_edit_lock", "read"), -1);
	assert_row(account, "assignments", "category", 1, 1, 0, 0);
	assert_row(account, "assignments", "genre", 1, job ? 1 : 0, job ? 0 : 1, 0);
	assert_row(account, "comments", "", 1, 1, 0, 0);
	assert_row(account, "authors", "", 1, 1, 0, 0);
	assert_row(account, "characters", "", 4, 4, 0, 0);
	assert_row(account, "links", "", 1, 1, 0, 0);
	assert_row(account, "pictures", "", 2, 1, 0, 1);
	assert_row(account, "players", "", 1, 1, 0, 0);
}

static void
what_was_read_is_held_against_what_is_stored(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, imported_run(h, SKIP, SOURCE));
	assert_account(harness_at(o->data, "account"), false);
	/* What is here already is not read again, but is here. */
	harness_ok(o, imported_run(h, SKIP, SOURCE));
	assert_row(harness_at(o->data, "account"), "items", "post", 2, 2, 0, 0);
	assert_int_equal(entry(harness_at(o->data, "account"), "values", "price", "read"), -1);
}

static void
an_item_that_is_refused_is_lost(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"must\",\"label\":\"M\",\"type\":\"string\","
	    "\"required\":true}"));
	harness_ok(o, imported_run(h, SKIP, ITEM("1", "post", "a", "<title>A</title>")));
	assert_row(harness_at(o->data, "account"), "items", "post", 1, 0, 0, 1);
}

static void
a_job_has_it_in_its_result_and_so_has_a_dry_run(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	o = importing_run(h,
	    "{\"importMedia\":false,\"dryRun\":true,\"postTypeMappings\":{\"other\":{\"collection\":"
	    "\"posts\",\"enabled\":false}}}",
	    SOURCE);
	assert_account(harness_at(o->data, "result.account"), true);
	o = importing_run(h,
	    "{\"importMedia\":false,\"postTypeMappings\":{\"other\":{\"collection\":\"posts\","
	    "\"enabled\":false}}}",
	    SOURCE);
	assert_account(harness_at(o->data, "result.account"), true);
	assert_int_equal(harness_int(o->data, "result.lost"), 2);
}

static void
add_field(struct harness *h, const char *collection, const char *slug, const char *more)
{
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"%s\",\"slug\":\"%s\",\"label\":\"L\",%s}", collection, slug, more));
}

#define FILM "<img src=\"file:///b.png\">"
/* Items of the type other are not imported; the item 99 and the file 98 are not in the export. */
#define REFERRING                                                                              \
	ITEM("1", "page", "a",                                                                 \
	    META("home", "2") META("bio", "<p>Cd <a href=\"/x\">e</a></p>" FILM))              \
	ITEM("2", "page", "b",                                                                 \
	    "<wp:post_parent>1</wp:post_parent>" META("home", "1") META("_thumbnail_id", "98") \
		META("near", "[1,3,99]"))                                                      \
	ITEM("3", "other", "c", "")                                                            \
	ITEM("4", "page", "d", "<wp:post_parent>99</wp:post_parent>" META("home", "99"))       \
	ITEM("5", "page", "e",                                                                 \
	    "<wp:post_parent>3</wp:post_parent>"                                               \
	    "<excerpt:encoded>An excerpt</excerpt:encoded>")                                   \
	ITEM("6", "wp_block", "s", "<title>S</title>" CONTENT("<p>Fgh</p>" FILM))              \
	LINK("21", "1", "0", "post_type", "1", "", "Page")                                     \
	LINK("22", "2", "0", "post_type", "3", "", "Left")                                     \
	LINK("23", "3", "0", "post_type", "99", "", "Lost")                                    \
	LINK("24", "4", "0", "custom", "", "javascript:x()", "Bad")                            \
	LINK("25", "5", "0", "custom", "", "/x", "Good")                                       \
	LINK("26", "6", "0", "custom", "", "", "Heading")

static void
assert_referring(const json_t *account)
{
	assert_row(account, "references", "home", 3, 2, 0, 1);
	assert_row(account, "references", "near", 3, 1, 1, 1);
	assert_row(account, "references", "parent", 3, 1, 1, 1);
	assert_row(account, "references", "featured_image", 1, 0, 0, 1);
	assert_row(account, "references", "menu main", 5, 2, 1, 2);
	assert_row(account, "menuItems", "main", 6, 6, 0, 0);
	assert_row(account, "characters", "bio", 3, 3, 0, 0);
	assert_row(account, "links", "bio", 1, 1, 0, 0);
	assert_row(account, "pictures", "bio", 1, 0, 0, 1);
	assert_row(account, "characters", "excerpt", 9, 9, 0, 0);
	assert_row(account, "characters", "section", 3, 3, 0, 0);
	assert_row(account, "pictures", "section", 1, 0, 0, 1);
}

#define OTHERS(more)                                                                           \
	"{\"importMedia\":" more ",\"postTypeMappings\":{\"other\":{\"collection\":\"posts\"," \
	"\"enabled\":false}}}"

static void
references_menus_and_other_texts_are_in_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	imported_prepare(h);
	add_field(
	    h, "pages", "home", "\"type\":\"reference\",\"options\":{\"collection\":\"pages\"}");
	add_field(h, "pages", "near",
	    "\"type\":\"reference\",\"options\":{\"collection\":\"pages\",\"allowMultiple\":true}");
	add_field(h, "pages", "bio", "\"type\":\"portableText\"");
	o = importing_run(h, OTHERS("true,\"dryRun\":true"), REFERRING);
	assert_referring(harness_at(o->data, "result.account"));
	o = importing_run(h, OTHERS("true"), REFERRING);
	assert_referring(harness_at(o->data, "result.account"));
	assert_int_equal(harness_int(o->data, "result.lost"), 8);
	harness_ok(o, harness_request(h, admin, "GET /content/pages/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.bio[0].children[0].text"), "Cd ");
}

/* Triggers delete what the import has written: the accounts, which are made while it is written, do
 * not know of that. */
static void
what_is_read_is_held_against_the_database(void **state)
{
	struct harness *h = *state;
	const json_t *account;
	struct outcome *o;

	imported_prepare(h);
	inside_sql(h,
	    "CREATE TRIGGER lost_item AFTER INSERT ON import_map WHEN new.kind = 'entry' BEGIN"
	    " DELETE FROM c_posts WHERE slug = 'b'; END",
	    NULL);
	inside_sql(h,
	    "CREATE TRIGGER lost_comment AFTER INSERT ON comment BEGIN"
	    " DELETE FROM comment WHERE id = new.id; END",
	    NULL);
	inside_sql(h,
	    "CREATE TRIGGER lost_term AFTER INSERT ON content_term WHEN new.taxonomy = 'genre'"
	    " BEGIN DELETE FROM content_term WHERE taxonomy = 'genre'; END",
	    NULL);
	o = importing_run(h, OTHERS("true"),
	    SOURCE ITEM("9", "post", "locale", META("_icl_lang_code", "xx"))
		LINK("25", "5", "0", "custom", "", "/x", "Good"));
	account = harness_at(o->data, "result.account");
	/* The item of another locale failed, which the account says. */
	assert_row(account, "items", "post", 3, 2, 0, 1);
	assert_row(account, "counted", "items posts", 3, 1, 0, 2);
	assert_row(account, "comments", "", 1, 1, 0, 0);
	assert_row(account, "counted", "comments", 1, 0, 0, 1);
	assert_row(account, "assignments", "genre", 1, 1, 0, 0);
	assert_row(account, "counted", "assignments", 2, 1, 0, 1);
	assert_row(account, "counted", "terms genre", 1, 1, 0, 0);
	assert_row(account, "counted", "terms category", 1, 1, 0, 0);
	assert_row(account, "counted", "menu main", 1, 1, 0, 0);
	assert_int_equal(harness_int(o->data, "result.lost"), 6);
}

#define CUT(slug)                                                                         \
	ITEM("1", "post", slug,                                                           \
	    "<title>filter cut</title>" CONTENT("<p>One <a href=\"/x\">x</a></p>"         \
						"<p>Two <a href=\"/y\">y</a></p>"         \
						"<img src=\"https://a.example/b.png\">")) \
	ITEM("2", "post", slug "-b", "<title>Whole</title>" CONTENT("<p>Three</p>"))

/* The account of the texts does not know what is cut. With the titles, there are 27 characters. */
static void
assert_cut(const json_t *account)
{
	assert_row(account, "characters", "", 13, 13, 0, 0);
	assert_row(account, "counted", "characters", 27, 23, 0, 4);
	assert_row(account, "counted", "links", 2, 1, 0, 1);
	assert_row(account, "counted", "pictures", 1, 1, 0, 0);
}

/* A plugin takes a block out of a content before each save. What the database holds is counted
 * after the transaction, in a dry run within it. */
static void
texts_are_read_back_from_the_database(void **state)
{
	static const char told[] = "stored are 13 of 17 characters, 1 of 2 links";
	struct harness *h;
	struct outcome *o;
	char id[40];

	harness_close(*state, false);
	*state = h = imported_meddled();
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'admin@example.org', 50, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    admin->id);
	harness_ok(o, imported_run(h, SKIP, CUT("a")));
	assert_cut(harness_at(o->data, "account"));
	assert_non_null(strstr(harness_text(o->data, "notices[0].notice"), told));
	for (int dry = 1; dry >= 0; dry--) {
		importing_create(h,
		    dry ? "{\"importMedia\":false,\"dryRun\":true}" : "{\"importMedia\":false}",
		    CUT("b"), id);
		o = importing_work(h, id, "done");
		assert_cut(harness_at(o->data, "result.account"));
		assert_int_equal(harness_int(o->data, "result.lost"), 5);
		harness_ok(o, importing_at(h, "GET", id, "/items"));
		assert_non_null(strstr(harness_text(o->data, "items[0].notices[0]"), told));
		assert_true(json_is_null(harness_at(o->data, "items[1].notices")));
	}
	harness_ok(o, harness_request(h, admin, "GET /content/posts/b", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.content")), 2);
}

#define SITE "<wp:base_blog_url>https://old.example</wp:base_blog_url>"

/* What was written and is no longer there after the commit, either, is found when the items are
 * read back. */
static void
texts_of_updates_and_sections_are_read_back(void **state)
{
	struct harness *h = *state;
	const json_t *account;
	struct outcome *o;

	imported_prepare(h);
	(void)importing_run(
	    h, "{\"importMedia\":false}", SITE ITEM("1", "post", "a", CONTENT("<p>Abc</p>")));
	inside_sql(h,
	    "CREATE TRIGGER lost_text AFTER UPDATE OF f_content ON c_posts WHEN new.f_content LIKE"
	    " '%Defg%' BEGIN UPDATE c_posts SET f_content = NULL WHERE id = new.id; END",
	    NULL);
	inside_sql(h,
	    "CREATE TRIGGER lost_section AFTER INSERT ON section BEGIN UPDATE section SET content ="
	    " '[]' WHERE id = new.id; END",
	    NULL);
	o = importing_run(h, "{\"importMedia\":false,\"update\":true}",
	    SITE ITEM("1", "post", "a", CONTENT("<p>Defg</p>"))
		ITEM("6", "wp_block", "s", "<title>S</title>" CONTENT("<p>Fgh</p>")));
	account = harness_at(o->data, "result.account");
	/* The title is "Untitled". */
	assert_row(account, "counted", "characters", 15, 8, 0, 7);
	assert_int_equal(harness_int(o->data, "result.lost"), 7);
}

/* A file that does not come is lost, and so is one without an address. */
static void
files_are_in_it(void **state)
{
	static const char files[] = ITEM("4", "attachment", "f",
	    "<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>")
	    ITEM("5", "attachment", "g", "<title>Bare</title>");
	struct harness *h = *state;
	const json_t *account;
	struct outcome *o;

	o = importing_run(h, "{\"importMedia\":false}", files);
	assert_row(harness_at(o->data, "result.account"), "media", "", 2, 0, 2, 0);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	o = importing_run(h, NULL, files);
	account = harness_at(o->data, "result.account");
	assert_row(account, "media", "", 2, 0, 0, 2);
	assert_row(account, "counted", "media", 2, 0, 0, 2);
	assert_int_equal(harness_int(o->data, "result.lost"), 2);
	assert_string_equal(harness_text(o->data, "result.notes[0].about"), "Bare");
}

/* Members of items that few collections have fields for are in it, too. */
static void
members_without_a_field_are_left(void **state)
{
	static const char item[] = ITEM("1", "post", "a",
	    "<wp:is_sticky>1</wp:is_sticky><wp:menu_order>7</wp:menu_order>"
	    "<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Hi</wp:comment_content>"
	    "<wp:comment_author_url>https://ann.example</wp:comment_author_url></wp:comment>");
	struct harness *h = *state;
	struct outcome *o;

	add_field(h, "posts", "menu_order", "\"type\":\"integer\"");
	harness_ok(o, imported_run(h, SKIP, item));
	assert_row(harness_at(o->data, "account"), "values", "sticky", 1, 0, 1, 0);
	assert_row(harness_at(o->data, "account"), "values", "menu_order", 1, 1, 0, 0);
	assert_row(harness_at(o->data, "account"), "values", "comment_author_url", 1, 0, 1, 0);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_int_equal(harness_int(o->data, "item.data.menu_order"), 7);
}

/* The second of two rows with one id gets an id with its slug, and is told. */
static void
rows_with_one_id_are_items_of_their_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	harness_ok(o, imported_post(h, IMPORTING_JOBS, "{\"format\":\"csv\"}",
			  "id,title\n1,One\n2,Two\n1,Again\n"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	o = importing_work(h, id, "done");
	assert_row(harness_at(o->data, "result.account"), "counted", "items row", 3, 3, 0, 0);
}

static int
begin(void **state)
{
	*state = imported_open(NULL);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    what_was_read_is_held_against_what_is_stored, begin, end),
		cmocka_unit_test_setup_teardown(an_item_that_is_refused_is_lost, begin, end),
		cmocka_unit_test_setup_teardown(
		    references_menus_and_other_texts_are_in_it, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(
		    what_is_read_is_held_against_the_database, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(texts_are_read_back_from_the_database, begin, end),
		cmocka_unit_test_setup_teardown(
		    texts_of_updates_and_sections_are_read_back, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(files_are_in_it, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(members_without_a_field_are_left, begin, end),
		cmocka_unit_test_setup_teardown(
		    rows_with_one_id_are_items_of_their_own, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(a_job_has_it_in_its_result_and_so_has_a_dry_run,
		    importing_begin, importing_end),
	};

	return cmocka_run_group_tests_name("import/account", tests, NULL, NULL);
}
