/* surface.c - lists of tools. Tools of plugins are disabled until an administrator enables them;
 * each of their calls is recorded. */
#include "inside.h"
#include "metric.h"
#include "records.h"
#include "rpc.h"
#include <stdio.h>

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list'}"
#define SURFACE "PUT /admin/plugins/notes/mcp"

static const struct harness_user all_scopes[] = { { "01USERADMIN000000000000050", 50,
    "admin content:write", false } };
static const struct harness_user tools[] = { { "01USERADMIN000000000000050", 50, "mcp:tools",
    false } };
static const struct harness_user its_tools[] = { { "01USERADMIN000000000000050", 50,
    "mcp:tools:notes", false } };
static const struct harness_user low[] = { { "01USERLOW00000000000000010", 10, "mcp:tools",
    false } };

static int
begin(void **state)
{
	posts_plugins = "t/plugins/good/.libs";
	if (posts_begin(state) != 0)
		return -1;
	inside_enable(*state, "notes", true);
	return 0;
}

static int
end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static bool
is_listed(struct harness *h, const struct harness_user *user)
{
	return strstr(rpc_post(h, user, NULL, LIST)->text, "\"notes__add\"") != NULL;
}

/* Returns true if the tool is known; an error about a disabled tool must not disclose it. */
static bool
is_known(struct harness *h, const struct harness_user *user)
{
	struct outcome *o = rpc_post(h, user, NULL,
	    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'notes__add',"
	    "'arguments':{'text':'x'}}}");

	return harness_int(o->body, "error.code") != -32602;
}

static bool
said_to_be_on(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /admin/plugins/notes"));
	return json_is_true(harness_at(o->data, "item.mcpToolsEnabled"));
}

static void
tools_of_a_plugin_are_off_at_first(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_false(is_listed(h, admin));
	assert_false(is_known(h, admin));
	assert_false(said_to_be_on(h));
	harness_ok(o, say(h, admin, SURFACE, "{'enabled':true}"));
	assert_true(json_is_true(harness_at(o->data, "enabled")));
	assert_int_equal(json_array_size(harness_at(o->data, "tools")), 1);
	assert_string_equal(harness_text(o->data, "tools[0].pluginId"), "notes");
	assert_string_equal(harness_text(o->data, "tools[0].name"), "notes__add");
	assert_string_equal(harness_text(o->data, "tools[0].permission"), "notes:write");
	assert_string_equal(harness_text(o->data, "tools[0].route"), "POST /plugins/notes");
	assert_true(json_is_false(harness_at(o->data, "tools[0].destructive")));
	assert_true(is_listed(h, admin));
	assert_true(said_to_be_on(h));
	harness_ok(o, ask(h, admin, "GET /admin/plugins"));
	assert_non_null(strstr(o->text, "notes__add"));
	harness_ok(o, say(h, admin, SURFACE, "{'enabled':false}"));
	assert_false(is_listed(h, admin));
	assert_false(is_known(h, admin));
}

static void
they_go_off_when_they_are_others(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, SURFACE, "{'enabled':true}"));
	inside_sql(h, "UPDATE mcp_surface SET digest = 'of other tools'", NULL);
	assert_false(is_listed(h, admin));
	assert_false(is_known(h, admin));
	assert_false(said_to_be_on(h));
	assert_ok(say(h, admin, SURFACE, "{'enabled':true}"));
	assert_true(is_listed(h, admin));
	inside_enable(h, "notes", false);
	assert_false(said_to_be_on(h));
	assert_code(say(h, admin, SURFACE, "{'enabled':true}"), "CONFLICT");
	assert_ok(say(h, admin, SURFACE, "{'enabled':false}"));
}

static void
what_has_no_tools_cannot_be_turned_on(void **state)
{
	struct harness *h = *state;

	assert_code(say(h, admin, "PUT /admin/plugins/nope/mcp", "{'enabled':true}"), "NOT_FOUND");
	assert_code(
	    say(h, admin, "PUT /admin/plugins/content/mcp", "{'enabled':true}"), "NO_MCP_TOOLS");
	assert_code(say(h, admin, SURFACE, "{}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, SURFACE, "{'enabled':true}"), "FORBIDDEN");
}

static void
only_scopes_of_plugins_reach_them(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, SURFACE, "{'enabled':true}"));
	assert_false(is_listed(h, all_scopes));
	assert_true(is_listed(h, tools));
	assert_true(is_listed(h, its_tools));
	assert_string_equal(
	    rpc_code(rpc_call(h, all_scopes, "notes__add", "{'text':'x'}")), "INSUFFICIENT_SCOPE");
	assert_string_equal(
	    rpc_code(rpc_call(h, low, "notes__add", "{'text':'x'}")), "INSUFFICIENT_PERMISSIONS");
	assert_string_equal(rpc_code(rpc_call(h, its_tools, "notes__add", "{'text':'x'}")), "");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM notes_note WHERE text = 'x'"), "1");
}

static void
each_call_is_recorded(void **state)
{
	struct harness *h = *state;
	json_t *found;

	assert_ok(say(h, admin, SURFACE, "{'enabled':true}"));
	(void)rpc_call(h, its_tools, "notes__add", "{'text':'x'}");
	found = record(h, 0);
	assert_member(found, "op", "plugin_tool_invoke");
	assert_member(found, "module", "notes");
	assert_member(found, "subject", "notes__add");
	assert_member(found, "outcome", "success");
	assert_member(found, "actorId", its_tools->id);
	(void)rpc_call(h, all_scopes, "notes__add", "{'text':'x'}");
	found = record(h, 0);
	assert_member(found, "op", "plugin_tool_invoke");
	assert_member(found, "outcome", "denied");
	assert_member(found, "reason", "INSUFFICIENT_SCOPE");
	(void)rpc_call(h, its_tools, "notes__add", "{'text':7}");
	found = record(h, 0);
	assert_member(found, "outcome", "failure");
	assert_member(found, "reason", "VALIDATION_ERROR");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM notes_note WHERE text = 'x'"), "1");
	assert_sound(h);
}

/* ---- how often ---- */

static void
calls_are_limited_for_each_token(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/mcp/settings", "{'values':{'callsPerMinute':3}}"));
#define CALL                                                       \
	"{'jsonrpc':'2.0','id':4,'method':'tools/call','params':{" \
	"'name':'content_list','arguments':{'collection':'posts'}}}"
	assert_int_equal(rpc_post(h, other_author, NULL, "[" CALL "," CALL "]")->http, 200);
	assert_int_equal(rpc_post(h, other_author, NULL, "[" CALL "," CALL "]")->http, 429);
	assert_int_equal(rpc_post(h, other_author, NULL, CALL)->http, 200);
	o = rpc_post(h, other_author, NULL, CALL);
	assert_int_equal(o->http, 429);
	assert_string_equal(o->retry_after, "20");
	assert_int_equal(harness_int(o->body, "error.code"), -32000);
	assert_int_equal(harness_int(o->body, "error.data.retryAfter"), 20);
	assert_int_equal(harness_int(o->body, "id"), 4);
	/* A batch that exceeds the limit itself is refused without Retry-After. */
	o = rpc_post(h, editor, NULL, "[" CALL "," CALL "," CALL "," CALL "]");
	assert_int_equal(o->http, 400);
	assert_string_equal(o->retry_after, "");
	/* Other users, and messages that call no tool, are not limited. */
	assert_int_equal(rpc_post(h, editor, NULL, CALL)->http, 200);
	assert_int_equal(rpc_post(h, other_author, NULL, LIST)->http, 200);
	at(h, 20000);
	assert_int_equal(rpc_post(h, other_author, NULL, CALL)->http, 200);
}

/* Returns true if so many lists have been built. */
static bool
lists(struct harness *h, int count)
{
	char line[80];

	(void)snprintf(
	    line, sizeof(line), "\nstet_mcp_tool_lists_total{site=\"test\"} %d\n", count);
	return metric_shows(h, line);
}

static void
a_list_is_made_once_for_all_who_see_the_same(void **state)
{
	struct harness *h = *state;

	/* The list is shared by users with the same role and scopes, other messages, and parts of a
	 * batch. */
	rpc_post(h, low, NULL, LIST);
	assert_true(lists(h, 1));
	rpc_post(h,
	    (const struct harness_user[]){
		{ "01OTHERLOW000000000000010", 10, "mcp:tools", false } },
	    NULL, LIST);
	rpc_post(h, low, NULL, "[" LIST "," LIST "]");
	assert_true(lists(h, 1));
	/* Other scopes, another role and the compact list have lists of their own. */
	rpc_post(h, tools, NULL, LIST);
	assert_true(lists(h, 2));
	rpc_post(h, its_tools, NULL, LIST);
	assert_true(lists(h, 3));
	for (int i = 0; i < 2; i++)
		harness_request(h, low, "POST /mcp?tools=compact", RPC_HEADERS,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	assert_true(lists(h, 4));
	/* A new generation builds the list again. */
	inside_enable(h, "search", false);
	rpc_post(h, low, NULL, LIST);
	rpc_post(h, low, NULL, LIST);
	assert_true(lists(h, 5));
}

#undef check
#define check(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_list_is_made_once_for_all_who_see_the_same),
		check(tools_of_a_plugin_are_off_at_first),
		check(they_go_off_when_they_are_others),
		check(what_has_no_tools_cannot_be_turned_on),
		check(only_scopes_of_plugins_reach_them),
		check(each_call_is_recorded),
		check(calls_are_limited_for_each_token),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
