/* plugins.c - the plugins of a site as administrators see them, and their settings. */
#include "harness.h"
#include "module/module.h"
#include "site/compile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness *h;

static int
open_site(void **state)
{
	char broken[1024];

	(void)state;
	snprintf(
	    broken, sizeof(broken), "%s", harness_path("STET_BUILD", "t/plugins/broken/.libs"));
	h = harness_open(&(struct harness_options){ .plugin_path = "t/plugins/good/.libs" });
	modules_scan(NULL, broken);
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

static json_t *
listed(json_t *data, const char *id)
{
	json_t *item;
	size_t i;

	json_array_foreach(json_object_get(data, "items"), i, item)
	{
		if (strcmp(harness_text(item, "id"), id) == 0)
			return item;
	}
	return NULL;
}

/* ---- the list ---- */

static void
all_that_is_loaded_is_listed(void **state)
{
	struct outcome *o;
	json_t *item;

	(void)state;
	harness_clock(h, "2026-11-20T12:00:00Z");
	harness_ok(o, harness_request(h, editor, "GET /admin/plugins", NULL, NULL));
	item = listed(o->data, "plugins");
	assert_non_null(item);
	assert_string_equal(harness_text(item, "source"), "bundled");
	assert_string_equal(harness_text(item, "status"), "active");
	assert_true(json_is_true(harness_at(item, "enabled")));
	assert_true(json_is_true(harness_at(item, "required")));
	assert_string_equal(harness_text(item, "routes[0]"), "GET /admin/plugins");
	assert_string_equal(harness_text(item, "needs[0]"), "auth");
	item = listed(o->data, "notes");
	assert_string_equal(harness_text(item, "name"), "notes");
	assert_string_equal(harness_text(item, "version"), "1.2.3");
	assert_string_equal(harness_text(item, "description"), "Notes for the tests");
	assert_string_equal(harness_text(item, "source"), "plugin");
	assert_string_equal(harness_text(item, "status"), "inactive");
	assert_true(json_is_false(harness_at(item, "enabled")));
	assert_true(json_is_false(harness_at(item, "required")));
	assert_string_equal(harness_text(item, "hooks[0]"), "entry_before_save");
	assert_string_equal(harness_text(item, "routes[0]"), "POST /plugins/notes");
	assert_string_equal(harness_text(item, "routes[1]"), "GET /plugins/notes/peek/:what");
	assert_int_equal(json_array_size(harness_at(item, "tools")), 1);
	assert_string_equal(harness_text(item, "tools[0]"), "notes__add");
	assert_string_equal(harness_text(item, "mcpTools[0].name"), "notes__add");
	assert_string_equal(harness_text(item, "mcpTools[0].permission"), "notes:write");
	assert_true(json_is_false(harness_at(item, "mcpToolsEnabled")));
	assert_string_equal(harness_text(item, "permissions[0]"), "notes:write");
	assert_true(json_is_true(harness_at(item, "hasSettings")));
	assert_null(harness_at(item, "installedAt"));
}

static void
what_was_refused_is_listed_with_the_reason(void **state)
{
	struct outcome *o;
	json_t *item;

	(void)state;
	harness_ok(o, harness_request(h, editor, "GET /admin/plugins", NULL, NULL));
	item = listed(o->data, "wrong-abi");
	assert_non_null(item);
	assert_string_equal(harness_text(item, "status"), "refused");
	assert_non_null(strstr(harness_text(item, "reason"), "built for ABI 99"));
	assert_true(json_is_false(harness_at(item, "enabled")));
	o = harness_request(h, admin, "POST /admin/plugins/wrong-abi/enable", NULL, NULL);
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "built for ABI 99"));
	assert_code(harness_request(h, admin, "GET /admin/plugins/wrong-abi/settings", NULL, NULL),
	    "CONFLICT");
	assert_ok(harness_request(h, editor, "GET /admin/plugins/wrong-abi", NULL, NULL));
}

static void
turning_on_and_off_is_dated(void **state)
{
	struct outcome *o;

	(void)state;
	harness_clock(h, "2026-11-20T12:00:00Z");
	harness_ok(o, harness_request(h, admin, "POST /admin/plugins/notes/enable", NULL, NULL));
	assert_true(json_is_true(harness_at(o->data, "item.enabled")));
	assert_string_equal(harness_text(o->data, "item.status"), "active");
	assert_string_equal(harness_text(o->data, "item.installedAt"), "2026-11-20T12:00:00.000Z");
	harness_clock(h, "2026-11-20T13:00:00Z");
	/* Enabling again changes nothing. */
	harness_ok(o, harness_request(h, admin, "POST /admin/plugins/notes/enable", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.activatedAt"), "2026-11-20T12:00:00.000Z");
	assert_null(harness_at(o->data, "item.deactivatedAt"));
	harness_ok(o, harness_request(h, admin, "POST /admin/plugins/notes/disable", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.status"), "inactive");
	assert_string_equal(harness_text(o->data, "item.activatedAt"), "2026-11-20T12:00:00.000Z");
	assert_string_equal(
	    harness_text(o->data, "item.deactivatedAt"), "2026-11-20T13:00:00.000Z");
	harness_clock(h, "2026-11-20T14:00:00Z");
	harness_ok(o, harness_request(h, admin, "POST /admin/plugins/notes/enable", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.installedAt"), "2026-11-20T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.activatedAt"), "2026-11-20T14:00:00.000Z");
}

/* Opens the site at this time with these modules in its configuration. Returns the reply about the
 * module menus. */
static struct outcome *
menus_with(char **modules, const char *time)
{
	struct site *site = harness_site(h);
	char **was = site->conf.modules, *why;
	struct outcome *o;
	enum stet_status status;

	site->conf.modules = modules;
	harness_clock(h, time);
	status = compile_site(site, &why);
	o = harness_request(h, admin, "GET /admin/plugins/menus", NULL, NULL);
	site->conf.modules = was;
	assert_int_equal(status, STET_OK);
	assert_ok(o);
	return o;
}

static void
what_the_configuration_turns_on_and_off_is_dated_too(void **state)
{
	static char name[] = "schema";
	char *few[] = { name, NULL }, **all = harness_site(h)->conf.modules;
	struct outcome *o;

	(void)state;
	o = menus_with(few, "2126-11-21T12:00:00Z");
	assert_true(json_is_false(harness_at(o->data, "item.enabled")));
	assert_string_equal(
	    harness_text(o->data, "item.deactivatedAt"), "2126-11-21T12:00:00.000Z");
	o = menus_with(few, "2126-11-21T13:00:00Z");
	assert_string_equal(
	    harness_text(o->data, "item.deactivatedAt"), "2126-11-21T12:00:00.000Z");
	o = menus_with(all, "2126-11-21T14:00:00Z");
	assert_true(json_is_true(harness_at(o->data, "item.enabled")));
	assert_string_equal(harness_text(o->data, "item.activatedAt"), "2126-11-21T14:00:00.000Z");
	o = menus_with(all, "2126-11-21T15:00:00Z");
	assert_string_equal(harness_text(o->data, "item.activatedAt"), "2126-11-21T14:00:00.000Z");
	assert_string_equal(
	    harness_text(o->data, "item.deactivatedAt"), "2126-11-21T12:00:00.000Z");
	/* The configuration still decides. */
	o = menus_with(few, "2126-11-21T16:00:00Z");
	assert_true(json_is_false(harness_at(o->data, "item.enabled")));
	(void)menus_with(all, "2126-11-21T17:00:00Z");
}

static void
editors_read_and_only_administrators_change(void **state)
{
	static const struct harness_user narrow[1] = { { .id = "01USERADMIN000000000000050",
	    .role = 50,
	    .scopes = "content:read content:write" } };

	(void)state;
	assert_code(harness_request(h, nobody, "GET /admin/plugins", NULL, NULL), "UNAUTHORIZED");
	assert_code(harness_request(h, author, "GET /admin/plugins", NULL, NULL), "FORBIDDEN");
	assert_code(
	    harness_request(h, narrow, "GET /admin/plugins", NULL, NULL), "INSUFFICIENT_SCOPE");
	assert_code(harness_request(h, editor, "POST /admin/plugins/notes/enable", NULL, NULL),
	    "FORBIDDEN");
	assert_code(harness_request(h, editor, "GET /admin/plugins/notes/settings", NULL, NULL),
	    "FORBIDDEN");
	assert_code(harness_request(h, admin, "POST /admin/plugins/notes/enable", "", NULL),
	    "CSRF_REJECTED");
	assert_code(harness_request(h, admin, "GET /admin/plugins/ghost", NULL, NULL), "NOT_FOUND");
	assert_code(harness_request(h, admin, "DELETE /admin/plugins/notes", NULL, NULL),
	    "METHOD_NOT_ALLOWED");
}

/* ---- settings ---- */

static struct outcome *
put(const char *values)
{
	return harness_send(
	    h, admin, "PUT /admin/plugins/notes/settings", "{\"values\": %s}", values);
}

static void
settings_have_a_schema_and_values(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_request(h, admin, "GET /admin/plugins/notes/settings", NULL, NULL));
	assert_string_equal(harness_text(o->data, "schema.type"), "object");
	assert_string_equal(harness_text(o->data, "schema.properties.limit.type"), "integer");
	assert_int_equal(harness_int(o->data, "values.limit"), 3);
	assert_string_equal(harness_text(o->data, "values.greeting"), "hello");
	assert_true(json_is_null(harness_at(o->data, "values.unset")));
}

static void
a_setting_takes_effect_at_once(void **state)
{
	struct outcome *o;

	(void)state;
	assert_ok(harness_request(h, admin, "POST /admin/plugins/notes/enable", NULL, NULL));
	harness_ok(o, put("{\"limit\": 7, \"unset\": \"set\"}"));
	assert_int_equal(harness_int(o->data, "values.limit"), 7);
	assert_string_equal(harness_text(o->data, "values.greeting"), "hello");
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "limit"), 7);
	assert_string_equal(harness_text(o->data, "greeting"), "hello");
	assert_string_equal(harness_text(o->data, "unset"), "set");
	harness_ok(o, put("{\"limit\": null}"));
	assert_int_equal(harness_int(o->data, "values.limit"), 3);
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "limit"), 3);
	assert_string_equal(harness_text(o->data, "unset"), "set");
}

static void
settings_are_kept_while_a_plugin_is_off_and_over_a_restart(void **state)
{
	struct outcome *o;

	(void)state;
	assert_ok(put("{\"limit\": 9}"));
	h = harness_again(h);
	assert_ok(harness_request(h, admin, "POST /admin/plugins/notes/enable", NULL, NULL));
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "limit"), 9);
	assert_int_equal(harness_int(o->data, "limitAtOpen"), 9);
}

static void
bad_settings_are_refused_and_nothing_is_written(void **state)
{
	struct outcome *o;

	(void)state;
	o = put("{\"limit\": 5, \"greeting\": 5, \"bogus\": 1}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "greeting"));
	assert_true(harness_issue(o, "bogus"));
	assert_code(put("{\"limit\": 11}"), "VALIDATION_ERROR");
	assert_code(put("{\"limit\": \"5\"}"), "VALIDATION_ERROR");
	assert_code(put("[]"), "VALIDATION_ERROR");
	assert_code(put("null"), "VALIDATION_ERROR");
	assert_code(
	    harness_send(h, admin, "PUT /admin/plugins/notes/settings", "{}"), "VALIDATION_ERROR");
	assert_code(harness_send(h, admin, "PUT /admin/plugins/ghost/settings", "{\"values\": {}}"),
	    "NOT_FOUND");
	harness_ok(o, harness_request(h, admin, "GET /admin/plugins/notes/settings", NULL, NULL));
	assert_int_equal(harness_int(o->data, "values.limit"), 3);
	assert_ok(put("{}"));
}

int
main(void)
{
#define ON_A_SITE(test) cmocka_unit_test_setup_teardown(test, open_site, close_site)
	const struct CMUnitTest tests[] = {
		ON_A_SITE(all_that_is_loaded_is_listed),
		ON_A_SITE(what_was_refused_is_listed_with_the_reason),
		ON_A_SITE(turning_on_and_off_is_dated),
		ON_A_SITE(what_the_configuration_turns_on_and_off_is_dated_too),
		ON_A_SITE(editors_read_and_only_administrators_change),
		ON_A_SITE(settings_have_a_schema_and_values),
		ON_A_SITE(a_setting_takes_effect_at_once),
		ON_A_SITE(settings_are_kept_while_a_plugin_is_off_and_over_a_restart),
		ON_A_SITE(bad_settings_are_refused_and_nothing_is_written),
	};

	setenv("STET_TEST_LOG", "/dev/null", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
