/* widgets.t - widget areas, and the widgets in their order. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDGETS "/widget-areas/side/widgets"

static int
begin(void **state)
{
	posts_begin(state);
	assert_ok(say(*state, editor, "POST /widget-areas", "{'name':'side','label':'Side'}"));
	return 0;
}
#define in_area(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

static void
widget(struct harness *h, const char *title, char id[27])
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST " WIDGETS, "{'type':'content','title':'%s'}", title));
	assert_int_equal(o->http, 201);
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

static struct outcome *
change(struct harness *h, const char *area, const char *id, const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "PUT /widget-areas/%s/widgets/%s", area, id);
	return say(h, editor, request, "%s", body);
}

/* Returns the titles in their order. */
static const char *
titles(struct harness *h)
{
	static char text[256];
	struct outcome *o;
	json_t *item;
	size_t i, len = 0;

	harness_ok(o, ask(h, subscriber, "GET /widget-areas/side"));
	*text = '\0';
	json_array_foreach(harness_at(o->data, "widgets"), i, item) len +=
	    (size_t)snprintf(text + len, sizeof(text) - len, "%s ", harness_text(item, "title"));
	assert_true(len < sizeof(text));
	return text;
}

static void
an_area_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /widget-areas",
			  "{'name':'foot','label':'Foot','description':'Below'}"));
	assert_int_equal(o->http, 201);
	assert_int_equal(json_object_size(o->data), 5);
	assert_true(stet_is_id(harness_text(o->data, "id")));
	assert_string_equal(harness_text(o->data, "name"), "foot");
	assert_string_equal(harness_text(o->data, "label"), "Foot");
	assert_string_equal(harness_text(o->data, "description"), "Below");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, ask(h, subscriber, "GET /widget-areas/side"));
	assert_int_equal(json_object_size(o->data), 6);
	assert_true(json_is_null(harness_at(o->data, "description")));
	assert_int_equal(json_array_size(harness_at(o->data, "widgets")), 0);
	assert_code(ask(h, subscriber, "GET /widget-areas/none"), "NOT_FOUND");
	assert_code(
	    say(h, editor, "POST /widget-areas", "{'name':'side','label':'S'}"), "CONFLICT");
}

static void
the_list_has_areas_by_name_with_their_widgets(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'foot','label':'F'}"));
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'top','label':'T'}"));
	widget(h, "a", a);
	widget(h, "b", b);
	harness_ok(o, ask(h, subscriber, "GET /widget-areas"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[0].name"), "foot");
	assert_int_equal(harness_int(o->data, "items[0].widgetCount"), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "items[0].widgets")), 0);
	assert_string_equal(harness_text(o->data, "items[1].name"), "side");
	assert_int_equal(harness_int(o->data, "items[1].widgetCount"), 2);
	assert_string_equal(harness_text(o->data, "items[1].widgets[0].id"), a);
	assert_string_equal(harness_text(o->data, "items[1].widgets[1].title"), "b");
	assert_int_equal(harness_int(o->data, "items[2].widgetCount"), 0);
}

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const areas[][2] = {
		{ "{'label':'A'}", "name" },
		{ "{'name':'a'}", "label" },
		{ "{'name':'','label':'A'}", "name" },
		{ "{'name':' ','label':'A'}", "name" },
		{ "{'name':'a/b','label':'A'}", "name" },
		{ "{'name':'a','label':''}", "label" },
		{ "{'name':'a','label':'A','widgets':[]}", "widgets" },
	};
	static const char *const widgets[][2] = {
		{ "{}", "type" },
		{ "{'type':'html'}", "type" },
		{ "{'type':'content','content':'x'}", "content" },
		{ "{'type':'content','content':[7]}", "content[0]" },
		{ "{'type':'content','content':[{'style':'x'}]}", "content[0]" },
		{ "{'type':'component','componentProps':[]}", "componentProps" },
		{ "{'type':'menu','menu_name':'x'}", "menu_name" },
		{ "{'type':'menu','menuName':7}", "menuName" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(areas); i++) {
		o = say(h, editor, "POST /widget-areas", "%s", areas[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, areas[i][1]))
			fail_msg("no issue about %s: %s", areas[i][1], o->text);
	}
	for (size_t i = 0; i < COUNT(widgets); i++) {
		o = say(h, editor, "POST " WIDGETS, "%s", widgets[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, widgets[i][1]))
			fail_msg("no issue about %s: %s", widgets[i][1], o->text);
	}
	assert_string_equal(titles(h), "");
	assert_code(
	    say(h, editor, "POST /widget-areas/none/widgets", "{'type':'menu'}"), "NOT_FOUND");
}

static void
a_widget_shows_the_members_of_its_type(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, say(h, editor, "POST " WIDGETS,
			  "{'type':'content','title':'T','content':[{'_type':'block','x':1}],"
			  "'menuName':'main','componentId':'c','componentProps':{'n':5}}"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	assert_int_equal(json_object_size(o->data), 4);
	assert_int_equal(harness_int(o->data, "content[0].x"), 1);
	harness_ok(o, change(h, "side", id, "{'type':'menu'}"));
	assert_int_equal(json_object_size(o->data), 4);
	assert_string_equal(harness_text(o->data, "menuName"), "main");
	harness_ok(o, change(h, "side", id, "{'type':'component'}"));
	assert_int_equal(json_object_size(o->data), 5);
	assert_string_equal(harness_text(o->data, "componentId"), "c");
	assert_int_equal(harness_int(o->data, "componentProps.n"), 5);
	harness_ok(o, change(h, "side", id, "{'type':'content'}"));
	assert_int_equal(harness_int(o->data, "content[0].x"), 1);
}

static void
a_widget_is_changed_in_what_is_given(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, say(h, editor, "POST " WIDGETS,
			  "{'type':'component','title':'T','componentId':'c',"
			  "'componentProps':{'n':5}}"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	harness_ok(o, change(h, "side", id, "{'componentProps':{'m':6}}"));
	assert_string_equal(harness_text(o->data, "title"), "T");
	assert_int_equal(harness_int(o->data, "componentProps.m"), 6);
	assert_null(harness_at(o->data, "componentProps.n"));
	harness_ok(
	    o, change(h, "side", id, "{'title':'','componentId':null,'componentProps':null}"));
	assert_int_equal(json_object_size(o->data), 2);
	o = change(h, "side", id, "{}");
	assert_code(o, "VALIDATION_ERROR");
	assert_string_equal(o->message, "No fields to update");
	assert_code(change(h, "side", id, "{'type':'x'}"), "VALIDATION_ERROR");
	assert_code(change(h, "side", id, "{'content':[{}]}"), "VALIDATION_ERROR");
	assert_code(change(h, "side", "none", "{'title':'x'}"), "NOT_FOUND");
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'foot','label':'F'}"));
	assert_code(change(h, "foot", id, "{'title':'x'}"), "NOT_FOUND");
	assert_code(ask(h, editor, "DELETE /widget-areas/foot/widgets/%s", id), "NOT_FOUND");
}

static void
widgets_stand_in_the_order_that_is_asked_for(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], d[27];

	widget(h, "a", a);
	widget(h, "b", b);
	widget(h, "c", c);
	assert_string_equal(titles(h), "a b c ");
	harness_ok(o, say(h, editor, "POST /widget-areas/side/reorder",
			  "{'widgetIds':['%s','%s','%s']}", c, a, b));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_string_equal(titles(h), "c a b ");
	assert_ok(say(h, editor, "POST /widget-areas/side/reorder", "{'widgetIds':['%s']}", b));
	assert_string_equal(titles(h), "b c a ");
	assert_ok(say(h, editor, "POST /widget-areas/side/reorder", "{'widgetIds':[]}"));
	widget(h, "d", d);
	assert_string_equal(titles(h), "b c a d ");
	o = say(
	    h, editor, "POST /widget-areas/side/reorder", "{'widgetIds':['%s','%s','none']}", d, d);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "widgetIds[1]"));
	assert_true(harness_issue(o, "widgetIds[2]"));
	assert_string_equal(titles(h), "b c a d ");
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'foot','label':'F'}"));
	assert_code(say(h, editor, "POST /widget-areas/foot/reorder", "{'widgetIds':['%s']}", a),
	    "VALIDATION_ERROR");
	assert_code(
	    say(h, editor, "POST /widget-areas/none/reorder", "{'widgetIds':[]}"), "NOT_FOUND");
	assert_ok(ask(h, editor, "DELETE " WIDGETS "/%s", c));
	assert_string_equal(titles(h), "b a d ");
	assert_code(ask(h, editor, "DELETE " WIDGETS "/%s", c), "NOT_FOUND");
}

static void
an_area_takes_its_widgets_along(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27];

	widget(h, "a", a);
	harness_ok(o, ask(h, editor, "DELETE /widget-areas/side"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_code(ask(h, editor, "DELETE /widget-areas/side"), "NOT_FOUND");
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'side','label':'S'}"));
	assert_string_equal(titles(h), "");
	assert_code(change(h, "side", a, "{'title':'x'}"), "NOT_FOUND");
}

static void
areas_and_widgets_have_bounds(void **state)
{
	struct harness *h = *state;

	for (int i = 1; i < 100; i++)
		assert_ok(say(h, editor, "POST /widget-areas", "{'name':'a%d','label':'A'}", i));
	assert_code(say(h, editor, "POST /widget-areas", "{'name':'b','label':'B'}"), "CONFLICT");
	for (int i = 0; i < 200; i++)
		assert_ok(say(h, editor, "POST " WIDGETS, "{'type':'menu'}"));
	assert_code(say(h, editor, "POST " WIDGETS, "{'type':'menu'}"), "CONFLICT");
	assert_code(say(h, author, "POST " WIDGETS, "{'type':'menu'}"), "FORBIDDEN");
}

/* ---- all at once ---- */

static struct outcome *
put_all(struct harness *h, const char *etag, const char *body)
{
	char headers[256];
	struct outcome *o;
	char *text = strdup(body);

	for (char *c = text; *c != '\0'; c++)
		if (*c == '\'')
			*c = '"';
	(void)snprintf(headers, sizeof(headers), "X-CMS-Request: 1\r\nIf-Match: \"%s\"",
	    etag != NULL ? etag : "");
	o = harness_request(
	    h, editor, "PUT /widget-areas/side", etag != NULL ? headers : NULL, text);
	free(text);
	return o;
}

static void
all_widgets_are_stored_at_once(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27], body[512];
	struct outcome *o;

	widget(h, "a", a);
	widget(h, "b", b);
	widget(h, "c", c);
	(void)snprintf(body, sizeof(body),
	    "{'widgets':[{'id':'%s'},{'type':'menu','title':'new','menuName':'main'},"
	    "{'id':'%s','title':null,'type':'component','componentId':'clock'}]}",
	    c, a);
	harness_ok(o, put_all(h, NULL, body));
	assert_int_equal(json_array_size(harness_at(o->data, "widgets")), 3);
	assert_string_equal(harness_text(o->data, "name"), "side");
	assert_string_equal(harness_text(o->data, "widgets[0].id"), c);
	assert_string_equal(harness_text(o->data, "widgets[0].title"), "c");
	assert_true(stet_is_id(harness_text(o->data, "widgets[1].id")));
	assert_string_equal(harness_text(o->data, "widgets[1].menuName"), "main");
	assert_string_equal(harness_text(o->data, "widgets[2].id"), a);
	assert_null(harness_at(o->data, "widgets[2].title"));
	assert_string_equal(harness_text(o->data, "widgets[2].componentId"), "clock");
	assert_code(change(h, "side", b, "{'title':'x'}"), "NOT_FOUND");
	assert_ok(put_all(h, NULL, "{'widgets':[]}"));
	assert_string_equal(titles(h), "");
	assert_code(harness_request(h, author, "PUT /widget-areas/side", NULL, "{\"widgets\":[]}"),
	    "FORBIDDEN");
	assert_code(harness_request(h, editor, "PUT /widget-areas/none", NULL, "{\"widgets\":[]}"),
	    "NOT_FOUND");
}

static void
what_is_refused_of_all_changes_nothing(void **state)
{
	struct harness *h = *state;
	char a[27], other[27], body[512];
	struct outcome *o;

	widget(h, "a", a);
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'foot','label':'Foot'}"));
	harness_ok(o, say(h, editor, "POST /widget-areas/foot/widgets", "{'type':'menu'}"));
	(void)snprintf(other, sizeof(other), "%s", harness_text(o->data, "id"));
	(void)snprintf(body, sizeof(body),
	    "{'widgets':[{'id':'%s','title':'b'},{'id':'%s'},{'id':'%s'},{'title':'no type'},"
	    "{'type':'content','content':[{'style':'x'}]}]}",
	    a, other, a);
	o = put_all(h, NULL, body);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "widgets[1].id"));
	assert_true(harness_issue(o, "widgets[2].id"));
	assert_true(harness_issue(o, "widgets[3].type"));
	assert_true(harness_issue(o, "widgets[4].content[0]"));
	assert_string_equal(titles(h), "a ");
	assert_code(put_all(h, NULL, "{}"), "VALIDATION_ERROR");
	assert_code(put_all(h, NULL, "{'widgets':[{'id':7}]}"), "VALIDATION_ERROR");
}

static void
all_are_stored_only_over_what_was_read(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], body[128], etag[200];
	struct outcome *o;

	widget(h, "a", a);
	harness_ok(o, ask(h, editor, "GET /widget-areas/side"));
	(void)snprintf(etag, sizeof(etag), "%s", o->etag);
	widget(h, "b", b);
	(void)snprintf(body, sizeof(body), "{'widgets':[{'id':'%s','title':'x'}]}", a);
	assert_code(put_all(h, etag, body), "PRECONDITION_FAILED");
	assert_string_equal(titles(h), "a b ");
	harness_ok(o, ask(h, editor, "GET /widget-areas/side"));
	(void)snprintf(etag, sizeof(etag), "%s", o->etag);
	assert_ok(put_all(h, etag, body));
	assert_string_equal(titles(h), "x ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		in_area(an_area_has_all_members),
		in_area(the_list_has_areas_by_name_with_their_widgets),
		in_area(bad_members_are_refused_by_name),
		in_area(a_widget_shows_the_members_of_its_type),
		in_area(a_widget_is_changed_in_what_is_given),
		in_area(widgets_stand_in_the_order_that_is_asked_for),
		in_area(an_area_takes_its_widgets_along),
		in_area(areas_and_widgets_have_bounds),
		in_area(all_widgets_are_stored_at_once),
		in_area(what_is_refused_of_all_changes_nothing),
		in_area(all_are_stored_only_over_what_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
