/* content.t - creating and reading one item, with the permissions for each; its slug. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static void
a_new_item_has_all_its_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *item;

	harness_ok(o,
	    say(h, author, "POST " BASE,
		"{'data':{'title':'Hello World','flag':true,'price':0.1,'year':1958,'tags':[]}}"));
	assert_int_equal(o->http, 201);
	item = json_object_get(o->data, "item");
	assert_true(stet_is_id(harness_text(item, "id")));
	assert_string_equal(harness_text(item, "type"), "posts");
	assert_string_equal(harness_text(item, "slug"), "hello-world");
	assert_string_equal(harness_text(item, "status"), "draft");
	assert_string_equal(harness_text(item, "authorId"), author->id);
	assert_string_equal(harness_text(item, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(item, "updatedAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(item, "locale"), "en");
	assert_string_equal(harness_text(item, "translationGroup"), harness_text(item, "id"));
	assert_int_equal(harness_int(item, "version"), 1);
	assert_true(json_is_null(json_object_get(item, "publishedAt")));
	assert_true(json_is_null(json_object_get(item, "scheduledAt")));
	assert_true(json_is_null(json_object_get(item, "liveRevisionId")));
	assert_true(json_is_null(json_object_get(item, "draftRevisionId")));
	assert_true(json_is_null(json_object_get(item, "primaryBylineId")));
	assert_int_equal(json_array_size(json_object_get(item, "bylines")), 0);
	assert_null(json_object_get(item, "deletedAt"));
	/* "1:2026-06-01T12:00:00.000Z" */
	assert_string_equal(harness_text(o->data, "_rev"), "MToyMDI2LTA2LTAxVDEyOjAwOjAwLjAwMFo=");
}

static void
values_come_back_by_their_type(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	json_t *data;

	make(h, author, id,
	    "{'data':{'title':'[1]','flag':1,'price':3,'year':0,'tags':[],'day':'2026-01-02T03:04+01:00',"
	    "'extra':{'b':[1,2.5,null],'a':'{'},'summary':'{\\u0022x\\u0022:1}','near':null,"
	    "'body':[{'_type':'block','children':[{'_type':'span','text':'Grüße \\u0022'}]}]}}");
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	data = harness_at(o->data, "item.data");
	assert_string_equal(harness_text(data, "title"), "[1]");
	assert_string_equal(harness_text(data, "summary"), "{\"x\":1}");
	assert_true(json_is_true(json_object_get(data, "flag")));
	assert_true(json_is_number(json_object_get(data, "price")));
	assert_int_equal(harness_int(data, "year"), 0);
	assert_string_equal(harness_text(data, "day"), "2026-01-02T02:04:00.000Z");
	assert_true(json_is_array(json_object_get(data, "tags"))); /* [] is not "unset" */
	assert_string_equal(harness_text(data, "extra.a"), "{");
	assert_true(json_is_null(harness_at(data, "extra.b[2]")));
	assert_string_equal(harness_text(data, "body[0].children[0].text"), "Grüße \"");
	assert_null(json_object_get(data, "near")); /* unset ones are left out */
	assert_null(json_object_get(data, "code"));
	assert_int_equal(harness_int(data, "rank"), 7);
	assert_memory_equal(
	    o->etag, harness_text(o->data, "_rev"), strlen(harness_text(o->data, "_rev")));
}

/* Otherwise a client or a cache would go on using a response with the old fields. */
static void
the_tag_of_an_item_changes_with_its_collection(void **state)
{
	struct harness *h = *state;
	char id[27], tag[3][128], headers[160];
	struct outcome *o;

	make(h, editor, id, "{'slug':'a','data':{'title':'T','year':1950}}");
	for (int i = 0; i < 3; i++) {
		harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
		snprintf(tag[i], sizeof(tag[i]), "%s", o->etag);
		if (i == 1)
			assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/year"));
	}
	assert_string_equal(tag[0], tag[1]);
	assert_string_not_equal(tag[1], tag[2]);
	assert_null(harness_at(o->data, "item.data.year"));
	snprintf(headers, sizeof(headers), "If-Match: \"%s\"", tag[2]);
	assert_ok(harness_request(h, editor, "PUT " BASE "/a", headers, "{\"slug\":\"b\"}"));
	assert_code(harness_request(h, editor, "PUT " BASE "/b", headers, "{\"slug\":\"c\"}"),
	    "PRECONDITION_FAILED");
}

static void
an_item_is_found_by_id_and_by_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27];

	make(h, author, id, "{'slug':'first','data':{}}");
	/* If a slug looks like an id, the item with that id is found first. */
	make(h, author, other, "{'slug':'%s','data':{}}", id);
	harness_ok(o, ask(h, author, "GET " BASE "/first"));
	assert_string_equal(harness_text(o->data, "item.id"), id);
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.id"), id);
	harness_ok(o, ask(h, author, "GET " BASE "/_?slug=%s", id));
	assert_string_equal(harness_text(o->data, "item.id"), other);
	assert_ok(say(h, author, "POST " BASE, "{'slug':'01ARZ3NDEKTSV4RRFFQ69G5FAV','data':{}}"));
	assert_ok(ask(h, author, "GET " BASE "/01ARZ3NDEKTSV4RRFFQ69G5FAV"));
	assert_code(ask(h, author, "GET " BASE "/nothing"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/01ARZ3NDEKTSV4RRFFQ69G5FAX"), "NOT_FOUND");
	assert_code(ask(h, author, "GET /content/none/first"), "COLLECTION_NOT_FOUND");
	assert_code(ask(h, author, "GET /content/No-Name/first"), "COLLECTION_NOT_FOUND");
}

static void
a_slug_is_looked_up_in_its_locale(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27];

	make(h, author, fr, "{'slug':'same','locale':'FR','data':{'title':'Deux'}}");
	make(h, author, en, "{'slug':'same','data':{'title':'Two'}}");
	harness_ok(o, ask(h, author, "GET " BASE "/same"));
	assert_string_equal(harness_text(o->data, "item.id"), en); /* en, the lowest */
	harness_ok(o, ask(h, author, "GET " BASE "/same?locale=fr"));
	assert_string_equal(harness_text(o->data, "item.id"), fr);
	assert_string_equal(harness_text(o->data, "item.locale"), "fr");
	harness_ok(o, ask(h, author, "GET " BASE "/same?locale="));
	assert_string_equal(harness_text(o->data, "item.id"), en);
	assert_code(ask(h, author, "GET " BASE "/same?locale=de"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/same?locale=x!"), "VALIDATION_ERROR");
	/* An id is one item, whatever the locale. */
	harness_ok(o, ask(h, author, "GET " BASE "/%s?locale=fr", en));
	assert_string_equal(harness_text(o->data, "item.id"), en);
	/* An update by slug changes only the item of that locale. */
	assert_ok(say(h, editor, "PUT " BASE "/same?locale=fr", "{'data':{'title':'Trois'}}"));
	harness_ok(o, ask(h, author, "GET " BASE "/%s", en));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Two");
	assert_int_equal(harness_int(o->data, "item.version"), 1);
}

static void
drafts_are_not_there_for_subscribers(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char draft[27], live[27];

	make(h, author, draft, "{'slug':'draft','data':{}}");
	make(h, author, live, "{'slug':'live','status':'published','data':{}}");
	assert_code(ask(h, subscriber, "GET " BASE "/draft"), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET " BASE "/%s", draft), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET " BASE "/_?slug=draft"), "NOT_FOUND");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/live"));
	assert_null(harness_at(o->data, "item.draftRevisionId"));
	assert_ok(ask(h, contributor, "GET " BASE "/draft"));
	assert_code(ask(h, nobody, "GET " BASE "/live"), "UNAUTHORIZED");
}

/* ---- creating ---- */

static void
each_role_creates_what_it_may(void **state)
{
	static const struct {
		const struct harness_user *user;
		const char *draft, *published, *dated;
	} roles[] = { { nobody, "UNAUTHORIZED", "UNAUTHORIZED", "UNAUTHORIZED" },
		{ subscriber, "FORBIDDEN", "FORBIDDEN", "FORBIDDEN" },
		{ contributor, "", "FORBIDDEN", "FORBIDDEN" }, { author, "", "", "FORBIDDEN" },
		{ editor, "", "", "" }, { admin, "", "", "" } };
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		const struct harness_user *u = roles[i].user;

		assert_code(say(h, u, "POST " BASE, "{'data':{}}"), roles[i].draft);
		assert_code(say(h, u, "POST " BASE, "{'data':{'title':'x'},'status':'published'}"),
		    roles[i].published);
		assert_code(say(h, u, "POST " BASE, "{'data':{},'publishedAt':'2020-01-01'}"),
		    roles[i].dated);
		/* null counts as a value, too. */
		assert_code(
		    say(h, u, "POST " BASE, "{'data':{},'publishedAt':null}"), roles[i].dated);
		assert_code(
		    say(h, u, "POST " BASE, "{'data':{},'createdAt':null}"), roles[i].dated);
	}
}

static void
scopes_bound_what_a_token_does(void **state)
{
	static const struct harness_user reader[1] = { { "01USEREDITOR00000000000041", 40,
	    "content:read", false } };
	struct harness *h = *state;

	assert_ok(ask(h, reader, "GET " BASE));
	assert_code(say(h, reader, "POST " BASE, "{'data':{}}"), "INSUFFICIENT_SCOPE");
	assert_code(say(h, reader, "PUT " BASE "/x", "{'data':{}}"), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, reader, "DELETE " BASE "/x"), "INSUFFICIENT_SCOPE");
}

static void
dates_of_a_new_item_can_be_given(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o,
	    say(h, editor, "POST " BASE,
		"{'slug':'x','data':{},'status':'published','createdAt':'2001-01-01T01:00+01:00'}"));
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2001-01-01T00:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, say(h, editor, "POST " BASE, "{'data':{},'publishedAt':'2001-01-01'}"));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2001-01-01T00:00:00.000Z");
	o = say(h, editor, "POST " BASE, "{'data':{},'publishedAt':'soon'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "publishedAt"));
}

static void
all_problems_are_told_at_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	field(h, "posts", "must", "string", "'required':true");
	o = say(h, author, "POST " BASE,
	    "{'data':{'year':'x','kind':'poem','flag':2,'nope':1,'_x':1,'code':'1234567890',"
	    "'day':'2026-02-30'},'status':'scheduled','locale':'x!','slug':'a\\u0001'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_int_equal(o->http, 400);
	assert_true(harness_issue(o, "data.year"));
	assert_true(harness_issue(o, "data.kind"));
	assert_true(harness_issue(o, "data.flag"));
	assert_true(harness_issue(o, "data.nope"));
	assert_true(harness_issue(o, "data._x"));
	assert_true(harness_issue(o, "data.code"));
	assert_true(harness_issue(o, "data.day"));
	assert_true(harness_issue(o, "data.must"));
	assert_true(harness_issue(o, "status"));
	assert_true(harness_issue(o, "locale"));
	assert_true(harness_issue(o, "slug"));
	assert_non_null(strstr(o->text, "schedule the item"));
	harness_ok(o, ask(h, author, "GET " BASE "?includeTotal=1"));
	assert_int_equal(harness_int(o->data, "total"), 0);
}

static void
required_values_are_not_missing_null_or_empty(void **state)
{
	struct harness *h = *state;
	char id[27];

	field(h, "posts", "must", "string", "'required':true");
	field(h, "posts", "sure", "integer", "'required':true,'defaultValue':3");
	assert_code(say(h, author, "POST " BASE, "{'data':{}}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " BASE, "{'data':{'must':null}}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " BASE, "{'data':{'must':''}}"), "VALIDATION_ERROR");
	assert_code(
	    say(h, author, "POST " BASE, "{'data':{'must':'x','sure':null}}"), "VALIDATION_ERROR");
	make(h, author, id, "{'data':{'must':'x','code':null,'title':''}}");
	assert_int_equal(
	    harness_int(ask(h, author, "GET " BASE "/%s", id)->data, "item.data.sure"), 3);
	assert_ok(say(h, author, "POST " BASE, "{'slug':'here','data':{'must':'x'}}"));
	assert_code(
	    say(h, author, "PUT " BASE "/here", "{'data':{'must':''}}"), "VALIDATION_ERROR");
	assert_code(
	    say(h, author, "PUT " BASE "/here", "{'data':{'must':null}}"), "VALIDATION_ERROR");
	assert_ok(say(h, author, "PUT " BASE "/here", "{'data':{'year':1}}"));
}

static void
references_lead_to_items_that_are_there(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'data':{'title':'a'}}");
	make(h, author, b, "{'data':{'near':'%s'}}", a);
	o = say(h, author, "POST " BASE, "{'data':{'near':'01ARZ3NDEKTSV4RRFFQ69G5FAV'}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.near"));
	assert_ok(ask(h, author, "DELETE " BASE "/%s", a));
	assert_code(say(h, author, "POST " BASE, "{'data':{'near':'%s'}}", a), "VALIDATION_ERROR");
}

static void
unique_values_are_unique_among_items_of_a_locale(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'slug':'a','data':{'code':'x'}}");
	make(h, author, b, "{'slug':'b','data':{'code':'y'}}");
	o = say(h, author, "POST " BASE, "{'data':{'code':'x','title':'t'}}");
	assert_code(o, "CONFLICT");
	assert_int_equal(o->http, 409);
	assert_string_equal(harness_text(o->details, "field"), "code");
	assert_code(ask(h, author, "GET " BASE "/t"), "NOT_FOUND");
	assert_code(say(h, author, "PUT " BASE "/b", "{'data':{'code':'x'}}"), "CONFLICT");
	assert_ok(say(h, author, "PUT " BASE "/a", "{'data':{'code':'x'}}"));
	assert_ok(say(h, author, "POST " BASE, "{'locale':'fr','data':{'code':'x'}}"));
	assert_ok(ask(h, author, "DELETE " BASE "/%s", a));
	assert_ok(say(h, author, "PUT " BASE "/b", "{'data':{'code':'x'}}"));
	assert_ok(say(h, author, "POST " BASE, "{'data':{}}"));
	assert_ok(say(h, author, "POST " BASE, "{'data':{}}"));
	/* An empty string does not count for uniqueness. */
	for (int i = 0; i < 2; i++) {
		harness_ok(o, say(h, author, "POST " BASE, "{'data':{'code':''}}"));
		assert_string_equal(harness_text(o->data, "item.data.code"), "");
	}
}

/* Stores the _rev of the item. */
static void
rev_of(struct harness *h, const char *id, char rev[100])
{
	struct outcome *o;

	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	(void)snprintf(rev, 100, "%s", harness_text(o->data, "_rev"));
}

static void
a_save_that_changes_nothing_writes_nothing(void **state)
{
	struct harness *h = *state;
	char id[27], before[100], after[100];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	rev_of(h, id, before);
	at(h, 60000);
	assert_ok(
	    say(h, author, "PUT " BASE "/a", "{'slug':'a','data':{'title':'A','year':null}}"));
	rev_of(h, id, after);
	assert_string_equal(before, after);
	assert_ok(say(h, author, "PUT " BASE "/a", "{'data':{'title':'B'}}"));
	rev_of(h, id, after);
	assert_string_not_equal(before, after);
}

/* Published values beside a draft and values copied to a translation are not validated again. */
static void
live_values_and_those_of_a_source_stay_valid(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27];

	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'kin','label':'K','type':'reference','translatable':false,'options':{"
	    "'collection':'posts'}}"));
	make(h, author, a, "{'slug':'a','data':{}}");
	make(h, author, c, "{'slug':'c','data':{}}");
	make(h, editor, b, "{'slug':'b','status':'published','data':{'kin':'%s'}}", a);
	assert_ok(say(h, editor, "PUT " BASE "/b", "{'data':{'kin':'%s'}}", c));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", a));
	assert_ok(say(h, editor, "PUT " BASE "/b", "{'data':{'kin':'%s'}}", a));
	assert_ok(
	    say(h, editor, "POST " BASE, "{'locale':'fr','translationOf':'%s','data':{}}", b));
	assert_code(say(h, editor, "POST " BASE, "{'slug':'x','data':{'kin':'%s'}}", a),
	    "VALIDATION_ERROR");
}

/* Stored ids do not raise the maximum length of the list. */
static void
a_list_of_held_ids_does_not_grow_beyond_its_bound(void **state)
{
	struct harness *h = *state;
	json_t *ids = json_array();
	struct outcome *o;
	char a[27], b[27], *text;

	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'kin','label':'K','type':'reference','options':{'collection':'posts',"
	    "'allowMultiple':true}}"));
	make(h, author, a, "{'slug':'a','data':{}}");
	make(h, author, b, "{'slug':'b','data':{'kin':['%s']}}", a);
	for (int i = 0; i < 500; i++)
		json_array_append_new(ids, json_string(b));
	json_array_append_new(ids, json_string(a));
	ids = json_pack("{s:{s:o}}", "data", "kin", ids);
	text = json_dumps(ids, 0);
	o = harness_request(h, author, "PUT " BASE "/b", NULL, text);
	assert_code(o, "VALIDATION_ERROR");
	assert_non_null(strstr(o->text, "at most 500"));
	free(text);
	json_decref(ids);
}

/* Values that an item already has are not validated again. */
static void
an_item_can_be_saved_as_it_was_read(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], *text;
	json_t *data;

	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'kin','label':'K','type':'reference','options':{'collection':'posts',"
	    "'allowMultiple':true}}"));
	make(h, author, a, "{'slug':'a','data':{}}");
	make(h, author, c, "{'slug':'c','data':{}}");
	make(h, author, b, "{'slug':'b','data':{'title':'B','kin':['%s']}}", a);
	assert_ok(ask(h, author, "DELETE " BASE "/%s", a));
	harness_ok(o, ask(h, author, "GET " BASE "/b"));
	data = json_pack("{sO}", "data", harness_at(o->data, "item.data"));
	text = json_dumps(data, 0);
	assert_ok(harness_request(h, author, "PUT " BASE "/b", NULL, text));
	free(text);
	json_decref(data);
	/* New ids beside stored ones must exist. */
	assert_ok(say(h, author, "PUT " BASE "/b", "{'data':{'kin':['%s','%s']}}", a, c));
	assert_code(say(h, author, "PUT " BASE "/b",
			"{'data':{'kin':['%s','01J00000000000000000000000']}}", a),
	    "VALIDATION_ERROR");
	assert_code(
	    say(h, author, "PUT " BASE "/c", "{'data':{'kin':['%s']}}", a), "VALIDATION_ERROR");
	/* A stricter rule applies to new values only. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/title",
	    "{'validation':{'minLength':5}}"));
	assert_ok(say(h, author, "PUT " BASE "/b", "{'data':{'title':'B'}}"));
	assert_code(say(h, author, "PUT " BASE "/b", "{'data':{'title':'C'}}"), "VALIDATION_ERROR");
}

/* ---- slugs ---- */

static const char *
slug_of(struct harness *h, const char *collection, const char *body)
{
	static char slug[1024];
	char request[64];
	struct outcome *o;

	snprintf(request, sizeof(request), "POST /content/%s", collection);
	harness_ok(o, say(h, author, request, "%s", body));
	snprintf(slug, sizeof(slug), "%s",
	    json_is_null(harness_at(o->data, "item.slug")) ? "null"
							   : harness_text(o->data, "item.slug"));
	return slug;
}

static void
slugs_are_made_from_the_title_and_numbered(void **state)
{
	struct harness *h = *state;
	char id[27];

	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'Hello'}}"), "hello");
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'hello!'}}"), "hello-2");
	assert_string_equal(slug_of(h, "posts", "{'slug':'','data':{'title':'Hello'}}"), "hello-3");
	assert_string_equal(slug_of(h, "posts", "{'slug':'hello-9','data':{}}"), "hello-9");
	assert_string_equal(
	    slug_of(h, "posts", "{'slug':null,'data':{'title':'Hello'}}"), "hello-4");
	/* A suffix that is no number is ignored; slugs in the trash count. */
	assert_string_equal(slug_of(h, "posts", "{'slug':'hello-99x','data':{}}"), "hello-99x");
	make(h, author, id, "{'slug':'hello-5','data':{}}");
	assert_ok(ask(h, author, "DELETE " BASE "/%s", id));
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'Hello'}}"), "hello-6");
	/* Another locale, another collection. */
	assert_string_equal(
	    slug_of(h, "posts", "{'locale':'fr','data':{'title':'Hello'}}"), "hello");
	assert_string_equal(slug_of(h, "pages", "{'data':{'name':'Hello'}}"), "hello");
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':''}}"), "null");
	assert_string_equal(slug_of(h, "posts", "{'data':{}}"), "null");
}

static void
titles_without_letters_get_a_stable_slug(void **state)
{
	struct harness *h = *state;

	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'😀😀'}}"), "untitled-1e58txp");
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'😀😀'}}"), "untitled-1e58txp-2");
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'!!!'}}"), "untitled-0ckr8de");
	assert_string_equal(slug_of(h, "posts", "{'data':{'title':'___'}}"), "untitled-017h4c4");
}

static void
the_title_beats_the_name(void **state)
{
	struct harness *h = *state;

	field(h, "pages", "title", "string", "");
	assert_string_equal(slug_of(h, "pages", "{'data':{'name':'B','title':'A'}}"), "a");
	assert_string_equal(slug_of(h, "pages", "{'data':{'name':'B','title':''}}"), "b");
}

static void
a_taken_slug_is_a_conflict(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'slug':'taken','data':{}}");
	o = say(h, author, "POST " BASE, "{'slug':'taken','data':{}}");
	assert_code(o, "SLUG_CONFLICT");
	assert_int_equal(o->http, 409);
	assert_non_null(strstr(o->message, "taken"));
	assert_non_null(strstr(o->message, a));
	make(h, author, b, "{'slug':'free','data':{'title':'b'}}");
	assert_code(say(h, author, "PUT " BASE "/free", "{'slug':'taken','data':{'title':'c'}}"),
	    "SLUG_CONFLICT");
	o = ask(h, author, "GET " BASE "/free");
	assert_string_equal(harness_text(o->data, "item.data.title"), "b");
	/* Items in the trash keep their slugs. */
	assert_ok(ask(h, author, "DELETE " BASE "/%s", a));
	assert_code(say(h, author, "PUT " BASE "/free", "{'slug':'taken'}"), "SLUG_CONFLICT");
	assert_ok(say(h, author, "PUT " BASE "/free", "{'slug':'free'}"));
	assert_ok(say(h, author, "PUT " BASE "/free", "{'slug':'other'}"));
	assert_ok(ask(h, author, "GET " BASE "/other"));
	assert_code(ask(h, author, "GET " BASE "/free"), "NOT_FOUND");
	/* A given slug is used unchanged. */
	assert_ok(say(h, author, "POST " BASE, "{'slug':'Ä b/c?','data':{}}"));
	assert_ok(ask(h, author, "GET " BASE "/%%C3%%84%%20b%%2Fc%%3F"));
}

/* ---- translations ---- */

static void
translations_share_a_group(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'slug':'s','data':{}}");
	make(h, author, b, "{'slug':'s','locale':'fr','translationOf':'%s','data':{}}", a);
	harness_ok(o, ask(h, author, "GET " BASE "/%s", b));
	assert_string_equal(harness_text(o->data, "item.translationGroup"), a);
	/* A translation of a translation joins the group of the first item. */
	harness_ok(
	    o, say(h, author, "POST " BASE, "{'locale':'de','translationOf':'%s','data':{}}", b));
	assert_string_equal(harness_text(o->data, "item.translationGroup"), a);
	assert_code(
	    say(h, author, "POST " BASE, "{'locale':'de','translationOf':'%s','data':{}}", a),
	    "CONFLICT");
	assert_code(
	    say(h, author, "POST " BASE, "{'translationOf':'s','data':{}}"), "VALIDATION_ERROR");
	assert_code(
	    say(h, other_author, "POST " BASE, "{'locale':'it','translationOf':'%s','data':{}}", a),
	    "FORBIDDEN");
	assert_code(
	    say(h, contributor, "POST " BASE, "{'locale':'it','translationOf':'%s','data':{}}", a),
	    "FORBIDDEN");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_new_item_has_all_its_members),
		check(values_come_back_by_their_type),
		check(the_tag_of_an_item_changes_with_its_collection),
		check(an_item_is_found_by_id_and_by_slug),
		check(a_slug_is_looked_up_in_its_locale),
		check(drafts_are_not_there_for_subscribers),
		check(each_role_creates_what_it_may),
		check(scopes_bound_what_a_token_does),
		check(dates_of_a_new_item_can_be_given),
		check(all_problems_are_told_at_once),
		check(required_values_are_not_missing_null_or_empty),
		check(references_lead_to_items_that_are_there),
		check(a_save_that_changes_nothing_writes_nothing),
		check(live_values_and_those_of_a_source_stay_valid),
		check(a_list_of_held_ids_does_not_grow_beyond_its_bound),
		check(an_item_can_be_saved_as_it_was_read),
		check(unique_values_are_unique_among_items_of_a_locale),
		check(slugs_are_made_from_the_title_and_numbered),
		check(titles_without_letters_get_a_stable_slug),
		check(the_title_beats_the_name),
		check(a_taken_slug_is_a_conflict),
		check(translations_share_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
