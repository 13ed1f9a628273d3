/* uses.t - the items and menus that refer to an item, with and without indexes, in texts and
 * drafts; and how far a request looks. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asserts the titles of the items that use the item, in the order of the response. */
static struct outcome *
used_by(struct harness *h, const char *id, const char *expected)
{
	struct outcome *o;
	char titles[400] = "";
	json_t *items, *item;
	size_t i;

	harness_ok(o, ask(h, author, "GET /content/pages/%s/uses", id));
	items = harness_at(o->data, "items");
	json_array_foreach(items, i, item)
	{
		size_t len = strlen(titles);

		(void)snprintf(titles + len, sizeof(titles) - len, "%s%s", i > 0 ? "," : "",
		    harness_text(item, "title"));
	}
	assert_string_equal(titles, expected);
	return o;
}

static struct outcome *
put(struct harness *h, const char *id, const char *page_id)
{
	char request[80];

	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	return say(h, author, request, "{'data':{'plain':'%s'}}", page_id);
}

static void
make_page(struct harness *h, char id[27], const char *title)
{
	struct outcome *o;

	harness_ok(o, say(h, author, "POST /content/pages", "{'data':{'name':'%s'}}", title));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

/* Fields of posts that can hold the id of a page. */
static void
add_fields(struct harness *h)
{
	static const char to[] = "'options':{'collection':'pages'}";
	static const char many[] = "'options':{'collection':'pages','allowMultiple':true}";
	char text[200];

	field(h, "posts", "plain", "reference", to);
	field(h, "posts", "several", "reference", many);
	(void)snprintf(text, sizeof(text), "%s,'indexed':true", to);
	field(h, "posts", "known", "reference", text);
	(void)snprintf(text, sizeof(text), "%s,'indexed':true", many);
	field(h, "posts", "listed", "reference", text);
	field(h, "posts", "parts", "repeater",
	    "'validation':{'subFields':[{'slug':'t','label':'T','type':'string'}]}");
	field(h, "posts", "more", "json", "");
	field(h, "posts", "other", "reference", "'options':{'collection':'posts'}");
}

static void
uses_are_found_wherever_they_are(void **state)
{
	struct harness *h = *state;
	char page_id[27], other[27], id[27], draft[27];
	struct outcome *o;

	add_fields(h);
	make_page(h, page_id, "Used");
	make_page(h, other, "Not used");
	used_by(h, page_id, "");
	make(h, author, id, "{'data':{'title':'Known','known':'%s'}}", page_id);
	make(h, author, id, "{'data':{'title':'Listed','listed':['%s','%s']}}", other, page_id);
	make(h, author, id, "{'data':{'title':'Plain','plain':'%s'}}", page_id);
	make(h, author, id, "{'data':{'title':'Several','several':['%s']}}", page_id);
	make(h, author, id, "{'data':{'title':'Part','parts':[{'t':'%s'}]}}", page_id);
	make(h, author, id, "{'data':{'title':'More','more':{'deep':[{'_ref':'%s'}]}}}", page_id);
	make(h, author, id, "{'data':{'title':'Words','more':'of %s'}}", page_id);
	make(h, author, id, "{'data':{'title':'Gone','plain':'%s'}}", page_id);
	assert_ok(ask(h, author, "DELETE " BASE "/%s", id));
	/* A draft that adds a reference, and one that removes what an earlier draft had added. */
	make(h, author, draft, "{'status':'published','data':{'title':'Draft'}}");
	assert_ok(put(h, draft, page_id));
	o = used_by(h, page_id, "Known,Listed,Plain,Several,Part,More,Draft");
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_ok(put(h, draft, other));
	used_by(h, page_id, "Known,Listed,Plain,Several,Part,More");
	used_by(h, other, "Listed,Draft");
	/* Several items at once; neither uses the other. */
	harness_ok(o, ask(h, author, "GET /content/pages/%s/uses?also=%s", other, page_id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 7);
	assert_code(ask(h, subscriber, "GET /content/pages/%s/uses", other), "FORBIDDEN");
	assert_code(ask(h, author, "GET /content/pages/nothing/uses"), "VALIDATION_ERROR");
	assert_code(ask(h, author, "GET /content/nothing/%s/uses", other), "COLLECTION_NOT_FOUND");
}

/* A request looks at 2000 items, and says that there are more. */
static void
a_request_looks_at_some_thousand_items(void **state)
{
	struct harness *h = *state;
	char page_id[27], id[27], cursor[2100];
	struct outcome *o;

	field(h, "posts", "plain", "reference", "'options':{'collection':'pages'}");
	make_page(h, page_id, "Used");
	for (int i = 0; i < 2100; i++)
		make(h, author, id, "{'data':{'title':'%d'}}", i);
	make(h, author, id, "{'data':{'title':'Last','plain':'%s'}}", page_id);
	o = used_by(h, page_id, "");
	(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	harness_ok(o, ask(h, author, "GET /content/pages/%s/uses?cursor=%s", page_id, cursor));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Last");
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_code(
	    ask(h, author, "GET /content/pages/%s/uses?cursor=x", page_id), "INVALID_CURSOR");
}

/* Uses by an indexed reference beyond the first 50 are not listed, which the response says. */
static void
a_long_list_says_that_it_is_cut(void **state)
{
	struct harness *h = *state;
	char page_id[27], id[27];
	struct outcome *o;

	field(h, "posts", "known", "reference", "'options':{'collection':'pages'},'indexed':true");
	make_page(h, page_id, "Used");
	for (int i = 0; i < 51; i++) {
		make(h, author, id, "{'data':{'title':'%d','known':'%s'}}", i, page_id);
		if (i != 49)
			continue;
		harness_ok(o, ask(h, author, "GET /content/pages/%s/uses", page_id));
		assert_int_equal(json_array_size(harness_at(o->data, "items")), 50);
		assert_null(json_object_get(o->data, "truncated"));
	}
	harness_ok(o, ask(h, author, "GET /content/pages/%s/uses", page_id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 50);
	assert_true(json_is_true(json_object_get(o->data, "truncated")));
}

static void
a_token_for_some_collections_sees_no_uses_in_others(void **state)
{
	const struct harness_user some[1] = { { .id = admin->id,
	    .role = 50,
	    .scopes = "content:read content:write collection:pages" } };
	struct harness *h = *state;
	char page_id[27], id[27];
	struct outcome *o;

	add_fields(h);
	make_page(h, page_id, "Used");
	make(h, author, id, "{'data':{'title':'Known','known':'%s'}}", page_id);
	make(h, author, id, "{'data':{'title':'Plain','plain':'%s'}}", page_id);
	used_by(h, page_id, "Known,Plain");
	harness_ok(o, ask(h, some, "GET /content/pages/%s/uses", page_id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_null(json_object_get(o->data, "nextCursor"));
}

/* 20 ids in 60 fields make more conditions than SQLite can nest. */
static void
many_ids_are_looked_for_in_many_fields(void **state)
{
	struct harness *h = *state;
	char page_id[27], id[27], slug[16], also[600] = "";
	struct outcome *o;

	for (int i = 0; i < 60; i++) {
		(void)snprintf(slug, sizeof(slug), "more%d", i);
		field(h, "posts", slug, "json", "");
	}
	for (int i = 0; i < 19; i++) {
		make_page(h, page_id, "Other");
		(void)snprintf(also + strlen(also), sizeof(also) - strlen(also), "%s%s",
		    i > 0 ? "," : "", page_id);
	}
	make_page(h, page_id, "Used");
	make(h, author, id, "{'data':{'title':'A','more59':['%s']}}", page_id);
	harness_ok(o, ask(h, author, "GET /content/pages/%s/uses?also=%s", page_id, also));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

static void
menus_with_a_link_are_told(void **state)
{
	struct harness *h = *state;
	char page_id[27], other[27];
	struct outcome *o;

	make_page(h, page_id, "Used");
	make_page(h, other, "Not used");
	assert_ok(say(h, admin, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(say(h, admin, "POST /menus", "{'name':'foot','label':'Foot'}"));
	assert_ok(say(h, admin, "PUT /menus/foot/items",
	    "{'items':[{'type':'page','label':'A','referenceCollection':'pages',"
	    "'referenceId':'%s'},{'type':'page','label':'B','referenceCollection':'pages',"
	    "'referenceId':'%s'}]}",
	    page_id, page_id));
	harness_ok(o, ask(h, author, "GET /content/pages/%s/menus", page_id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].label"), "Foot");
	harness_ok(o, ask(h, author, "GET /content/pages/%s/menus", other));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	harness_ok(o, ask(h, author, "GET /content/pages/%s/menus?also=%s", other, page_id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

int
main(void)
{
#define with_drafts(name) cmocka_unit_test_setup_teardown(name, posts_begin_seo, posts_end)
	const struct CMUnitTest tests[] = {
		with_drafts(uses_are_found_wherever_they_are),
		with_drafts(a_request_looks_at_some_thousand_items),
		with_drafts(a_long_list_says_that_it_is_cut),
		with_drafts(a_token_for_some_collections_sees_no_uses_in_others),
		with_drafts(many_ids_are_looked_for_in_many_fields),
		with_drafts(menus_with_a_link_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
