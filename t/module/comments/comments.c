/* comments.t - comments of the public: permissions, validation, moderation, threads. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char post[27]; /* a published post */

static void
limits(struct harness *h, int count, int seconds)
{
	assert_ok(say(h, admin, "PUT /admin/plugins/comments/settings",
	    "{'values':{'limitCount':%d,'limitSeconds':%d}}", count, seconds));
}

static void
policy(struct harness *h, const char *members)
{
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "%s", members));
}

static int
begin(void **state)
{
	posts_begin(state);
	limits(*state, 1000, 600);
	policy(*state, "{'commentsEnabled':true}");
	make(*state, author, post, "{'status':'published','data':{'title':'A'}}");
	return 0;
}

static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *id, const char *body)
{
	char request[100];

	snprintf(request, sizeof(request), "POST /comments/posts/%s", id);
	return say(h, user, request, "%s", body);
}

/* Creates a comment from this address on the post; returns its id. */
static const char *
comment(struct harness *h, const char *email, const char *body, const char *status)
{
	static char ids[8][27];
	static int next;
	char *id = ids[next++ % 8], text[400];
	struct outcome *o;

	snprintf(text, sizeof(text), "{'authorName':'Ann','authorEmail':'%s',%s}", email, body);
	harness_ok(o, on(h, nobody, post, text));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "status"), status);
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
	return id;
}

static void
approve(struct harness *h, const char *id)
{
	assert_ok(harness_op(
	    h, editor, "comment_moderate", "{\"ids\":[\"%s\"],\"status\":\"approved\"}", id));
}

static struct outcome *
threads(struct harness *h, const char *query)
{
	return ask(h, nobody, "GET /comments/posts/%s%s", post, query);
}

static size_t
count(const struct outcome *o)
{
	return json_array_size(harness_at(o->data, "items"));
}

/* ---- who may, and where ---- */

static void
a_collection_without_comments_has_none(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	policy(h, "{'commentsEnabled':false}");
	o = on(h, nobody, post, "{'authorName':'A','authorEmail':'a@b.org','body':'x'}");
	assert_code(o, "COMMENTS_DISABLED");
	assert_int_equal(o->http, 403);
	assert_code(threads(h, ""), "COMMENTS_DISABLED");
	assert_code(ask(h, nobody, "GET /comments/nothing/%s", post), "COLLECTION_NOT_FOUND");
}

static void
what_the_public_does_not_see_has_no_comments(void **state)
{
	static const char body[] = "{'authorName':'A','authorEmail':'a@b.org','body':'x'}";
	struct harness *h = *state;
	char draft[27];

	make(h, author, draft, "{'data':{'title':'D'}}");
	assert_code(on(h, nobody, draft, body), "NOT_FOUND");
	assert_code(on(h, admin, draft, body), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET /comments/posts/%s", draft), "NOT_FOUND");
	assert_code(on(h, nobody, "01NOTHING0000000000000000A", body), "NOT_FOUND");
	assert_ok(on(h, nobody, post, body));
	assert_ok(ask(h, admin, "DELETE /content/posts/%s", post));
	assert_code(on(h, nobody, post, body), "NOT_FOUND");
	assert_code(threads(h, ""), "NOT_FOUND");
}

static void
comments_close_after_so_many_days(void **state)
{
	static const char body[] = "{'authorName':'A','authorEmail':'a@b.org','body':'x'}";
	struct harness *h = *state;
	struct outcome *o;

	policy(h, "{'commentsClosedAfterDays':2}");
	harness_clock(h, "2026-06-03T11:59:59.999Z");
	assert_ok(on(h, nobody, post, body));
	harness_ok(o, threads(h, ""));
	assert_true(json_is_true(harness_at(o->data, "open")));
	harness_clock(h, "2026-06-03T12:00:00.000Z");
	o = on(h, nobody, post, body);
	assert_code(o, "COMMENTS_CLOSED");
	assert_int_equal(o->http, 403);
	harness_ok(o, threads(h, ""));
	assert_true(json_is_false(harness_at(o->data, "open")));
	policy(h, "{'commentsClosedAfterDays':0}");
	assert_ok(on(h, nobody, post, body));
}

/* ---- what is refused ---- */

static void
bad_bodies_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{'authorName':'A','authorEmail':'a@b.org'}", "body" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':''}", "body" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':' \\n\\t\\u0007 '}", "body" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':null}", "body" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':['x']}", "body" },
		{ "{'authorEmail':'a@b.org','body':'x'}", "authorName" },
		{ "{'authorName':'','authorEmail':'a@b.org','body':'x'}", "authorName" },
		{ "{'authorName':'\\r\\n','authorEmail':'a@b.org','body':'x'}", "authorName" },
		{ "{'authorName':'A','body':'x'}", "authorEmail" },
		{ "{'authorName':'A','authorEmail':'','body':'x'}", "authorEmail" },
		{ "{'authorName':'A','authorEmail':'a','body':'x'}", "authorEmail" },
		{ "{'authorName':'A','authorEmail':'a@b.org\\n','body':'x'}", "authorEmail" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':'x','parentId':'y'}",
		    "parentId" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':'x','parentId':''}",
		    "parentId" },
		{ "{'authorName':'A','authorEmail':'a@b.org','body':'x','status':'approved'}",
		    "status" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = on(h, nobody, post, bad[i][0]);
		if (strcmp(o->code, "VALIDATION_ERROR") != 0 || !harness_issue(o, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], o->text);
	}
	o = on(h, nobody, post, "{'body':' '}");
	assert_true(harness_issue(o, "body") && harness_issue(o, "authorName") &&
		    harness_issue(o, "authorEmail"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
}

static void
lengths_are_counted_in_characters(void **state)
{
	struct harness *h = *state;
	char *text = malloc(3 * 5001 + 1), *body;

	for (int i = 0; i < 5001; i++)
		memcpy(text + 3 * i, "\xe2\x82\xac", 3);
	text[3 * 5001] = '\0';
	assert_true(
	    asprintf(&body, "{'authorName':'A','authorEmail':'a@b.org','body':'%s'}", text) > 0);
	assert_code(on(h, nobody, post, body), "VALIDATION_ERROR");
	free(body);
	assert_true(asprintf(&body, "{'authorName':'A','authorEmail':'a@b.org','body':'%s'}",
			text + 3) > 0);
	assert_ok(on(h, nobody, post, body));
	free(body);
	free(text);
}

/* ---- what is stored ---- */

static void
text_stays_plain_text(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	approve(h, comment(h, "a@b.org", "'body':' <b>1 < 2</b> &amp;\\r\\n\\rx'", "pending"));
	harness_ok(o, threads(h, ""));
	assert_string_equal(harness_text(o->data, "items[0].body"), "<b>1 < 2</b> &amp;\n\nx");
}

static void
controls_do_not_get_in(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, on(h, nobody, post,
			  "{'authorName':' A\\tB\\u001b[0m ','authorEmail':'A@B.org',"
			  "'body':'a\\u0007\\tb\\u001bc '}"));
	harness_ok(o, ask(h, editor, "GET /admin/comments/%s", harness_text(o->data, "id")));
	assert_string_equal(harness_text(o->data, "authorName"), "A B[0m");
	assert_string_equal(harness_text(o->data, "authorEmail"), "a@b.org");
	assert_string_equal(harness_text(o->data, "body"), "a\tbc");
}

static void
the_public_sees_no_addresses(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	approve(h, comment(h, "secret@b.org", "'body':'x'", "pending"));
	harness_ok(o, threads(h, "?includeTotal=1"));
	assert_null(strstr(o->text, "secret"));
	assert_null(strstr(o->text, "ipHash"));
	assert_int_equal(json_object_size(harness_at(o->data, "items[0]")), 8);
	assert_string_equal(harness_text(o->data, "items[0].authorName"), "Ann");
	assert_string_equal(
	    harness_text(o->data, "items[0].createdAt"), "2026-06-01T12:00:00.000Z");
	assert_true(json_is_false(harness_at(o->data, "items[0].isRegisteredUser")));
	assert_true(json_is_null(harness_at(o->data, "items[0].parentId")));
	assert_int_equal(harness_int(o->data, "total"), 1);
	assert_null(harness_at(o->data, "nextCursor"));
}

static void
an_address_is_kept_as_a_hash_with_the_key_of_the_site(void **state)
{
	struct harness *h = *state;

	comment(h, "a@b.org", "'body':'x'", "pending");
	comment(h, "c@b.org", "'body':'y'", "pending");
	assert_string_equal(inside_ask(h, "SELECT count(DISTINCT ip_hash) FROM comment"), "1");
	assert_string_equal(inside_ask(h, "SELECT min(length(ip_hash)) FROM comment"), "32");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM comment WHERE instr(ip_hash, '127.0') > 0"), "0");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'comment_secret'"), "0");
}

static void
a_filled_trap_stores_nothing_and_tells_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, on(h, nobody, post,
			  "{'authorName':'A','authorEmail':'a@b.org','body':'x',"
			  "'website_url':'http://x'}"));
	assert_int_equal(o->http, 201);
	assert_int_equal(json_object_size(o->data), 3);
	assert_true(stet_is_id(harness_text(o->data, "id")));
	assert_string_equal(harness_text(o->data, "status"), "pending");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
	assert_ok(on(h, nobody, post,
	    "{'authorName':'A','authorEmail':'a@b.org','body':'x','website_url':''}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "1");
}

/* ---- the status of a new comment ---- */

static void
the_first_comment_of_an_address_waits(void **state)
{
	struct harness *h = *state;
	const char *first = comment(h, "a@b.org", "'body':'x'", "pending");

	comment(h, "a@b.org", "'body':'y'", "pending");
	assert_int_equal(count(threads(h, "")), 0);
	approve(h, first);
	comment(h, "A@B.org", "'body':'z'", "approved");
	comment(h, "c@b.org", "'body':'z'", "pending");
	assert_int_equal(count(threads(h, "")), 2);
	assert_ok(harness_op(
	    h, editor, "comment_moderate", "{\"ids\":[\"%s\"],\"status\":\"spam\"}", first));
	policy(h, "{'commentsModeration':'all'}");
	comment(h, "a@b.org", "'body':'w'", "pending");
	policy(h, "{'commentsModeration':'none'}");
	comment(h, "d@b.org", "'body':'v'", "approved");
}

static void
many_links_wait_whatever_the_policy(void **state)
{
	struct harness *h = *state;

	policy(h, "{'commentsModeration':'none'}");
	comment(h, "a@b.org", "'body':'http://a HTTPS://www.b'", "approved");
	comment(h, "a@b.org", "'body':'http://a https://b WWW.c'", "pending");
	comment(h, "a@b.org", "'body':'www.a www.b www.c'", "pending");
	assert_string_equal(
	    inside_ask(
		h, "SELECT count(*) FROM comment WHERE reason = 'More links than linksHeld'"),
	    "2");
	assert_ok(
	    say(h, admin, "PUT /admin/plugins/comments/settings", "{'values':{'linksHeld':3}}"));
	comment(h, "a@b.org", "'body':'www.a www.b www.c'", "approved");
	assert_ok(
	    say(h, admin, "PUT /admin/plugins/comments/settings", "{'values':{'linksHeld':0}}"));
	comment(h, "a@b.org", "'body':'www.a'", "pending");
}

static void
add_author(struct harness *h)
{
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'user@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    author->id);
}

static void
users_are_who_they_are_and_trusted_where_the_collection_says(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	add_author(h);
	harness_ok(o, on(h, author, post,
			  "{'authorName':'Else','authorEmail':'else@b.org',"
			  "'body':'www.a www.b www.c'}"));
	assert_string_equal(harness_text(o->data, "status"), "approved");
	harness_ok(o, threads(h, ""));
	assert_string_equal(harness_text(o->data, "items[0].authorName"), "User");
	assert_true(json_is_true(harness_at(o->data, "items[0].isRegisteredUser")));
	policy(h, "{'commentsAutoApproveUsers':false,'commentsModeration':'all'}");
	harness_ok(o, on(h, author, post, "{'body':'x'}"));
	assert_string_equal(harness_text(o->data, "status"), "pending");
}

static void
the_address_of_a_user_makes_no_stranger_trusted(void **state)
{
	struct harness *h = *state;

	add_author(h);
	assert_ok(on(h, author, post, "{'body':'x'}"));
	comment(h, "user@example.org", "'body':'me too'", "pending");
}

/* ---- threads ---- */

/* Posts an approved reply of a known author. */
static const char *
answer(struct harness *h, const char *to, const char *body)
{
	char text[200];

	snprintf(text, sizeof(text), "'body':'%s','parentId':'%s'", body, to);
	return comment(h, "a@b.org", text, "approved");
}

static void
answers_stand_below_what_they_answer(void **state)
{
	struct harness *h = *state;
	const char *first, *second, *reply;
	struct outcome *o;

	policy(h, "{'commentsModeration':'none'}");
	first = comment(h, "a@b.org", "'body':'1'", "approved");
	at(h, 1000);
	second = comment(h, "a@b.org", "'body':'2'", "approved");
	at(h, 2000);
	reply = answer(h, first, "1.1");
	at(h, 3000);
	answer(h, reply, "1.2");
	answer(h, second, "2.1");
	harness_ok(o, threads(h, "?includeTotal=true"));
	assert_int_equal(count(o), 2);
	assert_int_equal(harness_int(o->data, "total"), 5);
	assert_string_equal(harness_text(o->data, "items[0].body"), "1");
	assert_int_equal(harness_int(o->data, "items[0].replyCount"), 2);
	assert_string_equal(harness_text(o->data, "items[0].replies[0].body"), "1.1");
	assert_string_equal(harness_text(o->data, "items[0].replies[1].body"), "1.2");
	assert_string_equal(harness_text(o->data, "items[0].replies[1].parentId"), first);
	assert_string_equal(harness_text(o->data, "items[1].replies[0].body"), "2.1");
}

static void
only_what_is_shown_on_the_item_can_be_answered(void **state)
{
	struct harness *h = *state;
	const char *waiting = comment(h, "a@b.org", "'body':'x'", "pending");
	char request[64], body[160], other[27];

	make(h, author, other, "{'status':'published','data':{'title':'B'}}");
	snprintf(request, sizeof(request), "POST /comments/posts/%s", other);
	snprintf(body, sizeof(body),
	    "{'authorName':'A','authorEmail':'a@b.org','body':'y','parentId':'%s'}", waiting);
	assert_true(harness_issue(on(h, nobody, post, body), "parentId"));
	approve(h, waiting);
	assert_ok(on(h, nobody, post, body));
	assert_true(harness_issue(say(h, nobody, request, "%s", body), "parentId"));
}

static void
a_hidden_thread_hides_its_answers(void **state)
{
	struct harness *h = *state;
	const char *first;
	char query[64], other[27];

	policy(h, "{'commentsModeration':'none'}");
	first = comment(h, "a@b.org", "'body':'1'", "approved");
	answer(h, first, "1.1");
	snprintf(query, sizeof(query), "?parentId=%s", first);
	assert_int_equal(count(threads(h, query)), 1);
	make(h, author, other, "{'status':'published','data':{'title':'B'}}");
	assert_int_equal(count(ask(h, nobody, "GET /comments/posts/%s%s", other, query)), 0);
	assert_ok(harness_op(
	    h, editor, "comment_moderate", "{\"ids\":[\"%s\"],\"status\":\"trash\"}", first));
	assert_int_equal(count(threads(h, "")), 0);
	assert_int_equal(count(threads(h, query)), 0);
}

static void
long_threads_and_many_of_them_come_a_page_at_a_time(void **state)
{
	struct harness *h = *state;
	char query[2200], first[27];
	struct outcome *o;
	int n = 0;

	policy(h, "{'commentsModeration':'none'}");
	snprintf(first, sizeof(first), "%s", comment(h, "a@b.org", "'body':'1'", "approved"));
	for (int i = 0; i < 23; i++)
		answer(h, first, "answer");
	for (int i = 0; i < 4; i++)
		comment(h, "a@b.org", "'body':'more'", "approved");
	harness_ok(o, threads(h, "?limit=3"));
	assert_int_equal(count(o), 3);
	assert_int_equal(harness_int(o->data, "items[0].replyCount"), 23);
	assert_int_equal(json_array_size(harness_at(o->data, "items[0].replies")), 20);
	snprintf(query, sizeof(query), "?limit=3&cursor=%s", harness_text(o->data, "nextCursor"));
	harness_ok(o, threads(h, query));
	assert_int_equal(count(o), 2);
	assert_null(harness_at(o->data, "nextCursor"));
	snprintf(query, sizeof(query), "?limit=10&parentId=%s", first);
	for (int pages = 1;; pages++) {
		harness_ok(o, threads(h, query));
		n += (int)count(o);
		if (harness_at(o->data, "nextCursor") == NULL) {
			assert_int_equal(pages, 3);
			break;
		}
		snprintf(query, sizeof(query), "?limit=10&parentId=%s&cursor=%s", first,
		    harness_text(o->data, "nextCursor"));
	}
	assert_int_equal(n, 23);
}

static void
bad_queries_are_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char query[2200];

	policy(h, "{'commentsModeration':'none'}");
	comment(h, "a@b.org", "'body':'1'", "approved");
	comment(h, "a@b.org", "'body':'2'", "approved");
	assert_code(threads(h, "?limit=0"), "VALIDATION_ERROR");
	assert_code(threads(h, "?limit=101"), "VALIDATION_ERROR");
	assert_code(threads(h, "?cursor=x"), "INVALID_CURSOR");
	harness_ok(o, threads(h, "?limit=1"));
	snprintf(
	    query, sizeof(query), "?parentId=x&cursor=%s", harness_text(o->data, "nextCursor"));
	assert_code(threads(h, query), "INVALID_CURSOR");
}

/* ---- limits ---- */

/* More than 60, and so by the clock of the test: see limit.c. */
#define MANY 65

static void
an_address_writes_so_many_and_waits(void **state)
{
	static const char body[] = "{'authorName':'A','authorEmail':'a@b.org','body':'x'}";
	struct harness *h = *state;
	struct outcome *o;

	harness_clock(h, "2026-07-01T00:00:00.000Z");
	limits(h, MANY, 120 * MANY);
	assert_code(on(h, nobody, post, "{'body':''}"), "VALIDATION_ERROR");
	for (int i = 0; i < MANY; i++)
		assert_ok(on(h, nobody, post, body));
	o = on(h, nobody, post, body);
	assert_code(o, "RATE_LIMITED");
	assert_int_equal(o->http, 429);
	assert_string_equal(o->retry_after, "120");
	assert_ok(threads(h, ""));
	harness_clock(h, "2026-07-01T00:01:59.999Z");
	o = on(h, nobody, post, body);
	assert_code(o, "RATE_LIMITED");
	assert_string_equal(o->retry_after, "1");
	harness_clock(h, "2026-07-01T00:02:00.000Z");
	assert_ok(on(h, nobody, post, body));
	assert_code(on(h, nobody, post, body), "RATE_LIMITED");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "66");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_collection_without_comments_has_none),
		TEST(what_the_public_does_not_see_has_no_comments),
		TEST(comments_close_after_so_many_days),
		TEST(bad_bodies_are_refused_by_name),
		TEST(lengths_are_counted_in_characters),
		TEST(text_stays_plain_text),
		TEST(controls_do_not_get_in),
		TEST(the_public_sees_no_addresses),
		TEST(an_address_is_kept_as_a_hash_with_the_key_of_the_site),
		TEST(a_filled_trap_stores_nothing_and_tells_nothing),
		TEST(the_first_comment_of_an_address_waits),
		TEST(many_links_wait_whatever_the_policy),
		TEST(users_are_who_they_are_and_trusted_where_the_collection_says),
		TEST(the_address_of_a_user_makes_no_stranger_trusted),
		TEST(answers_stand_below_what_they_answer),
		TEST(only_what_is_shown_on_the_item_can_be_answered),
		TEST(a_hidden_thread_hides_its_answers),
		TEST(long_threads_and_many_of_them_come_a_page_at_a_time),
		TEST(bad_queries_are_refused),
		TEST(an_address_writes_so_many_and_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
