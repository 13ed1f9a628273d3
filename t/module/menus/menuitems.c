/* menuitems.t - items of menus: links, positions, moves, replacement, and their targets. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS "/menus/main/items"

static int
begin(void **state)
{
	posts_begin(state);
	field(*state, "pages", "title", "string", "");
	assert_ok(say(*state, editor, "POST /menus", "{'name':'main','label':'M'}"));
	return 0;
}
#define on_menu(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

/* Updates an item by PUT; members have " for each '. */
static struct outcome *
change(struct harness *h, const char *menu, const char *id, const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "PUT /menus/%s/items/%s", menu, id);
	return say(h, editor, request, "%s", body);
}

static struct outcome *
change_parent(struct harness *h, const char *id, const char *parent)
{
	char body[128];

	snprintf(body, sizeof(body), "{'parentId':'%s'}", parent);
	return change(h, "main", id, body);
}

/* Creates three levels: a > b > c, and d beside a. */
static void
plant(struct harness *h, char id[4][27])
{
	struct outcome *o;

	assert_ok(say(h, editor, "PUT " ITEMS,
	    "{'items':[{'type':'custom','label':'a','customUrl':'/a'},"
	    "{'type':'custom','label':'b','customUrl':'/b','parentIndex':0},"
	    "{'type':'custom','label':'c','customUrl':'/c','parentIndex':1},"
	    "{'type':'custom','label':'d','customUrl':'/d'}]}"));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	for (int i = 0; i < 4; i++) {
		char path[32];

		snprintf(path, sizeof(path), "items[%d].id", i);
		snprintf(id[i], 27, "%s", harness_text(o->data, path));
	}
}

/* Returns "label<parent" for each item, in order. */
static const char *
tree(struct harness *h)
{
	static char text[256];
	struct outcome *o;
	json_t *items, *item, *other;
	size_t i, k, len = 0;

	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	items = harness_at(o->data, "items");
	*text = '\0';
	json_array_foreach(items, i, item)
	{
		const char *parent = harness_text(item, "parentId"), *below = "";

		json_array_foreach(items, k, other) if (strcmp(parent, harness_text(other, "id")) ==
							0) below = harness_text(other, "label");
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s ",
		    harness_text(item, "label"), *below != '\0' ? "<" : "", below);
		assert_true(len < sizeof(text));
	}
	return text;
}

static void
an_item_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST " ITEMS,
			  "{'type':'custom','label':'Home','customUrl':' https://example.org/ ',"
			  "'titleAttr':'T','target':'_blank','cssClasses':'x y'}"));
	assert_int_equal(o->http, 201);
	assert_int_equal(json_object_size(o->data), 17);
	assert_true(stet_is_id(harness_text(o->data, "id")));
	assert_true(json_is_null(harness_at(o->data, "parentId")));
	assert_int_equal(harness_int(o->data, "sortOrder"), 0);
	assert_string_equal(harness_text(o->data, "type"), "custom");
	assert_true(json_is_null(harness_at(o->data, "referenceCollection")));
	assert_true(json_is_null(harness_at(o->data, "referenceId")));
	assert_string_equal(harness_text(o->data, "customUrl"), "https://example.org/");
	assert_string_equal(harness_text(o->data, "url"), "https://example.org/");
	assert_true(json_is_null(harness_at(o->data, "title")));
	assert_string_equal(harness_text(o->data, "titleAttr"), "T");
	assert_string_equal(harness_text(o->data, "target"), "_blank");
	assert_string_equal(harness_text(o->data, "cssClasses"), "x y");
	assert_string_equal(harness_text(o->data, "locale"), "en");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "translationGroup"), harness_text(o->data, "id"));
}

static void
only_links_that_are_safe_are_taken(void **state)
{
	static const char *const good[] = { "http://example.org", "HTTPS://example.org/a?b=c#d",
		"mailto:a@example.org", "tel:+4912345", "/", "/a/b?c", "#", "#top", "/#a" };
	static const char *const bad[] = { "", " ", "javascript:alert(1)", " javascript:alert(1)",
		"JaVaScRiPt:alert(1)", "java\\tscript:alert(1)", "java\\nscript:x",
		"\\u0001javascript:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
		"ftp://example.org", "//example.org", "///example.org", "/\\\\example.org",
		"\\\\\\\\example.org", "/\\t/example.org", "\\t//example.org", "http://",
		"https:///x", "http:example.org", "https://a b", "mailto:", "example.org", "#a b",
		"#a\\u0000", "#\\\\", "\\u00a0javascript:x", "&#106;avascript:x" };
	struct harness *h = *state;
	struct outcome *o;
	char body[128];

	for (size_t i = 0; i < COUNT(good); i++) {
		harness_ok(o, say(h, editor, "POST " ITEMS,
				  "{'type':'custom','label':'L','customUrl':'%s'}", good[i]));
		assert_string_equal(harness_text(o->data, "customUrl"), good[i]);
		snprintf(body, sizeof(body), "{'customUrl':'%s'}", good[i]);
		assert_ok(change(h, "main", harness_text(o->data, "id"), body));
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST " ITEMS, "{'type':'custom','label':'L','customUrl':'%s'}",
		    bad[i]);
		if (o->http != 400)
			fail_msg("%s: %d %s", bad[i], o->http, o->text);
		o = say(h, editor, "PUT " ITEMS,
		    "{'items':[{'type':'custom','label':'L','customUrl':'%s'}]}", bad[i]);
		if (o->http != 400)
			fail_msg("%s: %d %s", bad[i], o->http, o->text);
	}
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), COUNT(good));
}

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{'label':'A'}", "type" },
		{ "{'type':'link','label':'A'}", "type" },
		{ "{'type':'custom'}", "label" },
		{ "{'type':'custom','label':''}", "label" },
		{ "{'type':'custom','label':'A','custom_url':'/a'}", "custom_url" },
		{ "{'type':'custom','label':'A','url':'/a'}", "url" },
		{ "{'type':'custom','label':'A','customUrl':'x:y'}", "customUrl" },
		{ "{'type':'custom','label':'A','target':'a\\nb'}", "target" },
		{ "{'type':'custom','label':'A','parentId':'x'}", "parentId" },
		{ "{'type':'custom','label':'A','sortOrder':-1}", "sortOrder" },
		{ "{'type':'custom','label':'A','sortOrder':1.5}", "sortOrder" },
		{ "{'type':'page','label':'A','referenceId':7}", "referenceId" },
		{ "{'type':'custom','label':'A','locale':'en'}", "locale" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST " ITEMS, "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	/* All problems at once. */
	o = say(h, editor, "POST " ITEMS,
	    "{'type':'custom','label':'A','customUrl':'x:y','parentId':'x'}");
	assert_true(harness_issue(o, "customUrl"));
	assert_true(harness_issue(o, "parentId"));
	assert_code(
	    say(h, editor, "POST /menus/none/items", "{'type':'custom','label':'A'}"), "NOT_FOUND");
}

static void
a_new_item_goes_last_below_its_parent(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char top[27];

	for (int i = 0; i < 3; i++) {
		harness_ok(o, say(h, editor, "POST " ITEMS, "{'type':'custom','label':'A'}"));
		assert_int_equal(harness_int(o->data, "sortOrder"), i);
	}
	snprintf(top, sizeof(top), "%s", harness_text(o->data, "id"));
	harness_ok(
	    o, say(h, editor, "POST " ITEMS, "{'type':'custom','label':'A','parentId':'%s'}", top));
	assert_int_equal(harness_int(o->data, "sortOrder"), 0);
	assert_ok(say(h, editor, "POST " ITEMS,
	    "{'type':'custom','label':'A','parentId':'%s','sortOrder':2147483647}", top));
	harness_ok(
	    o, say(h, editor, "POST " ITEMS, "{'type':'custom','label':'A','parentId':'%s'}", top));
	assert_int_equal(harness_int(o->data, "sortOrder"), 2147483647);
}

static void
an_item_is_changed_in_what_is_given(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27];

	plant(h, id);
	harness_ok(o, change(h, "main", id[1], "{'titleAttr':'T','target':'_top'}"));
	assert_string_equal(harness_text(o->data, "label"), "b");
	assert_string_equal(harness_text(o->data, "customUrl"), "/b");
	assert_string_equal(harness_text(o->data, "parentId"), id[0]);
	harness_ok(o, change(h, "main", id[1],
			  "{'titleAttr':null,'target':'','parentId':null,'sortOrder':9}"));
	assert_true(json_is_null(harness_at(o->data, "titleAttr")));
	assert_true(json_is_null(harness_at(o->data, "target")));
	assert_string_equal(tree(h), "a c<b d b ");
	assert_code(change(h, "main", id[1], "{'type':'page'}"), "VALIDATION_ERROR");
	assert_code(change(h, "main", id[1], "{'referenceId':'x'}"), "VALIDATION_ERROR");
	assert_code(change(h, "main", "none", "{'label':'x'}"), "NOT_FOUND");
	/* The item belongs to another menu. */
	assert_ok(say(h, editor, "POST /menus", "{'name':'side','label':'S'}"));
	assert_code(change(h, "side", id[1], "{'label':'x'}"), "NOT_FOUND");
	assert_code(ask(h, editor, "DELETE /menus/side/items/%s", id[1]), "NOT_FOUND");
	o = say(h, editor, "POST /menus/side/items",
	    "{'type':'custom','label':'A','parentId':'%s'}", id[1]);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "parentId"));
}

static void
no_item_gets_below_itself(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27];

	plant(h, id);
	for (int i = 0; i < 3; i++) {
		o = change_parent(h, id[0], id[i]);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "parentId"));
	}
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','parentId':'%s','sortOrder':0}]}", id[0], id[2]),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','parentId':'%s','sortOrder':0}]}", id[3], id[3]),
	    "VALIDATION_ERROR");
	/* Each change alone is allowed; both together make a cycle. */
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','parentId':'%s','sortOrder':0},"
			"{'id':'%s','parentId':'%s','sortOrder':0}]}",
			id[0], id[3], id[3], id[0]),
	    "VALIDATION_ERROR");
	assert_string_equal(tree(h), "a b<a c<b d ");
	/* Reverses a chain in one request; the result has no cycle. */
	assert_ok(say(h, editor, "POST /menus/main/reorder",
	    "{'items':[{'id':'%s','parentId':'%s','sortOrder':2},"
	    "{'id':'%s','parentId':'%s','sortOrder':1},"
	    "{'id':'%s','parentId':null,'sortOrder':0}]}",
	    id[0], id[1], id[1], id[2], id[2]));
	assert_string_equal(tree(h), "c b<c a<b d ");
}

static void
a_reorder_answers_all_items_and_moves_only_its_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27], other[27];

	plant(h, id);
	assert_ok(say(h, editor, "POST /menus", "{'name':'side','label':'S'}"));
	harness_ok(o, say(h, editor, "POST /menus/side/items", "{'type':'custom','label':'s'}"));
	snprintf(other, sizeof(other), "%s", harness_text(o->data, "id"));
	harness_ok(o, say(h, editor, "POST /menus/main/reorder",
			  "{'items':[{'id':'%s','parentId':null,'sortOrder':0},"
			  "{'id':'%s','parentId':null,'sortOrder':7}]}",
			  id[3], other));
	assert_int_equal(json_array_size(o->data), 4);
	assert_string_equal(tree(h), "a d b<a c<b ");
	harness_ok(o, ask(h, subscriber, "GET /menus/side"));
	assert_int_equal(harness_int(o->data, "items[0].sortOrder"), 0);
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','parentId':'%s','sortOrder':0}]}", id[3], other),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','sortOrder':0}]}", id[3]),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "POST /menus/main/reorder",
			"{'items':[{'id':'%s','parentId':null,'sortOrder':0},"
			"{'id':'%s','parentId':null,'sortOrder':1}]}",
			id[3], id[3]),
	    "VALIDATION_ERROR");
	harness_ok(o, say(h, editor, "POST /menus/main/reorder", "{'items':[]}"));
	assert_int_equal(json_array_size(o->data), 4);
}

static void
what_is_below_a_deleted_item_goes_up(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27];

	plant(h, id);
	harness_ok(o, ask(h, editor, "DELETE " ITEMS "/%s", id[1]));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_string_equal(tree(h), "a c<a d ");
	assert_ok(ask(h, editor, "DELETE " ITEMS "/%s", id[0]));
	assert_string_equal(tree(h), "c d ");
	assert_code(ask(h, editor, "DELETE " ITEMS "/%s", id[0]), "NOT_FOUND");
}

static void
items_are_replaced_all_or_none(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27];

	plant(h, id);
	assert_string_equal(tree(h), "a b<a c<b d ");
	o = say(h, editor, "PUT " ITEMS,
	    "{'items':[{'type':'custom','label':'x','customUrl':'/x'},"
	    "{'type':'custom','label':'y','customUrl':'javascript:1','parentIndex':1},"
	    "{'type':'custom','label':'z','parentIndex':7}]}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "items[1].parentIndex"));
	assert_true(harness_issue(o, "items[1].customUrl"));
	assert_true(harness_issue(o, "items[2].parentIndex"));
	assert_code(
	    say(h, editor, "PUT " ITEMS, "{'items':[{'type':'custom'}]}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, "PUT " ITEMS,
			"{'items':[{'type':'custom','label':'x','parentIndex':-1}]}"),
	    "VALIDATION_ERROR");
	assert_string_equal(tree(h), "a b<a c<b d ");
	/* A customUrl is ignored for other types. */
	harness_ok(o, harness_op(h, editor, "menu_set_items",
			  "{\"name\":\"main\",\"items\":[{\"type\":\"page\",\"label\":\"p\","
			  "\"referenceId\":\"x\",\"customUrl\":\"javascript:1\"}]}"));
	assert_string_equal(harness_text(o->data, "name"), "main");
	assert_int_equal(harness_int(o->data, "itemCount"), 1);
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_true(json_is_null(harness_at(o->data, "items[0].customUrl")));
	assert_ok(say(h, editor, "PUT " ITEMS, "{'items':[]}"));
	assert_string_equal(tree(h), "");
}

static void
items_that_are_named_keep_their_ids(void **state)
{
	struct harness *h = *state;
	char id[4][27], group[27];
	struct outcome *o;

	plant(h, id);
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	(void)snprintf(
	    group, sizeof(group), "%s", harness_text(o->data, "items[1].translationGroup"));
	at(h, 5000);
	assert_ok(say(h, editor, "PUT " ITEMS,
	    "{'items':[{'id':'%s','type':'custom','label':'d','customUrl':'/d'},"
	    "{'type':'custom','label':'new','customUrl':'/new'},"
	    "{'id':'%s','type':'custom','label':'B','customUrl':'/b','parentIndex':1}]}",
	    id[3], id[1]));
	assert_string_equal(tree(h), "d new B<new ");
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id[3]);
	assert_string_equal(harness_text(o->data, "items[2].id"), id[1]);
	assert_string_equal(harness_text(o->data, "items[2].translationGroup"), group);
	assert_string_equal(
	    harness_text(o->data, "items[2].createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(
	    harness_text(o->data, "items[1].createdAt"), "2026-06-01T12:00:05.000Z");
	assert_code(change(h, "main", id[0], "{'label':'x'}"), "NOT_FOUND");
}

static void
an_id_of_no_item_of_the_menu_is_refused(void **state)
{
	struct harness *h = *state;
	char id[4][27];
	struct outcome *o;

	plant(h, id);
	assert_ok(say(h, editor, "POST /menus", "{'name':'foot','label':'F'}"));
	o = say(h, editor, "PUT /menus/foot/items",
	    "{'items':[{'id':'%s','type':'custom','label':'a'}]}", id[0]);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "items[0].id"));
	o = say(h, editor, "PUT " ITEMS,
	    "{'items':[{'id':'%s','type':'custom','label':'a'},"
	    "{'id':'%s','type':'custom','label':'b'},{'id':'x','type':'custom','label':'c'}]}",
	    id[0], id[0]);
	assert_false(harness_issue(o, "items[0].id"));
	assert_true(harness_issue(o, "items[1].id"));
	assert_true(harness_issue(o, "items[2].id"));
	assert_string_equal(tree(h), "a b<a c<b d ");
}

static void
a_menu_has_a_thousand_items_at_most(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *body = NULL;
	size_t size;
	FILE *to = open_memstream(&body, &size);

	fputs("{'items':[{'type':'custom','label':'0'}", to);
	for (int i = 1; i < 1000; i++)
		fprintf(to, ",{'type':'post','label':'%d','referenceId':'r%d','parentIndex':%d}", i,
		    i, i - 1);
	fputs("]}", to);
	fclose(to);
	assert_ok(say(h, editor, "PUT " ITEMS, "%s", body));
	free(body);
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1000);
	assert_code(say(h, editor, "POST " ITEMS, "{'type':'custom','label':'x'}"), "CONFLICT");
}

/* ---- what they point to ---- */

static void
publish(struct harness *h, const char *collection, const char *slug, const char *more, char id[27])
{
	struct outcome *o;
	char request[64];

	snprintf(request, sizeof(request), "POST /content/%s", collection);
	harness_ok(o,
	    say(h, editor, request, "{'slug':'%s','status':'published','data':{'title':'T %s'}%s}",
		slug, slug, more));
	snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

static void
items_lead_to_what_is_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char post[27], page[27], draft[27];

	publish(h, "posts", "one", "", post);
	publish(h, "pages", "about us", "", page);
	make(h, editor, draft, "{'slug':'secret','data':{'title':'Secret'}}");
	assert_ok(say(h, editor, "PUT " ITEMS,
	    "{'items':[{'type':'post','label':'a','referenceCollection':'posts',"
	    "'referenceId':'%s'},{'type':'page','label':'b','referenceId':'%s'},"
	    "{'type':'post','label':'c','referenceId':'%s'},"
	    "{'type':'collection','label':'d','referenceCollection':'posts'},"
	    "{'type':'collection','label':'e','referenceCollection':'x; DROP TABLE menu'},"
	    "{'type':'post','label':'f','referenceCollection':'nothing','referenceId':'x'},"
	    "{'type':'post','label':'g','referenceId':'x'},{'type':'page','label':'h'}]}",
	    post, page, draft));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "items[0].url"), "/posts/one");
	assert_string_equal(harness_text(o->data, "items[0].title"), "T one");
	assert_string_equal(harness_text(o->data, "items[1].url"), "/about%20us");
	assert_string_equal(harness_text(o->data, "items[1].title"), "T about us");
	assert_true(json_is_null(harness_at(o->data, "items[2].url")));
	assert_true(json_is_null(harness_at(o->data, "items[2].title")));
	assert_string_equal(harness_text(o->data, "items[3].url"), "/posts/");
	assert_string_equal(harness_text(o->data, "items[3].title"), "Posts");
	for (int i = 4; i < 8; i++) {
		char path[32];

		snprintf(path, sizeof(path), "items[%d].url", i);
		assert_true(json_is_null(harness_at(o->data, path)));
	}
	/* The title of a draft is not shown; items in the trash are not, either. */
	assert_ok(say(h, editor, "PUT " BASE "/one", "{'data':{'title':'Staged'}}"));
	harness_ok(o, ask(h, editor, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "items[0].title"), "T one");
	assert_ok(ask(h, editor, "DELETE " BASE "/one"));
	harness_ok(o, ask(h, editor, "GET /menus/main"));
	assert_true(json_is_null(harness_at(o->data, "items[0].url")));
}

static void
items_lead_to_the_translation_of_their_locale(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], more[80];

	publish(h, "posts", "one", "", en);
	snprintf(more, sizeof(more), ",'locale':'fr','translationOf':'%s'", en);
	publish(h, "posts", "un", more, fr);
	assert_ok(say(h, editor, "PUT " ITEMS,
	    "{'items':[{'type':'post','label':'a','referenceId':'%s'},"
	    "{'type':'post','label':'b','referenceId':'%s'}]}",
	    en, fr));
	assert_ok(say(h, editor, "POST /menus/main/translations", "{'locale':'fr'}"));
	assert_ok(say(h, editor, "POST /menus/main/translations", "{'locale':'de'}"));
	for (int i = 0; i < 2; i++) {
		char path[32];

		snprintf(path, sizeof(path), "items[%d].url", i);
		harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=en"));
		assert_string_equal(harness_text(o->data, path), "/posts/one");
		harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=fr"));
		assert_string_equal(harness_text(o->data, path), "/posts/un");
		/* Without a translation the item of the site's default locale is linked. */
		harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=de"));
		assert_string_equal(harness_text(o->data, path), "/posts/one");
	}
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", en));
	harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=en"));
	assert_string_equal(harness_text(o->data, "items[0].url"), "/posts/un");
}

static void
paths_follow_the_pattern_of_the_collection(void **state)
{
	static const char *const patterns[][2] = {
		{ "/blog/{slug}", "/blog/one%3F%23%2F" },
		{ "/{locale}/{collection}/{slug}.html", "/en/posts/one%3F%23%2F.html" },
		{ "/{unknown}/{slug}", NULL }, /* no such placeholder */
		{ "/{year}/{slug}", "/2026/one%3F%23%2F" },
		{ "//evil.example/{slug}", NULL },
		{ "javascript:{slug}", NULL },
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27], want[64];

	publish(h, "posts", "one?#/", "", id);
	assert_ok(
	    say(h, editor, "POST " ITEMS, "{'type':'post','label':'a','referenceId':'%s'}", id));
	for (size_t i = 0; i < COUNT(patterns); i++) {
		assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'%s'}",
		    patterns[i][0]));
		harness_ok(o, ask(h, subscriber, "GET /menus/main"));
		assert_string_equal(harness_text(o->data, "items[0].url"),
		    patterns[i][1] != NULL ? patterns[i][1] : "");
	}
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/p/{id}'}"));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	snprintf(want, sizeof(want), "/p/%s", id);
	assert_string_equal(harness_text(o->data, "items[0].url"), want);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'routable':false}"));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_true(json_is_null(harness_at(o->data, "items[0].url")));
	assert_non_null(strstr(harness_text(o->data, "items[0].title"), "one"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		on_menu(an_item_has_all_members),
		on_menu(only_links_that_are_safe_are_taken),
		on_menu(bad_members_are_refused_by_name),
		on_menu(a_new_item_goes_last_below_its_parent),
		on_menu(an_item_is_changed_in_what_is_given),
		on_menu(no_item_gets_below_itself),
		on_menu(a_reorder_answers_all_items_and_moves_only_its_own),
		on_menu(what_is_below_a_deleted_item_goes_up),
		on_menu(items_are_replaced_all_or_none),
		on_menu(items_that_are_named_keep_their_ids),
		on_menu(an_id_of_no_item_of_the_menu_is_refused),
		on_menu(a_menu_has_a_thousand_items_at_most),
		on_menu(items_lead_to_what_is_published),
		on_menu(items_lead_to_the_translation_of_their_locale),
		on_menu(paths_follow_the_pattern_of_the_collection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
