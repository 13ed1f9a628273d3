/* menus.t - menus by name and locale: creating, listing, translating, renaming, deleting. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Creates a menu; returns its id. */
static const char *
menu(struct harness *h, const char *body)
{
	static char id[27];
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /menus", "%s", body));
	assert_int_equal(o->http, 201);
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	return id;
}

static void
link_to(struct harness *h, const char *name, const char *url)
{
	assert_ok(harness_send(
	    h, editor, name, "{\"type\":\"custom\",\"label\":\"L\",\"customUrl\":\"%s\"}", url));
}

static void
a_menu_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_int_equal(o->http, 201);
	assert_true(stet_is_id(harness_text(o->data, "id")));
	assert_string_equal(harness_text(o->data, "name"), "main");
	assert_string_equal(harness_text(o->data, "label"), "Main");
	assert_string_equal(harness_text(o->data, "locale"), "en");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "translationGroup"), harness_text(o->data, "id"));
	assert_int_equal(json_object_size(o->data), 7);
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_int_equal(json_object_size(o->data), 8);
}

static void
the_list_is_bare_and_counts_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	menu(h, "{'name':'side','label':'S'}");
	menu(h, "{'name':'main','label':'M','locale':'fr'}");
	menu(h, "{'name':'main','label':'M'}");
	link_to(h, "POST /menus/side/items", "/a");
	link_to(h, "POST /menus/side/items", "/b");
	harness_ok(o, ask(h, subscriber, "GET /menus"));
	assert_int_equal(json_array_size(o->data), 3);
	assert_string_equal(harness_text(o->data, "[0].locale"), "en");
	assert_string_equal(harness_text(o->data, "[1].locale"), "fr");
	assert_int_equal(harness_int(o->data, "[0].itemCount"), 0);
	assert_string_equal(harness_text(o->data, "[2].name"), "side");
	assert_int_equal(harness_int(o->data, "[2].itemCount"), 2);
	harness_ok(o, ask(h, subscriber, "GET /menus?locale=FR"));
	assert_int_equal(json_array_size(o->data), 1);
	assert_code(ask(h, subscriber, "GET /menus?locale="), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /menus?locale=%%3F"), "VALIDATION_ERROR");
}

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{'label':'A'}", "name" },
		{ "{'name':'a'}", "label" },
		{ "{'name':'','label':'A'}", "name" },
		{ "{'name':' ','label':'A'}", "name" },
		{ "{'name':'a/b','label':'A'}", "name" },
		{ "{'name':'a\\nb','label':'A'}", "name" },
		{ "{'name':'a','label':''}", "label" },
		{ "{'name':'a','label':' '}", "label" },
		{ "{'name':'a','label':7}", "label" },
		{ "{'name':'a','label':'A','locale':'?'}", "locale" },
		{ "{'name':'a','label':'A','locale':''}", "locale" },
		{ "{'name':'a','label':'A','translationOf':'x'}", "locale" },
		{ "{'name':'a','label':'A','translation_of':'x'}", "translation_of" },
		{ "{'name':'a','label':'A','items':[]}", "items" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST /menus", "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	harness_ok(o, ask(h, admin, "GET /menus"));
	assert_int_equal(json_array_size(o->data), 0);
	assert_code(say(h, editor, "POST /menus",
			"{'name':'a','label':'A','locale':'fr','translationOf':'x'}"),
	    "NOT_FOUND");
	/* The tool requires a name that is an identifier; the route does not. */
	assert_ok(say(h, editor, "POST /menus", "{'name':'Main menu','label':'A'}"));
	assert_ok(ask(h, subscriber, "GET /menus/Main%%20menu"));
	o = harness_op(h, editor, "menu_create", "{\"name\":\"Main\",\"label\":\"A\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "name"));
	assert_ok(harness_op(h, editor, "menu_create", "{\"name\":\"main_2\",\"label\":\"A\"}"));
}

static void
a_name_is_taken_once_in_a_locale(void **state)
{
	struct harness *h = *state;

	menu(h, "{'name':'main','label':'M'}");
	assert_code(say(h, editor, "POST /menus", "{'name':'main','label':'M'}"), "CONFLICT");
	assert_code(
	    say(h, editor, "POST /menus", "{'name':'main','label':'M','locale':'EN'}"), "CONFLICT");
	menu(h, "{'name':'main','label':'M','locale':'fr'}");
	menu(h, "{'name':'main','label':'M','locale':'de'}");
}

static void
a_locale_may_be_left_out_when_there_is_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	menu(h, "{'name':'main','label':'Principal','locale':'fr'}");
	assert_ok(say(h, editor, "PUT /menus/main", "{'label':'Menu'}"));
	link_to(h, "POST /menus/main/items", "/a");
	menu(h, "{'name':'main','label':'Main'}");
	/* Without a locale the menu of the lowest one is read. */
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "locale"), "en");
	harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=fr"));
	assert_string_equal(harness_text(o->data, "label"), "Menu");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_code(ask(h, subscriber, "GET /menus/main?locale=de"), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET /menus/none"), "NOT_FOUND");
}

static void
writes_to_one_of_several_locales_say_which(void **state)
{
	static const char *const writes[][2] = {
		{ "PUT /menus/main", "{'label':'X'}" },
		{ "POST /menus/main/items", "{'type':'custom','label':'A','customUrl':'/a'}" },
		{ "PUT /menus/main/items", "{'items':[]}" },
		{ "POST /menus/main/reorder", "{'items':[]}" },
		{ "PUT /menus/main/items/x", "{'label':'A'}" },
		{ "DELETE /menus/main/items/x", NULL },
		{ "DELETE /menus/main", NULL },
	};
	struct harness *h = *state;
	struct outcome *o;

	menu(h, "{'name':'main','label':'M'}");
	menu(h, "{'name':'main','label':'M','locale':'fr'}");
	for (size_t i = 0; i < COUNT(writes); i++) {
		o = writes[i][1] != NULL ? say(h, editor, writes[i][0], "%s", writes[i][1])
					 : ask(h, editor, "%s", writes[i][0]);
		assert_code(o, "AMBIGUOUS_LOCALE");
		assert_int_equal(o->http, 400);
		assert_non_null(strstr(o->message, "(en, fr)"));
	}
	assert_ok(say(h, editor, "PUT /menus/main?locale=fr", "{'label':'F'}"));
	harness_ok(o, ask(h, subscriber, "GET /menus"));
	assert_string_equal(harness_text(o->data, "[0].label"), "M");
	assert_string_equal(harness_text(o->data, "[1].label"), "F");
	assert_ok(ask(h, editor, "DELETE /menus/main?locale=en"));
	assert_code(ask(h, editor, "DELETE /menus/main?locale=en"), "NOT_FOUND");
	assert_ok(ask(h, editor, "DELETE /menus/main"));
}

static void
a_translation_has_copies_of_the_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], top[27], group[27];

	snprintf(id, sizeof(id), "%s", menu(h, "{'name':'main','label':'M'}"));
	assert_ok(say(h, editor, "PUT /menus/main/items",
	    "{'items':[{'type':'custom','label':'A','customUrl':'/a'},"
	    "{'type':'page','label':'B','referenceId':'x','parentIndex':0},"
	    "{'type':'custom','label':'C','customUrl':'#c','parentIndex':1}]}"));
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	snprintf(top, sizeof(top), "%s", harness_text(o->data, "items[0].id"));
	snprintf(group, sizeof(group), "%s", harness_text(o->data, "items[2].translationGroup"));
	harness_ok(o, say(h, editor, "POST /menus",
			  "{'name':'main','label':'P','locale':'fr','translationOf':'%s'}", id));
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=fr"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_not_equal(harness_text(o->data, "items[0].id"), top);
	assert_string_equal(
	    harness_text(o->data, "items[1].parentId"), harness_text(o->data, "items[0].id"));
	assert_string_equal(
	    harness_text(o->data, "items[2].parentId"), harness_text(o->data, "items[1].id"));
	assert_string_equal(harness_text(o->data, "items[2].translationGroup"), group);
	assert_string_equal(harness_text(o->data, "items[2].customUrl"), "#c");
	assert_string_equal(harness_text(o->data, "items[1].locale"), "fr");
}

static void
a_group_has_each_locale_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	snprintf(id, sizeof(id), "%s", menu(h, "{'name':'main','label':'M'}"));
	harness_ok(o, say(h, editor, "POST /menus/main/translations", "{'locale':'fr'}"));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "label"), "M");
	assert_code(say(h, editor, "POST /menus/main/translations", "{'locale':'fr'}"), "CONFLICT");
	assert_code(say(h, editor, "POST /menus",
			"{'name':'other','label':'O','locale':'fr','translationOf':'%s'}", id),
	    "CONFLICT");
	assert_code(say(h, editor, "POST /menus/main/translations", "{}"), "VALIDATION_ERROR");
	assert_code(
	    say(h, editor, "POST /menus/none/translations", "{'locale':'fr'}"), "NOT_FOUND");
	harness_ok(o, ask(h, subscriber, "GET /menus/main/translations?locale=fr"));
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	assert_string_equal(harness_text(o->data, "translations[0].id"), id);
	assert_string_equal(harness_text(o->data, "translations[1].locale"), "fr");
	harness_ok(o, harness_op(h, subscriber, "menu_translations", "{\"id\":\"%s\"}", id));
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	assert_code(harness_op(h, subscriber, "menu_translations", "{\"id\":\"x\"}"), "NOT_FOUND");
}

static void
a_name_cannot_change(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	menu(h, "{'name':'main','label':'M'}");
	at(h, 1000);
	harness_ok(o, say(h, editor, "PUT /menus/main", "{}"));
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, say(h, editor, "PUT /menus/main", "{'label':'N'}"));
	assert_string_equal(harness_text(o->data, "label"), "N");
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:01.000Z");
	assert_code(say(h, editor, "PUT /menus/none", "{'label':'N'}"), "NOT_FOUND");
	o = harness_op(h, editor, "menu_update", "{\"name\":\"main\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "label"));
}

static void
a_menu_takes_its_items_along(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	menu(h, "{'name':'main','label':'M'}");
	link_to(h, "POST /menus/main/items", "/a");
	harness_ok(o, ask(h, editor, "DELETE /menus/main"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_code(ask(h, editor, "DELETE /menus/main"), "NOT_FOUND");
	menu(h, "{'name':'main','label':'M'}");
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

static void
content_write_opens_menus_and_not_the_other_way(void **state)
{
	const struct harness_user writer[1] = {
		{ .id = "01USERWRITER00000000000040", .role = 40, .scopes = "content:write" }
	};
	const struct harness_user keeper[1] = {
		{ .id = "01USERKEEPER00000000000040", .role = 40, .scopes = "menus:manage" }
	};
	struct harness *h = *state;

	assert_ok(say(h, writer, "POST /menus", "{'name':'main','label':'M'}"));
	assert_ok(say(h, keeper, "POST /menus", "{'name':'side','label':'M'}"));
	assert_code(say(h, keeper, "POST " BASE, "{'data':{'title':'x'}}"), "INSUFFICIENT_SCOPE");
	assert_code(say(h, author, "POST /menus", "{'name':'a','label':'M'}"), "FORBIDDEN");
}

/* ---- items that lead to terms ---- */

static void
make_term(struct harness *h, const char *body, char id[27])
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /taxonomies/category/terms", "%s", body));
	snprintf(id, 27, "%s", harness_text(o->data, "term.id"));
}

/* Returns "url title" for each item. */
static const char *
targets(struct harness *h, const char *locale)
{
	static char text[512];
	struct outcome *o;
	json_t *item;
	size_t i, len = 0;

	harness_ok(o, ask(h, subscriber, "GET /menus/main?locale=%s", locale));
	*text = '\0';
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s",
		    i > 0 ? ", " : "", harness_text(item, "url"), harness_text(item, "title"));
		assert_true(len < sizeof(text));
	}
	return text;
}

static void
items_lead_to_terms_in_the_locale_of_the_menu(void **state)
{
	struct harness *h = *state;
	char en[27], fr[27], far[27], body[128];

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'M'}"));
	make_term(h, "{'label':'News','slug':'all news'}", en);
	snprintf(body, sizeof(body),
	    "{'label':'Nouvelles','slug':'nouvelles','locale':'fr','translationOf':'%s'}", en);
	make_term(h, body, fr);
	make_term(h, "{'label':'Fern','slug':'fern','locale':'fr'}", far);
	snprintf(body, sizeof(body),
	    "{'label':'Weit','slug':'weit','locale':'de','translationOf':'%s'}", far);
	make_term(h, body, body);
	/* The term's translation group is its id; referenceCollection does not matter for terms. */
	assert_ok(say(h, editor, "PUT /menus/main/items",
	    "{'items':[{'type':'taxonomy','label':'a','referenceId':'%s'},"
	    "{'type':'taxonomy','label':'b','referenceCollection':'tag','referenceId':'%s'},"
	    "{'type':'taxonomy','label':'c','referenceId':'%s'},"
	    "{'type':'taxonomy','label':'d','referenceId':'nothing'},"
	    "{'type':'taxonomy','label':'e'},{'type':'post','label':'f','referenceId':'%s'}]}",
	    en, fr, far, en));
	assert_ok(say(h, editor, "POST /menus/main/translations", "{'locale':'fr'}"));
	assert_ok(say(h, editor, "POST /menus/main/translations", "{'locale':'es'}"));
	assert_string_equal(targets(h, "en"),
	    "/category/all%20news News, /category/all%20news News, /category/weit Weit,  ,  ,  ");
	assert_string_equal(targets(h, "fr"),
	    "/category/nouvelles Nouvelles, /category/nouvelles Nouvelles, /category/fern Fern,"
	    "  ,  ,  ");
	/* The locale has no menu or term: the site's default locale is used, or else the lowest. */
	assert_string_equal(targets(h, "es"), targets(h, "en"));
	assert_ok(ask(h, editor, "DELETE /taxonomies/category/terms/all%%20news"));
	assert_non_null(strstr(targets(h, "en"), "/category/nouvelles Nouvelles, "));
	assert_ok(ask(h, admin, "DELETE /taxonomies/category"));
	assert_string_equal(targets(h, "fr"), " ,  ,  ,  ,  ,  ");
}

static void
more_than_a_hundred_items_lead_to_terms(void **state)
{
	struct harness *h = *state;
	char id[2][27], *body = NULL;
	struct outcome *o;
	size_t size;
	FILE *to = open_memstream(&body, &size);

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'M'}"));
	make_term(h, "{'label':'One'}", id[0]);
	make_term(h, "{'label':'Two'}", id[1]);
	for (int i = 0; i < 250; i++)
		fprintf(to, "%s{'type':'taxonomy','label':'%d','referenceId':'%s'}",
		    i > 0 ? "," : "{'items':[", i, id[i % 2]);
	fputs("]}", to);
	fclose(to);
	assert_ok(say(h, editor, "PUT /menus/main/items", "%s", body));
	free(body);
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	for (size_t i = 0; i < 250; i++)
		assert_string_equal(
		    harness_text(json_array_get(harness_at(o->data, "items"), i), "url"),
		    i % 2 == 0 ? "/category/one" : "/category/two");
}

static void
without_taxonomies_an_item_leads_to_no_term(void **state)
{
	struct harness *h = *state;
	char id[27];

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'M'}"));
	make_term(h, "{'label':'One'}", id);
	assert_ok(say(h, editor, "PUT /menus/main/items",
	    "{'items':[{'type':'taxonomy','label':'a','referenceId':'%s'}]}", id));
	assert_string_equal(targets(h, "en"), "/category/one One");
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"taxonomies\"}"));
	assert_string_equal(targets(h, "en"), " ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_menu_has_all_members),
		check(the_list_is_bare_and_counts_items),
		check(bad_members_are_refused_by_name),
		check(a_name_is_taken_once_in_a_locale),
		check(a_locale_may_be_left_out_when_there_is_one),
		check(writes_to_one_of_several_locales_say_which),
		check(a_translation_has_copies_of_the_items),
		check(a_group_has_each_locale_once),
		check(a_name_cannot_change),
		check(a_menu_takes_its_items_along),
		check(content_write_opens_menus_and_not_the_other_way),
		check(items_lead_to_terms_in_the_locale_of_the_menu),
		check(more_than_a_hundred_items_lead_to_terms),
		check(without_taxonomies_an_item_leads_to_no_term),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
