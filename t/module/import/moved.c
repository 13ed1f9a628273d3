/* moved.c - where items were in their source, which is listed after the import. */
#include "harness.h"
#include "imported.h"
#include <stdio.h>

#define GET(h, path) harness_request(h, admin, "GET " path, NULL, NULL)

/* Where items were in the source stays after the import, for those who may read them. */
static void
old_addresses_are_listed(void **state)
{
	struct harness *h = imported_open(NULL);
	struct outcome *o;
	char id[40];

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    ITEM("7", "post", "tides",
		"<title>Tides</title><link>https://old.example/2020/01/tides/#top</link>"
		"<wp:status>publish</wp:status>" META("_wp_old_slug", "ebbs"))
		ITEM("8", "post", "secret",
		    "<title>No</title><link>https://old.example/2020/02/secret/</link>"
		    "<wp:status>draft</wp:status>")));
	harness_ok(o, GET(h, "/redirects/posts?limit=1"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].from"), "/2020/01/ebbs/");
	harness_ok(o, GET(h, "/content/posts/tides"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, GET(h, "/redirects/posts"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[1].from"), "/2020/01/tides/");
	assert_string_equal(harness_text(o->data, "items[1].id"), id);
	assert_code(GET(h, "/redirects/nothing"), "COLLECTION_NOT_FOUND");
	assert_code(harness_request(h, nobody, "GET /redirects/posts", NULL, NULL), "UNAUTHORIZED");
	harness_close(h, false);
}

/* A permalink wins over a slug that another item had before, whichever comes first. */
static void
a_permalink_wins(void **state)
{
	struct harness *h = imported_open(NULL);
	struct outcome *o;

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    ITEM("1", "post", "one",
		"<title>1</title><link>https://old.example/one/</link>"
		"<wp:status>publish</wp:status>") ITEM("2", "post", "two",
		"<title>2</title><link>https://old.example/two/</link>"
		"<wp:status>publish</wp:status>" META("_wp_old_slug", "one"))));
	harness_ok(o, GET(h, "/redirects/posts"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[0].from"), "/one/");
	assert_string_not_equal(
	    harness_text(o->data, "items[0].id"), harness_text(o->data, "items[1].id"));
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(old_addresses_are_listed),
		cmocka_unit_test(a_permalink_wins) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
