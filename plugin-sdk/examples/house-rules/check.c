/* check.c - tests of house-rules: the plugin as it is built, on a site of its own. */
#include "harness.h"

static const struct harness_options options = {
	.plugin_path = "plugin-sdk/examples/house-rules/.libs",
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
	assert_ok(harness_send(h, admin, "POST /schema/collections",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"labelSingular\":\"Post\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"title\",\"label\":\"Title\",\"type\":\"string\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"summary\",\"label\":\"Summary\",\"type\":\"text\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"body\",\"label\":\"Body\",\"type\":\"portableText\"}"));
	assert_ok(ask(admin, "POST /admin/plugins/house-rules/enable"));
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

/* The settings as JSON with ' for ". */
static void
set_rules(const char *values)
{
	char text[512];
	size_t i;

	assert_true(strlen(values) < sizeof(text));
	for (i = 0; i <= strlen(values); i++)
		text[i] = values[i] == '\'' ? '"' : values[i];
	assert_ok(harness_send(
	    h, admin, "PUT /admin/plugins/house-rules/settings", "{\"values\":%s}", text));
}

static struct outcome *
save(const char *title, const char *summary, const char *text)
{
	return harness_send(h, editor, "POST /content/posts",
	    "{\"data\":{\"title\":\"%s\",\"summary\":\"%s\",\"body\":[{\"_type\":\"block\","
	    "\"style\":\"normal\",\"children\":[{\"_type\":\"span\",\"text\":\"%s\"}]}]}}",
	    title, summary, text);
}

static void
without_settings_everything_is_accepted(void **state)
{
	(void)state;
	assert_ok(save("", "", ""));
}

static void
a_short_title_is_rejected_with_what_to_change(void **state)
{
	struct outcome *o;

	(void)state;
	set_rules("{'minTitleLength':5}");
	o = save("Käse", "", "");
	assert_code(o, "SAVE_REJECTED");
	assert_int_equal(o->http, 422);
	assert_string_equal(o->message, "The title has 4 characters; make it at least 5 long.");
	assert_ok(save("Käsen", "", ""));
}

static void
a_missing_summary_is_rejected_where_one_is_required(void **state)
{
	(void)state;
	set_rules("{'requireSummary':true}");
	assert_code(save("A good title", "", ""), "SAVE_REJECTED");
	assert_ok(save("A good title", "What it says.", ""));
}

static void
forbidden_words_are_found_whole_in_any_case_and_any_field(void **state)
{
	struct outcome *o;

	(void)state;
	set_rules("{'forbiddenWords':['leverage','c++ (new)']}");
	o = save("Fine", "We Leverage synergies", "");
	assert_code(o, "SAVE_REJECTED");
	assert_non_null(strstr(o->message, "\"leverage\""));
	assert_code(save("Fine", "", "to leverage."), "SAVE_REJECTED");
	assert_code(save("about C++ (NEW)", "", ""), "SAVE_REJECTED");
	assert_ok(save("leveraged ccc new", "", ""));
}

static void
a_rejected_update_leaves_the_item_as_it_was(void **state)
{
	struct outcome *o;
	char path[80];

	(void)state;
	set_rules("{'minTitleLength':5}");
	harness_ok(o, save("Long enough", "", ""));
	snprintf(path, sizeof(path), "PUT /content/posts/%s", harness_text(o->data, "item.id"));
	assert_code(harness_send(h, editor, path, "{\"data\":{\"title\":\"x\"}}"), "SAVE_REJECTED");
	memcpy(path, "GET", 3);
	harness_ok(o, ask(editor, path));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Long enough");
}

static void
rules_hold_for_the_listed_collections_only(void **state)
{
	(void)state;
	set_rules("{'minTitleLength':5,'collections':['pages']}");
	assert_ok(save("x", "", ""));
	set_rules("{'minTitleLength':5,'collections':['pages','posts']}");
	assert_code(save("x", "", ""), "SAVE_REJECTED");
}

static void
a_bad_setting_is_refused(void **state)
{
	(void)state;
	assert_code(harness_send(h, admin, "PUT /admin/plugins/house-rules/settings",
			"{\"values\":{\"minTitleLength\":-1}}"),
	    "VALIDATION_ERROR");
	assert_code(harness_send(h, admin, "PUT /admin/plugins/house-rules/settings",
			"{\"values\":{\"maxTitleLength\":9}}"),
	    "VALIDATION_ERROR");
}

static void
a_disabled_plugin_has_no_say(void **state)
{
	(void)state;
	set_rules("{'minTitleLength':5}");
	assert_code(save("x", "", ""), "SAVE_REJECTED");
	assert_ok(ask(admin, "POST /admin/plugins/house-rules/disable"));
	assert_ok(save("x", "", ""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_settings_everything_is_accepted),
		TEST(a_short_title_is_rejected_with_what_to_change),
		TEST(a_missing_summary_is_rejected_where_one_is_required),
		TEST(forbidden_words_are_found_whole_in_any_case_and_any_field),
		TEST(a_rejected_update_leaves_the_item_as_it_was),
		TEST(rules_hold_for_the_listed_collections_only),
		TEST(a_bad_setting_is_refused),
		TEST(a_disabled_plugin_has_no_say),
	};

	return cmocka_run_group_tests_name("house-rules", tests, NULL, NULL);
}
