/* history.t - what was before each write; sessions of assistants, and their undo. */
#include "inside.h"
#include "people.h"
#include "posts.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOT_NAME "bot@example.org"

static struct person bot;

static int
begin(void **state)
{
	if (posts_begin_seo(state) != 0)
		return -1;
	bot = person_make(*state, BOT_NAME, "admin", "[\"admin\"]", NULL);
	return 0;
}

/* Sends a request of the assistant, with " for each ' in its body. */
static struct outcome *
act(struct harness *h, const char *request, const char *body)
{
	char *text = body != NULL ? double_quotes(strdup(body)) : NULL;
	struct outcome *o = person_ask(h, bot.token, request, text);

	free(text);
	return o;
}

/* Returns the value at a path whose numbers are places in lists. */
static json_t *
value_at(json_t *value, const char *path)
{
	char *copy = strdup(path), *rest = NULL;

	for (char *p = strtok_r(copy, ".", &rest); p != NULL; p = strtok_r(NULL, ".", &rest))
		value = json_is_array(value) ? json_array_get(value, strtoul(p, NULL, 10))
					     : json_object_get(value, p);
	free(copy);
	return value;
}

static const char *
text_at(json_t *value, const char *path)
{
	const char *text = json_string_value(value_at(value, path));

	return text != NULL ? text : "";
}

/* Returns the value of a path in the answer, as compact JSON; static buffer. */
static const char *
shown(struct harness *h, const char *request, const char *path)
{
	static char text[4000];
	struct outcome *o;
	char *json;

	harness_ok(o, ask(h, admin, "%s", request));
	json = json_dumps(value_at(o->data, path), JSON_COMPACT | JSON_ENCODE_ANY);
	snprintf(text, sizeof(text), "%s", json != NULL ? json : "");
	free(json);
	return text;
}

static const char *
session(struct harness *h)
{
	static char id[27];

	snprintf(id, sizeof(id), "%s",
	    inside_ask(h, "SELECT id FROM assistant_session ORDER BY id DESC LIMIT 1"));
	return id;
}

/* Undoes the newest session. `want` is how its records went, with ! where changes of others stay.
 */
static void
undone(struct harness *h, const char *body, const char *want)
{
	char request[100], *text;
	struct outcome *o;
	json_t *item;
	size_t i, len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	snprintf(request, sizeof(request), "POST /assistant-sessions/%s/undo", session(h));
	harness_ok(o, say(h, admin, request, "%s", body));
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		fprintf(to, "%s%s%s", i > 0 ? " " : "", harness_text(item, "result"),
		    json_object_get(item, "kept") != NULL ? "!" : "");
	}
	fclose(to);
	if (strcmp(text, want) != 0)
		fail_msg("%s, not %s: %s", text, want, o->text);
	free(text);
}

/* ---- records ---- */

static void
a_menu_has_a_history_and_is_restored(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(say(h, editor, "PUT /menus/main/items",
	    "{'items':[{'type':'custom','label':'A','customUrl':'/a'},"
	    "{'type':'custom','label':'B','customUrl':'/b','parentIndex':0}]}"));
	assert_ok(say(h, editor, "PUT /menus/main/items", "{'items':[]}"));
	harness_ok(o, ask(h, editor, "GET /history?kind=menu&subject=main"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(text_at(o->data, "items.0.action"), "update");
	assert_string_equal(text_at(o->data, "items.0.changed.0"), "items");
	assert_string_equal(text_at(o->data, "items.2.action"), "create");
	snprintf(id, sizeof(id), "%s", text_at(o->data, "items.0.id"));
	harness_ok(o, ask(h, editor, "GET /history/%s", id));
	assert_string_equal(text_at(o->data, "item.before.items.1.label"), "B");
	assert_code(ask(h, contributor, "POST /history/%s/restore", id), "FORBIDDEN");
	harness_ok(o, ask(h, editor, "POST /history/%s/restore", id));
	assert_string_equal(harness_text(o->data, "result"), "undone");
	assert_string_equal(shown(h, "GET /menus/main", "items.1.label"), "\"B\"");
	assert_string_equal(
	    shown(h, "GET /history?kind=menu&limit=1", "items.0.op"), "\"menu_set_items\"");
}

static void
settings_and_widgets_are_restored(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'One','tagline':'T'}"));
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'Two','postsPerPage':7}"));
	assert_ok(say(h, editor, "POST /widget-areas", "{'name':'side','label':'Side'}"));
	assert_ok(say(h, editor, "PUT /widget-areas/side",
	    "{'widgets':[{'type':'menu','menuName':'main'},{'type':'component','componentId':'c',"
	    "'componentProps':{'a':1}}]}"));
	assert_ok(say(h, editor, "PUT /widget-areas/side", "{'widgets':[]}"));
	harness_ok(o, ask(h, admin, "GET /history?kind=settings&limit=1"));
	assert_ok(ask(h, admin, "POST /history/%s/restore", text_at(o->data, "items.0.id")));
	assert_string_equal(shown(h, "GET /settings", "siteTitle"), "\"One\"");
	assert_string_equal(shown(h, "GET /settings", "postsPerPage"), "");
	assert_code(ask(h, editor, "GET /history?kind=nothing"), "VALIDATION_ERROR");
	harness_ok(o, ask(h, admin, "GET /history?kind=widget-area&limit=1"));
	assert_non_null(strstr(o->text, "nextCursor"));
	assert_ok(ask(h, admin, "POST /history/%s/restore", text_at(o->data, "items.0.id")));
	assert_string_equal(
	    shown(h, "GET /widget-areas/side", "widgets.1.componentProps"), "{\"a\":1}");
}

static void
records_of_a_thing_are_bounded(void **state)
{
	struct harness *h = *state;
	char body[60];

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	for (int i = 0; i < 60; i++) {
		snprintf(body, sizeof(body), "{'label':'%d'}", i);
		assert_ok(say(h, editor, "PUT /menus/main", "%s", body));
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM history"), "50");
}

/* ---- sessions ---- */

static void
a_session_is_undone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	make(h, editor, id, "{'slug':'old','status':'published','data':{'title':'Old'}}");
	assert_ok(act(h, "POST " BASE, "{'slug':'new','data':{'title':'New'}}"));
	assert_ok(act(h, "PUT " BASE "/old", "{'data':{'title':'Changed'}}"));
	assert_ok(act(h, "POST " BASE "/old/publish", NULL));
	assert_ok(act(h, "PUT /menus/main", "{'label':'Bot'}"));
	assert_ok(act(h, "DELETE /menus/main", NULL));
	assert_ok(act(h, "POST /taxonomies/category/terms", "{'slug':'t','label':'T'}"));
	harness_ok(o, ask(h, admin, "GET /assistant-sessions"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	harness_ok(o, ask(h, admin, "GET /assistant-sessions/%s", session(h)));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 6);
	assert_string_equal(
	    text_at(o->data, "items.0.clientName"), harness_text(o->data, "session.clientName"));
	assert_code(ask(h, editor, "GET /assistant-sessions/%s", session(h)), "FORBIDDEN");
	undone(h, "{'dryRun':true}", "undone undone undone undone undone undone");
	assert_string_equal(shown(h, "GET " BASE "/old", "item.data.title"), "\"Changed\"");
	undone(h, "{}", "undone undone undone undone undone undone");
	assert_string_equal(shown(h, "GET " BASE "/old", "item.data.title"), "\"Old\"");
	assert_string_equal(shown(h, "GET " BASE "/old", "item.status"), "\"published\"");
	assert_string_equal(shown(h, "GET /menus/main", "label"), "\"Main\"");
	assert_code(ask(h, admin, "GET " BASE "/new"), "NOT_FOUND");
	assert_code(ask(h, admin, "GET /taxonomies/category/terms/t"), "NOT_FOUND");
	undone(h, "{}", "");
}

static void
changes_of_others_stay(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'slug':'a','data':{'title':'A','year':1}}");
	assert_ok(act(h, "PUT " BASE "/a", "{'data':{'title':'Bot','year':2}}"));
	assert_ok(act(h, "POST " BASE, "{'slug':'b','data':{'title':'B'}}"));
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'Editor'}}"));
	assert_ok(say(h, editor, "PUT " BASE "/b", "{'data':{'title':'Editor'}}"));
	undone(h, "{}", "skipped partly!");
	assert_string_equal(shown(h, "GET " BASE "/a", "item.data.title"), "\"Editor\"");
	assert_string_equal(shown(h, "GET " BASE "/a", "item.data.year"), "1");
	assert_string_equal(shown(h, "GET " BASE "/b", "item.data.title"), "\"Editor\"");
}

static void
what_was_trashed_comes_back(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	assert_ok(act(h, "DELETE " BASE "/a", NULL));
	undone(h, "{}", "undone");
	assert_string_equal(shown(h, "GET " BASE "/a", "item.status"), "\"published\"");
}

static void
a_new_session_begins_after_half_an_hour(void **state)
{
	struct harness *h = *state;

	assert_ok(act(h, "POST " BASE, "{'data':{'title':'A'}}"));
	at(h, 29 * 60000);
	assert_ok(act(h, "POST " BASE, "{'data':{'title':'A'}}"));
	at(h, 58 * 60000);
	assert_ok(act(h, "POST " BASE, "{'data':{'title':'A'}}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM assistant_session"), "1");
	at(h, 89 * 60000);
	assert_ok(act(h, "POST " BASE, "{'data':{'title':'A'}}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM assistant_session"), "2");
}

/* ---- the audit log ---- */

static void
the_log_says_client_tool_and_session(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(act(h, "POST " BASE, "{'slug':'a','data':{'title':'helo'}}"));
	assert_ok(act(h, "POST " BASE, "{'slug':'b','data':{'title':'helo'}}"));
	harness_ok(o, ask(h, admin, "GET /admin/audit?session=%s", session(h)));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_true(*text_at(o->data, "items.0.clientName") != '\0');
	assert_string_equal(text_at(o->data, "items.0.tool"), "");
	/* Each item of a replacement has a record of its own, beside that of the replacement. */
	assert_ok(act(h, "POST " BASE "/replace", "{'find':'helo','with':'hello'}"));
	harness_ok(o, ask(h, admin, "GET /admin/audit?session=%s", session(h)));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	assert_string_equal(text_at(o->data, "items.0.op"), "content_replace");
	assert_string_equal(text_at(o->data, "items.1.op"), "content_update");
	assert_string_equal(text_at(o->data, "items.2.op"), "content_update");
	assert_true(
	    strcmp(text_at(o->data, "items.1.subject"), text_at(o->data, "items.2.subject")) != 0);
	undone(h, "{}", "undone undone undone undone");
	(void)rpc_call(h, admin, "menu_create", "{'name':'main','label':'Main'}");
	harness_ok(o, ask(h, admin, "GET /admin/audit?limit=1"));
	assert_string_equal(text_at(o->data, "items.0.tool"), "menu_create");
	harness_ok(o, harness_op(h, admin, "audit_verify", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_menu_has_a_history_and_is_restored),
		TEST(settings_and_widgets_are_restored),
		TEST(records_of_a_thing_are_bounded),
		TEST(a_session_is_undone),
		TEST(changes_of_others_stay),
		TEST(what_was_trashed_comes_back),
		TEST(a_new_session_begins_after_half_an_hour),
		TEST(the_log_says_client_tool_and_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
