/* elicit.c - questions to the person at a client of 2026-07-28, in the middle of a call of a tool.
 */
#include "inside.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

#define FORMS "{'elicitation':{'form':{}}}"
#define BARE "{'elicitation':{}}"

static struct harness_user program; /* may write drafts only */
static char id[27];

static int
begin(void **state)
{
	if (posts_begin_seo(state) != 0)
		return -1;
	inside_sql(*state,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'author@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    author->id);
	program = (struct harness_user){
		.id = author->id, .role = 30, .scopes = "content:read content:draft"
	};
	make(*state, author, id, "{'data':{'title':'A'}}");
	return 0;
}

/* Calls a tool as a client with these capabilities; `more`: further members of params, with a comma
 * before them. Returns the result. All have " for each '. */
static json_t *
call(struct harness *h, const struct harness_user *user, const char *can, const char *tool,
    const char *arguments, const char *more)
{
	char headers[300];
	struct outcome *o;

	snprintf(headers, sizeof(headers),
	    RPC_HEADERS "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call"
			"\r\nMcp-Name: %s",
	    tool);
	o = rpc_post(h, user, headers,
	    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'%s','arguments':%s%s,"
	    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
	    "'io.modelcontextprotocol/clientCapabilities':%s}}}",
	    tool, arguments, more, can);
	if (o->http != 200)
		fail_msg("%d %s", o->http, o->text);
	return harness_at(o->body, "result");
}

/* The members of a call that answers a question. */
static const char *
answer(json_t *question, const char *name, const char *said)
{
	static char more[500];

	snprintf(more, sizeof(more), ",'requestState':'%s','inputResponses':{'%s':%s}",
	    harness_text(question, "requestState"), name, said);
	return more;
}

static const char *
publication(struct harness *h)
{
	static char arguments[300];
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	snprintf(arguments, sizeof(arguments), "{'collection':'posts','id':'%s','_rev':'%s'}", id,
	    harness_text(o->data, "_rev"));
	return arguments;
}

static bool
is_asked(json_t *result)
{
	return strcmp(harness_text(result, "resultType"), "input_required") == 0;
}

static void
an_approval_is_asked_for_with_what_the_person_says(void **state)
{
	struct harness *h = *state;
	const char *publish = publication(h);
	json_t *r, *again;

	r = json_incref(call(h, &program, FORMS, "content_publish", publish, ""));
	assert_true(is_asked(r));
	assert_string_equal(harness_text(r, "inputRequests.approval.method"), "elicitation/create");
	assert_non_null(
	    strstr(harness_text(r, "inputRequests.approval.params.message"), "content_publish"));
	assert_string_equal(
	    harness_text(r, "inputRequests.approval.params.requestedSchema.properties.why.type"),
	    "string");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM approval"), "0");
	again = call(h, &program, FORMS, "content_publish", publish,
	    answer(r, "approval", "{'action':'accept','content':{'why':'It is ready'}}"));
	assert_string_equal(rpc_code(again), "APPROVAL_WAITING");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM approval"), "1");
	assert_string_equal(inside_ask(h, "SELECT status FROM c_posts"), "draft");
	json_decref(r);
}

static void
who_declines_gets_the_error(void **state)
{
	struct harness *h = *state;
	const char *publish = publication(h);
	json_t *r = json_incref(call(h, &program, BARE, "content_publish", publish, "")), *again;
	static const char *const said[] = { "{'action':'decline'}", "{'action':'cancel'}",
		"{'action':'accept','content':{'why':''}}", "{'action':'accept'}" };

	assert_true(is_asked(r));
	for (size_t i = 0; i < COUNT(said); i++) {
		again = call(
		    h, &program, BARE, "content_publish", publish, answer(r, "approval", said[i]));
		assert_string_equal(rpc_code(again), "PUBLISH_NEEDS_APPROVAL");
	}
	/* An answer to another call is none. */
	again = call(h, &program, BARE, "content_unpublish", publish,
	    answer(r, "approval", "{'action':'accept','content':{'why':'It is ready'}}"));
	assert_true(is_asked(again));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM approval"), "0");
	json_decref(r);
}

static void
a_client_that_shows_no_forms_is_not_asked(void **state)
{
	struct harness *h = *state;
	const char *publish = publication(h);
	static const char *const can[] = { "{}", "{'elicitation':{'url':{}}}",
		"{'elicitation':1}" };

	for (size_t i = 0; i < COUNT(can); i++)
		assert_string_equal(
		    rpc_code(call(h, &program, can[i], "content_publish", publish, "")),
		    "PUBLISH_NEEDS_APPROVAL");
	assert_string_equal(rpc_code(rpc_call(h, &program, "content_publish", "%s", publish)),
	    "PUBLISH_NEEDS_APPROVAL");
}

#define POSTS "{'slug':'posts','force':true}"
#define KEPT "SELECT count(*) FROM collection WHERE slug = 'posts'"

/* The grant allows fewer deletions a day than the collection has items and fields. */
static void
a_large_deletion_is_confirmed(void **state)
{
	const struct harness_user some[1] = { { .id = "01LIMITED00000000000000001",
	    .role = 50,
	    .scopes = "admin limit:deletions:1" } };
	struct harness *h = *state;
	json_t *r = json_incref(call(h, some, FORMS, "schema_delete_collection", POSTS, "")),
	       *again;

	assert_true(is_asked(r));
	assert_non_null(
	    strstr(harness_text(r, "inputRequests.confirm.params.message"), "1 deletions a day"));
	assert_string_equal(inside_ask(h, KEPT), "1");
	again = call(h, some, FORMS, "schema_delete_collection", POSTS,
	    answer(r, "confirm", "{'action':'decline'}"));
	assert_string_equal(rpc_code(again), "CONFLICT");
	assert_string_equal(inside_ask(h, KEPT), "1");
	again = call(h, some, FORMS, "schema_delete_collection", POSTS,
	    answer(r, "confirm", "{'action':'accept','content':{'confirm':false}}"));
	assert_string_equal(rpc_code(again), "CONFLICT");
	again = call(h, some, FORMS, "schema_delete_collection",
	    "{'slug':'posts','force':true,'dry_run':true}", "");
	assert_true(json_is_true(harness_at(again, "structuredContent.dryRun")));
	again = call(h, some, FORMS, "schema_delete_collection", POSTS,
	    answer(r, "confirm", "{'action':'accept','content':{'confirm':true}}"));
	assert_string_equal(rpc_code(again), "");
	assert_string_equal(inside_ask(h, KEPT), "0");
	json_decref(r);
}

static void
a_large_deletion_in_a_batch_is_confirmed(void **state)
{
	const struct harness_user some[1] = { { .id = "01LIMITED00000000000000002",
	    .role = 50,
	    .scopes = "admin limit:deletions:5" } };
	struct harness *h = *state;
	json_t *r = call(h, some, FORMS, "batch",
	    "{'calls':[{'op':'schema_delete_collection','arguments':" POSTS "}]}", "");

	assert_true(is_asked(r));
	assert_string_equal(inside_ask(h, KEPT), "1");
	/* Without a limit, or without forms, nothing changes. */
	r = call(h, some, "{}", "schema_delete_collection", POSTS, "");
	assert_string_equal(rpc_code(r), "");
	assert_string_equal(inside_ask(h, KEPT), "0");
	r = call(h, admin, FORMS, "schema_delete_collection", "{'slug':'pages','force':true}", "");
	assert_string_equal(rpc_code(r), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    an_approval_is_asked_for_with_what_the_person_says, begin, posts_end),
		cmocka_unit_test_setup_teardown(who_declines_gets_the_error, begin, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_client_that_shows_no_forms_is_not_asked, begin, posts_end),
		cmocka_unit_test_setup_teardown(a_large_deletion_is_confirmed, begin, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_large_deletion_in_a_batch_is_confirmed, begin, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
