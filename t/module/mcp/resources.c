/* resources.c - resources and prompts of the tool server, and the house rules. */
#include "rpc.h"
#include <stdlib.h>

#define MODERN(method, name)                                                      \
	RPC_HEADERS "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method \
		    "\r\nMcp-Name: " name
#define META                                                               \
	"'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," \
	"'io.modelcontextprotocol/clientCapabilities':{}}"

static const struct harness_user reader[1] = {
	{ .id = "reader", .role = 10, .scopes = "content:read" }
};
static const struct harness_user writer[1] = {
	{ .id = "writer", .role = 30, .scopes = "content:read content:write" }
};
static const struct harness_user media_only[1] = {
	{ .id = "m", .role = 50, .scopes = "media:read" }
};

static json_t *
told(struct harness *h, const struct harness_user *user, const char *method, const char *params)
{
	return rpc_post(
	    h, user, NULL, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s}}", method, params)
	    ->body;
}

/* Reads a resource. Returns its text; NULL: it was refused. */
static const char *
text_of(struct harness *h, const struct harness_user *user, const char *uri)
{
	char params[300];

	snprintf(params, sizeof(params), "'uri':'%s'", uri);
	return json_string_value(
	    harness_at(told(h, user, "resources/read", params), "result.contents[0].text"));
}

static void
a_client_is_told_what_there_is(void **state)
{
	json_t *o = told(*state, admin, "initialize", "'protocolVersion':'2025-11-25'");

	assert_true(json_is_object(harness_at(o, "result.capabilities.resources")));
	assert_true(json_is_object(harness_at(o, "result.capabilities.prompts")));
	o = told(*state, admin, "resources/list", "");
	assert_string_equal(harness_text(o, "result.resources[0].uri"), "stet://guide");
	assert_string_equal(harness_text(o, "result.resources[1].uri"), "stet://schema");
	o = told(*state, admin, "resources/templates/list", "");
	assert_string_equal(harness_text(o, "result.resourceTemplates[0].uriTemplate"),
	    "stet://item/{collection}/{id}");
	o = told(*state, admin, "resources/list", "'cursor':'x'");
	assert_int_equal(harness_int(o, "error.code"), -32602);
}

static void
the_list_holds_what_the_caller_may_read(void **state)
{
	json_t *o = told(*state, reader, "resources/list", "");

	/* A subscriber reads no house rules; schema:read is missing. */
	assert_int_equal(json_array_size(harness_at(o, "result.resources")), 0);
	o = told(*state, writer, "resources/list", "");
	assert_int_equal(json_array_size(harness_at(o, "result.resources")), 1);
	o = told(*state, media_only, "resources/templates/list", "");
	assert_int_equal(json_array_size(harness_at(o, "result.resourceTemplates")), 0);
	assert_null(text_of(*state, writer, "stet://schema"));
	assert_null(text_of(*state, media_only, "stet://guide"));
	assert_null(text_of(*state, media_only, "stet://item/posts/a"));
	o = told(*state, media_only, "prompts/list", "");
	assert_int_equal(json_array_size(harness_at(o, "result.prompts")), 0);
}

static void
house_rules_reach_every_assistant(void **state)
{
	static const char rules[] = "Sentence case in titles.";
	struct outcome *o;
	json_t *said;

	harness_ok(o, harness_request(*state, admin, "GET /guide", NULL, NULL));
	assert_string_equal(harness_text(o->data, "text"), "");
	assert_non_null(strstr(text_of(*state, admin, "stet://guide"), "no house rules yet"));
	said = told(*state, admin, "initialize", "'protocolVersion':'2025-11-25'");
	assert_null(strstr(harness_text(said, "result.instructions"), "by its editors"));
	assert_code(
	    harness_request(*state, (const struct harness_user[]){ { .id = "x", .role = 30 } },
		"PUT /guide", NULL, "{\"text\":\"Shout\"}"),
	    "FORBIDDEN");
	assert_code(harness_request(*state, writer, "PUT /guide", NULL, "{\"text\":\"Shout\"}"),
	    "INSUFFICIENT_SCOPE");
	assert_ok(
	    harness_request(*state, (const struct harness_user[]){ { .id = "x", .role = 40 } },
		"PUT /guide", NULL, "{\"text\":\"Sentence case in titles.\"}"));
	assert_string_equal(text_of(*state, writer, "stet://guide"), rules);
	said = told(*state, writer, "initialize", "'protocolVersion':'2025-11-25'");
	assert_non_null(strstr(harness_text(said, "result.instructions"), rules));
	said = told(*state, reader, "initialize", "'protocolVersion':'2025-11-25'");
	assert_null(strstr(harness_text(said, "result.instructions"), rules));
}

static void
long_house_rules_are_in_the_instructions_in_part(void **state)
{
	static char body[20100];
	const char *text;
	size_t n = (size_t)snprintf(body, sizeof(body), "{\"text\":\"");

	for (int i = 0; i < 5000; i++) /* two bytes each, so that a cut may fall within one */
		n += (size_t)snprintf(body + n, sizeof(body) - n, "\xc3\xa4");
	snprintf(body + n, sizeof(body) - n, "\"}");
	assert_ok(harness_request(*state, admin, "PUT /guide", NULL, body));
	text = harness_text(told(*state, admin, "initialize", "'protocolVersion':'2025-11-25'"),
	    "result.instructions");
	assert_non_null(strstr(text, "stet://guide has the rest"));
	assert_true(strlen(text) < 8000);
	assert_int_equal(strlen(text_of(*state, admin, "stet://guide")), 10000);
	snprintf(body, sizeof(body), "{\"text\":\"%020001d\"}", 1);
	assert_code(harness_request(*state, admin, "PUT /guide", NULL, body), "VALIDATION_ERROR");
}

static void
the_schema_is_brief(void **state)
{
	const char *text = text_of(*state, admin, "stet://schema");

	assert_non_null(strstr(text, "## posts\n"));
	assert_non_null(strstr(text, "- title: string"));
}

static void
an_item_is_markdown(void **state)
{
	struct outcome *o;
	const char *text;
	char uri[100];

	assert_ok(harness_op(*state, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"words\",\"label\":\"T\",\"type\":\"portableText\"}"));
	harness_ok(o,
	    rpc_post(*state, admin, NULL,
		"{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'content_create',"
		"'arguments':{'collection':'posts','slug':'quay','data':{'title':'Quay',"
		"'words':'# Opening\\n\\nOn *Monday*.'}}}}"));
	text = text_of(*state, admin, "stet://item/posts/quay");
	assert_non_null(text);
	assert_non_null(strstr(text, "title: \"Quay\"\n"));
	assert_non_null(strstr(text, "## words\n\n# Opening\n\nOn *Monday*."));
	snprintf(uri, sizeof(uri), "stet://item/posts/%%71uay");
	assert_non_null(text_of(*state, admin, uri));
	/* A draft is for those who may read drafts. */
	assert_null(text_of(*state, reader, "stet://item/posts/quay"));
}

static void
a_resource_has_a_bound(void **state)
{
	size_t size = 120000;
	char *body = malloc(size + 200);
	size_t n = (size_t)snprintf(
	    body, 200, "{\"slug\":\"long\",\"data\":{\"title\":\"Long\",\"essay\":\"");

	memset(body + n, 'x', size);
	snprintf(body + n + size, 20, "\"}}");
	assert_ok(harness_op(*state, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"essay\",\"label\":\"B\",\"type\":\"text\"}"));
	assert_ok(harness_request(*state, admin, "POST /content/posts", NULL, body));
	free(body);
	assert_in_range(strlen(text_of(*state, admin, "stet://item/posts/long")), 47000, 48200);
	assert_non_null(strstr(text_of(*state, admin, "stet://item/posts/long"), "(There is more"));
}

static void
what_is_not_there_is_refused_with_its_uri(void **state)
{
	static const char *const uris[] = { "stet://nothing", "stet://item/posts",
		"stet://item/posts/", "stet://item/posts/a/b", "stet://item//a",
		"stet://item/posts/%", "stet://item/posts/%zz", "stet://item/posts/%00",
		"stet://item/posts/%ff", "stet://item/nowhere/a", "stet://item/posts/nothing",
		"file:///etc/passwd", "" };
	json_t *o;
	char params[200];

	for (size_t i = 0; i < COUNT(uris); i++) {
		snprintf(params, sizeof(params), "'uri':'%s'", uris[i]);
		o = told(*state, admin, "resources/read", params);
		assert_int_equal(harness_int(o, "error.code"), -32002);
		assert_string_equal(harness_text(o, "error.data.uri"), uris[i]);
	}
	o = told(*state, admin, "resources/read", "'uri':7");
	assert_int_equal(harness_int(o, "error.code"), -32602);
	o = rpc_post(*state, admin, MODERN("resources/read", "stet://nothing"),
	    "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'stet://nothing'," META
	    "}}")
		->body;
	assert_int_equal(harness_int(o, "error.code"), -32602);
	o = rpc_post(*state, admin, MODERN("resources/read", "stet://schema"),
	    "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'stet://guide'," META
	    "}}")
		->body;
	assert_int_equal(harness_int(o, "error.code"), -32020);
}

static void
a_prompt_is_filled_in(void **state)
{
	json_t *o = told(*state, admin, "prompts/list", "");
	const char *text;

	assert_string_equal(harness_text(o, "result.prompts[1].name"), "new_article");
	assert_string_equal(harness_text(o, "result.prompts[1].arguments[0].name"), "topic");
	assert_true(json_is_true(harness_at(o, "result.prompts[1].arguments[0].required")));
	o = told(*state, admin, "prompts/get",
	    "'name':'new_article','arguments':{'topic':'The {quay} [x]','collection':'posts'}");
	text = harness_text(o, "result.messages[0].content.text");
	assert_string_equal(harness_text(o, "result.messages[0].role"), "user");
	assert_non_null(strstr(text, "about: The {quay} [x]\n"));
	assert_non_null(strstr(text, "Use the collection posts. Search"));
	o = told(*state, admin, "prompts/get", "'name':'new_article','arguments':{'topic':'Quay'}");
	assert_null(
	    strstr(harness_text(o, "result.messages[0].content.text"), "Use the collection"));
	o = told(*state, admin, "prompts/get", "'name':'weekly_review'");
	assert_non_null(
	    strstr(harness_text(o, "result.messages[0].content.text"), "Change nothing"));
}

static void
a_prompt_that_cannot_be_made_says_why(void **state)
{
	static const char *const params[] = { "'name':'nothing'", "'name':'content_get'",
		"'name':7", "'name':'new_article','arguments':7" };
	json_t *o;

	for (size_t i = 0; i < COUNT(params); i++)
		assert_int_equal(
		    harness_int(told(*state, admin, "prompts/get", params[i]), "error.code"),
		    -32602);
	o = told(*state, admin, "prompts/get", "'name':'new_article','arguments':{}");
	assert_int_equal(harness_int(o, "error.code"), -32602);
	assert_non_null(strstr(harness_text(o, "error.message"), "topic"));
	/* It is no tool, and a tool is no prompt. */
	o = told(*state, admin, "tools/call", "'name':'new_article','arguments':{'topic':'x'}");
	assert_int_equal(harness_int(o, "error.code"), -32602);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_client_is_told_what_there_is),
		check(the_list_holds_what_the_caller_may_read),
		check(house_rules_reach_every_assistant),
		check(long_house_rules_are_in_the_instructions_in_part),
		check(the_schema_is_brief),
		check(an_item_is_markdown),
		check(a_resource_has_a_bound),
		check(what_is_not_there_is_refused_with_its_uri),
		check(a_prompt_is_filled_in),
		check(a_prompt_that_cannot_be_made_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
