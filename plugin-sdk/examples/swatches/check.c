/* check.c - tests of swatches: the plugin as it is built, on a site of its own. Its page and widget
 * are used in a browser by t/admin/site-frames.mjs. */
#include "harness.h"

#define COLOURS "/plugins/swatches/colours"

static const struct harness_options options = {
	.plugin_path = "plugin-sdk/examples/swatches/.libs",
};
static struct harness *h;

static struct outcome *
ask(const struct harness_user *user, const char *request)
{
	return harness_request(h, user, request, NULL, NULL);
}

static int
open_site(void **state)
{
	(void)state;
	h = harness_open(&options);
	assert_ok(ask(admin, "POST /admin/plugins/swatches/enable"));
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

static void
colours_are_kept_changed_and_taken_out(void **state)
{
	struct outcome *o;

	(void)state;
	assert_ok(harness_send(h, editor, "PUT " COLOURS "/Sea", "{\"value\":\"#2648b4\"}"));
	assert_ok(harness_send(h, editor, "PUT " COLOURS "/Brick", "{\"value\":\"#ad2419\"}"));
	assert_ok(harness_send(h, editor, "PUT " COLOURS "/Sea", "{\"value\":\"#1a3488\"}"));
	harness_ok(o, ask(contributor, "GET " COLOURS));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[0].name"), "Brick");
	assert_string_equal(harness_text(o->data, "items[1].value"), "#1a3488");
	assert_ok(ask(editor, "DELETE " COLOURS "/Sea"));
	assert_code(ask(editor, "DELETE " COLOURS "/Sea"), "NOT_FOUND");
	harness_ok(o, ask(contributor, "GET " COLOURS));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

static void
what_is_no_colour_and_who_may_not_are_refused(void **state)
{
	(void)state;
	assert_code(harness_send(h, editor, "PUT " COLOURS "/Sea", "{\"value\":\"blue\"}"),
	    "VALIDATION_ERROR");
	assert_code(harness_send(h, editor, "PUT " COLOURS "/Sea", "{\"value\":\"#FFFFFF\"}"),
	    "VALIDATION_ERROR");
	assert_code(
	    harness_send(h, author, "PUT " COLOURS "/Sea", "{\"value\":\"#2648b4\"}"), "FORBIDDEN");
	assert_code(ask(author, "DELETE " COLOURS "/Sea"), "FORBIDDEN");
	assert_code(ask(subscriber, "GET " COLOURS), "FORBIDDEN");
}

static void
there_are_only_so_many(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		char request[80];

		snprintf(request, sizeof(request), "PUT " COLOURS "/Colour-%d", i);
		assert_ok(harness_send(h, editor, request, "{\"value\":\"#2648b4\"}"));
	}
	assert_code(
	    harness_send(h, editor, "PUT " COLOURS "/More", "{\"value\":\"#2648b4\"}"), "CONFLICT");
	assert_ok(harness_send(h, editor, "PUT " COLOURS "/Colour-7", "{\"value\":\"#1a3488\"}"));
}

static void
its_page_is_for_editors_and_its_widget_for_everybody(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, ask(editor, "GET /admin/manifest"));
	assert_string_equal(harness_text(o->data, "pages[0].name"), "colours");
	assert_string_equal(harness_text(o->data, "fieldWidgets[0].types[0]"), "string");
	harness_ok(o, ask(author, "GET /admin/manifest"));
	assert_null(harness_at(o->data, "pages"));
	assert_string_equal(harness_text(o->data, "fieldWidgets[0].name"), "colour");
	assert_null(harness_at(o->data, "fieldWidgets[0].block"));
	assert_string_equal(harness_text(o->data, "fieldWidgets[1].block"), "colourSample");
	assert_int_equal(json_array_size(harness_at(o->data, "fieldWidgets[1].types")), 0);
}

/* Each file that the pages name was built beside the plugin. */
static void
its_files_are_served(void **state)
{
	static const char *const names[] = { "colours.html", "colours.js", "colour.html",
		"colour.js", "sample.html", "sample.js", "swatches.css", "stet.js", "stet.css" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char request[96];

		snprintf(request, sizeof(request), "{\"plugin\":\"swatches\",\"file\":\"%s\"}",
		    names[i]);
		assert_ok(harness_op(h, nobody, "admin_plugin_file", "%s", request));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(colours_are_kept_changed_and_taken_out),
		TEST(what_is_no_colour_and_who_may_not_are_refused),
		TEST(there_are_only_so_many),
		TEST(its_page_is_for_editors_and_its_widget_for_everybody),
		TEST(its_files_are_served),
	};

	return cmocka_run_group_tests_name("swatches", tests, NULL, NULL);
}
