/* tokenlimits.c - limits of a token on what it does by tools, over REST and in batches. */
#include "rpc.h"
#include <stdlib.h>

#define MAKE "'collection':'posts','data':{'title':'A'}"
/* Limits are counted for as long as the process lives: each test has a user of its own. */
#define TOKEN(user, words)                                                  \
	{                                                                   \
		{                                                           \
			.id = "01LIMITED0000000000000000" user, .role = 50, \
			.scopes = "admin " words                            \
		}                                                           \
	}

/* Calls a tool; returns its code, "" if it succeeded. */
static const char *
tool(struct harness *h, const struct harness_user *user, const char *name, const char *arguments)
{
	return rpc_code(rpc_call(h, user, name, "{%s}", arguments));
}

static void
writes_are_counted_and_reads_are_not(void **state)
{
	const struct harness_user some[1] = TOKEN("1", "limit:writes:3");
	json_t *result;

	for (int i = 0; i < 3; i++)
		assert_string_equal(tool(*state, some, "content_create", MAKE), "");
	result = rpc_call(*state, some, "content_create", "{%s}", MAKE);
	assert_string_equal(rpc_code(result), "RATE_LIMITED");
	assert_int_equal(harness_int(result, "_meta.details.retryAfter"), 1200);
	assert_non_null(strstr(rpc_text(result), "3 writes an hour"));
	assert_non_null(strstr(rpc_text(result), "1200 seconds"));
	assert_string_equal(tool(*state, some, "content_list", "'collection':'posts'"), "");
	/* Other tokens are not slowed down. */
	assert_string_equal(tool(*state, admin, "content_create", MAKE), "");
	at(*state, 1200 * 1000);
	assert_string_equal(tool(*state, some, "content_create", MAKE), "");
	assert_string_equal(tool(*state, some, "content_create", MAKE), "RATE_LIMITED");
}

static void
what_is_tried_is_not_counted(void **state)
{
	const struct harness_user some[1] = TOKEN("2", "limit:writes:2 limit:deletions:1");

	for (int i = 0; i < 5; i++) {
		assert_string_equal(
		    tool(*state, some, "content_create", MAKE ",'dry_run':true"), "");
		assert_string_equal(
		    tool(*state, some, "batch",
			"'dry_run':true,'calls':[{'op':'content_create','arguments':{" MAKE
			"}},{'op':'content_create','arguments':{" MAKE "}}]"),
		    "");
	}
	assert_string_equal(tool(*state, some, "content_create", MAKE), "");
}

static void
a_batch_is_counted_by_what_is_in_it(void **state)
{
	const struct harness_user some[1] = TOKEN("3", "limit:writes:3 limit:items:2");
	const char *two = "'calls':[{'op':'content_create','arguments':{" MAKE
			  "}},{'op':'content_create','arguments':{" MAKE "}}]";
	json_t *result;

	assert_string_equal(tool(*state, some, "batch", two), "");
	result = rpc_call(*state, some, "batch", "{%s}", two);
	assert_string_equal(rpc_code(result), "");
	assert_int_equal(harness_int(result, "structuredContent.failed"), 1);
	assert_string_equal(
	    harness_text(result, "structuredContent.results[1].error.code"), "RATE_LIMITED");
	result = rpc_call(*state, some, "batch",
	    "{'calls':[{'op':'content_list','arguments':{'collection':'posts'}},"
	    "{'op':'content_list','arguments':{'collection':'posts'}},"
	    "{'op':'content_list','arguments':{'collection':'posts'}}]}");
	assert_string_equal(rpc_code(result), "VALIDATION_ERROR");
	assert_non_null(strstr(rpc_text(result), "2 items in a batch"));
}

static void
deletions_have_a_limit_of_their_own(void **state)
{
	const struct harness_user some[1] = TOKEN("4", "limit:deletions:1");
	char a[27], b[27], where[100];

	make(*state, admin, a, "{'data':{'title':'A'}}");
	make(*state, admin, b, "{'data':{'title':'B'}}");
	snprintf(where, sizeof(where), "'collection':'posts','id':'%s'", a);
	assert_string_equal(tool(*state, some, "content_delete", where), "");
	snprintf(where, sizeof(where), "'collection':'posts','id':'%s'", b);
	assert_string_equal(tool(*state, some, "content_delete", where), "RATE_LIMITED");
	assert_string_equal(tool(*state, some, "content_create", MAKE), "");
	at(*state, 24 * 3600 * 1000);
	assert_string_equal(tool(*state, some, "content_delete", where), "");
}

static void
the_limits_hold_over_rest_too(void **state)
{
	const struct harness_user some[1] = TOKEN("5", "limit:writes:2 limit:calls:4");
	struct outcome *o;

	assert_ok(say(*state, some, "POST /content/posts", "{'data':{'title':'A'}}"));
	assert_ok(say(*state, some, "POST /batch",
	    "{'calls':[{'op':'content_create','arguments':{" MAKE "}}]}"));
	o = say(*state, some, "POST /content/posts", "{'data':{'title':'A'}}");
	assert_code(o, "RATE_LIMITED");
	assert_int_equal(o->http, 429);
	assert_int_equal(harness_int(o->body, "error.details.retryAfter"), 1800);
	assert_ok(ask(*state, some, "GET /content/posts"));
	assert_code(ask(*state, some, "GET /content/posts"), "RATE_LIMITED");
	at(*state, 60 * 1000);
	assert_ok(ask(*state, some, "GET /content/posts"));
	assert_ok(ask(*state, admin, "GET /content/posts"));
}

static void
calls_of_tools_have_the_lower_of_two_limits(void **state)
{
	const struct harness_user some[1] = TOKEN("6", "limit:calls:2");
	struct outcome *o;
	static const char call[] = "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':"
				   "'content_list','arguments':{'collection':'posts'}}}";

	assert_int_equal(rpc_post(*state, some, NULL, call)->http, 200);
	assert_int_equal(rpc_post(*state, some, NULL, call)->http, 200);
	o = rpc_post(*state, some, NULL, call);
	assert_int_equal(o->http, 429);
	assert_int_equal(harness_int(o->body, "error.data.retryAfter"), 30);
}

static void
little_that_is_left_is_told(void **state)
{
	const struct harness_user some[1] = TOKEN("7", "limit:writes:20");
	json_t *result = NULL;

	for (int i = 0; i < 17; i++)
		result = rpc_call(*state, some, "content_create", "{%s}", MAKE);
	assert_null(harness_at(result, "_meta"));
	result = rpc_call(*state, some, "content_create", "{%s}", MAKE);
	assert_int_equal(harness_int(result, "_meta.limits.writesPerHour.left"), 2);
	assert_int_equal(harness_int(result, "_meta.limits.writesPerHour.most"), 20);
}

/* content_replace is counted by the items that it changes. */
static void
a_replacement_is_counted_by_its_items(void **state)
{
	const struct harness_user some[1] = TOKEN("8", "limit:writes:6"),
				  few[1] = TOKEN("9", "limit:items:2 limit:writes:100");
	const char *find = "'collection':'posts','find':'Old','with':'New'";
	json_t *result;
	char id[27], cursor[600];

	for (int i = 0; i < 9; i++)
		make(*state, admin, id, "{'data':{'title':'Old'}}");
	result = rpc_call(*state, some, "content_replace", "{%s,'dry_run':true}", find);
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.items")), 9);
	result = rpc_call(*state, some, "content_replace", "{%s,'limit':4}", find);
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.items")), 4);
	/* Two writes are left: it ends there, and says how to go on. */
	result = rpc_call(*state, some, "content_replace", "{%s}", find);
	assert_string_equal(rpc_code(result), "");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.items")), 2);
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.failed")), 0);
	(void)snprintf(
	    cursor, sizeof(cursor), "%s", harness_text(result, "structuredContent.nextCursor"));
	assert_string_not_equal(cursor, "");
	result = rpc_call(*state, some, "content_replace", "{%s,'cursor':'%s'}", find, cursor);
	assert_string_equal(rpc_code(result), "RATE_LIMITED");
	assert_string_equal(tool(*state, some, "content_create", MAKE), "RATE_LIMITED");
	result = rpc_call(*state, few, "content_replace", "{%s}", find);
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.items")), 2);
	(void)snprintf(
	    cursor, sizeof(cursor), "%s", harness_text(result, "structuredContent.nextCursor"));
	result = rpc_call(*state, few, "content_replace", "{%s,'cursor':'%s'}", find, cursor);
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.items")), 1);
}

static void
a_replacement_over_rest_is_counted_alike(void **state)
{
	const struct harness_user some[1] = TOKEN("A", "limit:writes:3 limit:calls:2");
	struct outcome *o;
	char id[27];

	for (int i = 0; i < 3; i++)
		make(*state, admin, id, "{'data':{'title':'Old'}}");
	o = say(*state, some, "POST /content/posts/replace", "{'find':'Old','with':'New'}");
	assert_ok(o);
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	o = say(*state, some, "POST /content/posts", "{'data':{'title':'A'}}");
	assert_code(o, "RATE_LIMITED");
	assert_int_equal(harness_int(o->body, "error.details.retryAfter"), 1200); /* of writes */
}

/* The same function counts calls of tools and requests. */
static void
what_only_reads_is_not_counted_in_any_lane(void **state)
{
	const struct harness_user some[1] = TOKEN("B", "limit:writes:1");

	for (int i = 0; i < 3; i++) {
		assert_string_equal(tool(*state, some, "media_folders", "'action':'list'"), "");
		assert_string_equal(
		    tool(*state, some, "import", "'action':'progress','job':'x'"), "NOT_FOUND");
		assert_ok(ask(*state, some, "GET /media/renditions")); /* in the slow lane */
	}
	assert_string_equal(
	    tool(*state, some, "media_folders", "'action':'create','name':'A'"), "");
	assert_string_equal(
	    tool(*state, some, "media_folders", "'action':'create','name':'B'"), "RATE_LIMITED");
	assert_string_equal(
	    tool(*state, some, "import", "'action':'analyze','text':'x'"), "RATE_LIMITED");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(writes_are_counted_and_reads_are_not),
		check(what_is_tried_is_not_counted),
		check(a_batch_is_counted_by_what_is_in_it),
		check(deletions_have_a_limit_of_their_own),
		check(the_limits_hold_over_rest_too),
		check(calls_of_tools_have_the_lower_of_two_limits),
		check(little_that_is_left_is_told),
		check(a_replacement_is_counted_by_its_items),
		check(a_replacement_over_rest_is_counted_alike),
		check(what_only_reads_is_not_counted_in_any_lane),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
