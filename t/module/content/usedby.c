/* usedby.t - include=usedBy: the items that refer to those of the response. */
#include "posts.h"
#include <stdio.h>
#include <string.h>

static json_t *
items(struct outcome *o)
{
	return harness_at(o->data, "included.items");
}

static void
published(struct harness *h, char id[27], const char *slug)
{
	make(h, editor, id, "{'slug':'%s','status':'published','data':{'title':'T'}}", slug);
}

/* Returns the id at this place of the links of usedBy; "": there are fewer. */
static const char *
used(struct outcome *o, const char *id, const char *by, size_t place)
{
	const json_t *links = json_object_get(harness_at(o->data, "included.links"), id);
	const char *text = json_string_value(
	    json_array_get(json_object_get(json_object_get(links, "usedBy"), by), place));

	return text != NULL ? text : "";
}

/* usedBy follows an indexed reference backwards: the newest published items that refer to each. */
static void
items_that_refer_to_an_item_come_with_it(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], id[5][27];
	struct outcome *o;

	field(h, "posts", "owner", "reference", "'indexed':true,'options':{'collection':'posts'}");
	field(h, "posts", "many", "reference",
	    "'indexed':true,'options':{'collection':'posts','allowMultiple':true}");
	published(h, a, "a");
	published(h, b, "b");
	for (int i = 0; i < 5; i++) {
		char put[40];

		snprintf(put, sizeof(put), "PUT " BASE "/i%d", i);
		published(h, id[i], strrchr(put, '/') + 1);
		assert_ok(say(
		    h, editor, put, "{'status':'published','data':{'owner':'%s'}}", i < 4 ? a : b));
	}
	/* i3 is no longer public, and i4 names both in its list. */
	assert_ok(say(h, editor, "POST " BASE "/i3/unpublish", "{}"));
	assert_ok(say(h, editor, "PUT " BASE "/i4",
	    "{'status':'published','data':{'many':['%s','%s']}}", a, b));
	harness_ok(o, ask(h, editor, "GET " BASE "/a?include=usedBy(posts.owner:2)"));
	assert_int_equal(json_object_size(items(o)), 2);
	assert_string_equal(harness_text(json_object_get(items(o), id[2]), "slug"), "i2");
	assert_non_null(json_object_get(items(o), id[1]));
	assert_string_equal(used(o, a, "posts.owner", 0), id[2]);
	assert_string_equal(used(o, a, "posts.owner", 1), id[1]);
	harness_ok(
	    o, ask(h, subscriber, "GET " BASE "?limit=100&include=usedBy(posts.owner,posts.many)"));
	assert_int_equal(json_object_size(items(o)), 4);
	assert_null(json_object_get(items(o), id[3]));
	assert_string_equal(used(o, b, "posts.owner", 0), id[4]);
	assert_string_equal(used(o, a, "posts.many", 0), id[4]);
	assert_string_equal(used(o, b, "posts.many", 0), id[4]);
	assert_code(ask(h, editor, "GET " BASE "/a?include=usedBy"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "/a?include=usedBy(posts.near)"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "/a?include=usedBy(posts.title)"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "/a?include=usedBy(none.owner)"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "/a?include=usedBy(posts.owner:51)"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "/a?include=usedBy(posts.owner:)"), "VALIDATION_ERROR");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { check(items_that_refer_to_an_item_come_with_it) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
