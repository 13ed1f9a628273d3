/*
 * files.c - export files of other sites, each prepared as analyze suggests and imported twice:
 * counts are exact, and the second run creates nothing.
 */
#include "exports.h"
#include "harness.h"
#include "imported.h"
#include <stdio.h>
#include <stdlib.h>

/* Expected counts for each file, counted by another program. */
static const struct expected {
	const char *name;
	int imported, failed, skipped, terms, assignments, comments, sections, menus, menu_items;
} files[] = {
	{ "64-block-test-data", 62, 0, 0, 11, 92, 2, 0, 0, 0 },
	{ "a11y-unit-test-data", 65, 0, 0, 99, 238, 29, 0, 3, 50 },
	{ "entities-options-and-posts", 1, 0, 0, 4, 1, 0, 0, 0, 0 },
	{ "large-authors", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "namespace-edge-cases", 5, 1, 0, 2, 0, 0, 0, 0, 0 },
	{ "post-content-blank-lines", 1, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "slashes", 1, 0, 0, 2, 1, 1, 0, 0, 0 },
	{ "small-export", 11, 0, 0, 33, 35, 1, 0, 0, 0 },
	{ "stylish-press", 3, 0, 0, 1, 3, 0, 0, 0, 0 },
	{ "term-formats", 0, 0, 0, 5, 0, 0, 0, 0, 0 },
	{ "theme-preview", 7, 0, 0, 0, 0, 2, 0, 0, 0 },
	{ "valid-wxr-1.0", 6, 0, 0, 9, 7, 1, 0, 0, 0 },
	{ "valid-wxr-1.1", 2, 0, 0, 2, 2, 1, 0, 0, 0 },
	{ "woocommerce-demo-products", 25, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "wxr-simple", 1, 0, 0, 1, 1, 0, 0, 0, 0 },
	{ "wxr-utf-8-challenges", 1, 0, 0, 1, 1, 0, 0, 0, 0 },
	{ "../theme-unit-test.wxr", 79, 0, 0, 182, 363, 33, 0, 5, 70 },
};

static bool
has_files(void)
{
	if (export_path("slashes") != NULL)
		return true;
	print_message("# skipped: the export files of others are not here (shared/data/wxr)\n");
	return false;
}

/* Prepares the collections and fields that analyze suggests; returns the configuration, to be
 * freed. */
static char *
prepare(struct harness *h, const char *file)
{
	struct outcome *o = imported_post(h, "POST /import/platform/analyze", NULL, file);
	json_t *types, *mappings = json_object(), *wanted = json_array(), *type, *config;
	char *text;
	size_t i;

	assert_ok(o);
	types = json_incref(harness_at(o->data, "postTypes"));
	json_array_foreach(types, i, type)
	{
		json_t *name = json_object_get(type, "name");
		json_t *collection = json_object_get(type, "suggestedCollection");

		json_array_append_new(
		    wanted, json_pack("{sO sO sO}", "name", name, "collection", collection,
				"fields", json_object_get(type, "requiredFields")));
		json_object_set_new(mappings, json_string_value(name),
		    json_pack("{sO sb}", "collection", collection, "enabled", 1));
	}
	config = json_pack("{so}", "postTypes", wanted);
	text = json_dumps(config, 0);
	assert_ok(harness_request(h, admin, "POST /import/platform/prepare", NULL, text));
	free(text);
	json_decref(config);
	json_decref(types);
	config = json_pack("{so sb}", "postTypeMappings", mappings, "skipExisting", 1);
	text = json_dumps(config, 0);
	json_decref(config);
	return text;
}

static int
sum(json_t *object)
{
	int n = 0;
	const char *name;
	json_t *v;

	json_object_foreach(object, name, v) n += (int)json_integer_value(v);
	return n;
}

static int
number(const struct outcome *o, const char *path)
{
	int64_t n = harness_int(o->data, path);

	return n > 0 ? (int)n : 0;
}

static void
check(const struct expected *e, const struct outcome *o)
{
	struct expected is = { e->name, number(o, "imported"), number(o, "failed"),
		number(o, "skipped"), sum(harness_at(o->data, "taxonomies.termsCreated")),
		number(o, "taxonomies.assignments"), number(o, "comments.imported"),
		number(o, "sections.created"), number(o, "menus.created"),
		number(o, "menus.items") };

	if (is.name != e->name || memcmp(&is.imported, &e->imported, 9 * sizeof(int)) != 0)
		fail_msg("{ \"%s\", %d, %d, %d, %d, %d, %d, %d, %d, %d },\n%.600s\n", is.name,
		    is.imported, is.failed, is.skipped, is.terms, is.assignments, is.comments,
		    is.sections, is.menus, is.menu_items, o->text);
}

static void
check_file(const struct expected *e)
{
	struct harness *h = harness_open(NULL);
	struct expected again = { e->name };
	char *file, *config;
	size_t len;

	file = export_load(export_path(e->name), &len);
	config = prepare(h, file);
	check(e, imported_post(h, "POST /import/platform/execute", config, file));
	again.skipped = e->imported + e->skipped;
	again.failed = e->failed; /* the failed one is tried again */
	check(&again, imported_post(h, "POST /import/platform/execute", config, file));
	free(file);
	free(config);
	harness_close(h, false);
}

static void
files_of_others_are_imported_once(void **state)
{
	(void)state;
	if (!has_files())
		return;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_file(&files[i]);
}

/* Malformed files leave nothing. */
static void
broken_files_leave_nothing(void **state)
{
	static const char *const names[] = { "malformed", "malformed-simple" };
	struct harness *h;

	(void)state;
	if (!has_files())
		return;
	h = imported_open(NULL);
	for (size_t i = 0; i < 2; i++) {
		size_t len;
		char *file = export_load(export_path(names[i]), &len);

		assert_code(imported_run(h, SKIP, "<wp:x>"), "VALIDATION_ERROR");
		assert_code(imported_send(h,
				"{\"postTypeMappings\":{\"post\":{\"collection\":\"posts\","
				"\"enabled\":true}}}",
				file),
		    "VALIDATION_ERROR");
		assert_int_equal(
		    json_array_size(harness_at(
			harness_request(h, admin, "GET /content/posts", NULL, NULL)->data,
			"items")),
		    0);
		free(file);
	}
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files_of_others_are_imported_once),
		cmocka_unit_test(broken_files_leave_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
