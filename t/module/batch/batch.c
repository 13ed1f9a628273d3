/* batch.t - many operations in one call: results in order, atomic batches, permissions checked for
 * each. */
#include "inside.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

#define CREATE(title) \
	"{'op':'content_add','arguments':{'collection':'posts','data':{'title':'" title "'}}}"
#define GET(id) "{'op':'content_read','arguments':{'collection':'posts','id':'" id "'}}"

static const struct harness_user reader[] = { { "01READER000000000000000000", 50, "content:read",
    false } };

/* Posts calls to /batch, printf-like, with " for each '. */
static struct outcome *batch(struct harness *, const struct harness_user *, bool atomic,
    const char *calls, ...) STET_FMT(4, 5);
static struct outcome *
batch(struct harness *h, const struct harness_user *user, bool atomic, const char *calls, ...)
{
	struct outcome *o;
	char *text, *body;
	va_list ap;

	va_start(ap, calls);
	text = quoted(calls, ap);
	va_end(ap);
	assert_true(
	    asprintf(&body, "{\"calls\":[%s],\"atomic\":%s}", text, atomic ? "true" : "false") > 0);
	free(text);
	o = harness_request(h, user, "POST /batch", NULL, body);
	free(body);
	return o;
}

/* Appends text to a buffer of this size. */
static void
add(char *text, size_t size, const char *more)
{
	size_t len = strlen(text);

	assert_true(len + strlen(more) < size);
	memcpy(text + len, more, strlen(more) + 1);
}

/* Returns the error code of the i-th result. */
static const char *
code(const struct outcome *o, int i)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "results[%d].error.code", i);
	return harness_text(o->data, path);
}

static const char *
posts(struct harness *h)
{
	return inside_ask(h, "SELECT count(*) FROM c_posts");
}

/* ---- results ---- */

static void
each_call_has_its_result_in_order(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o,
	    batch(h, editor, false,
		CREATE("One") "," GET("one") "," GET("none") "," CREATE(
		    "Two") ",{'op':'content_list','arguments':{'collection':'posts','includeTotal':true}}"));
	assert_int_equal(o->http, 200);
	assert_int_equal(json_array_size(harness_at(o->data, "results")), 5);
	assert_string_equal(harness_text(o->data, "results[0].data.item.data.title"), "One");
	assert_true(json_is_true(harness_at(o->data, "results[0].ok")));
	assert_string_equal(harness_text(o->data, "results[1].data.item.slug"), "one");
	assert_true(json_is_false(harness_at(o->data, "results[2].ok")));
	assert_string_equal(code(o, 2), "NOT_FOUND");
	assert_null(harness_at(o->data, "results[2].data"));
	assert_int_equal(harness_int(o->data, "results[4].data.total"), 2);
	assert_int_equal(harness_int(o->data, "failed"), 1);
}

static void
what_is_no_batch_is_refused(void **state)
{
	static const char *const bad[] = { "{}", "{'calls':[]}", "{'calls':{}}", "{'calls':[1]}",
		"{'calls':[{'arguments':{}}]}", "{'calls':[{'op':7}]}",
		"{'calls':[{'op':'content_list','arguments':[]}]}",
		"{'calls':[{'op':'content_list','args':{}}]}",
		"{'calls':[{'op':'content_list'}],'atomic':'yes'}" };
	struct harness *h = *state;
	char many[3000] = "{\"op\":\"settings_get\"}";

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(say(h, admin, "POST /batch", "%s", bad[i]), "VALIDATION_ERROR");
	assert_code(say(h, admin, "POST /batch?dryrun=1", "{'calls':[{'op':'settings_get'}]}"),
	    "VALIDATION_ERROR");
	for (int i = 1; i < 100; i++)
		add(many, sizeof(many), ",{\"op\":\"settings_get\"}");
	assert_ok(batch(h, admin, false, "%s", many));
	assert_code(batch(h, admin, false, "%s,{'op':'settings_get'}", many), "VALIDATION_ERROR");
}

static void
issues_of_each_are_told_like_those_of_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(
	    o, batch(h, editor, false,
		   "{'op':'content_add','arguments':{'collection':'posts','data':{'nope':1}}},"
		   "{'op':'content_add','arguments':{'collection':7}},"
		   "{'op':'content_add'}"));
	assert_string_equal(
	    harness_text(o->data, "results[0].error.details.issues[0].path"), "data.nope");
	assert_string_equal(
	    harness_text(o->data, "results[1].error.details.issues[0].path"), "collection");
	assert_string_equal(code(o, 2), "VALIDATION_ERROR");
	assert_string_equal(posts(h), "0");
}

/* ---- all or nothing ---- */

static void
a_failing_last_call_undoes_all(void **state)
{
	struct harness *h = *state;
	char records[32], told[32];
	struct outcome *o;

	(void)snprintf(
	    records, sizeof(records), "%s", inside_ask(h, "SELECT count(*) FROM audit_log"));
	(void)snprintf(told, sizeof(told), "%s", inside_ask(h, "SELECT count(*) FROM outbox"));
	o = batch(h, editor, true,
	    CREATE("One") "," CREATE("Two") ",{'op':'content_put','arguments':{"
					    "'collection':'posts','id':'one','data':{'nope':1}}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_string_equal(harness_text(o->details, "index"), "2");
	assert_true(harness_issue(o, "calls[2].arguments.data.nope"));
	assert_non_null(strstr(o->message, "calls[2] (content_put)"));
	assert_string_equal(posts(h), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM audit_log"), records);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM outbox"), told);
	harness_ok(o, batch(h, editor, true, CREATE("One") "," CREATE("Two")));
	assert_string_equal(posts(h), "2");
}

static void
one_that_fails_alone_undoes_its_own_writes_only(void **state)
{
	struct harness *h = *state;
	char id[27];
	struct outcome *o;

	assert_ok(ask(h, admin, "POST /admin/plugins/meddler/enable"));
	make(h, editor, id, "{'slug':'kept','data':{'title':'Kept'}}");
	/* The plugin writes to all rows, and then rejects. */
	harness_ok(o, batch(h, editor, false,
			  CREATE("One") "," CREATE("write and reject") "," CREATE("Two")));
	assert_string_equal(code(o, 1), "SAVE_REJECTED");
	assert_string_equal(harness_text(o->data, "results[1].error.message"), "changed my mind");
	assert_int_equal(harness_int(o->data, "failed"), 1);
	assert_string_equal(posts(h), "3");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM c_posts WHERE f_title = 'meddled'"), "0");
	o = batch(h, editor, true, CREATE("Three") "," CREATE("reject"));
	assert_code(o, "SAVE_REJECTED");
	assert_non_null(strstr(o->message, "I do not like it"));
	assert_string_equal(posts(h), "3");
	/* The details of a fault stay hidden; the error code is that of the operation. */
	harness_ok(o, batch(h, editor, false, CREATE("fault") "," CREATE("Four")));
	assert_string_equal(code(o, 0), "CONTENT_HOOK_ERROR");
	assert_null(strstr(o->text, "secret"));
	assert_string_equal(posts(h), "4");
}

static void
a_write_sees_what_was_written_before_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o,
	    batch(h, admin, true,
		"{'op':'collection_create','arguments':{'slug':'books','label':'Books'}},"
		"{'op':'field_create','arguments':{'collection':'books','slug':'title','label':'T',"
		"'type':'string'}},"
		"{'op':'content_add','arguments':{'collection':'books','data':{'title':'A'}}},"
		"{'op':'content_add','arguments':{'collection':'books','data':{'title':'A'}}},"
		"{'op':'content_list','arguments':{'collection':'books'}}"));
	assert_int_equal(json_array_size(harness_at(o->data, "results[4].data.items")), 2);
	assert_string_equal(harness_text(o->data, "results[3].data.item.slug"), "a-2");
	/* A collection whose creation was rolled back does not exist for later operations. */
	harness_ok(
	    o, batch(h, admin, false,
		   "{'op':'field_create','arguments':{'collection':'books','slug':'x','label':'X',"
		   "'type':'nope'}},"
		   "{'op':'content_add','arguments':{'collection':'books','data':{'x':'A'}}}"));
	assert_int_equal(harness_int(o->data, "failed"), 2);
}

static void
a_repeated_key_carries_a_batch_out_once(void **state)
{
	struct harness *h = *state;
	const char *body = "{\"calls\":[{\"op\":\"content_add\",\"arguments\":{\"collection\":"
			   "\"posts\",\"data\":{\"title\":\"A\"}}},{\"op\":\"content_add\","
			   "\"arguments\":{\"collection\":\"posts\",\"data\":{\"nope\":1}}}]}";
	char first[4096];
	struct outcome *o;

	harness_ok(o, harness_request(h, editor, "POST /batch",
			  "Idempotency-Key: k1\r\nX-CMS-Request: 1", body));
	assert_int_equal(harness_int(o->data, "failed"), 1);
	(void)snprintf(first, sizeof(first), "%s", o->text);
	harness_ok(o, harness_request(h, editor, "POST /batch",
			  "Idempotency-Key: k1\r\nX-CMS-Request: 1", body));
	assert_true(o->replayed);
	assert_string_equal(o->text, first);
	assert_string_equal(posts(h), "1");
}

/* ---- gates ---- */

static void
each_call_passes_its_own_gate(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(batch(h, nobody, false, "%s", GET("x")), "UNAUTHORIZED");
	harness_ok(o, batch(h, reader, false,
			  "{'op':'content_list','arguments':{'collection':'posts'}}," CREATE(
			      "A") ",{'op':'user_list'},{'op':'settings_get'}"));
	assert_string_equal(code(o, 0), "");
	assert_string_equal(code(o, 1), "INSUFFICIENT_SCOPE");
	assert_string_equal(code(o, 3), "INSUFFICIENT_SCOPE");
	harness_ok(
	    o, batch(h, author, false,
		   CREATE("A") ",{'op':'menu_create','arguments':{'name':'m','label':'M'}}"));
	assert_string_equal(code(o, 0), "");
	assert_string_equal(code(o, 1), "FORBIDDEN");
	assert_non_null(strstr(o->text, "needs the role Editor; you are Author"));
	harness_ok(o, batch(h, subscriber, false, "%s", GET("a")));
	assert_string_equal(code(o, 0), "NOT_FOUND"); /* it is a draft */
	/* Ops that require the CSRF header require it in a batch, too. */
	harness_ok(o,
	    harness_request(h, admin, "POST /batch", "",
		"{\"calls\":[{\"op\":\"plugin_disable\",\"arguments\":{\"id\":\"search\"}},"
		"{\"op\":\"content_add\",\"arguments\":{\"collection\":\"posts\",\"data\":{}}}]}"));
	assert_string_equal(code(o, 0), "CSRF_REJECTED");
	assert_string_equal(code(o, 1), "");
	harness_ok(
	    o, batch(h, admin, false, "{'op':'plugin_disable','arguments':{'id':'search'}}"));
	assert_string_equal(code(o, 0), "");
}

static void
what_is_more_than_a_short_answer_is_called_alone(void **state)
{
	static const struct {
		const char *op, *code;
	} cases[] = { { "batch", "INVALID_INPUT" }, { "webhook_create", "INVALID_INPUT" },
		{ "audit_verify", "INVALID_INPUT" }, { "audit_prove", "NOT_FOUND" },
		{ "openapi_get", "INVALID_INPUT" }, { "settings_robots", "INVALID_INPUT" },
		{ "mcp_post", "INVALID_INPUT" }, { "search_rebuild", "INVALID_INPUT" },
		{ "tools_search", "NOT_FOUND" }, { "section_add", "NOT_FOUND" },
		{ "nope", "NOT_FOUND" }, { "good__greet", "NOT_FOUND" },
		{ "meddler__x", "NOT_FOUND" }, { "schema_get", "INVALID_INPUT" } };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o;

		harness_ok(o, batch(h, admin, false, "{'op':'%s','arguments':{}}", cases[i].op));
		if (strcmp(code(o, 0), cases[i].code) != 0)
			fail_msg("%s: %s", cases[i].op, o->text);
		assert_non_null(strstr(o->text, cases[i].op));
	}
}

static void
limits_count_each_call(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char calls[8192] = "", one[512];

	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at)"
	    " VALUES (?1, 's@example.org', 10, '', '')",
	    subscriber->id);
	assert_ok(say(h, admin, "PUT /admin/plugins/comments/settings",
	    "{'values':{'limitCount':3,'limitSeconds':600}}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'commentsEnabled':true}"));
	assert_ok(batch(h, editor, false,
	    "{'op':'content_add','arguments':{'collection':'posts','status':'published',"
	    "'slug':'a','data':{'title':'A'}}}"));
	harness_ok(o, ask(h, editor, "GET /content/posts/a"));
	for (int i = 0; i < 5; i++) {
		(void)snprintf(one, sizeof(one),
		    "%s{'op':'comment_create','arguments':{'collection':'posts','contentId':'%s',"
		    "'authorName':'N','authorEmail':'n@example.org','body':'Text %d'}}",
		    i > 0 ? "," : "", harness_text(o->data, "item.id"), i);
		add(calls, sizeof(calls), one);
	}
	harness_ok(o, batch(h, subscriber, false, "%s", calls));
	if (harness_int(o->data, "failed") != 2)
		fail_msg("%s", o->text);
	assert_string_equal(code(o, 3), "RATE_LIMITED");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "3");
}

static void
each_write_is_recorded_and_the_batch_is_not(void **state)
{
	struct harness *h = *state;

	assert_ok(batch(h, editor, false, CREATE("A") "," CREATE("B") "," GET("a")));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM audit_log WHERE op = 'content_add'"), "2");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM audit_log WHERE op = 'batch'"), "0");
}

static void
answers_have_a_bound_together(void **state)
{
	struct harness *h = *state;
	size_t size = 400000;
	char *body = malloc(size + 200), calls[8192] = GET("big");
	struct outcome *o;

	assert_non_null(body);
	(void)snprintf(body, 200,
	    "{\"slug\":\"big\",\"data\":{\"title\":\"Big\",\"body\":[{\"_type\":"
	    "\"block\",\"children\":[{\"_type\":\"span\",\"text\":\"");
	memset(body + strlen(body), 'x', size);
	body[size + 80] = '\0';
	add(body, size + 200, "\"}]}]}}");
	assert_ok(harness_request(h, editor, "POST " BASE, NULL, body));
	free(body);
	for (int i = 1; i < 30; i++)
		add(calls, sizeof(calls), "," GET("big"));
	harness_ok(o, batch(h, editor, false,
			  "%s,{'op':'content_put','arguments':{'collection':'posts','id':'big',"
			  "'data':{'title':'Small'}}},{'op':'settings_get'}",
			  calls));
	assert_in_range(strlen(o->text), 7 << 20, 9 << 20);
	assert_string_equal(code(o, 0), "");
	assert_string_equal(code(o, 29), "INVALID_INPUT");
	/* A write is not executed if there is no room for its result. */
	assert_string_equal(code(o, 30), "INVALID_INPUT");
	assert_string_equal(inside_ask(h, "SELECT f_title FROM c_posts"), "Big");
}

/* ---- as a tool ---- */

static void
the_tool_finds_tools_alone_and_says_their_codes(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, author, "batch",
	    "{'calls':[{'op':'content_create','arguments':{'collection':'posts','data':"
	    "{'title':'A'}}},"
	    "{'op':'content_get','arguments':{'collection':'posts','id':'a'}},"
	    "{'op':'content_get','arguments':{'collection':'none','id':'a'}},"
	    "{'op':'menu_create','arguments':{'name':'m','label':'M'}},"
	    "{'op':'content_add','arguments':{'collection':'posts','data':{'title':'B'}}},"
	    "{'op':'batch','arguments':{'calls':[]}}]}");

	assert_string_equal(rpc_code(r), "");
#define CODE(i) harness_text(r, "structuredContent.results[" #i "].error.code")
	assert_string_equal(
	    harness_text(r, "structuredContent.results[1].data.item.data.title"), "A");
	assert_string_equal(CODE(2), "NOT_FOUND");
	assert_string_equal(CODE(3), "INSUFFICIENT_PERMISSIONS");
	assert_string_equal(CODE(4), "NOT_FOUND");
	assert_string_equal(CODE(5), "INVALID_INPUT");
#undef CODE
	assert_string_equal(posts(h), "1");
	r = rpc_call(h, author, "batch",
	    "{'atomic':true,'calls':[{'op':'content_create','arguments':{'collection':'posts',"
	    "'data':{'title':'B'}}},{'op':'content_get','arguments':{'collection':'posts',"
	    "'id':'none'}}]}");
	assert_string_equal(rpc_code(r), "NOT_FOUND");
	assert_non_null(strstr(rpc_text(r), "calls[1] (content_get)"));
	assert_string_equal(posts(h), "1");
}

static void
a_batch_of_tools_is_tried(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, author, "batch",
	    "{'dry_run':true,'calls':[{'op':'content_create','arguments':{'collection':'posts',"
	    "'data':{'title':'A'}}}]}");

	assert_string_equal(rpc_code(r), "");
	assert_true(json_is_true(harness_at(r, "structuredContent.dryRun")));
	assert_true(json_is_true(harness_at(r, "structuredContent.results[0].ok")));
	assert_string_equal(posts(h), "0");
}

static void
calls_a_minute_count_those_of_a_batch(void **state)
{
	struct harness *h = *state;
	const char *two =
	    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'batch','arguments':"
	    "{'calls':[{'op':'settings_get'},{'op':'settings_get'}]}}}";

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/mcp/settings", "{'values':{'callsPerMinute':5}}"));
	assert_int_equal(rpc_post(h, admin, NULL, "%s", two)->http, 200);
	assert_int_equal(rpc_post(h, admin, NULL, "%s", two)->http, 200);
	assert_int_equal(rpc_post(h, admin, NULL, "%s", two)->http, 429);
}

static int
with_plugins(void **state)
{
	posts_plugins = "t/plugins/meddler/.libs:t/plugins/good/.libs";
	return posts_begin(state);
}

#define plugged(name) cmocka_unit_test_setup_teardown(name, with_plugins, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(each_call_has_its_result_in_order),
		check(what_is_no_batch_is_refused),
		check(issues_of_each_are_told_like_those_of_one),
		check(a_failing_last_call_undoes_all),
		check(a_write_sees_what_was_written_before_it),
		check(a_repeated_key_carries_a_batch_out_once),
		check(each_call_passes_its_own_gate),
		check(what_is_more_than_a_short_answer_is_called_alone),
		check(limits_count_each_call),
		check(each_write_is_recorded_and_the_batch_is_not),
		check(answers_have_a_bound_together),
		check(the_tool_finds_tools_alone_and_says_their_codes),
		check(a_batch_of_tools_is_tried),
		check(calls_a_minute_count_those_of_a_batch),
		plugged(one_that_fails_alone_undoes_its_own_writes_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
