/* mcp.t - the tool server: the transports of both protocol versions, listing and calling tools,
 * permissions, failures. */
#include "inside.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list'}"
#define COMPACT "POST /mcp?tools=compact"
#define JSON "Content-Type: application/json"
#define MODERN                                                                           \
	JSON "\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: " \
	     "2026-07-28\r\nMcp-Method: "
#define META(version)                                                  \
	"'_meta':{'io.modelcontextprotocol/protocolVersion':'" version \
	"','io.modelcontextprotocol/clientCapabilities':{}}"

static const struct harness_user reader[] = { { "01READER000000000000000000", 50, "content:read",
    false } };
static const struct harness_user writer[] = { { "01WRITER000000000000000000", 50, "content:write",
    false } };
static const struct harness_user session[] = { { "01SESSION00000000000000000", 50, NULL, true } };

/* ---- the transport ---- */

static void
what_is_no_message_is_refused(void **state)
{
	static const struct {
		const char *headers, *body;
		int http, code;
	} cases[] = {
		{ JSON, "{", 400, -32700 },
		{ JSON, "", 400, -32700 },
		{ JSON, "3", 400, -32600 },
		{ JSON, "[]", 400, -32600 },
		{ JSON, "{'jsonrpc':'1.0','id':1,'method':'ping'}", 400, -32600 },
		{ JSON, "{'jsonrpc':'2.0','id':[],'method':'ping'}", 400, -32600 },
		{ JSON, "{'jsonrpc':'2.0','id':null,'method':'ping'}", 400, -32600 },
		{ JSON, "{'jsonrpc':'2.0','id':1,'method':3}", 400, -32600 },
		{ JSON, "{'jsonrpc':'2.0','id':1,'method':'ping','params':[]}", 400, -32600 },
		{ JSON, "{'jsonrpc':'2.0','id':1}", 400, -32600 },
		{ JSON,
		    "[{'jsonrpc':'2.0','id':1,'method':'initialize'},"
		    "{'jsonrpc':'2.0','id':2,'method':'ping'}]",
		    400, -32600 },
		{ "Content-Type: text/plain", LIST, 415, -32000 },
		{ "Content-Type: application/jsonx", LIST, 415, -32000 },
		{ JSON "\r\nAccept: text/html", LIST, 406, -32000 },
		{ JSON "\r\nOrigin: https://evil.example", LIST, 403, -32000 },
		{ JSON "\r\nMCP-Protocol-Version: 1999-01-01", LIST, 400, -32000 },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o = rpc_post(h, admin, cases[i].headers, "%s", cases[i].body);

		if (o->http != cases[i].http || harness_int(o->body, "error.code") != cases[i].code)
			fail_msg("%s: %d %s", cases[i].body, o->http, o->text);
		assert_true(
		    json_is_null(harness_at(o->body, "id")) || harness_int(o->body, "id") == 1);
	}
}

/* In the arguments of a tool U+0000 is an invalid value; elsewhere the message is invalid. */
static void
a_nul_character_is_a_bad_argument(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *result = rpc_call(h, admin, "content_create",
	    "{'collection':'posts','data':{'title':'a\\u0000b','any':[{'x':'\\u0000'}]}}");

	assert_string_equal(rpc_code(result), "VALIDATION_ERROR");
	assert_non_null(strstr(rpc_text(result), "data.title"));
	assert_non_null(strstr(rpc_text(result), "data.any[0].x"));
	o = rpc_post(h, admin, JSON, "{'jsonrpc':'2.0','id':1,'method':'ping\\u0000'}");
	assert_int_equal(harness_int(o->body, "error.code"), -32600);
	o = rpc_post(h, admin, JSON,
	    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':"
	    "{'name':'content_list\\u0000','arguments':{}}}");
	assert_int_equal(harness_int(o->body, "error.code"), -32600);
	o = rpc_post(h, admin, JSON, "{'jsonrpc':'2.0','id':1,'method':'ping\\u0000}");
	assert_int_equal(harness_int(o->body, "error.code"), -32700);
}

static void
json_is_preferred_to_an_event_stream(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = rpc_post(h, admin, JSON "\r\nAccept: text/event-stream, application/json;q=0.1", LIST);
	assert_int_equal(harness_int(o->body, "id"), 1);
	o = rpc_post(h, admin, JSON "\r\nAccept: */*", LIST);
	assert_int_equal(harness_int(o->body, "id"), 1);
	o = rpc_post(h, admin, JSON "\r\nAccept: text/event-stream",
	    "[{'jsonrpc':'2.0','id':1,'method':'ping'},{'jsonrpc':'2.0','id':2,'method':'ping'}]");
	assert_int_equal(o->http, 200);
	assert_string_equal(o->text,
	    "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	    "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n");
}

static void
without_a_request_there_is_no_response(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
	assert_int_equal(o->http, 202);
	assert_string_equal(o->text, "");
	o = rpc_post(h, admin, NULL,
	    "[{'jsonrpc':'2.0','id':1,'result':{}},{'jsonrpc':'2.0','method':'notifications/x'}]");
	assert_int_equal(o->http, 202);
}

static void
there_are_no_streams_and_no_sessions(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = ask(h, nobody, "GET /mcp");
	assert_int_equal(o->http, 405);
	assert_int_equal(harness_int(o->body, "error.code"), -32000);
	assert_int_equal(ask(h, admin, "DELETE /mcp")->http, 405);
}

static void
a_client_shakes_hands(void **state)
{
	static const struct {
		const char *asked, *agreed;
	} cases[] = { { "2025-11-25", "2025-11-25" }, { "2025-06-18", "2025-06-18" },
		{ "2024-11-05", "2024-11-05" }, { "2026-07-28", "2025-11-25" },
		{ "1999-01-01", "2025-11-25" } };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o = rpc_post(h, admin, NULL,
		    "{'jsonrpc':'2.0','id':'a','method':'initialize','params':"
		    "{'protocolVersion':'%s','capabilities':{},'clientInfo':{}}}",
		    cases[i].asked);

		assert_string_equal(
		    harness_text(o->body, "result.protocolVersion"), cases[i].agreed);
		assert_string_equal(harness_text(o->body, "result.serverInfo.name"), "stet");
		assert_string_equal(harness_text(o->body, "id"), "a");
	}
}

static void
an_unknown_method_is_said_to_be_unknown(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','id':1,'method':'server/discover_'}");
	assert_int_equal(o->http, 200);
	assert_int_equal(harness_int(o->body, "error.code"), -32601);
	o = rpc_post(h, admin, MODERN "initialize",
	    "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{" META("2026-07-28") "}}");
	assert_int_equal(o->http, 404);
	assert_int_equal(harness_int(o->body, "error.code"), -32601);
}

static void
a_request_of_the_new_era_stands_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = rpc_post(h, admin, MODERN "server/discover",
	    "{'jsonrpc':'2.0','id':1,'method':'server/discover','params':{" META(
		"2026-07-28") "}}");
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->body, "result.resultType"), "complete");
	assert_string_equal(harness_text(o->body, "result.supportedVersions[0]"), "2026-07-28");
	o = rpc_post(h, admin, MODERN "tools/list",
	    "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" META("2026-07-28") "}}");
	assert_string_equal(harness_text(o->body, "result.cacheScope"), "private");
	assert_true(harness_int(o->body, "result.ttlMs") > 0);
	o = rpc_post(h, admin, MODERN "tools/call\r\nMcp-Name: =?base64?Y29udGVudF9saXN0?=",
	    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'content_list',"
	    "'arguments':{'collection':'posts'}," META("2026-07-28") "}}");
	assert_string_equal(harness_text(o->body, "result.resultType"), "complete");
	assert_true(json_is_array(harness_at(o->body, "result.structuredContent.items")));
}

static void
a_request_of_the_new_era_says_all_it_must(void **state)
{
#define V JSON "\r\nMCP-Protocol-Version: 2026-07-28"
	static const struct {
		const char *headers, *params;
		int code;
	} cases[] = {
		{ V "\r\nMcp-Method: tools/list", "{}", -32602 },
		{ V "\r\nMcp-Method: tools/list",
		    "{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}", -32602 },
		{ JSON "\r\nMcp-Method: tools/list", "{" META("2026-07-28") "}", -32020 },
		{ V "\r\nMcp-Method: tools/list", "{" META("2025-11-25") "}", -32020 },
		{ V, "{" META("2026-07-28") "}", -32020 },
		{ V "\r\nMcp-Method: tools/call", "{" META("2026-07-28") "}", -32020 },
		{ V "\r\nMcp-Method: =?base64?!?=", "{" META("2026-07-28") "}", -32020 },
		{ JSON "\r\nMCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/list",
		    "{" META("2099-01-01") "}", -32022 },
	};
#undef V
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o = rpc_post(h, admin, cases[i].headers,
		    "{'jsonrpc':'2.0','id':5,'method':'tools/list','params':%s}", cases[i].params);

		if (o->http != 400 || harness_int(o->body, "error.code") != cases[i].code ||
		    harness_int(o->body, "id") != 5)
			fail_msg("case %zu: %d %s", i, o->http, o->text);
		if (cases[i].code == -32022) {
			assert_string_equal(
			    harness_text(o->body, "error.data.requested"), "2099-01-01");
			assert_string_equal(
			    harness_text(o->body, "error.data.supported[0]"), "2026-07-28");
		}
	}
}

/* ---- tools ---- */

static bool
listed(struct harness *h, const struct harness_user *user, const char *name)
{
	struct outcome *o = rpc_post(h, user, RPC_HEADERS "\r\nX-CMS-Request: 1", LIST);
	json_t *tools = harness_at(o->body, "result.tools"), *tool;
	bool found = false;
	size_t i;

	assert_true(json_is_array(tools));
	json_array_foreach(tools, i, tool) found |= strcmp(harness_text(tool, "name"), name) == 0;
	return found;
}

static void
the_list_holds_what_the_caller_may_call(void **state)
{
	struct harness *h = *state;

	assert_true(listed(h, admin, "schema_create_field"));
	assert_true(listed(h, session, "schema_create_field"));
	assert_false(listed(h, editor, "schema_create_field"));
	assert_true(listed(h, editor, "menu_create"));
	assert_true(listed(h, reader, "content_list"));
	assert_false(listed(h, reader, "content_create"));
	assert_true(listed(h, writer, "content_create"));
	assert_true(listed(h, writer, "menu_create"));
	assert_false(listed(h, writer, "content_list"));
	assert_false(listed(h, admin, "content_read")); /* the op has a route, but is no tool */
}

static void
each_tool_says_what_it_takes_and_gives(void **state)
{
	struct harness *h = *state;
	struct outcome *o = rpc_post(h, admin, NULL, LIST);
	json_t *tools = harness_at(o->body, "result.tools"), *tool;
	const char *before = "";
	size_t i;

	json_array_foreach(tools, i, tool)
	{
		const char *name = harness_text(tool, "name");

		assert_true(strcmp(before, name) < 0);
		before = name;
		assert_true(strlen(name) <= 64);
		assert_string_not_equal(harness_text(tool, "description"), "");
		assert_string_equal(harness_text(tool, "inputSchema.type"), "object");
		assert_string_equal(harness_text(tool, "outputSchema.type"), "object");
		assert_null(harness_at(tool, "inputSchema.properties.createdAt.IGNORED"));
		if (!json_is_true(harness_at(tool, "annotations.readOnlyHint")) &&
		    !json_is_boolean(harness_at(tool, "annotations.destructiveHint")))
			fail_msg("%s does not say whether it only reads or adds", name);
	}
	tools = harness_at(o->body, "result.tools");
	assert_true(json_array_size(tools) > 30);
}

/* Estimates tokens without a tokenizer: a token of this list has 4.34 bytes in o200k, 4.55 in
 * cl100k. */
#define TOKENS(bytes) ((bytes)*10 / 42)

static size_t
tokens_of(json_t *tools)
{
	char *text = json_dumps(tools, JSON_COMPACT);
	size_t bytes = strlen(text);

	print_message(
	    "# %zu tools, %zu bytes, %zu tokens\n", json_array_size(tools), bytes, TOKENS(bytes));
	free(text);
	return TOKENS(bytes);
}

static void
the_whole_list_is_cheap(void **state)
{
	struct harness *h = *state;
	struct outcome *o = rpc_post(h, admin, NULL, LIST);

	assert_in_range(tokens_of(harness_at(o->body, "result.tools")), 1, 12000);
	o = harness_request(h, admin, COMPACT, RPC_HEADERS,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	assert_int_equal(json_array_size(harness_at(o->body, "result.tools")), 3);
	assert_in_range(tokens_of(harness_at(o->body, "result.tools")), 1, 600);
}

/* ---- three tools in place of all ---- */

/* Calls one of the three tools of the compact list; arguments have " for each '. */
static json_t *compact(struct harness *, const struct harness_user *, const char *tool,
    const char *fmt, ...) STET_FMT(4, 5);
static json_t *
compact(struct harness *h, const struct harness_user *user, const char *tool, const char *fmt, ...)
{
	struct outcome *o;
	va_list ap;
	char *args, body[2048];

	va_start(ap, fmt);
	args = quoted(fmt, ap);
	va_end(ap);
	assert_true(snprintf(body, sizeof(body),
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			"{\"name\":\"%s\",\"arguments\":%s}}",
			tool, args) < (int)sizeof(body));
	free(args);
	o = harness_request(h, user, COMPACT, RPC_HEADERS, body);
	if (!json_is_object(harness_at(o->body, "result")))
		fail_msg("%d %s", o->http, o->text);
	return harness_at(o->body, "result");
}

static void
a_tool_is_found_by_words(void **state)
{
	struct harness *h = *state;
	json_t *r = compact(h, admin, "tools_search", "{'words':'publish content'}");

	assert_string_equal(harness_text(r, "structuredContent.items[0].name"), "content_publish");
	r = compact(h, admin, "tools_search", "{'words':'permanently DELETE','limit':1}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 1);
	assert_string_equal(
	    harness_text(r, "structuredContent.items[0].name"), "content_permanent_delete");
	assert_true(
	    json_is_true(harness_at(r, "structuredContent.items[0].annotations.destructiveHint")));
	r = compact(h, admin, "tools_search", "{'words':'  ','limit':50}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 50);
	r = compact(h, reader, "tools_search", "{'words':'create content','limit':50}");
	assert_null(strstr(rpc_text(r), "content_create"));
	r = compact(h, admin, "tools_search", "{'words':'zzz'}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 0);
}

static void
a_tool_is_described_to_who_may_call_it(void **state)
{
	struct harness *h = *state;
	json_t *r = compact(h, admin, "tools_describe", "{'name':'content_get'}");

	assert_string_equal(
	    harness_text(r, "structuredContent.inputSchema.required[0]"), "collection");
	assert_true(json_is_true(harness_at(r, "structuredContent.annotations.readOnlyHint")));
	r = compact(h, reader, "tools_describe", "{'name':'content_create'}");
	assert_string_equal(rpc_code(r), "NOT_FOUND");
	r = compact(h, admin, "tools_describe", "{'name':'nope'}");
	assert_string_equal(rpc_code(r), "NOT_FOUND");
}

static void
a_tool_is_called_as_if_by_its_name(void **state)
{
	struct harness *h = *state;
	json_t *r = compact(h, author, "tools_call",
	    "{'name':'content_create','arguments':{'collection':'posts','data':{'title':'Hi'}}}");

	assert_string_equal(rpc_code(r), "");
	assert_string_equal(harness_text(r, "structuredContent.item.data.title"), "Hi");
	r = compact(h, reader, "tools_call",
	    "{'name':'content_create','arguments':{'collection':'posts','data':{}}}");
	assert_string_equal(rpc_code(r), "INSUFFICIENT_SCOPE");
	r = compact(h, admin, "tools_call",
	    "{'name':'content_create','arguments':{'collection':'posts','data':{'nope':1}}}");
	assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
}

static void
a_call_without_a_tool_says_what_to_do(void **state)
{
	static const char *const wrong[] = { "{}", "{'name':3}", "[]",
		"{'name':'content_list','x':1}", "{'name':'content_list','collection':'posts'}",
		"{'name':'content_list','arguments':[]}" };
	struct harness *h = *state;
	json_t *r;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		r = compact(h, admin, "tools_call", "%s", wrong[i]);
		assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	}
	r = compact(h, admin, "tools_call", "{'name':'nope'}");
	assert_string_equal(rpc_code(r), "NOT_FOUND");
	assert_non_null(strstr(rpc_text(r), "tools_search"));
	/* Clients that did not ask for the compact list cannot call its tools. */
	assert_int_equal(harness_int(rpc_post(h, admin, NULL,
					 "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':"
					 "{'name':'tools_search','arguments':{'words':''}}}")
					 ->body,
			     "error.code"),
	    -32602);
	assert_code(harness_request(h, admin, "POST /mcp?tools=few", RPC_HEADERS, "{}"),
	    "VALIDATION_ERROR");
}

static void
a_tool_answers_in_text_and_in_structure(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(
	    h, author, "content_create", "{'collection':'posts','data':{'title':'Hello'}}");
	json_t *text;

	assert_string_equal(rpc_code(r), "");
	assert_string_equal(harness_text(r, "structuredContent.item.data.title"), "Hello");
	text = json_loads(rpc_text(r), 0, NULL);
	assert_true(json_equal(text, harness_at(r, "structuredContent")));
	json_decref(text);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
}

static void
a_schedule_needs_no_rev(void **state)
{
#define LATER "'collection':'posts','id':'later','scheduledAt':'2099-01-01T00:00:00Z'"
	struct harness *h = *state;
	json_t *r =
	    rpc_call(h, admin, "content_create", "{'collection':'posts','data':{'title':'Later'}}");

	assert_string_equal(rpc_code(r), "");
	r = rpc_call(h, admin, "content_schedule", "{" LATER "}");
	assert_string_equal(rpc_code(r), "");
	r = rpc_call(h, admin, "content_schedule", "{" LATER ",'_rev':'stale'}");
	assert_string_equal(rpc_code(r), "CONFLICT");
}

static void
a_failure_is_a_result_with_its_code(void **state)
{
	static const struct {
		const struct harness_user *user;
		const char *tool, *arguments, *code, *says;
	} cases[] = {
		{ admin, "content_list", "{'collection':'none'}", "NOT_FOUND", "none" },
		{ admin, "content_list", "{'collection':'posts','limit':1000}", "VALIDATION_ERROR",
		    "limit" },
		{ admin, "content_list", "{'collection':'posts','colour':1}", "VALIDATION_ERROR",
		    "colour" },
		{ admin, "content_list", "{}", "VALIDATION_ERROR", "collection" },
		{ admin, "content_list", "{'collection':'posts','cursor':'x'}", "INVALID_CURSOR",
		    "cursor" },
		{ reader, "content_create", "{'collection':'posts','data':{}}",
		    "INSUFFICIENT_SCOPE", "content:write" },
		{ subscriber, "content_create", "{'collection':'posts','data':{}}",
		    "INSUFFICIENT_PERMISSIONS", "" },
		{ reader, "content_create", "{'collection':7}", "VALIDATION_ERROR", "collection" },
		{ admin, "content_create",
		    "{'collection':'posts','data':{'title':1,'nope':2,'year':'x'}}",
		    "VALIDATION_ERROR", "nope" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		json_t *r = rpc_call(h, cases[i].user, cases[i].tool, "%s", cases[i].arguments);
		char begin[64];

		assert_string_equal(rpc_code(r), cases[i].code);
		(void)snprintf(begin, sizeof(begin), "[%s] ", cases[i].code);
		assert_memory_equal(rpc_text(r), begin, strlen(begin));
		assert_non_null(strstr(rpc_text(r), cases[i].says));
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "0");
}

static void
an_unknown_tool_is_an_error_of_the_protocol(void **state)
{
	static const char *const params[] = { "{'name':'nope'}", "{'name':'content_read'}",
		"{'name':3}", "{}", "{'name':'content_list','arguments':[]}" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(params); i++) {
		struct outcome *o = rpc_post(h, admin, NULL,
		    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':%s}", params[i]);

		assert_int_equal(o->http, 200);
		assert_int_equal(harness_int(o->body, "error.code"), -32602);
	}
}

static void
each_message_of_a_batch_has_its_own_fate(void **state)
{
	struct harness *h = *state;
	struct outcome *o = rpc_post(h, admin, NULL,
	    "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'content_create',"
	    "'arguments':{'collection':'posts','data':{'title':'One'}}}},"
	    "{'jsonrpc':'2.0','method':'notifications/x'},"
	    "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'content_create',"
	    "'arguments':{'collection':'posts','data':{'nope':1}}}},"
	    "{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{'name':'content_list',"
	    "'arguments':{'collection':'posts'}}},"
	    "{'jsonrpc':'2.0','id':4,'method':'ping'}]");

	assert_int_equal(o->http, 200);
	assert_int_equal(json_array_size(o->body), 4);
	assert_string_equal(
	    harness_text(o->body, "[0].result.structuredContent.item.data.title"), "One");
	assert_string_equal(harness_text(o->body, "[1].result._meta.code"), "VALIDATION_ERROR");
	assert_int_equal(
	    json_array_size(harness_at(o->body, "[2].result.structuredContent.items")), 1);
	assert_int_equal(harness_int(o->body, "[3].id"), 4);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
}

static void
who_is_unknown_is_told_where_to_ask(void **state)
{
	struct harness *h = *state;
	struct outcome *o = rpc_post(h, nobody, NULL, LIST);

	assert_int_equal(o->http, 401);
	assert_string_equal(o->code, "UNAUTHORIZED");
}

static void
a_session_needs_the_header(void **state)
{
	struct harness *h = *state;

	assert_code(rpc_post(h, session, NULL, LIST), "CSRF_REJECTED");
	assert_int_equal(rpc_post(h, session, RPC_HEADERS "\r\nX-CMS-Request: 1", LIST)->http, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(what_is_no_message_is_refused),
		check(a_nul_character_is_a_bad_argument),
		check(json_is_preferred_to_an_event_stream),
		check(without_a_request_there_is_no_response),
		check(there_are_no_streams_and_no_sessions),
		check(a_client_shakes_hands),
		check(an_unknown_method_is_said_to_be_unknown),
		check(a_request_of_the_new_era_stands_alone),
		check(a_request_of_the_new_era_says_all_it_must),
		check(the_list_holds_what_the_caller_may_call),
		check(each_tool_says_what_it_takes_and_gives),
		check(the_whole_list_is_cheap),
		check(a_tool_is_found_by_words),
		check(a_tool_is_described_to_who_may_call_it),
		check(a_tool_is_called_as_if_by_its_name),
		check(a_call_without_a_tool_says_what_to_do),
		check(a_tool_answers_in_text_and_in_structure),
		check(a_schedule_needs_no_rev),
		check(a_failure_is_a_result_with_its_code),
		check(an_unknown_tool_is_an_error_of_the_protocol),
		check(each_message_of_a_batch_has_its_own_fate),
		check(who_is_unknown_is_told_where_to_ask),
		check(a_session_needs_the_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
