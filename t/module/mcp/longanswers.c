/*
 * longanswers.t - unless the caller asks for more, no result of a tool is too long for an assistant
 * (25,000 tokens, about 100 kB of text and structuredContent), whatever the site contains.
 */
#include "inside.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

#define MOST 100000

/* ---- a site that is too much of everything ---- */

#define TIMES(n) \
	"WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < " #n ") "
#define ID "printf('01N%023d', i)"
#define NOW "'2026-06-01T12:00:00.000Z'"
#define LONG(n) "printf('%.*c', " #n ", 'x')"
#define BLOCKS(n)                                                                         \
	"'[{\"_type\":\"block\",\"children\":[{\"_type\":\"span\",\"text\":\"' || " LONG( \
	    n) " || '\"}]}]'"
#define COLLECTION                                                                                   \
	"INSERT INTO collection (id, slug, label, description, supports, has_seo, routable, hidden," \
	" created_at, updated_at) SELECT " ID ", "
#define BEHIND "'[\"drafts\",\"revisions\"]', 0, 1, 0, " NOW ", " NOW

static const char *const much[] = {
	TIMES(300) COLLECTION "'c' || i, 'Collection ' || i, " LONG(200) ", " BEHIND " FROM n",
	"INSERT INTO collection (id, slug, label, supports, has_seo, routable, hidden, created_at,"
	" updated_at) VALUES ('01WIDE00000000000000000000', 'wide', 'Wide', " BEHIND ")",
	TIMES(
	    500) "INSERT INTO field (id, collection_id, slug, label, type, storage, json_text,"
		 " required, is_unique, indexed, searchable, translatable, sort_order, created_at)"
		 " SELECT " ID ", '01WIDE00000000000000000000', 'f' || i, 'Field ' || i, 'string',"
		 " 'TEXT', 0, i % 2, 0, 0, 0, 1, i, " NOW " FROM n",
	"UPDATE schema_state SET version = version + 1",
	"UPDATE c_posts SET f_summary = " LONG(20000),
	"UPDATE c_posts SET f_summary = " LONG(300000) " WHERE slug = 'big'",
	TIMES(400) "INSERT INTO taxonomy (id, name, label, hierarchical, collections, locale,"
		   " translation_group) SELECT " ID
		   ", 't' || i, " LONG(100) ", 0, '[\"posts\"]', 'en', " ID " FROM n",
	TIMES(
	    60) "INSERT INTO term (id, taxonomy, slug, label, description, parent_group, position,"
		" locale, translation_group) SELECT " ID
		", 't1', 's' || i, 'Term', " LONG(4000) ", '', i, 'en', " ID " FROM n",
	TIMES(500) "INSERT INTO menu (id, name, label, locale, translation_group, created_at,"
		   " updated_at) SELECT " ID ", 'm' || i, 'Menu', 'en', " ID ", " NOW ", " NOW
		   " FROM n",
	TIMES(1000) "INSERT INTO menu_item (id, menu_id, sort_order, type, custom_url, label,"
		    " translation_group, created_at) SELECT " ID
		    ", '01N00000000000000000000001', i,"
		    " 'custom', '/' || i, 'Item', " ID ", " NOW " FROM n",
	TIMES(300) "INSERT INTO widget_area (id, name, label, description, created_at) SELECT " ID
		   ", 'w' || i, 'Area', " LONG(300) ", " NOW " FROM n",
	TIMES(40) "INSERT INTO widget (id, area_id, sort_order, type, title, content) SELECT " ID
		  ", '01N00000000000000000000001', i, 'content', 'W', " BLOCKS(5000) " FROM n",
	TIMES(60) "INSERT INTO section (id, slug, title, keywords, content, source, words,"
		  " created_at, updated_at) SELECT " ID ", 's' || i, 'Section', '[]', " BLOCKS(
		      90000) ", 'user', '', " NOW ", " NOW " FROM n",
	TIMES(60) "INSERT INTO byline (id, slug, display_name, bio, is_guest, locale,"
		  " translation_group, created_at, updated_at) SELECT " ID
		  ", 'b' || i, 'Bo', " LONG(5000) ", 1, 'en', " ID ", " NOW ", " NOW " FROM n",
	TIMES(60) "INSERT INTO comment (id, collection, entry_id, author_name, body, status,"
		  " created_at, updated_at) SELECT " ID
		  ", 'posts', (SELECT id FROM c_posts LIMIT 1),"
		  " 'Cy', " LONG(5000) ", 'pending', " NOW ", " NOW " FROM n",
	TIMES(60) "INSERT INTO media_items (id, filename, mime_type, size, storage_key, kept_key,"
		  " created_at, status, alt, caption) SELECT " ID ", 'a.png', 'image/png', 1, " ID
		  ", " ID ", " NOW ", 'ready', " LONG(5000) ", " LONG(5000) " FROM n",
};

static char published[80]; /* arguments with the id of a published item */

static int
begin(void **state)
{
	struct harness *h;
	char id[27];

	assert_int_equal(posts_begin(state), 0);
	h = *state;
	(void)say(h, admin, "PUT /schema/collections/posts",
	    "{'supports':['drafts','revisions','search']}");
	assert_string_equal(
	    rpc_code(rpc_call(h, admin, "search_enable", "{'collection':'posts','enabled':true}")),
	    "");
	for (int i = 0; i < 60; i++)
		make(h, admin, id, "{'slug':'p%d','status':'published','data':{'title':'Pear %d'}}",
		    i, i);
	(void)snprintf(published, sizeof(published), "{'collection':'posts','id':'%s'}", id);
	make(h, admin, id, "{'slug':'big','data':{'title':'Pear'}}");
	for (size_t i = 0; i < COUNT(much); i++)
		inside_sql(h, much[i], NULL);
	(void)say(h, admin, "POST /settings", "{'seo':{'robotsTxt':'x'}}");
	return 0;
}

/* Returns the bytes of the text and of structuredContent, as sent. */
static size_t
length_of(const json_t *result)
{
	size_t sum = 0;

	sum += json_dumpb(json_object_get(result, "content"), NULL, 0, JSON_COMPACT);
	return sum +
	       json_dumpb(json_object_get(result, "structuredContent"), NULL, 0, JSON_COMPACT);
}

/* Fails unless the text of a result is its structuredContent. */
static void
check_both(const json_t *result)
{
	json_t *text = json_loads(rpc_text((json_t *)(uintptr_t)result), JSON_DECODE_ANY, NULL);
	const json_t *structure = json_object_get(result, "structuredContent");

	assert_true(
	    json_equal(text, structure) || json_equal(text, json_object_get(structure, "items")));
	json_decref(text);
}

/* ---- every tool that reads ---- */

static const struct {
	const char *tool, *arguments; /* the required arguments */
} reads[] = {
	{ "byline_get", "{'id':'01N00000000000000000000001'}" },
	{ "byline_translations", "{'id':'01N00000000000000000000001'}" },
	{ "content_answer_context", "{'q':'pear'}" },
	{ "content_compare", "{'collection':'posts','id':'big'}" },
	{ "content_get", "{'collection':'posts','id':'big'}" },
	{ "content_list", "{'collection':'posts'}" },
	{ "content_list_trashed", "{'collection':'posts'}" },
	{ "content_preview_url", "{'collection':'posts','id':'big','pathPattern':'/{slug}'}" },
	{ "content_translations", "{'collection':'posts','id':'big'}" },
	{ "media_get", "{'id':'01N00000000000000000000001'}" },
	{ "menu_get", "{'name':'m1'}" },
	{ "menu_translations", "{'id':'01N00000000000000000000001'}" },
	{ "note_list", "{'collection':'posts','id':'big'}" },
	{ "review_list", "{}" },
	{ "revision_list", "{'collection':'posts','id':'big'}" },
	{ "schema_get_collection", "{'slug':'wide'}" },
	{ "search", "{'query':'pear'}" },
	{ "search_similar", published },
	{ "section_get", "{'section':'s1'}" },
	{ "taxonomy_get", "{'name':'t1'}" },
	{ "taxonomy_list_terms", "{'taxonomy':'t1'}" },
	{ "taxonomy_term_translations", "{'id':'01N00000000000000000000001'}" },
	{ "widget_area_get", "{'name':'w1'}" },
};

static const char *
arguments_of(const json_t *tool)
{
	const char *name = harness_text((json_t *)(uintptr_t)tool, "name");

	for (size_t i = 0; i < COUNT(reads); i++)
		if (strcmp(reads[i].tool, name) == 0)
			return reads[i].arguments;
	if (json_array_size(harness_at((json_t *)(uintptr_t)tool, "inputSchema.required")) > 0)
		fail_msg("give %s a row of arguments", name);
	return "{}";
}

static void
no_answer_of_a_tool_that_reads_is_too_long(void **state)
{
	struct harness *h = *state;
	json_t *tools = json_incref(harness_at(
	    rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}")->body,
	    "result.tools"));
	size_t i, tried = 0;
	json_t *tool, *r;

	json_array_foreach(tools, i, tool)
	{
		if (!json_is_true(harness_at(tool, "annotations.readOnlyHint")))
			continue;
		r = rpc_call(h, admin, harness_text(tool, "name"), "%s", arguments_of(tool));
		if (*rpc_code(r) != '\0')
			fail_msg("%s: %s", harness_text(tool, "name"), rpc_text(r));
		check_both(r);
		if (length_of(r) > MOST)
			fail_msg("%s: %zu bytes", harness_text(tool, "name"), length_of(r));
		tried++;
	}
	assert_true(tried > 20);
	json_decref(tools);
}

/* ---- schemas (case 17) ---- */

static void
a_long_list_of_collections_is_short_and_in_pages(void **state)
{
	struct harness *h = *state;
	bool seen[301] = { false };
	char cursor[2100] = "";
	int count = 0, pages = 0;
	json_t *r, *items, *one;
	size_t i;

	do {
		r = *cursor == '\0'
			? rpc_call(h, admin, "schema_list_collections", "{}")
			: rpc_call(h, admin, "schema_list_collections", "{'cursor':'%s'}", cursor);
		if (!json_is_true(harness_at(r, "structuredContent.brief")))
			fail_msg("page %d: %.400s", pages, rpc_text(r));
		items = harness_at(r, "structuredContent.items");
		json_array_foreach(items, i, one)
		{
			const char *slug = harness_text(one, "slug");
			const long number = strtol(slug + 1, NULL, 10);

			assert_int_equal(json_object_size(one), 5);
			assert_non_null(harness_at(one, "supports"));
			assert_non_null(harness_at(one, "updatedAt"));
			if (slug[0] != 'c' || number < 1)
				continue;
			assert_in_range(number, 1, 300);
			assert_false(seen[number]);
			seen[number] = true;
			count++;
		}
		(void)snprintf(
		    cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.nextCursor"));
		pages++;
	} while (*cursor != '\0');
	assert_int_equal(count, 300);
	assert_in_range(pages, 1, 3);
}

static void
the_caller_says_how_much_of_a_schema_it_wants(void **state)
{
	struct harness *h = *state;
	char cursor[2100];
	json_t *r;

	r = rpc_call(h, admin, "schema_list_collections", "{'limit':10,'fields':'slug, icon'}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 10);
	assert_int_equal(json_object_size(harness_at(r, "structuredContent.items[0]")), 1);
	(void)snprintf(
	    cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.nextCursor"));
	r = rpc_call(h, admin, "schema_list_collections", "{'limit':10,'cursor':'%s'}", cursor);
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 10);
	assert_non_null(harness_at(r, "structuredContent.items[0].hasSeo"));
	r = rpc_call(h, admin, "schema_list_collections", "{'whole':true}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 303);
	assert_null(harness_at(r, "structuredContent.nextCursor"));
	r = rpc_call(h, admin, "schema_list_collections", "{'brief':'false'}");
	assert_non_null(harness_at(r, "structuredContent.items[0].hasSeo"));
	assert_non_null(harness_at(r, "structuredContent.nextCursor"));
	assert_true(length_of(r) <= MOST);

	r = rpc_call(h, admin, "schema_get_collection", "{'slug':'wide'}");
	assert_true(json_is_true(harness_at(r, "structuredContent.brief")));
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.fields")), 500);
	assert_string_equal(harness_text(r, "structuredContent.fields[1].slug"), "f2");
	assert_string_equal(harness_text(r, "structuredContent.fields[1].type"), "string");
	r = rpc_call(h, admin, "schema_get_collection", "{'slug':'wide','fields':'f7,f3'}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.fields")), 2);
	assert_string_equal(harness_text(r, "structuredContent.fields[0].slug"), "f7");
	assert_non_null(harness_at(r, "structuredContent.fields[0].columnType"));
	/* 360 fields have less than 25 KB. */
	inside_sql(h,
	    "DELETE FROM field WHERE collection_id = '01WIDE00000000000000000000' AND"
	    " sort_order > 360",
	    NULL);
	inside_sql(h, "UPDATE schema_state SET version = version + 1", NULL);
	r = rpc_call(h, admin, "schema_get_collection", "{'slug':'wide','brief':true}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.fields")), 360);
	print_message("# 360 fields: %zu bytes\n", strlen(rpc_text(r)));
	assert_in_range(strlen(rpc_text(r)), 1000, 24999);
	r = rpc_call(h, admin, "schema_get_collection", "{'slug':'posts','brief':true}");
	assert_null(harness_at(r, "structuredContent.fields[0].columnType"));
	r = rpc_call(h, admin, "schema_get_collection", "{'slug':'posts'}");
	assert_null(harness_at(r, "structuredContent.brief"));
	assert_non_null(harness_at(r, "structuredContent.fields[0].columnType"));
}

static void
what_cannot_be_meant_is_refused(void **state)
{
	static const struct {
		const char *tool, *arguments, *code, *says;
	} cases[] = {
		{ "schema_list_collections", "{'cursor':'nope'}", "INVALID_CURSOR", "cursor" },
		{ "schema_list_collections", "{'limit':0}", "VALIDATION_ERROR", "limit" },
		{ "schema_list_collections", "{'limit':[]}", "VALIDATION_ERROR", "limit" },
		{ "schema_list_collections", "{'fields':'slug,nope'}", "VALIDATION_ERROR", "nope" },
		{ "schema_list_collections", "{'brief':'perhaps'}", "VALIDATION_ERROR", "brief" },
		{ "schema_get_collection", "{'slug':'wide','fields':'f1,nope'}", "VALIDATION_ERROR",
		    "nope" },
		{ "content_get", "{'collection':'posts','id':'big','brief':true}",
		    "VALIDATION_ERROR", "brief" },
		{ "content_get", "{'collection':'posts','id':'big','whole':3}", "VALIDATION_ERROR",
		    "whole" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		json_t *r = rpc_call(h, admin, cases[i].tool, "%s", cases[i].arguments);

		if (strcmp(rpc_code(r), cases[i].code) != 0 ||
		    strstr(rpc_text(r), cases[i].says) == NULL)
			fail_msg("%s %s: %s", cases[i].tool, cases[i].arguments, rpc_text(r));
	}
}

/* ---- items ---- */

static void
a_list_of_long_items_has_shorter_pages(void **state)
{
	struct harness *h = *state;
	char cursor[2100] = "";
	int count = 0, pages = 0;
	json_t *r;

	do {
		r = *cursor == '\0' ? rpc_call(h, admin, "content_list", "{'collection':'posts'}")
				    : rpc_call(h, admin, "content_list",
					  "{'collection':'posts','cursor':'%s'}", cursor);
		assert_true(length_of(r) <= MOST);
		count += (int)json_array_size(harness_at(r, "structuredContent.items"));
		(void)snprintf(
		    cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.nextCursor"));
		assert_true(++pages < 70);
	} while (*cursor != '\0');
	assert_int_equal(count, 61);
}

static void
a_field_that_is_too_long_is_left_out_whole_and_named(void **state)
{
	struct harness *h = *state;
	char rev[100];
	json_t *r = rpc_call(h, admin, "content_get", "{'collection':'posts','id':'big'}");

	assert_null(harness_at(r, "structuredContent.item.data.summary"));
	assert_string_equal(harness_text(r, "structuredContent.item.data.title"), "Pear");
	assert_string_equal(
	    harness_text(r, "structuredContent.omitted[0].path"), "item.data.summary");
	assert_in_range(harness_int(r, "structuredContent.omitted[0].bytes"), 300000, 300100);
	assert_non_null(strstr(harness_text(r, "structuredContent.hint"), "whole: true"));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(r, "structuredContent._rev"));
	/* A write returns its item, too. */
	r = rpc_call(h, admin, "content_update",
	    "{'collection':'posts','id':'big','_rev':'%s','data':{'title':'Quince'}}", rev);
	assert_string_equal(rpc_code(r), "");
	assert_true(length_of(r) <= MOST);
	r = rpc_call(h, admin, "content_get", "{'collection':'posts','id':'big','whole':'true'}");
	assert_int_equal(strlen(harness_text(r, "structuredContent.item.data.summary")), 300000);
	assert_string_equal(harness_text(r, "structuredContent.item.data.title"), "Quince");
	assert_null(harness_at(r, "structuredContent.omitted"));
}

/* A long list within one record, whose values are short. */
static void
the_last_records_of_a_long_list_are_left_out_and_named(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, admin, "menu_get", "{'name':'m1'}");
	size_t n = json_array_size(harness_at(r, "structuredContent.items"));
	char path[40];

	assert_in_range(n, 50, 999);
	(void)snprintf(path, sizeof(path), "items[%zu..999]", n);
	assert_string_equal(harness_text(r, "structuredContent.omitted[0].path"), path);
	r = rpc_call(h, admin, "menu_get", "{'name':'m1','whole':true}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 1000);
}

/* ---- the caller's budget ---- */

/* Walks the pages of a list, none of which is longer than the budget; returns the number of
 * records. */
static int
walk(struct harness *h, const char *tool, const char *arguments, int budget)
{
	char cursor[2100] = "", last[200] = "";
	int count = 0, pages = 0;

	do {
		json_t *r = rpc_call(h, admin, tool, "{%s'max_bytes':%d%s%s%s}", arguments, budget,
			   *cursor != '\0' ? ",'cursor':'" : "", cursor,
			   *cursor != '\0' ? "'" : ""),
		       *items;
		char first[200];

		if (*rpc_code(r) != '\0')
			fail_msg("%s: %s", tool, rpc_text(r));
		assert_in_range(strlen(rpc_text(r)), 1, (size_t)budget);
		items = harness_at(r, "structuredContent.items");
		if (items == NULL)
			items = harness_at(r, "structuredContent.taxonomies");
		if (json_array_size(items) == 0)
			fail_msg("%s: %.600s", tool, rpc_text(r));
		snprintf(first, sizeof(first), "%s",
		    json_string_value(json_object_get(json_array_get(items, 0), "id")));
		assert_string_not_equal(first, last);
		snprintf(last, sizeof(last), "%s", first);
		count += (int)json_array_size(items);
		snprintf(
		    cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.nextCursor"));
		assert_true(++pages < 400);
	} while (*cursor != '\0');
	assert_true(pages > 1);
	return count;
}

static void
a_list_goes_on_behind_the_callers_limit(void **state)
{
	struct harness *h = *state;

	/* A tool with pages, and one whose list the tool server cuts. */
	assert_int_equal(
	    walk(h, "content_list", "'collection':'posts','fields':'id,title',", 1500), 61);
	assert_int_equal(walk(h, "taxonomy_list", "", 4000), 402);
	assert_int_equal(walk(h, "menu_list", "", 20000), 500);
}

/* One record that is too long: its longest values are left out and named, and `hint` says how one
 * gets them. */
static void
values_are_left_out_above_the_callers_limit(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, admin, "section_get", "{'section':'s1','max_bytes':2000}");

	assert_in_range(strlen(rpc_text(r)), 1, 2000);
	assert_string_equal(harness_text(r, "structuredContent.omitted[0].path"), "content");
	assert_non_null(strstr(harness_text(r, "structuredContent.hint"), "max_bytes"));
	/* As text, as some clients send numbers. */
	r = rpc_call(
	    h, admin, "content_get", "{'collection':'posts','id':'big','max_bytes':'1000'}");
	assert_in_range(strlen(rpc_text(r)), 1, 1000);
	assert_string_equal(
	    harness_text(r, "structuredContent.omitted[0].path"), "item.data.summary");
	/* A short answer stays as it is; `whole` is more than the limit. */
	r = rpc_call(h, admin, "content_list", "{'collection':'pages','max_bytes':1000}");
	assert_string_equal(rpc_text(r), "{\"items\":[]}");
	r = rpc_call(h, admin, "section_get", "{'section':'s1','max_bytes':2000,'whole':true}");
	assert_null(harness_at(r, "structuredContent.omitted"));
	assert_true(length_of(r) > MOST);
	/* A limit that cannot be meant. */
	for (size_t i = 0; i < 4; i++) {
		static const char *const bad[] = { "999", "50001", "[]", "'many'" };

		r = rpc_call(h, admin, "section_get", "{'section':'s1','max_bytes':%s}", bad[i]);
		assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
		assert_non_null(strstr(rpc_text(r), "max_bytes"));
	}
}

static void
letters_of_other_scripts_count_for_more(void **state)
{
	struct harness *h = *state;
	json_t *r;

	inside_sql(h,
	    "UPDATE c_posts SET f_summary = replace(printf('%.*c', 12000, 'x'), 'x', '日')"
	    " WHERE slug = 'p1'",
	    NULL);
	r = rpc_call(h, admin, "content_get", "{'collection':'posts','id':'p1'}");
	assert_null(harness_at(r, "structuredContent.item.data.summary"));
	inside_sql(
	    h, "UPDATE c_posts SET f_summary = printf('%.*c', 36000, 'x') WHERE slug = 'p1'", NULL);
	r = rpc_call(h, admin, "content_get", "{'collection':'posts','id':'p1'}");
	assert_non_null(harness_at(r, "structuredContent.item.data.summary"));
}

static void
answers_of_a_batch_fit_together(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, admin, "batch",
	    "{'calls':[{'op':'content_list','arguments':{'collection':'posts'}},"
	    "{'op':'content_create','arguments':{'collection':'posts','data':{'title':'B'}}}]}");

	assert_string_equal(rpc_code(r), "");
	assert_true(length_of(r) <= MOST);
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.results")), 2);
	assert_string_equal(
	    harness_text(r, "structuredContent.results[1].data.item.data.title"), "B");
	assert_non_null(harness_at(r, "structuredContent.omitted"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_answer_of_a_tool_that_reads_is_too_long),
		cmocka_unit_test(a_long_list_of_collections_is_short_and_in_pages),
		cmocka_unit_test(the_caller_says_how_much_of_a_schema_it_wants),
		cmocka_unit_test(what_cannot_be_meant_is_refused),
		cmocka_unit_test(a_list_of_long_items_has_shorter_pages),
		cmocka_unit_test(a_field_that_is_too_long_is_left_out_whole_and_named),
		cmocka_unit_test(the_last_records_of_a_long_list_are_left_out_and_named),
		cmocka_unit_test(a_list_goes_on_behind_the_callers_limit),
		cmocka_unit_test(values_are_left_out_above_the_callers_limit),
		cmocka_unit_test(letters_of_other_scripts_count_for_more),
		cmocka_unit_test(answers_of_a_batch_fit_together),
	};

	return cmocka_run_group_tests(tests, begin, posts_end);
}
