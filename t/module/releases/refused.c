/* refused.c - what releases refuse: changes planted in those of others, and contents that no mark
 * covers. */
#include "inside.h"
#include "posts.h"
#include "rpc.h"
#include <stdio.h>
#include <string.h>

#define R "/releases"
#define ITEM(slug) "{'type':'item','collection':'posts','item':'" slug "'}"

/* A token of an administrator that may only write content, as assistants get. */
static const struct harness_user writer[1] = { { .id = "01HZADMNADMNADMNADMNADMNAD",
    .role = 50,
    .scopes = "content:read content:write settings:read" } };

/* Posts of an editor and of an author, a menu, a term. */
static int
begin(void **state)
{
	struct harness *h;
	char id[27];

	if (posts_begin_seo(state) != 0)
		return -1;
	h = *state;
	make(h, editor, id, "{'slug':'theirs','data':{'title':'Theirs'}}");
	make(h, author, id, "{'slug':'own','data':{'title':'Own'}}");
	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'slug':'news','label':'News'}"));
	return 0;
}

static struct outcome *
add(struct harness *h, const struct harness_user *user, const char *change)
{
	return say(h, user, "PUT " R "/A", "{'add':[%s]}", change);
}

static void
a_change_of_somebody_else_is_not_replaced(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, editor, "POST " R, "{'name':'A','add':[" ITEM("own") "]}"));
	/* The author may edit the item, but the release and the change are the editor's. */
	o = add(
	    h, author, "{'type':'item','action':'unpublish','collection':'posts','item':'own'}");
	assert_code(o, "FORBIDDEN");
	assert_true(strncmp(o->message, "add[0]: ", 8) == 0);
	assert_ok(say(h, author, "PUT " BASE "/own", "{'data':{'title':'Edited since'}}"));
	assert_code(add(h, author, ITEM("own")), "FORBIDDEN");
	harness_ok(o, ask(h, editor, "GET " R "/A"));
	assert_string_equal(harness_text(o->data, "release.changes[0].action"), "publish");
	assert_string_equal(harness_text(o->data, "release.changes[0].problem.code"), "CONFLICT");
	assert_ok(add(h, admin, ITEM("own")));
	/* One's own change in the release of somebody else. */
	make(h, author, (char[27]){ 0 }, "{'slug':'second','data':{'title':'Second'}}");
	assert_ok(add(h, author, ITEM("second")));
	assert_ok(add(h, author, ITEM("second")));
	/* The owner of the release. */
	assert_ok(say(h, author, "POST " R, "{'name':'B','add':[" ITEM("own") "]}"));
	assert_ok(say(h, editor, "PUT " R "/B", "{'add':[" ITEM("own") "]}"));
	assert_ok(say(h, author, "PUT " R "/B", "{'add':[" ITEM("own") "]}"));
}

static void
items_of_others_are_added_by_those_who_may_edit_them(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, author, "POST " R, "{'name':'A'}"));
	assert_code(add(h, author, ITEM("theirs")), "FORBIDDEN");
	assert_code(add(h, other_author, ITEM("own")), "FORBIDDEN");
	assert_ok(add(h, author, ITEM("own")));
	assert_ok(add(h, editor, ITEM("theirs")));
}

static void
a_token_adds_what_its_scopes_would_let_it_change(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *r;

	assert_ok(say(h, writer, "POST " R, "{'name':'A','add':[" ITEM("own") "]}"));
	o = add(h, writer, ITEM("theirs") ",{'type':'settings','content':{'title':'X'}}");
	assert_code(o, "INSUFFICIENT_SCOPE");
	assert_true(strncmp(o->message, "add[1]: ", 8) == 0);
	r = rpc_call(h, writer, "release_save",
	    "{'id':'A','add':[{'type':'settings','content':{'title':'X'}}]}");
	assert_string_equal(rpc_code(r), "INSUFFICIENT_SCOPE");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM release_change"), "1");
}

/* The path of the only issue. */
static const char *
refused(struct outcome *o)
{
	assert_code(o, "VALIDATION_ERROR");
	assert_int_equal(json_array_size(harness_at(o->details, "issues")), 1);
	return harness_text(o->details, "issues[0].path");
}

#define TERM(content) "{'type':'term','name':'category','slug':'news','content':" content "}"

static void
contents_have_only_members_that_are_compared(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST " R, "{'name':'A'}"));
	assert_string_equal(
	    refused(add(h, admin, TERM("{'locale':'de'}"))), "add[0].content.locale");
	assert_string_equal(refused(add(h, admin, TERM("{'taxonomy':'tag','label':'X'}"))),
	    "add[0].content.taxonomy");
	assert_string_equal(
	    refused(add(h, admin, TERM("{'termSlug':'other'}"))), "add[0].content.termSlug");
	assert_string_equal(
	    refused(add(h, admin, TERM("{'translationOf':'x'}"))), "add[0].content.translationOf");
	assert_string_equal(
	    refused(
		add(h, admin, "{'type':'menu','name':'main','content':{'label':'X','name':'y'}}")),
	    "add[0].content.name");
	assert_string_equal(refused(add(h, admin, "{'type':'settings','content':{'colour':1}}")),
	    "add[0].content.colour");
	assert_ok(add(h, admin, TERM("{'slug':'newer','label':'X','parentId':null}")));
	o = add(h, admin, "{'type':'item','collection':'nope','item':'x'}");
	assert_code(o, "NOT_FOUND");
	assert_true(strncmp(o->message, "add[0]: ", 8) == 0);
}

/* What is undone is the term that was made, whatever its content says. */
static void
undoing_deletes_the_term_that_was_made(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, "POST " R,
	    "{'name':'A','add':[{'type':'term','name':'category','slug':'made',"
	    "'content':{'slug':'later','label':'Made'}}]}"));
	assert_ok(say(h, admin, "POST " R "/A/publish", "{}"));
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'slug':'later','label':'Later'}"));
	assert_ok(say(h, admin, "POST " R "/A/undo", "{}"));
	assert_ok(ask(h, admin, "GET /taxonomies/category/terms/later"));
	assert_code(ask(h, admin, "GET /taxonomies/category/terms/made"), "NOT_FOUND");
}

static void
a_new_term_that_items_have_got_is_not_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, editor, "POST " R,
	    "{'name':'A','add':[{'type':'term','name':'category','slug':'made',"
	    "'content':{'label':'Made'}}]}"));
	assert_ok(say(h, editor, "POST " R "/A/publish", "{}"));
	assert_ok(say(h, editor, "PUT " BASE "/theirs", "{'taxonomies':{'category':['made']}}"));
	assert_ok(say(h, editor, "PUT " BASE "/own", "{'taxonomies':{'category':['made']}}"));
	o = say(h, editor, "POST " R "/A/undo", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_string_equal(o->message, "It cannot be undone: 1 problem, see details.problems");
	assert_string_equal(harness_text(o->details, "problems[0].code"), "CONFLICT");
	assert_string_equal(harness_text(o->details, "problems[0].message"),
	    "The term would be deleted, but 2 items have it: take it from them first");
	assert_ok(ask(h, editor, "GET /taxonomies/category/terms/made"));
	assert_ok(say(h, editor, "PUT " BASE "/theirs", "{'taxonomies':{'category':[]}}"));
	assert_ok(say(h, editor, "PUT " BASE "/own", "{'taxonomies':{'category':[]}}"));
	assert_ok(say(h, editor, "POST " R "/A/undo", "{}"));
}

static void
schedules_and_undoing_are_for_its_owner(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, email_verified, disabled, created_at,"
	    " updated_at) VALUES (?1, 'a@example.org', 'Ann', 30, 1, 0, '2026', '2026')",
	    author->id);
	assert_ok(say(h, editor, "POST " R, "{'name':'A','add':[" ITEM("own") "]}"));
	assert_ok(
	    say(h, author, "POST " R "/A/schedule", "{'scheduledAt':'2026-07-01T00:00:00Z'}"));
	assert_code(
	    say(h, author, "POST " R "/A/schedule", "{'scheduledAt':'2026-08-01T00:00:00Z'}"),
	    "FORBIDDEN");
	assert_code(
	    say(h, author, "POST " R "/A/publish", "{'scheduledAt':'2026-08-01'}"), "FORBIDDEN");
	harness_ok(o, ask(h, editor, "GET " R "/A"));
	assert_string_equal(
	    harness_text(o->data, "release.scheduledAt"), "2026-07-01T00:00:00.000Z");
	assert_ok(ask(h, editor, "DELETE " R "/A/schedule"));
	assert_ok(say(h, author, "POST " R "/A/publish", "{}"));
	assert_code(say(h, author, "POST " R "/A/undo", "{}"), "FORBIDDEN");
	assert_ok(say(h, editor, "POST " R "/A/undo", "{}"));
}

static void
published_releases_do_not_count(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
	    " INSERT INTO release (id, name, status, created_at, updated_at, allow_missing)"
	    " SELECT 'r' || i, 'R' || i, 'published', '2026', '2026', 0 FROM n",
	    NULL);
	assert_ok(say(h, author, "POST " R, "{'name':'A'}"));
	inside_sql(h, "UPDATE release SET status = 'open' WHERE name <> 'R1'", NULL);
	o = say(h, author, "POST " R, "{'name':'B'}");
	assert_code(o, "CONFLICT");
	assert_string_equal(
	    o->message, "There are 500 releases that are not published: delete some of them");
}

/* ---- the job ---- */

static void
a_release_that_fails_is_tried_less_and_less_often(void **state)
{
	static const int waits[] = { 1, 2, 4, 8, 16, 32, 60, 60 }; /* minutes */
	struct harness *h = *state;
	struct outcome *o;
	int ms = 5000;

	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, email_verified, disabled, created_at,"
	    " updated_at) VALUES (?1, 'ann@example.org', 'Ann', 40, 1, 0, '2026', '2026')",
	    editor->id);
	field(h, "posts", "next", "reference", "'options':{'collection':'posts'}");
	assert_ok(say(h, editor, "POST " R,
	    "{'name':'A','add':[{'type':'menu','name':'main','content':{'label':'New'}}," ITEM(
		"own") "]}"));
	assert_ok(
	    say(h, editor, "POST " R "/A/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	/* A conflict, and what would be found by trying the other change. */
	assert_ok(say(h, editor, "PUT /menus/main", "{'label':'Another'}"));
	inside_sql(h, "UPDATE c_posts SET f_next = 'gone' WHERE slug = 'own'", NULL);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		at(h, ms);
		assert_true(inside_work(h, "releases"));
		harness_ok(o, ask(h, editor, "GET " R "/A"));
		assert_int_equal(json_array_size(harness_at(o->data, "release.error.problems")), 1);
		at(h, ms + waits[i] * 60000 - 1000);
		assert_false(inside_work(h, "releases"));
		ms += waits[i] * 60000;
	}
	at(h, ms);
	assert_ok(say(h, editor, "PUT /menus/main", "{'label':'Main'}"));
	inside_sql(h, "UPDATE c_posts SET f_next = NULL WHERE slug = 'own'", NULL);
	assert_true(inside_work(h, "releases"));
	assert_ok(ask(h, subscriber, "GET " BASE "/own"));
	/* Records name the user who has scheduled it. */
	assert_string_equal(
	    inside_ask(h,
		"SELECT actor_email FROM audit_log WHERE op = 'content_publish' ORDER BY seq DESC"),
	    "ann@example.org");
}

/* ---- the calendar ---- */

static void
fill_collection(struct harness *h, const char *collection, int count, const char *time)
{
	char sql[700];

	(void)snprintf(sql, sizeof(sql),
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
	    " INSERT INTO c_%s (id, slug, status, created_at, updated_at, scheduled_at, version,"
	    " locale, translation_group) SELECT '%s' || i, '%s' || i, 'draft', '2026', '2026',"
	    " '%s', 1, 'en', '%s' || i FROM n",
	    count, collection, collection, collection, time, collection);
	inside_sql(h, sql, NULL);
}

static void
the_calendar_is_cut_by_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill_collection(h, "pages", 1100, "2026-07-20T00:00:00.000Z");
	fill_collection(h, "posts", 3, "2026-07-10T00:00:00.000Z");
	inside_sql(
	    h, "UPDATE c_posts SET deleted_at = '2026' WHERE id = ?1", "posts3"); /* the trash */
	harness_ok(o, ask(h, contributor, "GET /calendar?from=2026-07-01&to=2026-08-01"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1000);
	assert_true(json_is_true(harness_at(o->data, "more")));
	assert_string_equal(harness_text(o->data, "items[0].id"), "posts1");
	assert_string_equal(harness_text(o->data, "items[1].id"), "posts2");
	assert_string_equal(harness_text(o->data, "items[2].collection"), "pages");
	harness_ok(o, ask(h, contributor, "GET /calendar?from=2026-07-01&to=2026-07-20"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_false(json_is_true(harness_at(o->data, "more")));
	assert_ok(say(h, editor, "POST " R, "{'name':'A','add':[" ITEM("own") "]}"));
	assert_ok(say(h, editor, "POST " R "/A/publish", "{}"));
	harness_ok(o, ask(h, contributor, "GET /calendar?from=2026-06-01&to=2026-06-02"));
	assert_string_equal(harness_text(o->data, "items[0].act"), "release");
	assert_string_equal(harness_text(o->data, "items[0].status"), "published");
}

#define with(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with(a_change_of_somebody_else_is_not_replaced),
		with(items_of_others_are_added_by_those_who_may_edit_them),
		with(a_token_adds_what_its_scopes_would_let_it_change),
		with(contents_have_only_members_that_are_compared),
		with(undoing_deletes_the_term_that_was_made),
		with(a_new_term_that_items_have_got_is_not_deleted),
		with(schedules_and_undoing_are_for_its_owner),
		with(published_releases_do_not_count),
		with(a_release_that_fails_is_tried_less_and_less_often),
		with(the_calendar_is_cut_by_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
