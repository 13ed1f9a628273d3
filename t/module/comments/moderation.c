/* moderation.t - comments for moderators, plugins and importers, and when comments are deleted. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char post[27]; /* a published post; its comments need no approval */

static int
begin(void **state)
{
	posts_begin(state);
	assert_ok(say(*state, admin, "PUT /admin/plugins/comments/settings",
	    "{'values':{'limitCount':1000}}"));
	assert_ok(say(*state, admin, "PUT /schema/collections/posts",
	    "{'commentsEnabled':true,'commentsModeration':'none'}"));
	make(*state, author, post, "{'status':'published','data':{'title':'A'}}");
	return 0;
}

static struct outcome *
write(struct harness *h, const char *body, const char *parent)
{
	char request[100];

	snprintf(request, sizeof(request), "POST /comments/posts/%s", post);
	return say(h, nobody, request,
	    "{'authorName':'Ann','authorEmail':'a@b.org','body':'%s'%s%s%s}", body,
	    parent != NULL ? ",'parentId':'" : "", parent != NULL ? parent : "",
	    parent != NULL ? "'" : "");
}

static const char *
comment(struct harness *h, const char *body, const char *parent)
{
	static char ids[8][27];
	static int next;
	char *id = ids[next++ % 8];
	struct outcome *o;

	harness_ok(o, write(h, body, parent));
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
	return id;
}

static const char *
status_of(struct harness *h, const char *id)
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET /admin/comments/%s", id));
	return harness_text(o->data, "status");
}

static size_t
listed(struct harness *h, const char *query)
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET /admin/comments?%s", query));
	return json_array_size(harness_at(o->data, "items"));
}

/* ---- the inbox ---- */

static void
a_comment_has_all_members(void **state)
{
	struct harness *h = *state;
	const char *id = comment(h, "x", NULL);
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET /admin/comments/%s", id));
	assert_int_equal(json_object_size(o->data), 14);
	assert_string_equal(harness_text(o->data, "collection"), "posts");
	assert_string_equal(harness_text(o->data, "contentId"), post);
	assert_string_equal(harness_text(o->data, "authorEmail"), "a@b.org");
	assert_string_equal(harness_text(o->data, "status"), "approved");
	assert_true(json_is_null(harness_at(o->data, "authorUserId")));
	assert_true(json_is_null(harness_at(o->data, "reason")));
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_code(ask(h, editor, "GET /admin/comments/01NOTHING0000000000000000A"), "NOT_FOUND");
}

static void
the_inbox_shows_what_waits_and_is_filtered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	comment(h, "fine 100% sure", NULL);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'commentsModeration':'all'}"));
	at(h, 1);
	comment(h, "waits", NULL);
	assert_int_equal(listed(h, ""), 1);
	assert_int_equal(listed(h, "status=pending"), 1);
	assert_int_equal(listed(h, "status=approved"), 1);
	assert_int_equal(listed(h, "status=spam"), 0);
	assert_int_equal(listed(h, "collection=posts"), 1);
	assert_int_equal(listed(h, "collection=pages"), 0);
	assert_int_equal(listed(h, "search=WAIT"), 1);
	assert_int_equal(listed(h, "search=a%40b"), 1);
	assert_int_equal(listed(h, "search=100%25&status=approved"), 1);
	assert_int_equal(listed(h, "search=%25"), 0);
	assert_int_equal(listed(h, "search=_"), 0);
	assert_code(ask(h, editor, "GET /admin/comments?status=new"), "VALIDATION_ERROR");
	assert_code(ask(h, author, "GET /admin/comments"), "FORBIDDEN");
	harness_ok(o, harness_op(h, editor, "comment_list", "{\"search\":\"wait\"}"));
	assert_string_equal(harness_text(o->data, "items[0].body"), "waits");
}

static void
the_inbox_comes_a_page_at_a_time_newest_first(void **state)
{
	struct harness *h = *state;
	char cursor[2100] = "";
	struct outcome *o;
	int n = 0;

	for (int i = 0; i < 5; i++) {
		at(h, i / 2);
		comment(h, "x", NULL);
	}
	do {
		harness_ok(o, ask(h, editor, "GET /admin/comments?status=approved&limit=2%s%s",
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		if (n == 0)
			assert_string_equal(harness_text(o->data, "items[0].createdAt"),
			    "2026-06-01T12:00:00.002Z");
		n += (int)json_array_size(harness_at(o->data, "items"));
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	assert_int_equal(n, 5);
}

static void
counts_are_by_status(void **state)
{
	struct harness *h = *state;
	const char *id = comment(h, "x", NULL);
	struct outcome *o;

	comment(h, "y", NULL);
	assert_ok(harness_op(
	    h, editor, "comment_moderate", "{\"ids\":[\"%s\"],\"status\":\"spam\"}", id));
	harness_ok(o, ask(h, editor, "GET /admin/comments/counts"));
	assert_int_equal(harness_int(o->data, "pending"), 0);
	assert_int_equal(harness_int(o->data, "approved"), 1);
	assert_int_equal(harness_int(o->data, "spam"), 1);
	assert_int_equal(harness_int(o->data, "trash"), 0);
	assert_code(ask(h, author, "GET /admin/comments/counts"), "FORBIDDEN");
}

/* ---- moderated ---- */

static void
moderators_give_any_status(void **state)
{
	static const char *const all[] = { "pending", "spam", "trash", "approved" };
	struct harness *h = *state;
	const char *id = comment(h, "x", NULL);
	char request[80];
	struct outcome *o;

	snprintf(request, sizeof(request), "PUT /admin/comments/%s/status", id);
	at(h, 1000);
	for (size_t i = 0; i < COUNT(all); i++) {
		harness_ok(o, say(h, editor, request, "{'status':'%s'}", all[i]));
		assert_string_equal(harness_text(o->data, "status"), all[i]);
		assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:01.000Z");
	}
	assert_code(say(h, editor, request, "{'status':'good'}"), "VALIDATION_ERROR");
	assert_code(say(h, author, request, "{'status':'spam'}"), "FORBIDDEN");
	assert_code(
	    say(h, editor, "PUT /admin/comments/x/status", "{'status':'spam'}"), "NOT_FOUND");
	assert_string_equal(status_of(h, id), "approved");
}

static void
many_are_moderated_at_once(void **state)
{
	struct harness *h = *state;
	const char *a = comment(h, "a", NULL), *b = comment(h, "b", NULL),
		   *c = comment(h, "c", NULL);
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /admin/comments/bulk",
			  "{'ids':['%s','%s','nothing'],'action':'trash'}", a, b));
	assert_int_equal(harness_int(o->data, "affected"), 2);
	assert_string_equal(status_of(h, a), "trash");
	assert_string_equal(status_of(h, c), "approved");
	harness_ok(o, say(h, editor, "POST /admin/comments/bulk",
			  "{'ids':['%s','%s'],'action':'approve'}", a, c));
	assert_int_equal(harness_int(o->data, "affected"), 1);
	assert_code(say(h, editor, "POST /admin/comments/bulk", "{'ids':[],'action':'spam'}"),
	    "VALIDATION_ERROR");
	assert_code(say(h, editor, "POST /admin/comments/bulk", "{'ids':[7],'action':'spam'}"),
	    "VALIDATION_ERROR");
	assert_code(
	    say(h, editor, "POST /admin/comments/bulk", "{'ids':['%s'],'action':'burn'}", a),
	    "VALIDATION_ERROR");
}

static void
administrators_delete_comments_with_their_answers(void **state)
{
	struct harness *h = *state;
	const char *a = comment(h, "a", NULL), *b = comment(h, "b", NULL);
	struct outcome *o;

	comment(h, "a1", a);
	assert_code(ask(h, editor, "DELETE /admin/comments/%s", a), "FORBIDDEN");
	assert_code(
	    say(h, editor, "POST /admin/comments/bulk", "{'ids':['%s'],'action':'delete'}", a),
	    "FORBIDDEN");
	assert_code(harness_op(h, editor, "comment_delete", "{\"ids\":[\"%s\"]}", a), "FORBIDDEN");
	harness_ok(o, ask(h, admin, "DELETE /admin/comments/%s", a));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "1");
	assert_code(ask(h, admin, "DELETE /admin/comments/%s", a), "NOT_FOUND");
	harness_ok(
	    o, say(h, admin, "POST /admin/comments/bulk", "{'ids':['%s'],'action':'delete'}", b));
	assert_int_equal(harness_int(o->data, "affected"), 1);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
}

/* ---- what ends them ---- */

static void
comments_go_with_their_item(void **state)
{
	struct harness *h = *state;
	const char *id = comment(h, "x", NULL);

	comment(h, "y", id);
	assert_ok(ask(h, admin, "DELETE /content/posts/%s", post));
	assert_code(ask(h, nobody, "GET /comments/posts/%s", post), "NOT_FOUND");
	assert_ok(ask(h, admin, "POST /content/posts/%s/restore", post));
	assert_ok(ask(h, admin, "POST /content/posts/%s/publish", post));
	assert_ok(ask(h, nobody, "GET /comments/posts/%s", post));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "2");
	assert_ok(ask(h, admin, "DELETE /content/posts/%s", post));
	assert_ok(ask(h, admin, "DELETE /content/posts/%s/permanent", post));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
}

static void
comments_go_with_their_collection(void **state)
{
	struct harness *h = *state;

	comment(h, "x", NULL);
	assert_ok(ask(h, admin, "DELETE /schema/collections/pages?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "1");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
}

/* ---- plugins ---- */

static int
begin_censored(void **state)
{
	posts_plugins = "t/plugins/censor/.libs";
	begin(state);
	assert_ok(ask(*state, admin, "POST /admin/plugins/censor/enable"));
	return 0;
}

static int
end_censored(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
plugins_have_the_last_word(void **state)
{
	struct harness *h = *state;
	const char *id = comment(h, "casino", NULL);
	struct outcome *o;

	assert_string_equal(status_of(h, id), "spam");
	harness_ok(o, ask(h, editor, "GET /admin/comments/%s", id));
	assert_string_equal(harness_text(o->data, "reason"), "casino");
	harness_ok(o, write(h, "casino", NULL));
	assert_string_equal(harness_text(o->data, "status"), "pending");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'commentsModeration':'all'}"));
	assert_string_equal(status_of(h, comment(h, "fine", NULL)), "approved");
	assert_string_equal(status_of(h, comment(h, "so so", NULL)), "pending");
}

static void
a_plugin_may_reject_a_comment(void **state)
{
	struct harness *h = *state;
	struct outcome *o = write(h, "never", NULL);

	assert_code(o, "COMMENT_REJECTED");
	assert_int_equal(o->http, 403);
	assert_string_equal(o->message, "Say it another way");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "0");
}

static void
a_plugin_that_fails_leaves_it_to_moderators(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *id = comment(h, "crash", NULL);

	assert_string_equal(status_of(h, id), "pending");
	harness_ok(o, ask(h, editor, "GET /admin/comments/%s", id));
	assert_string_equal(harness_text(o->data, "reason"), "Moderation failed");
	assert_string_equal(status_of(h, comment(h, "nonsense", NULL)), "pending");
}

static void
listeners_are_told_of_new_and_moderated_comments(void **state)
{
	static const char told[] = "SELECT group_concat(point || payload, '\n') FROM"
				   " (SELECT point, payload FROM outbox WHERE module = 'censor'"
				   " ORDER BY id) AS o";
	struct harness *h = *state;
	char id[27], want[1024];

	snprintf(id, sizeof(id), "%s", comment(h, "x", NULL));
	for (int i = 0; i < 2; i++)
		assert_ok(harness_op(
		    h, editor, "comment_moderate", "{\"ids\":[\"%s\"],\"status\":\"spam\"}", id));
	snprintf(want, sizeof(want),
	    "comment_after_create{\"id\":\"%s\",\"collection\":\"posts\",\"contentId\":\"%s\","
	    "\"parentId\":null,\"authorName\":\"Ann\",\"authorEmail\":\"a@b.org\","
	    "\"authorUserId\":null,\"body\":\"x\",\"status\":\"approved\"}\n"
	    "comment_after_moderate{\"id\":\"%s\",\"collection\":\"posts\",\"contentId\":\"%s\","
	    "\"previousStatus\":\"approved\",\"status\":\"spam\",\"moderatorId\":\"%s\"}",
	    id, post, id, post, editor->id);
	assert_string_equal(inside_ask(h, told), want);
}

/* ---- importers ---- */

struct import {
	struct stet_comment_import from;
	char id[27];
	bool added;
};

static enum stet_status
import(struct stet_call *call, void *arg)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	struct import *i = arg;
	const char *id;

	STET_TRY(
	    comments->import(call, stet_write_tx(call), &i->from, sizeof(i->from), &id, &i->added));
	snprintf(i->id, sizeof(i->id), "%s", id);
	return STET_OK;
}

static void
imports_keep_what_they_bring_and_come_once(void **state)
{
	struct harness *h = *state;
	struct import root = { .from = { .collection = "posts",
				   .entry_id = post,
				   .author_email = "Old@b.org",
				   .body = "Long ago",
				   .status = STET_COMMENT_APPROVED,
				   .created_at = 1000000000000 } };
	struct import reply = root, deep, again, lost = root;
	struct outcome *o;

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'commentsClosedAfterDays':1}"));
	assert_int_equal(inside_write(h, import, &root), STET_OK);
	reply.from.parent_id = root.id;
	reply.from.author_name = " Bo\n";
	reply.from.body = "Yes";
	assert_int_equal(inside_write(h, import, &reply), STET_OK);
	deep = reply;
	deep.from.parent_id = reply.id;
	deep.from.body = "No";
	assert_int_equal(inside_write(h, import, &deep), STET_OK);
	again = root;
	assert_int_equal(inside_write(h, import, &again), STET_OK);
	assert_true(root.added && reply.added && deep.added && !again.added);
	assert_string_equal(again.id, root.id);
	lost.from.parent_id = "nothing";
	lost.from.body = "Alone";
	lost.from.status = STET_COMMENT_SPAM;
	assert_int_equal(inside_write(h, import, &lost), STET_OK);
	assert_string_equal(status_of(h, lost.id), "spam");
	harness_ok(o, ask(h, nobody, "GET /comments/posts/%s", post));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].authorName"), "Anonymous");
	assert_string_equal(
	    harness_text(o->data, "items[0].createdAt"), "2001-09-09T01:46:40.000Z");
	assert_int_equal(harness_int(o->data, "items[0].replyCount"), 2);
	assert_string_equal(harness_text(o->data, "items[0].replies[0].authorName"), "Bo");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)
#define CENSORED(name) cmocka_unit_test_setup_teardown(name, begin_censored, end_censored)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_comment_has_all_members),
		TEST(the_inbox_shows_what_waits_and_is_filtered),
		TEST(the_inbox_comes_a_page_at_a_time_newest_first),
		TEST(counts_are_by_status),
		TEST(moderators_give_any_status),
		TEST(many_are_moderated_at_once),
		TEST(administrators_delete_comments_with_their_answers),
		TEST(comments_go_with_their_item),
		TEST(comments_go_with_their_collection),
		CENSORED(plugins_have_the_last_word),
		CENSORED(a_plugin_may_reject_a_comment),
		CENSORED(a_plugin_that_fails_leaves_it_to_moderators),
		CENSORED(listeners_are_told_of_new_and_moderated_comments),
		TEST(imports_keep_what_they_bring_and_come_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
