/* sections.t - reusable pieces of content: creating, finding, paging, changing, and access. */
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define BLOCKS "'content':[{'_type':'block','style':'normal','children':[]}]"

static void
section(struct harness *h, const char *slug, const char *title, const char *more)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /sections", "{'slug':'%s','title':'%s'," BLOCKS "%s}",
			  slug, title, more));
	assert_int_equal(o->http, 201);
}

/* Creates a section that a theme brings. */
static void
theme_section(struct harness *h, const char *slug)
{
	assert_ok(harness_op(h, admin, "section_add",
	    "{\"slug\":\"%s\",\"title\":\"Hero\",\"content\":[],\"source\":\"theme\","
	    "\"themeId\":\"plain\"}",
	    slug));
}

/* Returns the slugs of a list, in order. */
static const char *
slugs(struct harness *h, const char *query)
{
	static char text[512];
	struct outcome *o;
	json_t *item;
	size_t i, len = 0;

	harness_ok(o, ask(h, subscriber, "GET /sections?%s", query));
	*text = '\0';
	json_array_foreach(harness_at(o->data, "items"), i, item) len +=
	    (size_t)snprintf(text + len, sizeof(text) - len, "%s ", harness_text(item, "slug"));
	assert_true(len < sizeof(text));
	return text;
}

static void
a_section_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	section(h, "bare", "Bare", "");
	harness_ok(o, ask(h, subscriber, "GET /sections/bare"));
	assert_true(stet_is_id(harness_text(o->data, "id")));
	assert_string_equal(harness_text(o->data, "title"), "Bare");
	assert_string_equal(harness_text(o->data, "source"), "user");
	assert_int_equal(json_array_size(harness_at(o->data, "keywords")), 0);
	assert_string_equal(harness_text(o->data, "content[0].style"), "normal");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:00.000Z");
	/* Members without a value are absent. */
	assert_int_equal(json_object_size(o->data), 8);
	section(h, "full", "Full",
	    ",'description':'D','keywords':['a','b'],'source':'import','themeId':'t'");
	harness_ok(o, ask(h, subscriber, "GET /sections/full"));
	assert_string_equal(harness_text(o->data, "description"), "D");
	assert_string_equal(harness_text(o->data, "keywords[1]"), "b");
	assert_string_equal(harness_text(o->data, "source"), "import");
	assert_string_equal(harness_text(o->data, "themeId"), "t");
	assert_int_equal(json_object_size(o->data), 10);
	assert_code(ask(h, subscriber, "GET /sections/none"), "NOT_FOUND");
}

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{'title':'A','content':[]}", "slug" },
		{ "{'slug':'a','content':[]}", "title" },
		{ "{'slug':'a','title':'A'}", "content" },
		{ "{'slug':'','title':'A','content':[]}", "slug" },
		{ "{'slug':'A','title':'A','content':[]}", "slug" },
		{ "{'slug':'a b','title':'A','content':[]}", "slug" },
		{ "{'slug':'a_b','title':'A','content':[]}", "slug" },
		{ "{'slug':'a\\n','title':'A','content':[]}", "slug" },
		{ "{'slug':'a','title':' ','content':[]}", "title" },
		{ "{'slug':'a','title':'A','content':7}", "content" },
		{ "{'slug':'a','title':'A','content':null}", "content" },
		{ "{'slug':'a','title':'A','content':[1]}", "content[0]" },
		{ "{'slug':'a','title':'A','content':[{'_type':'x'},{'style':'n'}]}",
		    "content[1]" },
		{ "{'slug':'a','title':'A','content':[],'keywords':'x'}", "keywords" },
		{ "{'slug':'a','title':'A','content':[],'keywords':['']}", "keywords[0]" },
		{ "{'slug':'a','title':'A','content':[],'keywords':[7]}", "keywords[0]" },
		{ "{'slug':'a','title':'A','content':[],'source':'theme'}", "source" },
		{ "{'slug':'a','title':'A','content':[],'source':'x'}", "source" },
		{ "{'slug':'a','title':'A','content':[],'colour':'x'}", "colour" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST /sections", "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	o = say(
	    h, editor, "POST /sections", "{'slug':'a','title':'A','content':[{}],'keywords':['']}");
	assert_true(harness_issue(o, "content[0]") && harness_issue(o, "keywords[0]"));
	assert_string_equal(slugs(h, ""), "");
}

static void
unknown_blocks_stay_as_they_came(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, editor, "POST /sections",
	    "{'slug':'a','title':'A','content':[{'_type':'chart','data':{'x':[1,2.5,null]}}]}"));
	harness_ok(o, ask(h, subscriber, "GET /sections/a"));
	assert_non_null(strstr(o->text, "[{\"_type\":\"chart\",\"data\":{\"x\":[1,2.5,null]}}]"));
}

static void
a_slug_is_taken_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	section(h, "a", "A", "");
	section(h, "b", "B", "");
	assert_code(
	    say(h, editor, "POST /sections", "{'slug':'a','title':'X','content':[]}"), "CONFLICT");
	assert_code(say(h, editor, "PUT /sections/b", "{'slug':'a'}"), "CONFLICT");
	harness_ok(o, say(h, editor, "PUT /sections/b", "{'slug':'b'}"));
	harness_ok(o, say(h, editor, "PUT /sections/b", "{'slug':'c'}"));
	assert_string_equal(harness_text(o->data, "slug"), "c");
	assert_code(ask(h, subscriber, "GET /sections/b"), "NOT_FOUND");
}

static void
an_update_keeps_what_is_omitted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	section(h, "a", "A", ",'description':'D','keywords':['k']");
	at(h, 1000);
	harness_ok(o, say(h, editor, "PUT /sections/a", "{'title':'B'}"));
	assert_string_equal(harness_text(o->data, "description"), "D");
	assert_string_equal(harness_text(o->data, "keywords[0]"), "k");
	assert_string_equal(harness_text(o->data, "content[0]._type"), "block");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:01.000Z");
	harness_ok(o,
	    say(h, editor, "PUT /sections/a", "{'description':null,'keywords':[],'content':[]}"));
	assert_null(harness_at(o->data, "description"));
	assert_int_equal(json_array_size(harness_at(o->data, "keywords")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "content")), 0);
	assert_string_equal(slugs(h, "search=k"), "");
	assert_code(say(h, editor, "PUT /sections/a", "{'content':[{}]}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, "PUT /sections/a", "{'source':'user'}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, "PUT /sections/none", "{'title':'B'}"), "NOT_FOUND");
	harness_ok(o, harness_op(h, editor, "section_update",
			  "{\"section\":\"a\",\"slug\":\"z\",\"title\":\"Z\"}"));
	assert_string_equal(harness_text(o->data, "slug"), "z");
}

static void
sections_of_a_theme_stay(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	theme_section(h, "hero");
	section(h, "mine", "Mine", "");
	harness_ok(o, say(h, editor, "PUT /sections/hero", "{'title':'Big hero'}"));
	assert_string_equal(harness_text(o->data, "source"), "theme");
	o = ask(h, admin, "DELETE /sections/hero");
	assert_code(o, "FORBIDDEN");
	assert_int_equal(o->http, 403);
	assert_ok(ask(h, subscriber, "GET /sections/hero"));
	harness_ok(o, ask(h, editor, "DELETE /sections/mine"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_code(ask(h, editor, "DELETE /sections/mine"), "NOT_FOUND");
	assert_code(ask(h, author, "DELETE /sections/hero"), "FORBIDDEN");
}

static void
lists_are_filtered_by_source_and_words(void **state)
{
	struct harness *h = *state;

	theme_section(h, "hero");
	section(h, "price", "Price table", ",'keywords':['Money','50% off']");
	section(h, "import-1", "An import", ",'source':'import','description':'of prices'");
	section(h, "under", "a_b", "");
	assert_string_equal(slugs(h, ""), "import-1 hero price under ");
	assert_string_equal(slugs(h, "source=theme"), "hero ");
	assert_string_equal(slugs(h, "source=user"), "price under ");
	assert_string_equal(slugs(h, "source=import"), "import-1 ");
	assert_string_equal(slugs(h, "search=PRICE"), "import-1 price ");
	assert_string_equal(slugs(h, "search=price&source=user"), "price ");
	assert_string_equal(slugs(h, "search=money"), "price ");
	/* The search treats neither wildcards nor the JSON of the keywords as syntax. */
	assert_string_equal(slugs(h, "search=%25"), "price ");
	assert_string_equal(slugs(h, "search=_"), "under ");
	assert_string_equal(slugs(h, "search=%22"), "");
	assert_string_equal(slugs(h, "search=%5C"), "");
	assert_string_equal(slugs(h, "search=x'%20OR%201=1%20--"), "");
	assert_code(ask(h, subscriber, "GET /sections?source=other"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /sections?search="), "VALIDATION_ERROR");
}

static void
pages_neither_skip_nor_repeat(void **state)
{
	struct harness *h = *state;
	char slug[16], seen_all[256] = "", cursor[2100] = "";
	struct outcome *o;
	int pages = 0;
	size_t len = 0;

	for (int i = 0; i < 7; i++) {
		snprintf(slug, sizeof(slug), "s%d", i);
		section(h, slug, i < 4 ? "Same" : "Other", "");
	}
	do {
		harness_ok(o, ask(h, subscriber, "GET /sections?limit=2%s%s",
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++)
			len += (size_t)snprintf(seen_all + len, sizeof(seen_all) - len, "%s ",
			    json_string_value(json_object_get(
				json_array_get(harness_at(o->data, "items"), i), "slug")));
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		pages++;
	} while (*cursor != '\0');
	assert_int_equal(pages, 4);
	assert_string_equal(seen_all, "s4 s5 s6 s0 s1 s2 s3 ");
	harness_ok(o, ask(h, subscriber, "GET /sections?limit=7"));
	assert_null(harness_at(o->data, "nextCursor"));
	assert_code(ask(h, subscriber, "GET /sections?limit=0"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /sections?limit=101"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /sections?cursor=x"), "INVALID_CURSOR");
}

static void
cursors_of_other_lists_are_refused(void **state)
{
	struct harness *h = *state;
	char cursor[2100];
	struct outcome *o;

	for (int i = 0; i < 2; i++)
		assert_ok(say(h, editor, "POST /bylines", "{'displayName':'N%d'}", i));
	harness_ok(o, ask(h, admin, "GET /bylines?limit=1"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_true(*cursor != '\0');
	assert_code(ask(h, subscriber, "GET /sections?cursor=%s", cursor), "INVALID_CURSOR");
}

static void
the_longest_title_fits_a_cursor(void **state)
{
	struct harness *h = *state;
	char title[4 * 200 + 1] = "", cursor[2100];
	struct outcome *o;

	for (int i = 0; i < 200; i++)
		memcpy(title + 4 * i, "\xf0\x9f\x8d\x8e", 5);
	section(h, "a", title, "");
	section(h, "b", title, "");
	harness_ok(o, ask(h, subscriber, "GET /sections?limit=1"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	harness_ok(o, ask(h, subscriber, "GET /sections?limit=1&cursor=%s", cursor));
	assert_string_equal(harness_text(o->data, "items[0].slug"), "b");
	o = say(h, editor, "POST /sections", "{'slug':'c','title':'%sx','content':[]}", title);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "title"));
}

/* The response lists content of the Markdown that blocks cannot express, as for items. */
static void
what_is_lost_of_markdown_is_answered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /sections",
			  "{'slug':'tasks','title':'Tasks','content':'One.\\n\\n> > two'}"));
	assert_string_equal(harness_text(o->data, "lost[0].field"), "content");
	assert_int_equal(harness_int(o->data, "lost[0].line"), 3);
	assert_string_equal(harness_text(o->data, "lost[0].what"), "a quotation in a quotation");
	harness_ok(o, say(h, editor, "PUT /sections/tasks", "{'content':'> # three'}"));
	assert_string_equal(harness_text(o->data, "lost[0].what"), "a quotation around a heading");
	harness_ok(o, say(h, editor, "PUT /sections/tasks", "{'content':'Plain.'}"));
	assert_null(harness_at(o->data, "lost"));
	harness_ok(o, ask(h, subscriber, "GET /sections/tasks"));
	assert_null(harness_at(o->data, "lost"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_section_has_all_members),
		check(bad_members_are_refused_by_name),
		check(unknown_blocks_stay_as_they_came),
		check(a_slug_is_taken_once),
		check(an_update_keeps_what_is_omitted),
		check(sections_of_a_theme_stay),
		check(lists_are_filtered_by_source_and_words),
		check(pages_neither_skip_nor_repeat),
		check(cursors_of_other_lists_are_refused),
		check(the_longest_title_fits_a_cursor),
		check(what_is_lost_of_markdown_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
