/* bylined.t - items with bylines: set on create and update, contained in every response. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char ann[27], bo[27];

static void
byline(struct harness *h, char id[27], const char *body)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "%s", body));
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

static int
begin(void **state)
{
	posts_begin(state);
	assert_ok(
	    say(*state, admin, "PUT /schema/collections/posts", "{'supports':['revisions']}"));
	inside_sql(*state,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'ann@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    author->id);
	return 0;
}

static void
make_two(struct harness *h)
{
	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
}

static void
items_without_bylines_have_the_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	for (int i = 0; i < 2; i++) {
		harness_ok(o, say(h, author, "POST " BASE, "{'slug':'s-%d','data':{}}", i));
		assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 0);
		assert_true(json_is_null(harness_at(o->data, "item.byline")));
		harness_ok(o, ask(h, author, "GET " BASE));
		assert_int_equal(json_array_size(harness_at(o->data, "items[0].bylines")), 0);
		assert_true(json_is_null(harness_at(o->data, "items[0].byline")));
		make_two(h);
	}
}

static void
a_new_item_takes_credits(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make_two(h);
	harness_ok(o, say(h, author, "POST " BASE,
			  "{'slug':'a','data':{'title':'A'},'bylines':[{'bylineId':'%s',"
			  "'roleLabel':'Words'},{'bylineId':'%s'},{'bylineId':'%s'}]}",
			  bo, ann, bo));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 2);
		assert_string_equal(harness_text(o->data, "item.primaryBylineId"), bo);
		assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
		assert_string_equal(harness_text(o->data, "item.bylines[0].roleLabel"), "Words");
		assert_string_equal(
		    harness_text(o->data, "item.bylines[1].byline.displayName"), "Ann");
		assert_string_equal(harness_text(o->data, "item.bylines[1].source"), "explicit");
		assert_string_equal(harness_text(o->data, "item.data.title"), "A");
		harness_ok(o, ask(h, author, "GET " BASE "/a"));
	}
}

static void
bad_credits_leave_nothing_behind(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make_two(h);
	o = say(h, author, "POST " BASE, "{'slug':'a','data':{},'bylines':[{'bylineId':'x'}]}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "bylines[0].bylineId"));
	o = say(h, author, "POST " BASE,
	    "{'data':{'nope':1},'bylines':[{'bylineId':'%s','roleLabel':7}]}", ann);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "bylines[0].roleLabel"));
	assert_true(harness_issue(o, "data.nope"));
	assert_code(ask(h, author, "GET " BASE "/a"), "NOT_FOUND");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "0");
}

static void
an_update_of_bylines_alone_is_a_change(void **state)
{
	static const char *const statuses[] = { "draft", "published" };
	struct harness *h = *state;
	char rev[128], path[64], request[80];
	struct outcome *o;

	make_two(h);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), BASE "/%s", statuses[i]);
		snprintf(request, sizeof(request), "PUT %s", path);
		harness_ok(o,
		    say(h, author, "POST " BASE, "{'slug':'%s','status':'%s','data':{'title':'A'}}",
			statuses[i], statuses[i]));
		snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
		at(h, 1000);
		harness_ok(o, say(h, author, request, "{'_rev':'%s','bylines':[{'bylineId':'%s'}]}",
				  rev, ann));
		assert_string_not_equal(harness_text(o->data, "_rev"), rev);
		assert_string_equal(harness_text(o->data, "item.byline.id"), ann);
		assert_string_equal(harness_text(o->data, "item.status"), statuses[i]);
		assert_int_equal(harness_int(o->data, "item.version"), 2);
		assert_code(say(h, author, request, "{'_rev':'%s','bylines':[]}", rev), "CONFLICT");
		/* The published list shows the change at once, even with a draft staged. */
		harness_ok(o, ask(h, subscriber, "GET " BASE "?status=published"));
		assert_int_equal(json_array_size(harness_at(o->data, "items")), 2 * i);
		harness_ok(o, say(h, author, request, "{'data':{'title':'B'}}"));
		assert_string_equal(harness_text(o->data, "item.byline.id"), ann);
		harness_ok(o, say(h, author, request, "{'bylines':[],'status':'published'}"));
		assert_true(json_is_null(harness_at(o->data, "item.byline")));
		assert_true(json_is_null(harness_at(o->data, "item.primaryBylineId")));
	}
}

static void
what_was_read_can_be_sent_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *item;
	char *body;

	make_two(h);
	assert_ok(say(
	    h, author, "POST " BASE, "{'slug':'a','data':{},'bylines':[{'bylineId':'%s'}]}", ann));
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	item = json_deep_copy(harness_at(o->data, "item"));
	json_object_del(item, "id");
	json_object_del(item, "locale");
	body = json_dumps(item, 0);
	harness_ok(o, harness_request(h, editor, "PUT " BASE "/a", NULL, body));
	assert_string_equal(harness_text(o->data, "item.byline.id"), ann);
	free(body);
	json_decref(item);
}

static void
lists_show_the_credits_of_each(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make_two(h);
	for (int i = 0; i < 30; i++) {
		at(h, i * 1000);
		assert_ok(say(h, author, "POST " BASE,
		    "{'slug':'s-%02d','status':'published','data':{'title':'T%02d'},"
		    "'bylines':%s%s%s}",
		    i, i, i % 3 == 0 ? "[" : "[{'bylineId':'",
		    i % 3 == 0   ? ""
		    : i % 3 == 1 ? ann
				 : bo,
		    i % 3 == 0 ? "]" : "'}]"));
	}
	harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=12&orderBy=createdAt&order=asc"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 12);
	assert_true(*harness_text(o->data, "nextCursor") != '\0');
	for (int i = 0; i < 12; i++) {
		json_t *item = json_array_get(harness_at(o->data, "items"), (size_t)i);
		char slug[8];

		snprintf(slug, sizeof(slug), "s-%02d", i);
		assert_string_equal(harness_text(item, "slug"), slug);
		assert_string_equal(harness_text(item, "byline.id"), i % 3 == 0   ? ""
								     : i % 3 == 1 ? ann
										  : bo);
		assert_int_equal(json_array_size(harness_at(item, "bylines")), i % 3 == 0 ? 0 : 1);
	}
	harness_ok(o, ask(h, subscriber, "GET " BASE "?q=nothing"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

static int
cost(struct harness *h, const char *request)
{
	uint64_t before;

	assert_ok(ask(h, subscriber, "GET %s", request));
	before = harness_statements(h);
	assert_ok(ask(h, subscriber, "GET %s", request));
	return (int)(harness_statements(h) - before);
}

/* Bylines cost one more statement, for any number of items and credits. */
static void
credits_of_a_page_cost_one_statement(void **state)
{
	struct harness *h = *state;

	assert_int_equal(cost(h, BASE), 3);
	make_two(h);
	for (int i = 0; i < 5; i++) {
		assert_ok(say(h, author, "POST " BASE,
		    "{'slug':'s-%d','status':'published','data':{},'bylines':[{'bylineId':'%s'},"
		    "{'bylineId':'%s'}]}",
		    i, ann, bo));
		assert_int_equal(cost(h, BASE), 4);
		assert_int_equal(cost(h, BASE "/s-0"), 4);
	}
}

static void
the_author_is_shown_without_credits(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char mine[27], body[128];

	snprintf(body, sizeof(body), "{'displayName':'Me','userId':'%s'}", author->id);
	byline(h, mine, body);
	assert_ok(say(h, author, "POST " BASE, "{'slug':'a','data':{}}"));
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	assert_string_equal(harness_text(o->data, "item.bylines[0].source"), "inferred");
	assert_string_equal(harness_text(o->data, "item.byline.id"), mine);
	assert_true(json_is_null(harness_at(o->data, "item.primaryBylineId")));
	harness_ok(o, ask(h, author, "GET " BASE));
	assert_string_equal(harness_text(o->data, "items[0].byline.id"), mine);
}

static void
entity_tags_tell_of_changed_bylines(void **state)
{
	struct harness *h = *state;
	char tag[2][256], headers[600], request[64];
	static const char *const paths[] = { "GET " BASE "/a", "GET " BASE };
	struct outcome *o;

	make_two(h);
	assert_ok(say(
	    h, author, "POST " BASE, "{'slug':'a','data':{},'bylines':[{'bylineId':'%s'}]}", ann));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, ask(h, author, "%s", paths[i]));
		snprintf(tag[i], sizeof(tag[i]), "%s", o->etag);
		harness_ok(o, ask(h, author, "%s", paths[i]));
		assert_string_equal(o->etag, tag[i]);
	}
	/* The entity tag is accepted in If-Match. */
	snprintf(headers, sizeof(headers), "X-CMS-Request: 1\r\nIf-Match: \"%s\"", tag[0]);
	assert_ok(harness_request(h, author, "PUT " BASE "/a", headers, "{\"slug\":\"a\"}"));
	snprintf(request, sizeof(request), "PUT /bylines/%s", ann);
	assert_ok(say(h, editor, request, "{'displayName':'Ann Lee'}"));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, ask(h, author, "%s", paths[i]));
		assert_string_not_equal(o->etag, tag[i]);
	}
}

static void
a_duplicate_has_the_credits_and_a_purge_none(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make_two(h);
	assert_ok(say(h, editor, "POST " BASE,
	    "{'slug':'a','data':{'title':'A'},'bylines':[{'bylineId':'%s'},{'bylineId':'%s'}]}", bo,
	    ann));
	harness_ok(o, say(h, editor, "POST " BASE "/a/duplicate", "{}"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	assert_string_equal(harness_text(o->data, "item.primaryBylineId"), bo);
	assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 2);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "4");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "2");
}

static void
without_the_module_there_are_none(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make_two(h);
	assert_ok(say(
	    h, author, "POST " BASE, "{'slug':'a','data':{},'bylines':[{'bylineId':'%s'}]}", ann));
	assert_ok(ask(h, admin, "POST /admin/plugins/bylines/disable"));
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 0);
	assert_ok(ask(h, author, "GET " BASE));
	o = say(h, author, "PUT " BASE "/a", "{'bylines':[{'bylineId':'%s'}]}", bo);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "bylines"));
	assert_ok(say(h, author, "PUT " BASE "/a", "{'data':{'title':'B'}}"));
	assert_ok(ask(h, admin, "POST /admin/plugins/bylines/enable"));
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	assert_string_equal(harness_text(o->data, "item.byline.id"), ann);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(items_without_bylines_have_the_members),
		TEST(a_new_item_takes_credits),
		TEST(bad_credits_leave_nothing_behind),
		TEST(an_update_of_bylines_alone_is_a_change),
		TEST(what_was_read_can_be_sent_back),
		TEST(lists_show_the_credits_of_each),
		TEST(credits_of_a_page_cost_one_statement),
		TEST(the_author_is_shown_without_credits),
		TEST(entity_tags_tell_of_changed_bylines),
		TEST(a_duplicate_has_the_credits_and_a_purge_none),
		TEST(without_the_module_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
