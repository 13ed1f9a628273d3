/* change.t - updating, publishing and deleting one item, with the permissions for each. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- changing ---- */

static void
an_update_merges_and_counts(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A','year':1,'tags':['a']}}");
	at(h, 5);
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'data':{'year':2,'tags':[]}}"));
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	assert_int_equal(harness_int(o->data, "item.data.year"), 2);
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.tags")), 0);
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.005Z");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'data':{'year':null}}"));
	assert_null(harness_at(o->data, "item.data.year"));
	assert_int_equal(harness_int(o->data, "item.version"), 3);
	/* An update without members changes nothing. */
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{}"));
	assert_int_equal(harness_int(o->data, "item.version"), 3);
	o = say(h, author, "PUT " BASE "/a", "{'data':{'year':'x','nope':1},'status':'scheduled'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.year"));
	assert_true(harness_issue(o, "data.nope"));
	assert_true(harness_issue(o, "status"));
}

static void
what_was_read_can_be_sent_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], *text;
	json_t *item;

	make(h, author, id, "{'data':{'title':'A','flag':false}}");
	o = ask(h, author, "GET " BASE "/a");
	item = json_incref(json_object_get(o->data, "item"));
	json_object_del(item, "id");
	json_object_del(item, "locale"); /* given in the query */
	json_object_set_new(item, "_rev", json_string(harness_text(o->data, "_rev")));
	json_object_set_new(item, "createdAt", json_string("1999-01-01"));
	json_object_del(item, "publishedAt");
	text = json_dumps(item, 0);
	json_decref(item);
	harness_ok(o, harness_request(h, author, "PUT " BASE "/a", NULL, text));
	free(text);
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-01T12:00:00.000Z");
	assert_code(say(h, author, "PUT " BASE "/a", "{'role':50}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "PUT " BASE "/a", "{'deleted_at':'x'}"), "VALIDATION_ERROR");
}

static void
a_stale_revision_is_a_conflict(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[64], headers[128];

	make(h, author, id, "{'data':{'title':'A'}}");
	snprintf(
	    rev, sizeof(rev), "%s", harness_text(ask(h, author, "GET " BASE "/a")->data, "_rev"));
	assert_ok(say(h, author, "PUT " BASE "/a", "{'data':{'year':1},'_rev':'%s'}", rev));
	o = say(h, author, "PUT " BASE "/a", "{'data':{'year':2},'_rev':'%s'}", rev);
	assert_code(o, "CONFLICT");
	assert_int_equal(o->http, 409);
	snprintf(headers, sizeof(headers), "If-Match: \"%s\"", rev);
	assert_code(
	    harness_request(h, author, "PUT " BASE "/a", headers, "{\"data\":{\"year\":2}}"),
	    "PRECONDITION_FAILED");
	assert_code(say(h, author, "PUT " BASE "/a", "{'_rev':'%%%%'}"), "CONFLICT");
	assert_code(say(h, author, "PUT " BASE "/a", "{'_rev':'bm9wZQ=='}"), "CONFLICT");
	assert_code(say(h, author, "PUT " BASE "/a", "{'_rev':''}"), "CONFLICT");
	o = ask(h, author, "GET " BASE "/a");
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	snprintf(headers, sizeof(headers), "If-Match: \"%s\"", o->etag);
	assert_ok(harness_request(h, author, "PUT " BASE "/a", headers, "{\"data\":{\"year\":2}}"));
	assert_ok(
	    harness_request(h, author, "PUT " BASE "/a", "If-Match: *", "{\"data\":{\"year\":3}}"));
	/* The tool requires a _rev. */
	o = harness_op(h, author, "content_update",
	    "{\"collection\":\"posts\",\"id\":\"a\",\"data\":{\"year\":4}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "_rev"));
}

static void
each_role_changes_what_it_may(void **state)
{
	static const struct {
		const struct harness_user *user;
		const char *own, *others, *nobodys;
	} roles[] = { { subscriber, NULL, "FORBIDDEN", "FORBIDDEN" },
		{ contributor, "FORBIDDEN", "FORBIDDEN", "FORBIDDEN" },
		{ author, "", "FORBIDDEN", "FORBIDDEN" }, { editor, "", "", "" },
		{ admin, "", "", "" } };
	struct harness *h = *state;
	struct outcome *o;
	char own[27], others[27], nobodys[27];

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		const struct harness_user *u = roles[i].user;

		make(h, other_author, others, "{'data':{}}");
		make(h, admin, nobodys, "{'data':{}}");
		assert_ok(harness_op(h, admin, "content_put",
		    "{\"collection\":\"posts\",\"id\":\"%s\",\"authorId\":null}", nobodys));
		if (roles[i].own != NULL) {
			make(h, u, own, "{'data':{}}");
			o = harness_op(h, u, "content_put",
			    "{\"collection\":\"posts\",\"id\":\"%s\",\"data\":{\"year\":1}}", own);
			assert_code(o, roles[i].own);
			o = ask(h, u, "DELETE " BASE "/%s", own);
			assert_code(o, roles[i].own);
		}
		o = harness_op(h, u, "content_put",
		    "{\"collection\":\"posts\",\"id\":\"%s\",\"data\":{\"year\":1}}", others);
		assert_code(o, roles[i].others);
		assert_null(strstr(o->message, "author")); /* does not name the author */
		assert_code(ask(h, u, "DELETE " BASE "/%s", others), roles[i].others);
		o = harness_op(h, u, "content_put",
		    "{\"collection\":\"posts\",\"id\":\"%s\",\"data\":{\"year\":1}}", nobodys);
		assert_code(o, roles[i].nobodys);
		assert_code(ask(h, u, "DELETE " BASE "/%s", nobodys), roles[i].nobodys);
	}
}

/* Sends a write with If-Match. */
static struct outcome *
match(struct harness *h, const char *request, const char *tag, const char *body)
{
	char header[512];

	snprintf(header, sizeof(header), "If-Match: %s\r\nX-CMS-Request: 1", tag);
	return harness_request(h, admin, request, header, body);
}

static void
tag_of(struct harness *h, const char *path, char tag[128])
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET %s", path));
	assert_non_null(o->etag);
	snprintf(tag, 128, "%s", o->etag);
}

/* Every write with a wrong tag fails with 412 and changes nothing; with the right one it
 * succeeds. */
static void
if_match_is_judged_on_every_write(void **state)
{
	static const struct {
		const char *read, *write, *body;
	} cases[] = {
		{ BASE "/a", "PUT " BASE "/a", "{\"data\":{\"year\":5}}" },
		{ BASE "/a", "POST " BASE "/a/publish", "{}" },
		{ BASE "/a", "POST " BASE "/a/schedule", "{\"scheduledAt\":\"2027-01-01\"}" },
		{ BASE "/a", "DELETE " BASE "/a/schedule", NULL },
		{ BASE "/a", "POST " BASE "/a/unpublish", "{}" },
		{ BASE "/a", "POST " BASE "/a/discard-draft", "{}" },
		{ BASE "/a", "POST " BASE "/a/duplicate", "{}" },
		{ BASE "/a", "DELETE " BASE "/a", NULL },
		{ BASE, "POST " BASE, "{\"data\":{}}" },
		{ "/menus/main", "PUT /menus/main", "{\"label\":\"Other\"}" },
		{ "/menus/main", "POST /menus/main/items",
		    "{\"type\":\"custom\",\"label\":\"L\",\"customUrl\":\"/\"}" },
		{ "/menus/main", "DELETE /menus/main", NULL },
		{ "/sections/foot", "PUT /sections/foot", "{\"title\":\"Other\"}" },
		{ "/sections/foot", "DELETE /sections/foot", NULL },
		{ "/settings", "POST /settings", "{\"tagline\":\"T\"}" },
		{ "/taxonomies/category", "PUT /taxonomies/category", "{\"label\":\"Other\"}" },
		{ "/taxonomies/category/terms", "POST /taxonomies/category/terms",
		    "{\"label\":\"T\"}" },
		{ "/schema/collections/posts", "PUT /schema/collections/posts",
		    "{\"label\":\"Other\"}" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27], tag[128], list[300];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(say(h, editor, "POST /sections", "{'slug':'foot','title':'F','content':[]}"));
	for (size_t i = 0; i < COUNT(cases); i++) {
		tag_of(h, cases[i].read, tag);
		o = match(h, cases[i].write, "\"another\"", cases[i].body);
		if (o->http != 412 || strcmp(o->code, "PRECONDITION_FAILED") != 0)
			fail_msg("%s: %s", cases[i].write, o->text);
		snprintf(list, sizeof(list), "W/\"%s\"", tag); /* a weak tag never matches */
		assert_int_equal(match(h, cases[i].write, list, cases[i].body)->http, 412);
		snprintf(list, sizeof(list), "%s", tag);
		tag_of(h, cases[i].read, tag);
		assert_string_equal(list, tag); /* nothing was changed */
		snprintf(list, sizeof(list), "\"x\", W/\"y\",\"%s.gzip\"", tag);
		o = match(h, cases[i].write, list, cases[i].body);
		if (*o->code != '\0')
			fail_msg("%s with %s: %s", cases[i].write, list, o->text);
	}
	assert_int_equal(match(h, "PUT " BASE "/nothing", "*", "{\"data\":{}}")->http, 412);
}

static void
if_match_goes_before_the_rev_of_the_body(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[128], stale[128], body[256];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	snprintf(stale, sizeof(stale), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'data':{'year':1}}"));
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	snprintf(body, sizeof(body), "{\"_rev\":\"%s\",\"data\":{\"year\":2}}", rev);
	o = match(h, "PUT " BASE "/a", stale, body);
	assert_int_equal(o->http, 412);
	assert_string_equal(o->code, "PRECONDITION_FAILED");
	/* The _rev itself is accepted as a tag, quoted or not; "*" matches any item. A _rev in the
	 * body is checked, too. */
	snprintf(body, sizeof(body), "{\"_rev\":\"%s\",\"data\":{\"year\":2}}", stale);
	assert_code(match(h, "PUT " BASE "/a", "*", body), "CONFLICT");
	assert_code(match(h, "PUT " BASE "/a", rev, body), "CONFLICT");
	assert_ok(match(h, "PUT " BASE "/a", rev, "{\"data\":{\"year\":2}}"));
	/* If-Match replaces the _rev that a patch requires. */
	assert_int_equal(
	    match(h, "POST " BASE "/a/patch", rev, "{\"set\":{\"year\":3}}")->http, 412);
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	snprintf(rev, sizeof(rev), "\"%s\"", harness_text(o->data, "_rev"));
	assert_ok(match(h, "POST " BASE "/a/patch", rev, "{\"set\":{\"year\":3}}"));
}

static void
the_author_stays_when_another_edits(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'data':{'year':1}}"));
	assert_string_equal(harness_text(o->data, "item.authorId"), author->id);
	/* Only a caller who may edit all items can change the author. */
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'authorId':'x','data':{'year':2}}"));
	assert_string_equal(harness_text(o->data, "item.authorId"), author->id);
	o = say(h, editor, "PUT " BASE "/a", "{'authorId':'x','data':{'year':'x'}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "authorId"));
	assert_true(harness_issue(o, "data.year"));
	/* The current author may be sent back, even if no such user exists. */
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'authorId':'%s'}", author->id));
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'other@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    other_author->id);
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'authorId':'%s'}", other_author->id));
	assert_string_equal(harness_text(o->data, "item.authorId"), other_author->id);
	assert_code(say(h, author, "PUT " BASE "/a", "{'data':{'year':3}}"), "FORBIDDEN");
}

static void
publishing_keeps_the_first_date(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	at(h, 1000);
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'status':'published','data':{'year':1}}"));
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:01.000Z");
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	at(h, 2000);
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'status':'draft'}"));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:01.000Z");
	assert_code(ask(h, subscriber, "GET " BASE "/a"), "NOT_FOUND");
	harness_ok(o, say(h, author, "PUT " BASE "/a", "{'status':'published'}"));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:01.000Z");
	assert_ok(ask(h, subscriber, "GET " BASE "/a"));
	assert_code(say(h, author, "PUT " BASE "/a", "{'publishedAt':'2020-01-01'}"), "FORBIDDEN");
	assert_code(say(h, author, "PUT " BASE "/a", "{'publishedAt':null}"), "FORBIDDEN");
	harness_ok(o,
	    say(h, editor, "PUT " BASE "/a", "{'publishedAt':'2020-01-01','status':'published'}"));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2020-01-01T00:00:00.000Z");
}

static void
routable_items_need_a_slug_to_be_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], schedule[80];

	o = say(h, author, "POST " BASE, "{'data':{},'status':'published'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "slug"));
	make(h, author, id, "{'data':{'title':'A'},'status':'published'}");
	assert_code(say(h, author, "PUT " BASE "/a", "{'slug':null}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "PUT " BASE "/a", "{'slug':''}"), "VALIDATION_ERROR");
	assert_ok(say(h, author, "PUT " BASE "/a", "{'slug':null,'status':'draft'}"));
	snprintf(schedule, sizeof(schedule), "POST " BASE "/%s/schedule", id);
	o = say(h, author, schedule, "{'scheduledAt':'2026-06-02'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'routable':false}"));
	assert_ok(say(h, author, schedule, "{'scheduledAt':'2026-06-02'}"));
	assert_ok(say(h, author, "POST " BASE, "{'data':{},'status':'published'}"));
}

/* ---- the trash ---- */

static void
a_trashed_item_is_gone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'},'status':'published'}");
	harness_ok(o, ask(h, author, "DELETE " BASE "/a"));
	assert_int_equal(o->http, 200);
	assert_true(json_is_true(json_object_get(o->data, "success")));
	assert_true(json_is_true(json_object_get(o->data, "deleted")));
	assert_string_equal(harness_text(o->data, "id"), id);
	assert_code(ask(h, author, "DELETE " BASE "/a"), "NOT_FOUND");
	assert_code(ask(h, author, "DELETE " BASE "/%s", id), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/a"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/%s", id), "NOT_FOUND");
	assert_code(say(h, author, "PUT " BASE "/a", "{'status':'published'}"), "NOT_FOUND");
	harness_ok(o, ask(h, admin, "GET " BASE "?includeTotal=1"));
	assert_int_equal(harness_int(o->data, "total"), 0);
	assert_code(ask(h, author, "DELETE /content/none/a"), "COLLECTION_NOT_FOUND");
}

static void
bodies_are_what_the_operation_says(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(say(h, author, "POST " BASE, "{'slug':'x'}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " BASE, "{'data':[]}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " BASE, "{'data':{},'slug':5}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " BASE, "{'data':"), "INVALID_JSON");
	o = say(h, author, "POST " BASE, "{'data':{},'authorId':'x','id':'y','version':3}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "authorId"));
	assert_true(harness_issue(o, "id"));
	assert_true(harness_issue(o, "version"));
	assert_code(say(h, author, "POST /content/none", "{'data':{}}"), "COLLECTION_NOT_FOUND");
}

/* ---- answers ---- */

/* The answer to a write is that to a read after it, byte by byte, with the same entity tag. */
static void
same_as_read(struct harness *h, const char *request, const char *body)
{
	struct outcome *o;
	char *text, *etag, path[64];

	harness_ok(o, say(h, editor, request, "%s", body));
	text = strdup(o->text);
	etag = strdup(o->etag);
	(void)snprintf(path, sizeof(path), "GET " BASE "/%s", harness_text(o->data, "item.id"));
	harness_ok(o, ask(h, editor, "%s", path));
	assert_string_equal(text, o->text);
	assert_string_equal(etag, o->etag);
	free(text);
	free(etag);
}

static void
an_answer_is_what_a_read_answers(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char body[200];

	same_as_read(h, "POST " BASE,
	    "{'data':{'title':'A \\u00e9 \\\\ \\u2028','summary':'','year':-5,'price':-0.0,'flag':false,"
	    "'day':'2026-01-02T03:04:05.000Z','kind':null,'tags':['b','a'],"
	    "'extra':{'z':[1,2.50,null,true],'a':{}},'body':[]}}");
	same_as_read(h, "POST " BASE, "{'data':{'price':1e300,'year':9007199254740991}}");
	same_as_read(h, "POST " BASE, "{'slug':'b','status':'published','data':{'price':3}}");
	same_as_read(h, "PUT " BASE "/b", "{'data':{'price':0.1,'extra':[]}}");
	same_as_read(h, "POST " BASE "/b/publish", "{}");
	same_as_read(h, "POST " BASE "/b/unpublish", "{}");
	same_as_read(h, "POST " BASE "/b/duplicate", "{}");
	harness_ok(o, say(h, admin, "POST /admin/bylines", "{'displayName':'Ann'}"));
	(void)snprintf(body, sizeof(body), "{'data':{},'bylines':[{'bylineId':'%s'}]}",
	    harness_text(o->data, "id"));
	same_as_read(h, "POST " BASE, body);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(an_update_merges_and_counts),
		check(what_was_read_can_be_sent_back),
		check(a_stale_revision_is_a_conflict),
		check(each_role_changes_what_it_may),
		check(if_match_is_judged_on_every_write),
		check(if_match_goes_before_the_rev_of_the_body),
		check(the_author_stays_when_another_edits),
		check(publishing_keeps_the_first_date),
		check(routable_items_need_a_slug_to_be_published),
		check(a_trashed_item_is_gone),
		check(bodies_are_what_the_operation_says),
		check(an_answer_is_what_a_read_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
