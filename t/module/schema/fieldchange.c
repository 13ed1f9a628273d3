/* fieldchange.c - which changes of a field are allowed, and what they do to the table. */
#include "definitions.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- columns of content that is there ---- */

static void
existing_items_get_the_default_of_a_required_field(void **state)
{
	static const struct {
		const char *slug, *type, *rest, *expected;
	} rows[] = {
		{ "f1", "string", ",\"required\":true", "text:" },
		{ "f2", "string",
		    ",\"required\":true,\"defaultValue\":\"it's \\\"x\\\" \\\\ ; --\"",
		    "text:it's \"x\" \\ ; --" },
		{ "f3", "integer", ",\"required\":true", "integer:0" },
		{ "f4", "integer", ",\"required\":true,\"defaultValue\":7", "integer:7" },
		{ "f5", "number", ",\"required\":true", "real:0.0" },
		{ "f6", "number", ",\"required\":true,\"defaultValue\":2", "real:2.0" },
		{ "f7", "boolean", ",\"required\":true,\"defaultValue\":true", "integer:1" },
		{ "f8", "json", ",\"required\":true", "text:null" },
		{ "f9", "json", ",\"required\":true,\"defaultValue\":{\"a\":[\"'\"]}",
		    "text:{\"a\":[\"'\"]}" },
		{ "f10", "image", ",\"required\":true", "text:null" },
		{ "f11", "json", ",\"required\":true,\"defaultValue\":\"x\"", "text:\"x\"" },
		{ "f12", "string", ",\"defaultValue\":\"for new ones\"", "null:" },
		{ "f13", "string", "", "null:" },
	};
	struct harness *h = *state;

	inside_item(h, "a", "01ITEM00000000000000000001");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char sql[64], is[256];

		assert_ok(field_add(h, rows[i].slug, rows[i].type, rows[i].rest));
		snprintf(sql, sizeof(sql), "SELECT typeof(f_%s) FROM c_a", rows[i].slug);
		snprintf(is, sizeof(is), "%s:", inside_ask(h, sql));
		snprintf(sql, sizeof(sql), "SELECT f_%s FROM c_a", rows[i].slug);
		snprintf(is + strlen(is), sizeof(is) - strlen(is), "%s", inside_ask(h, sql));
		assert_string_equal(is, rows[i].expected);
	}
}

static void
a_unique_field_is_refused_where_items_would_share_a_value(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_item(h, "a", "01ITEM00000000000000000001");
	assert_ok(field_add(h, "one", "string", ",\"unique\":true,\"required\":true"));
	inside_sql(h, "UPDATE c_a SET f_one = 'x'", NULL);
	inside_item(h, "a", "01ITEM00000000000000000002");
	o = field_add(
	    h, "two", "string", ",\"unique\":true,\"required\":true,\"defaultValue\":\"d\"");
	assert_code(o, "CONFLICT");
	assert_int_equal(o->http, 409);
	assert_false(has_column(h, "f_two"));
	assert_code(field_get(h, "two"), "NOT_FOUND");
	assert_ok(field_add(h, "two", "string", ",\"unique\":true"));
}

static void
indexes_come_and_go(void **state)
{
	struct harness *h = *state;

	assert_ok(field_add(h, "year", "integer", ",\"indexed\":true,\"unique\":true"));
	assert_true(has_index(h, "f1_a_year"));
	assert_true(has_index(h, "u1_a_year"));
	assert_ok(field_change(h, "year", "{\"indexed\":false}"));
	assert_false(has_index(h, "f1_a_year"));
	assert_true(has_index(h, "u1_a_year"));
	assert_ok(field_change(h, "year", "{\"indexed\":true}"));
	assert_ok(field_change(h, "year", "{\"indexed\":true,\"label\":\"Y\"}"));
	assert_true(has_index(h, "f1_a_year"));
	assert_ok(
	    harness_request(h, admin, "DELETE /schema/collections/a/fields/year", NULL, NULL));
	assert_false(has_index(h, "f1_a_year"));
	assert_false(has_index(h, "u1_a_year"));
	assert_false(has_column(h, "f_year"));
}

static void
titles_names_and_chosen_fields_can_be_sorted_by(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "title", "string", ""));
	assert_ok(field_add(h, "name", "text", ""));
	assert_ok(field_add(h, "head", "string", ""));
	assert_ok(field_add(h, "at", "datetime", ""));
	assert_true(has_index(h, "f1_a_title"));
	assert_false(has_index(h, "f1_a_name"));
	assert_ok(harness_request(h, admin, "PUT /schema/collections/a", NULL,
	    "{\"titleField\":\"head\",\"dateField\":\"at\"}"));
	assert_true(has_index(h, "f1_a_head"));
	assert_true(has_index(h, "f1_a_at"));
	o = harness_request(h, admin, "PUT /schema/collections/a", NULL, "{\"titleField\":\"at\"}");
	assert_true(harness_issue(o, "titleField"));
	assert_ok(
	    harness_request(h, admin, "DELETE /schema/collections/a/fields/head", NULL, NULL));
	harness_ok(o, harness_request(h, admin, "GET /schema/collections/a", NULL, NULL));
	assert_null(harness_at(o->data, "item.titleField"));
	assert_string_equal(harness_text(o->data, "item.dateField"), "at");
	assert_ok(field_change(h, "title", "{\"type\":\"text\"}"));
	assert_false(has_index(h, "f1_a_title"));
}

static void
names_of_indexes_never_meet(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_op(h, admin, "collection_create", "{\"slug\":\"a_b\",\"label\":\"A\"}"));
	assert_ok(field_add(h, "b_c", "string", ",\"indexed\":true,\"unique\":true"));
	assert_ok(harness_request(h, admin, "POST /schema/collections/a_b/fields", NULL,
	    "{\"slug\":\"c\",\"label\":\"C\",\"type\":\"string\",\"indexed\":true,\"unique\":true}"));
}

/* ---- changing ---- */

static void
text_types_may_become_one_another(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "x", "string", ",\"searchable\":true"));
	inside_item(h, "a", "01ITEM00000000000000000001");
	inside_sql(h, "UPDATE c_a SET f_x = 'kept'", NULL);
	harness_ok(o, field_change(h, "x", "{\"type\":\"text\"}"));
	assert_string_equal(harness_text(o->data, "item.type"), "text");
	assert_true(json_is_true(harness_at(o->data, "item.searchable")));
	assert_ok(field_change(h, "x", "{\"type\":\"slug\"}"));
	assert_ok(field_change(h, "x", "{\"type\":\"string\"}"));
	assert_string_equal(inside_ask(h, "SELECT f_x FROM c_a"), "kept");
}

static void
other_changes_of_type_are_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "x", "string", ""));
	o = field_change(h, "x", "{\"type\":\"integer\",\"label\":\"New\"}");
	assert_code(o, "FIELD_TYPE_COLUMN_CHANGE");
	assert_int_equal(o->http, 400);
	assert_code(
	    field_change(h, "x", "{\"type\":\"url\"}"), "FIELD_TYPE_CHANGE_REQUIRES_MIGRATION");
	assert_code(field_change(h, "x", "{\"type\":\"nonsense\"}"), "VALIDATION_ERROR");
	harness_ok(o, field_get(h, "x"));
	assert_string_equal(harness_text(o->data, "item.type"), "string");
	assert_string_equal(harness_text(o->data, "item.columnType"), "TEXT");
	assert_string_equal(harness_text(o->data, "item.label"), "L");
}

static void
an_indexed_field_becomes_text_only_without_its_index(void **state)
{
	struct harness *h = *state;

	assert_ok(field_add(h, "x", "string", ",\"indexed\":true"));
	assert_code(field_change(h, "x", "{\"type\":\"text\"}"), "FIELD_NOT_INDEXABLE");
	assert_true(has_index(h, "f1_a_x"));
	assert_ok(field_change(h, "x", "{\"type\":\"text\",\"indexed\":false}"));
	assert_false(has_index(h, "f1_a_x"));
	assert_code(field_change(h, "x", "{\"indexed\":true}"), "FIELD_NOT_INDEXABLE");
}

static void
promises_to_content_cannot_change(void **state)
{
	struct harness *h = *state;

	assert_ok(field_add(h, "x", "string", ",\"required\":true"));
	assert_code(
	    field_change(h, "x", "{\"required\":false}"), "FIELD_UPDATE_REQUIRES_MIGRATION");
	assert_code(field_change(h, "x", "{\"unique\":true}"), "FIELD_UPDATE_REQUIRES_MIGRATION");
	assert_code(
	    field_change(h, "x", "{\"translatable\":false}"), "FIELD_UPDATE_REQUIRES_MIGRATION");
	assert_ok(
	    field_change(h, "x", "{\"required\":true,\"unique\":false,\"translatable\":true}"));
	assert_ok(field_add(h, "y", "string", ",\"translatable\":false"));
	assert_ok(field_change(h, "y", "{\"translatable\":true}"));
	assert_code(
	    field_change(h, "y", "{\"translatable\":false}"), "FIELD_UPDATE_REQUIRES_MIGRATION");
}

static void
one_reference_becomes_many_only_without_values(void **state)
{
	struct harness *h = *state;

	assert_ok(field_add(h, "x", "reference", ",\"options\":{\"collection\":\"a\"}"));
	inside_item(h, "a", "01ITEM00000000000000000001");
	assert_ok(
	    field_change(h, "x", "{\"options\":{\"collection\":\"a\",\"allowMultiple\":true}}"));
	assert_ok(field_change(h, "x", "{\"options\":{\"collection\":\"a\"}}"));
	inside_sql(h, "UPDATE c_a SET f_x = id", NULL);
	assert_code(
	    field_change(h, "x", "{\"options\":{\"collection\":\"a\",\"allowMultiple\":true}}"),
	    "FIELD_UPDATE_REQUIRES_MIGRATION");
}

static void
a_change_replaces_what_it_names_and_null_clears(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "x", "string",
	    ",\"validation\":{\"minLength\":1,\"maxLength\":9},\"widget\":\"w\",\"options\":{\"a\":1},"
	    "\"defaultValue\":\"d\""));
	harness_ok(o, field_change(h, "x", "{\"validation\":{\"maxLength\":5}}"));
	assert_null(harness_at(o->data, "item.validation.minLength"));
	assert_int_equal(harness_int(o->data, "item.validation.maxLength"), 5);
	assert_string_equal(harness_text(o->data, "item.widget"), "w");
	harness_ok(
	    o, field_change(h, "x",
		   "{\"validation\":null,\"widget\":null,\"options\":null,\"defaultValue\":null}"));
	assert_null(harness_at(o->data, "item.validation"));
	assert_null(harness_at(o->data, "item.widget"));
	assert_null(harness_at(o->data, "item.options"));
	assert_null(harness_at(o->data, "item.defaultValue"));
	assert_string_equal(harness_text(o->data, "item.label"), "L");
	assert_code(field_add(h, "y", "select", ",\"validation\":{\"options\":[\"a\"]}"), "");
	assert_code(field_change(h, "y", "{\"validation\":null}"), "VALIDATION_ERROR");
	assert_code(
	    field_change(h, "y", "{\"validation\":{\"options\":[\"a\"],\"pattern\":\"(\"}}"),
	    "VALIDATION_ERROR");
}

static void
a_default_must_fit_the_new_rules(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "x", "string", ",\"defaultValue\":\"long one\""));
	o = field_change(h, "x", "{\"validation\":{\"maxLength\":3}}");
	assert_true(harness_issue(o, "defaultValue"));
	assert_ok(
	    field_change(h, "x", "{\"validation\":{\"maxLength\":3},\"defaultValue\":\"abc\"}"));
}

static void
an_empty_change_changes_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char before[32], *text;

	assert_ok(field_add(h, "x", "string", ""));
	snprintf(before, sizeof(before), "%s", inside_ask(h, "SELECT version FROM schema_state"));
	harness_ok(o, field_change(h, "x", "{}"));
	assert_string_equal(harness_text(o->data, "item.label"), "L");
	assert_string_equal(inside_ask(h, "SELECT version FROM schema_state"), before);
	text = json_dumps(harness_at(o->data, "item"), 0);
	assert_ok(field_change(h, "x", text));
	free(text);
	assert_true(harness_issue(field_change(h, "x", "{\"slug\":\"y\"}"), "slug"));
}

/* ---- order ---- */

static void
fields_stand_in_their_order(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(field_add(h, "x", "string", ""));
	assert_ok(field_add(h, "y", "string", ""));
	assert_ok(field_add(h, "z", "string", ""));
	assert_ok(harness_request(h, admin, "POST /schema/collections/a/fields/reorder", NULL,
	    "{\"fieldSlugs\":[\"z\",\"none\",\"x\",\"y\"]}"));
	harness_ok(o, harness_request(h, admin, "GET /schema/collections/a/fields", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].slug"), "z");
	assert_string_equal(harness_text(o->data, "items[1].slug"), "x");
	assert_string_equal(harness_text(o->data, "items[2].slug"), "y");
	assert_code(harness_request(h, admin, "POST /schema/collections/no/fields/reorder", NULL,
			"{\"fieldSlugs\":[]}"),
	    "COLLECTION_NOT_FOUND");
}

#define T(name) cmocka_unit_test_setup_teardown(name, definitions_begin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(existing_items_get_the_default_of_a_required_field),
		T(a_unique_field_is_refused_where_items_would_share_a_value),
		T(indexes_come_and_go),
		T(titles_names_and_chosen_fields_can_be_sorted_by),
		T(names_of_indexes_never_meet),
		T(text_types_may_become_one_another),
		T(other_changes_of_type_are_refused),
		T(an_indexed_field_becomes_text_only_without_its_index),
		T(promises_to_content_cannot_change),
		T(one_reference_becomes_many_only_without_values),
		T(a_change_replaces_what_it_names_and_null_clears),
		T(a_default_must_fit_the_new_rules),
		T(an_empty_change_changes_nothing),
		T(fields_stand_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
