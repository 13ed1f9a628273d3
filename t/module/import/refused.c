/* refused.c - items that cannot be imported unchanged, in a collection without revisions. */
#include "harness.h"
#include "imported.h"
#include <stdio.h>
#include <string.h>

#define GET(h, path) harness_request(h, admin, "GET " path, NULL, NULL)

static void
a_refused_item_needs_no_revisions(void **state)
{
	struct harness *h = imported_open(NULL);
	struct outcome *o;
	char rev[80], request[1200];

	(void)state;
	assert_ok(
	    harness_send(h, admin, "PUT /schema/collections/posts", "{\"supports\":[\"drafts\"]}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"isbn\",\"label\":\"I\",\"type\":\"string\","
	    "\"required\":true}"));
	harness_ok(o, imported_run(h, SKIP,
			  ITEM("2", "post", "bad",
			      "<title>Bad</title><content:encoded>Text</content:encoded>")));
	assert_int_equal(harness_int(o->data, "failed"), 1);
	harness_ok(o, GET(h, "/content/posts/bad"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Bad");
	assert_string_equal(harness_text(o->data, "item.data._importError.markup"), "Text");
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_code(
	    harness_request(h, nobody, "GET /content/posts/bad", NULL, NULL), "UNAUTHORIZED");
	assert_code(
	    harness_request(h, subscriber, "GET /content/posts/bad", NULL, NULL), "NOT_FOUND");
	/* A preview hides the reason of the refusal, since its readers may not be editors. */
	harness_ok(o, harness_send(h, admin, "POST /content/posts/bad/preview-url", "{}"));
	(void)snprintf(request, sizeof(request), "GET /content/posts/bad?_preview=%s",
	    harness_text(o->data, "token"));
	harness_ok(o, harness_request(h, nobody, request, NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Bad");
	assert_null(harness_at(o->data, "item.data._importError"));
	assert_ok(harness_send(h, admin, "PUT /content/posts/bad",
	    "{\"data\":{\"isbn\":\"7\"},\"_rev\":\"%s\"}", rev));
	harness_ok(o, GET(h, "/content/posts/bad"));
	assert_null(harness_at(o->data, "item.data._importError"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Bad");
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "7");
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_refused_item_needs_no_revisions) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
