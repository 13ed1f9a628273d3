/* prepare.c - the collections and fields that an import needs: created, never changed. */
#include "harness.h"
#include <string.h>

#define PREPARE "POST /import/platform/prepare"

static int
begin(void **state)
{
	*state = harness_open(NULL);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

#define TITLE \
	"{\"slug\":\"title\",\"label\":\"Title\",\"type\":\"string\",\"required\":true,\"searchable\":true}"

static struct outcome *
prepare(struct harness *h, const char *types)
{
	return harness_send(h, admin, PREPARE, "{\"postTypes\":[%s]}", types);
}

static json_t *
collection(struct harness *h, const char *slug)
{
	struct outcome *o =
	    harness_op(h, admin, "schema_get_collection", "{\"slug\":\"%s\"}", slug);

	return o->data;
}

static void
a_missing_collection_is_made_with_its_fields(void **state)
{
	struct outcome *o;
	json_t *c;

	harness_ok(
	    o, prepare(*state, "{\"name\":\"post\",\"collection\":\"posts\",\"fields\":[" TITLE
			       ",{\"slug\":\"content\",\"label\":\"Content\",\"type\":"
			       "\"portableText\",\"required\":false}]}"));
	assert_int_equal(o->http, 200);
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_string_equal(harness_text(o->data, "collectionsCreated[0]"), "posts");
	assert_int_equal(json_array_size(harness_at(o->data, "fieldsCreated")), 2);
	assert_string_equal(harness_text(o->data, "fieldsCreated[1].field"), "content");
	assert_int_equal(json_array_size(harness_at(o->data, "errors")), 0);
	c = collection(*state, "posts");
	assert_string_equal(harness_text(c, "label"), "Posts");
	assert_string_equal(harness_text(c, "labelSingular"), "Post");
	assert_string_equal(harness_text(c, "urlPattern"), "/blog/{slug}");
	assert_string_equal(
	    harness_text(c, "description"), "Imported from WordPress post type: post");
	assert_string_equal(harness_text(c, "supports[0]"), "revisions");
	assert_string_equal(harness_text(c, "supports[1]"), "drafts");
	assert_string_equal(harness_text(c, "supports[2]"), "search");
	assert_true(json_is_true(harness_at(c, "fields[0].searchable")));
}

static void
labels_and_patterns_follow_the_slug(void **state)
{
	struct outcome *o;
	json_t *c;

	harness_ok(o, prepare(*state, "{\"name\":\"page\",\"collection\":\"pages\"},"
				      "{\"name\":\"story\",\"collection\":\"stories\"},"
				      "{\"name\":\"team\",\"collection\":\"team\"}"));
	assert_int_equal(json_array_size(harness_at(o->data, "collectionsCreated")), 3);
	assert_string_equal(harness_text(collection(*state, "pages"), "urlPattern"), "/{slug}");
	c = collection(*state, "stories");
	assert_string_equal(harness_text(c, "label"), "Stories");
	assert_string_equal(harness_text(c, "labelSingular"), "Story");
	assert_true(
	    json_is_null(harness_at(c, "urlPattern")) || harness_at(c, "urlPattern") == NULL);
	assert_int_equal(json_array_size(harness_at(c, "supports")), 2);
	assert_string_equal(harness_text(collection(*state, "team"), "labelSingular"), "Team");
}

static void
what_exists_is_never_altered(void **state)
{
	struct outcome *o;

	assert_ok(prepare(*state,
	    "{\"name\":\"post\",\"collection\":\"posts\",\"fields\":[{\"slug\":"
	    "\"title\",\"label\":\"Mine\",\"type\":\"text\",\"required\":false}]}"));
	harness_ok(
	    o, prepare(*state, "{\"name\":\"article\",\"collection\":\"posts\",\"fields\":[" TITLE
			       ",{\"slug\":\"year\",\"label\":\"Year\",\"type\":\"integer\","
			       "\"required\":false}]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "collectionsCreated")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "fieldsCreated")), 1);
	assert_string_equal(harness_text(o->data, "fieldsCreated[0].field"), "year");
	assert_string_equal(harness_text(collection(*state, "posts"), "description"),
	    "Imported from WordPress post type: post");
	assert_string_equal(harness_text(collection(*state, "posts"), "fields[0].type"), "text");
	assert_string_equal(harness_text(collection(*state, "posts"), "fields[0].label"), "Mine");
	harness_ok(
	    o, prepare(*state, "{\"name\":\"article\",\"collection\":\"posts\",\"fields\":[" TITLE
			       "," TITLE "]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "fieldsCreated")), 0);
}

static void
a_type_that_is_not_enabled_is_skipped(void **state)
{
	struct outcome *o;

	harness_ok(o, prepare(*state, "{\"name\":\"a\",\"collection\":\"alpha\",\"enabled\":false},"
				      "{\"name\":\"b\",\"collection\":\"beta\",\"enabled\":true}"));
	assert_int_equal(json_array_size(harness_at(o->data, "collectionsCreated")), 1);
	assert_string_equal(harness_text(o->data, "collectionsCreated[0]"), "beta");
	assert_code(harness_op(*state, admin, "schema_get_collection", "{\"slug\":\"alpha\"}"),
	    "NOT_FOUND");
}

static void
an_unknown_field_type_is_told_and_the_rest_is_made(void **state)
{
	struct outcome *o;

	harness_ok(
	    o, prepare(*state,
		   "{\"name\":\"post\",\"collection\":\"posts\",\"fields\":[{\"slug\":"
		   "\"odd\",\"label\":\"Odd\",\"type\":\"spreadsheet\",\"required\":false}," TITLE
		   "]}"));
	assert_int_equal(o->http, 200);
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_string_equal(harness_text(o->data, "errors[0].collection"), "posts");
	assert_non_null(strstr(harness_text(o->data, "errors[0].error"), "spreadsheet"));
	assert_int_equal(json_array_size(harness_at(o->data, "fieldsCreated")), 1);
	assert_non_null(collection(*state, "posts"));
}

/* The other collections are created; nothing is left of the failed one. */
static void
a_failure_answers_400_in_the_envelope_of_a_success(void **state)
{
	struct outcome *o = prepare(*state,
	    "{\"name\":\"a\",\"collection\":\"alpha\",\"fields\":[" TITLE
	    ",{\"slug\":\"No Slug\",\"label\":\"L\",\"type\":\"string\",\"required\":false}]},"
	    "{\"name\":\"m\",\"collection\":\"media\"},"
	    "{\"name\":\"b\",\"collection\":\"beta\"}");
	json_t *data;

	assert_int_equal(o->http, 400);
	data = json_object_get(o->body, "data");
	assert_true(json_is_true(json_object_get(o->body, "success")));
	assert_true(json_is_false(json_object_get(data, "success")));
	assert_int_equal(json_array_size(json_object_get(data, "errors")), 2);
	assert_string_equal(harness_text(data, "errors[0].collection"), "alpha");
	assert_non_null(
	    strstr(harness_text(data, "errors[0].error"), "Failed to prepare collection"));
	assert_string_equal(harness_text(data, "errors[1].collection"), "media");
	assert_int_equal(json_array_size(json_object_get(data, "collectionsCreated")), 1);
	assert_string_equal(harness_text(data, "collectionsCreated[0]"), "beta");
	assert_code(harness_op(*state, admin, "schema_get_collection", "{\"slug\":\"alpha\"}"),
	    "NOT_FOUND");
}

static void
a_field_without_its_members_is_refused(void **state)
{
	struct outcome *o =
	    prepare(*state, "{\"name\":\"post\",\"collection\":\"posts\",\"fields\":[{"
			    "\"slug\":\"title\",\"label\":\"Title\"}]}");

	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "postTypes[0].fields[0].type"));
	assert_true(harness_issue(o, "postTypes[0].fields[0].required"));
	assert_code(prepare(*state, "{\"collection\":\"posts\"}"), "VALIDATION_ERROR");
	assert_code(harness_send(*state, editor, PREPARE, "{\"postTypes\":[]}"), "FORBIDDEN");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_missing_collection_is_made_with_its_fields),
		TEST(labels_and_patterns_follow_the_slug),
		TEST(what_exists_is_never_altered),
		TEST(a_type_that_is_not_enabled_is_skipped),
		TEST(an_unknown_field_type_is_told_and_the_rest_is_made),
		TEST(a_failure_answers_400_in_the_envelope_of_a_success),
		TEST(a_field_without_its_members_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
