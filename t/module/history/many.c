/* many.c - the undo of sessions with more records than one call takes back, and the tool for it. */
#include "inside.h"
#include "people.h"
#include "posts.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 250

static struct person bot;

static int
begin(void **state)
{
	if (posts_begin(state) != 0)
		return -1;
	bot = person_make(*state, "bot@example.org", "admin", "[\"admin\"]", NULL);
	return 0;
}

/* Sends a request of the assistant, with " for each ' in its body. */
static struct outcome *
act(struct harness *h, const char *request, const char *body)
{
	char *text = double_quotes(strdup(body));
	struct outcome *o = person_ask(h, bot.token, request, text);

	free(text);
	if (o->http >= 300)
		fail_msg("%s: %s", request, o->text);
	return o;
}

/* The assistant makes this many posts. */
static void
make_posts(struct harness *h, int count)
{
	while (count > 0) {
		char *text;
		size_t len;
		FILE *to = open_memstream(&text, &len);
		int n = count < 100 ? count : 100;

		fputs("{'atomic':true,'calls':[", to);
		for (int i = 0; i < n; i++)
			fprintf(to,
			    "%s{'op':'content_create','arguments':{'collection':'posts','data':"
			    "{'title':'Theirs'}}}",
			    i > 0 ? "," : "");
		fputs("]}", to);
		fclose(to);
		act(h, "POST /batch", text);
		free(text);
		count -= n;
	}
}

static const char *
session(struct harness *h)
{
	static char id[27];

	snprintf(id, sizeof(id), "%s",
	    inside_ask(h, "SELECT id FROM assistant_session ORDER BY id DESC LIMIT 1"));
	return id;
}

/* Undoes a page of the session; returns the answer. `more` are further members of the body. */
static json_t *
undo(struct harness *h, const char *more, const char *cursor)
{
	char request[100], body[600];
	struct outcome *o;

	snprintf(request, sizeof(request), "POST /assistant-sessions/%s/undo", session(h));
	snprintf(body, sizeof(body), "{\"dryRun\":%s%s%s%s}", more,
	    cursor != NULL ? ",\"cursor\":\"" : "", cursor != NULL ? cursor : "",
	    cursor != NULL ? "\"" : "");
	harness_ok(o, harness_request(h, admin, request, NULL, body));
	return o->data;
}

static int
count(json_t *answer, const char *result)
{
	json_t *item;
	int n = 0;
	size_t i;

	json_array_foreach(harness_at(answer, "items"), i, item) n +=
	    strcmp(harness_text(item, "result"), result) == 0;
	return n;
}

static const char *
next(json_t *answer)
{
	static char cursor[500];

	snprintf(cursor, sizeof(cursor), "%s", harness_text(answer, "nextCursor"));
	assert_int_equal(json_is_true(harness_at(answer, "more")), *cursor != '\0');
	return cursor;
}

/* Somebody changes all the posts: the session's records of them are left out each time. */
static void
what_is_left_out_is_passed(void **state)
{
	struct harness *h = *state;
	json_t *answer;
	char cursor[500];

	act(h, "POST /menus", "{'name':'main','label':'Main'}");
	make_posts(h, MANY);
	inside_sql(h, "UPDATE c_posts SET f_title = 'Ours', version = version + 1", NULL);
	answer = undo(h, "true", NULL);
	assert_int_equal(count(answer, "skipped"), 200);
	answer = undo(h, "true", next(answer));
	assert_int_equal(count(answer, "skipped"), MANY - 200);
	assert_int_equal(count(answer, "undone"), 1);
	assert_string_equal(next(answer), "");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM menu"), "1");
	answer = undo(h, "false", NULL);
	assert_int_equal(count(answer, "skipped"), 200);
	snprintf(cursor, sizeof(cursor), "%s", next(answer));
	answer = undo(h, "false", cursor);
	assert_int_equal(count(answer, "skipped"), MANY - 200);
	assert_int_equal(count(answer, "undone"), 1);
	assert_string_equal(next(answer), "");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM menu"), "0");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM c_posts WHERE deleted_at IS NULL"), "250");
	/* A cursor belongs to its session. */
	{
		char request[100], body[600];

		snprintf(request, sizeof(request), "POST /assistant-sessions/%s/undo", session(h));
		snprintf(body, sizeof(body), "{\"cursor\":\"x%s\"}", cursor);
		assert_code(harness_request(h, admin, request, NULL, body), "INVALID_CURSOR");
	}
}

/* The first record of an item is taken back by another call than its last one. */
static void
a_later_call_goes_on_where_the_one_before_ended(void **state)
{
	struct harness *h = *state;
	const char *there =
	    "SELECT count(*) FROM c_posts WHERE slug = 'first' AND deleted_at IS NULL";
	json_t *answer;

	act(h, "POST " BASE, "{'slug':'first','data':{'title':'A'}}");
	make_posts(h, 210);
	act(h, "PUT " BASE "/first", "{'data':{'title':'B'}}");
	act(h, "PUT " BASE "/first", "{'data':{'title':'C'}}");
	answer = undo(h, "true", NULL);
	assert_int_equal(count(answer, "undone"), 200);
	answer = undo(h, "true", next(answer));
	assert_int_equal(count(answer, "undone"), 13);
	assert_string_equal(inside_ask(h, there), "1");
	answer = undo(h, "false", NULL);
	assert_int_equal(count(answer, "undone"), 200);
	answer = undo(h, "false", next(answer));
	assert_int_equal(count(answer, "undone"), 13);
	assert_string_equal(inside_ask(h, there), "0");
}

/* Calls the tool as the assistant, with " for each '; returns its result. */
static json_t *
tool(struct harness *h, const char *arguments)
{
	char headers[700], *text = double_quotes(strdup(arguments)), *body = NULL;
	struct outcome *o;

	snprintf(headers, sizeof(headers), RPC_HEADERS "\r\nAuthorization: Bearer %s", bot.token);
	if (asprintf(&body,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
		"\"session_undo\",\"arguments\":%s}}",
		text) < 0)
		abort();
	o = harness_request(h, nobody, "POST /mcp", headers, body);
	free(body);
	free(text);
	if (o->http != 200)
		fail_msg("%d %s", o->http, o->text);
	return harness_at(o->body, "result");
}

/* The tool takes back what the assistant itself has done, if it says so: otherwise it is a trial.
 */
static void
an_assistant_undoes_its_own_session(void **state)
{
	struct harness *h = *state;
	const char *title = "SELECT f_title FROM c_posts",
		   *widgets = "SELECT group_concat(title) FROM widget";
	json_t *result;
	char id[27], args[100];

	make(h, admin, id, "{'slug':'first','data':{'title':'A'}}");
	assert_ok(say(h, admin, "POST /widget-areas", "{'name':'side','label':'S'}"));
	assert_ok(say(h, admin, "POST /widget-areas/side/widgets",
	    "{'type':'content','title':'One','content':[]}"));
	act(h, "PUT " BASE "/first", "{'data':{'title':'B'}}");
	act(h, "POST /widget-areas/side/widgets", "{'type':'content','title':'Two','content':[]}");
	result = tool(h, "{}");
	assert_string_equal(rpc_code(result), "");
	assert_true(json_is_true(harness_at(result, "structuredContent.dryRun")));
	assert_int_equal(count(harness_at(result, "structuredContent"), "undone"), 2);
	assert_string_equal(inside_ask(h, title), "B");
	/* What somebody has changed since is told, with its reason, and stays. */
	assert_ok(say(h, admin, "PUT " BASE "/first", "{'data':{'title':'C'}}"));
	snprintf(args, sizeof(args), "{'id':'%s','dry_run':true}", session(h));
	result = tool(h, args);
	assert_int_equal(count(harness_at(result, "structuredContent"), "skipped"), 1);
	assert_string_equal(
	    harness_text(result, "structuredContent.items[1].reason"), "It was changed since");
	result = tool(h, "{'dry_run':false}");
	assert_string_equal(rpc_code(result), "");
	assert_int_equal(count(harness_at(result, "structuredContent"), "undone"), 1);
	assert_string_equal(inside_ask(h, title), "C");
	assert_string_equal(inside_ask(h, widgets), "One");
	result = tool(h, "{'id':'01ABSENT000000000000000000'}");
	assert_string_equal(rpc_code(result), "NOT_FOUND");
	result = rpc_call(h, admin, "session_undo", "{}"); /* no token, no session */
	assert_string_not_equal(rpc_code(result), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_left_out_is_passed, begin, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_later_call_goes_on_where_the_one_before_ended, begin, posts_end),
		cmocka_unit_test_setup_teardown(
		    an_assistant_undoes_its_own_session, begin, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
