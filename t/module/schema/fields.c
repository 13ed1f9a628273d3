/* fields.c - definitions of fields: which are accepted, and which are refused. */
#include "definitions.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- creating ---- */

static void
a_field_is_made_with_its_defaults(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, field_add(h, "title", "string", ""));
	assert_int_equal(o->http, 201);
	assert_true(stet_is_id(harness_text(o->data, "item.id")));
	assert_int_equal(strlen(harness_text(o->data, "item.collectionId")), 26);
	assert_string_equal(harness_text(o->data, "item.columnType"), "TEXT");
	assert_true(json_is_false(harness_at(o->data, "item.required")));
	assert_true(json_is_false(harness_at(o->data, "item.unique")));
	assert_true(json_is_false(harness_at(o->data, "item.indexed")));
	assert_true(json_is_false(harness_at(o->data, "item.searchable")));
	assert_true(json_is_true(harness_at(o->data, "item.translatable")));
	assert_int_equal(harness_int(o->data, "item.sortOrder"), 0);
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-01T12:00:00.000Z");
	assert_null(harness_at(o->data, "item.defaultValue"));
	assert_null(harness_at(o->data, "item.validation"));
	assert_true(has_column(h, "f_title"));
	harness_ok(o, field_add(h, "body", "portableText", ""));
	assert_int_equal(harness_int(o->data, "item.sortOrder"), 1);
	assert_string_equal(harness_text(o->data, "item.columnType"), "JSON");
}

static void
each_type_has_its_column(void **state)
{
	static const struct {
		const char *type, *rest, *column;
	} rows[] = {
		{ "string", "", "TEXT" },
		{ "text", "", "TEXT" },
		{ "url", "", "TEXT" },
		{ "number", "", "REAL" },
		{ "integer", "", "INTEGER" },
		{ "boolean", "", "INTEGER" },
		{ "datetime", "", "TEXT" },
		{ "select", ",\"validation\":{\"options\":[\"a\"]}", "TEXT" },
		{ "multiSelect", ",\"validation\":{\"options\":[\"a\"]}", "JSON" },
		{ "portableText", "", "JSON" },
		{ "image", "", "TEXT" },
		{ "file", "", "TEXT" },
		{ "reference", ",\"options\":{\"collection\":\"a\"}", "TEXT" },
		{ "json", "", "JSON" },
		{ "slug", "", "TEXT" },
		{ "repeater", "", "JSON" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char slug[16];

		snprintf(slug, sizeof(slug), "f%zu", i);
		harness_ok(o, field_add(h, slug, rows[i].type, rows[i].rest));
		assert_string_equal(harness_text(o->data, "item.columnType"), rows[i].column);
	}
	harness_ok(o, harness_request(h, admin, "GET /schema/collections/a/fields", NULL, NULL));
	assert_int_equal(
	    json_array_size(harness_at(o->data, "items")), sizeof(rows) / sizeof(rows[0]));
}

static void
reserved_field_slugs_are_refused(void **state)
{
	static const char *const slugs[] = { "id", "slug", "status", "author_id",
		"primary_byline_id", "created_at", "updated_at", "published_at", "scheduled_at",
		"deleted_at", "version", "live_revision_id", "draft_revision_id", "terms",
		"bylines", "byline", "locale", "translation_group", "_rev" };

	for (size_t i = 0; i < sizeof(slugs) / sizeof(slugs[0]); i++) {
		struct outcome *o = field_add(*state, slugs[i], "string", "");

		if (strcmp(slugs[i], "_rev") == 0)
			assert_code(o, "VALIDATION_ERROR");
		else
			assert_code(o, "RESERVED_SLUG");
		assert_int_equal(o->http, 400);
	}
}

static void
words_of_sql_are_good_slugs(void **state)
{
	static const char *const slugs[] = { "select", "from", "order", "group", "rowid", "rank",
		"index", "reorder", "table", "null", "key" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(slugs) / sizeof(slugs[0]); i++)
		assert_ok(field_add(h, slugs[i], "string", ",\"indexed\":true,\"unique\":true"));
	harness_ok(o, field_change(h, "reorder", "{\"label\":\"New\"}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "reorder");
	for (size_t i = 0; i < sizeof(slugs) / sizeof(slugs[0]); i++) {
		char request[128];

		snprintf(
		    request, sizeof(request), "DELETE /schema/collections/a/fields/%s", slugs[i]);
		assert_ok(harness_request(h, admin, request, NULL, NULL));
	}
}

static void
a_taken_field_slug_is_a_conflict(void **state)
{
	struct outcome *o;

	assert_ok(field_add(*state, "x", "string", ""));
	o = field_add(*state, "x", "integer", "");
	assert_code(o, "FIELD_EXISTS");
	assert_int_equal(o->http, 409);
	assert_code(field_add(*state, "X", "string", ""), "VALIDATION_ERROR");
	assert_code(field_add(*state, "", "string", ""), "VALIDATION_ERROR");
}

static void
bad_field_definitions_name_what_is_wrong(void **state)
{
	static const struct {
		const char *type, *rest, *path;
	} rows[] = {
		{ "stringy", "", "type" },
		{ "select", "", "validation.options" },
		{ "select", ",\"validation\":{\"options\":[]}", "validation.options" },
		{ "select", ",\"validation\":{\"options\":\"a\"}", "validation.options" },
		{ "select", ",\"validation\":{\"options\":[\"a\",1]}", "validation.options[1]" },
		{ "multiSelect", ",\"validation\":{\"options\":[\"a\",\"a\"]}",
		    "validation.options[1]" },
		{ "reference", "", "options.collection" },
		{ "reference", ",\"validation\":{\"collection\":\"a\"}", "options.collection" },
		{ "reference", ",\"options\":{\"collection\":\"No Such\"}", "options.collection" },
		{ "reference", ",\"options\":{\"collection\":\"a\",\"multiple\":true}",
		    "options.multiple" },
		{ "string", ",\"options\":{\"rows\":3}", "options.rows" },
		{ "reference", ",\"options\":{\"collection\":\"a\",\"allowMultiple\":1}",
		    "options.allowMultiple" },
		{ "string", ",\"validation\":{\"pattern\":\"(\"}", "validation.pattern" },
		{ "string", ",\"validation\":{\"pattern\":7}", "validation.pattern" },
		{ "string", ",\"validation\":{\"minLength\":5,\"maxLength\":4}",
		    "validation.maxLength" },
		{ "string", ",\"validation\":{\"minLength\":-1}", "validation.minLength" },
		{ "string", ",\"validation\":{\"minLenght\":1}", "validation.minLenght" },
		{ "string", ",\"validation\":{\"maxLength\":1.5}", "validation.maxLength" },
		{ "number", ",\"validation\":{\"min\":2,\"max\":1}", "validation.max" },
		{ "number", ",\"validation\":{\"min\":\"1\"}", "validation.min" },
		{ "datetime", ",\"validation\":{\"min\":1}", "validation.min" },
		{ "datetime", ",\"validation\":{\"min\":\"2026-02-01\",\"max\":\"2026-01-01\"}",
		    "validation.max" },
		{ "repeater", ",\"validation\":{\"subFields\":[]}", "validation.subFields" },
		{ "repeater", ",\"validation\":{\"maxItems\":0}", "validation.maxItems" },
		{ "repeater",
		    ",\"validation\":{\"subFields\":[{\"slug\":\"A\",\"label\":\"\",\"type\":"
		    "\"repeater\"}]}",
		    "validation.subFields[0].type" },
		{ "repeater",
		    ",\"validation\":{\"subFields\":[{\"slug\":\"x\",\"label\":\"X\",\"type\":"
		    "\"string\"},{\"slug\":\"x\",\"label\":\"X\",\"type\":\"text\"}]}",
		    "validation.subFields[1].slug" },
		{ "image", ",\"validation\":{\"allowedMimeTypes\":[\"png\"]}",
		    "validation.allowedMimeTypes[0]" },
		{ "integer", ",\"defaultValue\":\"x\"", "defaultValue" },
		{ "select", ",\"validation\":{\"options\":[\"a\"]},\"defaultValue\":\"b\"",
		    "defaultValue" },
		{ "json", ",\"unique\":true", "unique" },
		{ "string", ",\"validation\":\"none\"", "validation" },
		{ "string", ",\"required\":\"yes\"", "required" },
		{ "string", ",\"sortOrder\":-1", "sortOrder" },
		{ "string", ",\"owner\":\"me\"", "owner" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct outcome *o = field_add(h, "x", rows[i].type, rows[i].rest);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, rows[i].path))
			fail_msg("%s%s: no issue about %s in %s", rows[i].type, rows[i].rest,
			    rows[i].path, o->text);
		assert_false(has_column(h, "f_x"));
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM field"), "0");
}

static void
scalars_and_lists_of_choices_can_be_indexed(void **state)
{
	static const char *const types[] = { "text", "portableText", "image", "file", "json",
		"repeater" };
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct outcome *o = field_add(h, "x", types[i], ",\"indexed\":true");

		assert_code(o, "FIELD_NOT_INDEXABLE");
		assert_int_equal(o->http, 400);
	}
	assert_ok(field_add(
	    h, "x", "multiSelect", ",\"indexed\":true,\"validation\":{\"options\":[\"a\"]}"));
}

static void
what_is_not_there_is_not_found(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(harness_request(h, admin, "GET /schema/collections/no/fields", NULL, NULL),
	    "NOT_FOUND");
	o = harness_request(h, admin, "POST /schema/collections/no/fields", NULL,
	    "{\"slug\":\"x\",\"label\":\"X\",\"type\":\"string\"}");
	assert_code(o, "COLLECTION_NOT_FOUND");
	assert_int_equal(o->http, 404);
	assert_code(field_get(h, "no"), "NOT_FOUND");
	o = field_change(h, "no", "{\"label\":\"X\"}");
	assert_code(o, "FIELD_NOT_FOUND");
	assert_int_equal(o->http, 404);
	o = harness_request(h, admin, "DELETE /schema/collections/a/fields/no", NULL, NULL);
	assert_code(o, "FIELD_NOT_FOUND");
	assert_code(harness_op(h, admin, "schema_update_field",
			"{\"collection\":\"no\",\"fieldSlug\":\"x\"}"),
	    "NOT_FOUND");
}

static void
defaults_are_stored_as_values_are(void **state)
{
	struct outcome *o;

	harness_ok(o, field_add(*state, "d", "datetime", ",\"defaultValue\":\"2026-01-01\""));
	assert_string_equal(harness_text(o->data, "item.defaultValue"), "2026-01-01T00:00:00.000Z");
	harness_ok(o, field_add(*state, "b", "boolean", ",\"defaultValue\":1"));
	assert_true(json_is_true(harness_at(o->data, "item.defaultValue")));
	harness_ok(o, field_add(*state, "n", "integer", ",\"defaultValue\":null"));
	assert_null(harness_at(o->data, "item.defaultValue"));
	harness_ok(o, field_add(*state, "z", "integer", ",\"defaultValue\":0"));
	assert_int_equal(harness_int(o->data, "item.defaultValue"), 0);
}

static void
the_tool_answers_the_bare_field(void **state)
{
	struct outcome *o;

	harness_ok(
	    o, harness_op(*state, admin, "schema_create_field",
		   "{\"collection\":\"a\",\"slug\":\"x\",\"label\":\"X\",\"type\":\"string\"}"));
	assert_string_equal(harness_text(o->data, "slug"), "x");
	harness_ok(o, harness_op(*state, admin, "schema_update_field",
			  "{\"collection\":\"a\",\"fieldSlug\":\"x\",\"label\":\"Y\"}"));
	assert_string_equal(harness_text(o->data, "item.label"), "Y");
	harness_ok(o, harness_op(*state, admin, "schema_delete_field",
			  "{\"collection\":\"a\",\"fieldSlug\":\"x\"}"));
	assert_string_equal(harness_text(o->data, "deleted"), "x");
	assert_string_equal(harness_text(o->data, "collection"), "a");
}

#define T(name) cmocka_unit_test_setup_teardown(name, definitions_begin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_field_is_made_with_its_defaults),
		T(each_type_has_its_column),
		T(reserved_field_slugs_are_refused),
		T(words_of_sql_are_good_slugs),
		T(a_taken_field_slug_is_a_conflict),
		T(bad_field_definitions_name_what_is_wrong),
		T(scalars_and_lists_of_choices_can_be_indexed),
		T(what_is_not_there_is_not_found),
		T(defaults_are_stored_as_values_are),
		T(the_tool_answers_the_bare_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
