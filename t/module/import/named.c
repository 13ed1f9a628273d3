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
	static const char *const fields[] = { "n2019", "n2020", "ming_qian", "si_ge", "grosse",
		"column_7", "first_name", "first_name_2", "first_name_3", "nazvanie", "asm", "sm",
		"nama", "chux", "jepum", "onoma", "party_popper", "loaawo", "price_euro_sign",
		"c_sharp", "c_plus_plus", "hard" };
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, CSV,
	    "Title,2019,2020,名前,価格,Größe,,First name,first-name,First Name,Название,اسم,שם,"
	    "नाम,ชื่อ,제품,Όνομα,🎉,ລາວ,Price (€),C#,C++,Ъ\n"
	    "One,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v\n",
	    id);
	o = get(h, "/content/things/one");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		char path[80], value[2] = { (char)('a' + i), '\0' };

		(void)snprintf(path, sizeof(path), "item.data.%s", fields[i]);
		assert_string_equal(harness_text(o->data, path), value);
	}
	assert_told(h, id, "\"first-name\\\" becomes the field \\\"first_name_2");
	assert_told(h, id, "since \\\"First name\\\" is \\\"first_name\\\" here");
	/* The next import uses the same fields, in another order of columns. */
	run(h, CSV, "title,first-name,価格,First Name,名前,2020,First name\nTwo,1,2,3,4,5,6\n", id);
	o = get(h, "/content/things/two");
	assert_string_equal(harness_text(o->data, "item.data.first_name_2"), "1");
	assert_string_equal(harness_text(o->data, "item.data.si_ge"), "2");
	assert_string_equal(harness_text(o->data, "item.data.first_name_3"), "3");
	assert_string_equal(harness_text(o->data, "item.data.ming_qian"), "4");
	assert_string_equal(harness_text(o->data, "item.data.n2020"), "5");
	assert_string_equal(harness_text(o->data, "item.data.first_name"), "6");
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
	assert_string_equal(harness_text(o->data, "item.data.ming_qian"), "x");
	assert_string_equal(harness_text(o->data, "item.data.zhi"), "y");
	assert_int_equal(harness_int(o->data, "item.data.field_version"), 3);
}

static void
a_chosen_field_decides(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h,
	    "{\"format\":\"csv\",\"importMedia\":false,\"options\":{\"fields\":{\"first-name\":"
	    "\"given\",\"名前\":\"name\",\"Note\":\"\",\"Lead\":\"excerpt\"}}}",
	    "title,First name,first-name,名前,Note,Lead\nOne,a,b,c,d,e\n", id);
	o = get(h, "/content/row/one");
	assert_string_equal(harness_text(o->data, "item.data.first_name"), "a");
	assert_string_equal(harness_text(o->data, "item.data.given"), "b");
	assert_string_equal(harness_text(o->data, "item.data.name"), "c");
	assert_string_equal(harness_text(o->data, "item.data.excerpt"), "e");
	assert_null(harness_at(o->data, "item.data.note"));
	/* Two names with one chosen field do not replace each other. */
	run(h,
	    "{\"format\":\"jsonl\",\"importMedia\":false,\"options\":{\"fields\":{\"a\":\"z\","
	    "\"b\":\"z\"}}}",
	    "{\"type\":\"two\",\"title\":\"One\",\"a\":\"1\",\"b\":\"2\"}\n", id);
	o = get(h, "/content/two/one");
	assert_string_equal(harness_text(o->data, "item.data.z"), "1");
	assert_string_equal(harness_text(o->data, "item.data.z_2"), "2");
	assert_told(h, id, "since \\\"a\\\" is \\\"z\\\" here");
}

static const char custom_fields[] = ITEM("1", "post", "one",
    "<title>One</title><wp:status>publish</wp:status>" META("First name", "a")
	META("first-name", "b") META("名前", "c") META("version", "d") META("_price", "e")
	    META("Очень длинное название поля из выгрузки старого сайта", "f"));

static void
custom_fields_have_names_by_the_same_rules(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h,
	    "{\"importFields\":true,\"options\":{\"fields\":{\"_price\":\"price\"}}}",
	    custom_fields, id);
	(void)importing_work(h, id, "done");
	o = get(h, "/content/posts/one");
	assert_string_equal(harness_text(o->data, "item.data.first_name"), "a");
	assert_string_equal(harness_text(o->data, "item.data.first_name_2"), "b");
	assert_string_equal(harness_text(o->data, "item.data.ming_qian"), "c");
	assert_string_equal(harness_text(o->data, "item.data.field_version"), "d");
	assert_string_equal(harness_text(o->data, "item.data.price"), "e");
	assert_string_equal(
	    harness_text(o->data, "item.data.ocen_dlinnoe_nazvanie_pola_iz_vygruzki_starogo_sajta"),
	    "f");
	assert_told(h, id, "first_name_2");
	assert_told(h, id, "field_version");
}

static void
types_with_one_name_are_collections_of_their_own(void **state)
{
	struct harness *h = *state;
	char id[40];

	run(h, "{\"format\":\"jsonl\",\"importMedia\":false}",
	    "{\"type\":\"my-type\",\"title\":\"A\"}\n{\"type\":\"my_type\",\"title\":\"B\"}\n"
	    "{\"type\":\"製品\",\"title\":\"C\"}\n{\"type\":\"Media\",\"title\":\"D\"}\n",
	    id);
	assert_string_equal(
	    harness_text(get(h, "/content/my_type/a")->data, "item.data.title"), "A");
	assert_string_equal(
	    harness_text(get(h, "/content/my_type_2/b")->data, "item.data.title"), "B");
	(void)get(h, "/content/zhi_pin/c");
	(void)get(h, "/content/wp_media/d");
	assert_told(h, id, "my_type_2");
	assert_told(h, id, "\\\"wp_media\\\", since its name is reserved");
}

static void
taxonomies_with_one_name_are_two(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, "{\"format\":\"jsonl\",\"importMedia\":false}",
	    "{\"title\":\"A\",\"terms\":{\"my-kind\":[\"X\"],\"my_kind\":[\"X\",\"Y\"],\"分類\":"
	    "[\"Z\"]}}\n",
	    id);
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(taxonomy || '/' || slug) FROM (SELECT taxonomy, "
			  "slug FROM term ORDER BY taxonomy, slug) AS t"),
	    "fen_lei/z,my_kind/x,my_kind_2/x,my_kind_2/y");
	assert_told(h, id, "my_kind_2");
	/* POST /import/platform/execute makes no taxonomies. */
	imported_prepare(h);
	harness_ok(o, imported_run(h, "",
			  ITEM("1", "post", "p",
			      "<title>P</title><wp:status>publish</wp:status>" LABELLED(
				  "none-here", "", "C++"))));
	assert_int_equal(harness_int(o->data, "imported"), 1);
}

/* ---- labels of terms, titles of items ---- */

/* Returns the slugs of the tags with their labels, by slug. */
static const char *
tags(struct harness *h)
{
	return inside_ask(h, "SELECT group_concat(slug || '=' || label) FROM (SELECT slug, label "
			     "FROM term WHERE taxonomy = 'tag' ORDER BY slug) AS t");
}

static void
labels_that_differ_are_terms_that_differ(void **state)
{
	static const char lines[] =
	    "{\"title\":\"A\",\"tags\":[\"C#\",\".NET\",\"Go\",\"Machine Learning\"]}\n"
	    "{\"title\":\"B\",\"tags\":[\"C++\",\"NET\",\"Go!\",\"machine-learning\"]}\n"
	    "{\"title\":\"D\",\"tags\":[\"C\",\"タグ\",\"🎉\",\"Go?\",\"\\u200b\"]}\n";
	static const char all[] =
	    "c=C,c-plus-plus=C++,c-sharp=C#,dot-net=.NET,go=Go,go-2=Go!,go-3=Go?,"
	    "machine-learning=Machine Learning,net=NET,party-popper=🎉,u200b=\u200b,タグ=タグ";
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	run(h, "{\"format\":\"jsonl\",\"importMedia\":false}", lines, id);
	assert_string_equal(tags(h), all);
	o = get(h, "/content/row/b/terms/tag");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 4);
	assert_told(h, id, "\"Go!\\\" becomes the term \\\"go-2\\\", since \\\"Go\\\" is");
	assert_told(h, id, "\\\"machine-learning\\\" are one term");
	/* In another order, and from other formats, the labels are the same terms. */
	run(h, CSV, "title,tags\nOne,Go?;Go;C#\nTwo,Go!\n", id);
	assert_string_equal(tags(h), all);
	o = get(h, "/content/things/one/terms/tag");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 3);
	o = get(h, "/content/things/two/terms/tag");
	assert_string_equal(harness_text(o->data, "terms[0].slug"), "go-2");
	importing_create(h, NULL,
	    ITEM("1", "post", "p",
		"<title>P</title><wp:status>publish</wp:status>" LABELLED("post_tag", "", "C++")
		    LABELLED("post_tag", "", "Go?")),
	    id);
	(void)importing_work(h, id, "done");
	assert_string_equal(tags(h), all);
	o = get(h, "/content/posts/p/terms/tag");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 2);
}

static void
slugs_that_a_source_gives_stay(void **state)
{
	static const char lines[] =
	    "{\"title\":\"A\",\"terms\":{\"tag\":[{\"slug\":\"csh\",\"name\":\"C#\"},\"csh\",\"CSH!\"]}}\n"
	    "{\"title\":\"B\",\"terms\":{\"tag\":[\"Go\"]}}\n"
	    "{\"title\":\"D\",\"terms\":{\"tag\":[{\"slug\":\"go\",\"name\":\"The game\"}]}}\n";
	struct harness *h = *state;
	char id[40];

	run(h, "{\"format\":\"jsonl\",\"importMedia\":false}", lines, id);
	assert_string_equal(tags(h), "csh=C#,csh-2=CSH!,go=Go");
	assert_told(h, id, "\"Go\\\" and \\\"The game\\\" are one term");
}

static void
another_term_with_the_slug_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	harness_ok(o, harness_request(h, admin, "POST /taxonomies/tag/terms", NULL,
			  "{\"slug\":\"fun\",\"label\":\"Enjoyment\"}"));
	run(h, CSV, "title,tags\nOne,Fun\n", id);
	assert_string_equal(tags(h), "fun=Enjoyment");
	assert_told(
	    h, id, "\"Fun\\\" becomes the term \\\"fun\\\", which is \\\"Enjoyment\\\" here");
	/* Over REST the slug of a label is as before. */
	harness_ok(o,
	    harness_request(h, admin, "POST /taxonomies/tag/terms", NULL, "{\"label\":\"C++\"}"));
	assert_string_equal(harness_text(o->data, "term.slug"), "c");
}

static void
titles_become_slugs_that_differ(void **state)
{
	struct harness *h = *state;
	char id[40];

	run(h, CSV, "title\nC\nC#\nC++\n.NET\n名前\n🎉\nGo!\nGo\n", id);
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(slug) FROM (SELECT slug FROM c_things "
			  "ORDER BY slug) AS t"),
	    "c,c-plus-plus,c-sharp,dot-net,go,go-2,party-popper,名前");
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

static const char ghost_cards[] =
    "{\"db\":[{\"data\":{\"posts\":[{\"id\":\"c\",\"title\":\"Cards\",\"slug\":\"cards\",\""
    "type\":\"post\",\"status\":\"published\",\"lexical\":\"{\\\"root\\\":{\\\"children\\\""
    ":[{\\\"type\\\":\\\"callout\\\",\\\"calloutText\\\":\\\"<b>Mind</b> this\\\"},{\\\"ty"
    "pe\\\":\\\"toggle\\\",\\\"heading\\\":\\\"Ask\\\",\\\"content\\\":\\\"<p>Answer</p>\\"
    "\"},{\\\"type\\\":\\\"button\\\",\\\"buttonText\\\":\\\"Press\\\",\\\"buttonUrl\\\":\\"
    "\"https://192.0.2.1/b\\\"},{\\\"type\\\":\\\"header\\\",\\\"header\\\":\\\"Great\\\","
    "\\\"subheader\\\":\\\"Small\\\"},{\\\"type\\\":\\\"signup\\\",\\\"disclaimer\\\":\\\""
    "No spam\\\"},{\\\"type\\\":\\\"product\\\",\\\"productTitle\\\":\\\"Cup\\\",\\\"produ"
    "ctDescription\\\":\\\"Blue\\\"},{\\\"type\\\":\\\"email\\\",\\\"html\\\":\\\"<p>Dear "
    "you</p>\\\"},{\\\"type\\\":\\\"file\\\",\\\"src\\\":\\\"https://192.0.2.1/f.pdf\\\",\\"
    "\"fileTitle\\\":\\\"Paper\\\"},{\\\"type\\\":\\\"audio\\\",\\\"src\\\":\\\"https://19"
    "2.0.2.1/a.mp3\\\",\\\"title\\\":\\\"Song\\\"},{\\\"type\\\":\\\"video\\\",\\\"src\\\""
    ":\\\"https://192.0.2.1/v.mp4\\\",\\\"caption\\\":\\\"Film\\\"},{\\\"type\\\":\\\"gall"
    "ery\\\",\\\"images\\\":[{\\\"src\\\":\\\"https://192.0.2.1/g.png\\\"}],\\\"caption\\\""
    ":\\\"Row\\\"},{\\\"type\\\":\\\"bookmark\\\",\\\"url\\\":\\\"https://192.0.2.1/m\\\","
    "\\\"metadata\\\":{\\\"title\\\":\\\"Mark\\\",\\\"description\\\":\\\"About it\\\"}},{\\\"type"
    "\\\":\\\"chart\\\"}]}}\"}]}}]}";

/* Cards of posts that have no HTML. */
static void
cards_of_ghost_are_kept(void **state)
{
	static const char *const texts[] = { "Mind", "Ask", "Answer", "Press", "Great", "Small",
		"No spam", "Cup", "Blue", "Dear you", "Paper", "Song", "Film", "Row", "Mark",
		"About it", "b", "f.pdf", "a.mp3", "v.mp4", "g.png", "\"buttons\"" };
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	(void)run(h, "{\"format\":\"ghost\",\"importMedia\":false}", ghost_cards, id);
	o = get(h, "/content/posts/cards");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strstr(o->text, texts[i]) == NULL)
			fail_msg("%s: %s", texts[i], o->text);
	assert_told(h, id, "of its text is not known here");
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
			  "= 'published' ORDER BY slug) AS p"),
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

#define LINKED(id, slug, html)                                           \
	"{\"id\":\"" id "\",\"title\":\"" slug "\",\"slug\":\"" slug     \
	"\",\"type\":\"post\",\"status\":\"published\",\"html\":\"" html \
	"\",\"created_at\":\"2020-01-01T00:00:00.000Z\",\"published_at\":\"2020-01-01T00:00:00.000Z\"}"
#define A(href) "<p><a href='" href "'>x</a></p>"

/* With the address of the source's site, links to its items lead to these here, also to items that
 * come later; links to its other pages begin with "/". */
static void
links_to_the_own_site_lead_to_items(void **state)
{
	static const char posts[] =
	    "{\"db\":[{\"meta\":{\"version\":\"5.1\"},\"data\":{\"posts\":[" LINKED("p1", "one",
		A("https://www.Old.example/two/?a=b#c") A("__GHOST_URL__/gone/")
		    A("https://else.example/two/") A("__GHOST_URL__/two/")) "," LINKED("p2", "two",
		A("__GHOST_URL__/one") A("__GHOST_URL__/")) "]}}]}";
	static const char *const urls[] = { "/blog/two?a=b#c", "/gone/",
		"https://else.example/two/", "/blog/two" };
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h,
	    "{\"format\":\"ghost\",\"importMedia\":false,\"options\":{\"url\":"
	    "\"https://old.example/\"}}",
	    posts, id);
	assert_int_equal(harness_int(o->data, "result.items.created"), 2);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	o = get(h, "/content/posts/one");
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		char path[60];

		(void)snprintf(path, sizeof(path), "item.data.content[%zu].markDefs[0].href", i);
		assert_string_equal(harness_text(o->data, path), urls[i]);
	}
	o = get(h, "/content/posts/two");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[0].markDefs[0].href"), "/blog/one");
	assert_string_equal(harness_text(o->data, "item.data.content[1].markDefs[0].href"), "/");
	/* So do those of texts that are Markdown. */
	run(h,
	    "{\"format\":\"ghost\",\"importMedia\":false,\"options\":{\"url\":"
	    "\"https://old.example/\"}}",
	    "{\"db\":[{\"meta\":{\"version\":\"003\"},\"data\":{\"posts\":[{\"id\":3,\"title\":\"T\","
	    "\"slug\":\"three\",\"status\":\"published\",\"page\":0,\"html\":\"\",\"markdown\":"
	    "\"[x](https://old.example/z/)\"}]}}]}",
	    id);
	o = get(h, "/content/posts/three");
	assert_string_equal(harness_text(o->data, "item.data.content[0].markDefs[0].href"), "/z/");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, importing_begin, importing_end)
	const struct CMUnitTest tests[] = {
		TEST(columns_of_any_script_are_fields_of_their_own),
		TEST(columns_with_one_name_are_told_and_kept),
		TEST(reserved_names_become_others),
		TEST(a_chosen_field_decides),
		TEST(links_to_the_own_site_lead_to_items),
		TEST(custom_fields_have_names_by_the_same_rules),
		TEST(types_with_one_name_are_collections_of_their_own),
		TEST(taxonomies_with_one_name_are_two),
		TEST(labels_that_differ_are_terms_that_differ),
		TEST(slugs_that_a_source_gives_stay),
		TEST(another_term_with_the_slug_is_told),
		TEST(titles_become_slugs_that_differ),
		TEST(numbers_are_ids_of_old_exports_of_ghost),
		TEST(cards_of_ghost_are_kept),
		TEST(code_newsletters_and_posts_for_members_are_told),
		TEST(pages_and_other_types_keep_their_terms),
		TEST(terms_that_a_taxonomy_does_not_allow_are_told),
		TEST(a_link_that_cannot_be_kept_costs_no_menu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
