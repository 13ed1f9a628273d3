/* schema.c - collections: what may be defined, changed and deleted, and what callers see of it. */
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

static struct outcome *
get(struct harness *h, const char *slug)
{
	char request[128];

	snprintf(request, sizeof(request), "GET /schema/collections/%s", slug);
	return harness_request(h, admin, request, NULL, NULL);
}

static void
make(struct harness *h, const char *slug)
{
	struct outcome *o;

	harness_ok(o, harness_send(h, admin, "POST /schema/collections",
			  "{\"slug\":\"%s\",\"label\":\"Things\"}", slug));
	assert_int_equal(o->http, 201);
}

/* ---- creating ---- */

static void
a_collection_is_made_with_its_defaults(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text;

	make(h, "posts");
	harness_ok(o, get(h, "posts"));
	assert_true(stet_is_id(harness_text(o->data, "item.id")));
	assert_string_equal(harness_text(o->data, "item.slug"), "posts");
	assert_string_equal(harness_text(o->data, "item.label"), "Things");
	text = json_dumps(harness_at(o->data, "item.supports"), JSON_COMPACT);
	assert_string_equal(text, "[\"drafts\",\"revisions\"]");
	free(text);
	assert_string_equal(harness_text(o->data, "item.source"), "manual");
	assert_true(json_is_true(harness_at(o->data, "item.routable")));
	assert_true(json_is_false(harness_at(o->data, "item.hasSeo")));
	assert_string_equal(harness_text(o->data, "item.commentsModeration"), "first_time");
	assert_int_equal(harness_int(o->data, "item.commentsClosedAfterDays"), 90);
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-01T12:00:00.000Z");
	assert_null(harness_at(o->data, "item.labelSingular"));
	assert_null(harness_at(o->data, "item.sortOrder"));
	assert_null(harness_at(o->data, "item.fields"));
	inside_item(h, "posts", "01ITEM00000000000000000001"); /* the table is there */
}

static void
an_empty_list_of_features_is_kept(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "POST /schema/collections", NULL,
			  "{\"slug\":\"a\",\"label\":\"A\",\"supports\":[]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.supports")), 0);
	assert_non_null(harness_at(o->data, "item.supports"));
}

static void
seo_follows_the_features_unless_it_is_said(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "POST /schema/collections", NULL,
			  "{\"slug\":\"a\",\"label\":\"A\",\"supports\":[\"seo\",\"seo\"]}"));
	assert_true(json_is_true(harness_at(o->data, "item.hasSeo")));
	assert_int_equal(json_array_size(harness_at(o->data, "item.supports")), 1);
	harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL,
			  "{\"supports\":[\"drafts\"]}"));
	assert_true(json_is_false(harness_at(o->data, "item.hasSeo")));
	harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL,
			  "{\"supports\":[],\"hasSeo\":true}"));
	assert_true(json_is_true(harness_at(o->data, "item.hasSeo")));
	harness_ok(
	    o, harness_request(h, admin, "PUT /schema/collections/a", NULL, "{\"label\":\"B\"}"));
	assert_true(json_is_true(harness_at(o->data, "item.hasSeo")));
}

static void
reserved_slugs_are_refused(void **state)
{
	static const char *const slugs[] = { "content", "media", "users", "revisions", "taxonomies",
		"options", "audit_logs", "reorder" };
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(slugs) / sizeof(slugs[0]); i++) {
		struct outcome *o = harness_send(h, admin, "POST /schema/collections",
		    "{\"slug\":\"%s\",\"label\":\"A\"}", slugs[i]);

		assert_code(o, "RESERVED_SLUG");
		assert_int_equal(o->http, 400);
	}
}

static void
bad_slugs_are_refused(void **state)
{
	static const char *const slugs[] = { "", "A", "1a", "_a", "a-b", "a b", "a\\n", "\\u00e4",
		"a;drop table field", "c\\\"",
		"a234567890123456789012345678901234567890123456789012345678901234" };
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(slugs) / sizeof(slugs[0]); i++) {
		struct outcome *o = harness_send(h, admin, "POST /schema/collections",
		    "{\"slug\":\"%s\",\"label\":\"A\"}", slugs[i]);

		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "slug"));
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM collection"), "0");
}

static void
a_taken_slug_is_a_conflict(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "posts");
	o = harness_request(
	    h, admin, "POST /schema/collections", NULL, "{\"slug\":\"posts\",\"label\":\"Other\"}");
	assert_code(o, "COLLECTION_EXISTS");
	assert_int_equal(o->http, 409);
}

static void
bad_definitions_name_what_is_wrong(void **state)
{
	static const struct {
		const char *body, *path;
	} rows[] = {
		{ "{\"label\":\"A\"}", "slug" },
		{ "{\"slug\":\"a\"}", "label" },
		{ "{\"slug\":\"a\",\"label\":\"\"}", "label" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"description\":null}", "description" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"supports\":[\"magic\"]}", "supports[0]" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"supports\":\"drafts\"}", "supports" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"urlPattern\":\"/x/{slug\"}", "urlPattern" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"urlPattern\":\"/x/{}\"}", "urlPattern" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"urlPattern\":\"/x}\"}", "urlPattern" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"source\":\"elsewhere\"}", "source" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"admin\":{\"listColumns\":[\"a\",\"b\",\"c\","
		  "\"d\",\"e\"]}}",
		    "admin.listColumns" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"admin\":{\"revisionsKept\":0}}",
		    "admin.revisionsKept" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"admin\":{\"revisionsKept\":1001}}",
		    "admin.revisionsKept" },
		{ "{\"slug\":\"a\",\"label\":\"A\",\"admin\":{\"revisionsKept\":\"5\"}}",
		    "admin.revisionsKept" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct outcome *o =
		    harness_request(h, admin, "POST /schema/collections", NULL, rows[i].body);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, rows[i].path))
			fail_msg(
			    "%s: no issue about %s in %s", rows[i].body, rows[i].path, o->text);
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM collection"), "0");
}

static void
all_problems_are_told_at_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o = harness_request(h, admin, "POST /schema/collections", NULL,
	    "{\"slug\":\"A\",\"label\":\"\",\"urlPattern\":3}");

	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "slug"));
	assert_true(harness_issue(o, "label"));
	assert_true(harness_issue(o, "urlPattern"));
}

/* ---- reading ---- */

static void
fields_come_only_for_the_exact_word(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	harness_ok(o, get(h, "a?includeFields=true"));
	assert_true(json_is_array(harness_at(o->data, "item.fields")));
	harness_ok(o, get(h, "a?includeFields=1"));
	assert_null(harness_at(o->data, "item.fields"));
	harness_ok(o, get(h, "a?includeFields=TRUE"));
	assert_null(harness_at(o->data, "item.fields"));
}

static void
what_is_not_there_is_not_found(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = get(h, "none");
	assert_code(o, "NOT_FOUND");
	assert_int_equal(o->http, 404);
	o = harness_request(h, admin, "PUT /schema/collections/none", NULL, "{}");
	assert_code(o, "COLLECTION_NOT_FOUND");
	assert_int_equal(o->http, 404);
	o = harness_request(h, admin, "DELETE /schema/collections/none", NULL, NULL);
	assert_code(o, "COLLECTION_NOT_FOUND");
	assert_code(
	    harness_op(h, admin, "schema_get_collection", "{\"slug\":\"none\"}"), "NOT_FOUND");
	assert_code(
	    harness_op(h, admin, "schema_update_collection", "{\"slug\":\"none\"}"), "NOT_FOUND");
	assert_code(
	    harness_op(h, admin, "schema_delete_collection", "{\"slug\":\"none\"}"), "NOT_FOUND");
	assert_code(get(h, "%27%20OR%201=1"), "NOT_FOUND");
}

static void
the_tools_answer_bare_records(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "schema_create_collection",
			  "{\"slug\":\"a\",\"label\":\"A\",\"icon\":\"star\"}"));
	assert_string_equal(harness_text(o->data, "icon"), "star");
	harness_ok(o, harness_op(h, admin, "schema_get_collection", "{\"slug\":\"a\"}"));
	assert_string_equal(harness_text(o->data, "slug"), "a");
	assert_true(json_is_array(harness_at(o->data, "fields")));
	harness_ok(o, harness_op(h, admin, "schema_update_collection",
			  "{\"slug\":\"a\",\"urlPattern\":\"/a/{slug}\"}"));
	assert_string_equal(harness_text(o->data, "item.urlPattern"), "/a/{slug}");
	harness_ok(o, harness_op(h, admin, "schema_list_collections", "{}"));
	assert_string_equal(harness_text(o->data, "items[0].slug"), "a");
	harness_ok(o, harness_op(h, admin, "schema_delete_collection", "{\"slug\":\"a\"}"));
	assert_string_equal(harness_text(o->data, "deleted"), "a");
}

static void
roles_and_scopes_are_asked_for(void **state)
{
	static const struct harness_user reader = {
		.id = "01USERADMIN000000000000050", .role = 50, .scopes = "schema:read"
	};
	static const struct harness_user other = {
		.id = "01USERADMIN000000000000050", .role = 50, .scopes = "content:write"
	};
	struct harness *h = *state;
	const char *body = "{\"slug\":\"b\",\"label\":\"B\"}";

	make(h, "a");
	assert_code(
	    harness_request(h, nobody, "GET /schema/collections", NULL, NULL), "UNAUTHORIZED");
	assert_code(harness_request(h, author, "GET /schema/collections", NULL, NULL), "FORBIDDEN");
	assert_ok(harness_request(h, editor, "GET /schema/collections", NULL, NULL));
	assert_ok(harness_request(h, &reader, "GET /schema", NULL, NULL));
	assert_code(
	    harness_request(h, editor, "POST /schema/collections", NULL, body), "FORBIDDEN");
	assert_code(harness_request(h, &reader, "POST /schema/collections", NULL, body),
	    "INSUFFICIENT_SCOPE");
	assert_code(harness_request(h, &other, "GET /schema/collections", NULL, NULL),
	    "INSUFFICIENT_SCOPE");
	assert_code(
	    harness_request(h, editor, "DELETE /schema/collections/a", NULL, NULL), "FORBIDDEN");
}

/* ---- changing ---- */

static void
a_change_keeps_what_it_does_not_name(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "POST /schema/collections", NULL,
			  "{\"slug\":\"a\",\"label\":\"A\",\"description\":\"d\",\"urlPattern\":"
			  "\"/a/{slug}\",\"sortOrder\":7}"));
	harness_clock(h, "2026-06-01T13:00:00.000Z");
	harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL,
			  "{\"commentsEnabled\":true,\"commentsModeration\":\"none\"}"));
	assert_string_equal(harness_text(o->data, "item.description"), "d");
	assert_string_equal(harness_text(o->data, "item.urlPattern"), "/a/{slug}");
	assert_int_equal(harness_int(o->data, "item.sortOrder"), 7);
	assert_true(json_is_true(harness_at(o->data, "item.commentsEnabled")));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T13:00:00.000Z");
	harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL,
			  "{\"sortOrder\":null,\"urlPattern\":null}"));
	assert_null(harness_at(o->data, "item.sortOrder"));
	assert_null(harness_at(o->data, "item.urlPattern"));
	assert_string_equal(harness_text(o->data, "item.commentsModeration"), "none");
}

/* A change of `admin` keeps the members that it does not name, so that clients which know different
 * members do not overwrite each other. */
static void
members_of_admin_change_one_by_one(void **state)
{
	static const char create[] =
	    "{\"slug\":\"a\",\"label\":\"A\",\"admin\":{\"revisionsKept\":7,"
	    "\"listColumns\":[\"x\"]}}";
	static const struct {
		const char *admin;
		int kept, columns; /* -1: absent */
	} steps[] = {
		{ "{\"listColumns\":[\"x\",\"y\"]}", 7, 2 },
		{ "{\"revisionsKept\":9}", 9, 2 },
		{ "{}", 9, 2 },
		{ "{\"listColumns\":[]}", 9, 0 },
		{ "{\"revisionsKept\":null}", -1, 0 },
		{ "{\"listColumns\":null,\"revisionsKept\":3}", 3, -1 },
		{ "{\"revisionsKept\":null}", -1, -1 },
	};
	struct harness *h = *state;
	struct outcome *o;
	char body[128];

	assert_ok(harness_request(h, admin, "POST /schema/collections", NULL, create));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const json_t *kept, *columns;

		snprintf(body, sizeof(body), "{\"admin\":%s}", steps[i].admin);
		harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL, body));
		kept = json_object_get(harness_at(o->data, "item.admin"), "revisionsKept");
		columns = json_object_get(harness_at(o->data, "item.admin"), "listColumns");
		assert_int_equal(kept != NULL ? json_integer_value(kept) : -1, steps[i].kept);
		assert_int_equal(
		    columns != NULL ? (int)json_array_size(columns) : -1, steps[i].columns);
	}
	harness_ok(o, get(h, "a"));
	assert_null(harness_at(o->data, "item.admin"));
}

static void
an_empty_change_touches_the_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	harness_clock(h, "2026-06-01T13:00:00.000Z");
	harness_ok(o, harness_request(h, admin, "PUT /schema/collections/a", NULL, "{}"));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T13:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2026-06-01T12:00:00.000Z");
}

static void
what_was_read_can_be_sent_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text;

	make(h, "a");
	harness_ok(o, get(h, "a?includeFields=true"));
	text = json_dumps(harness_at(o->data, "item"), 0);
	assert_ok(harness_request(h, admin, "PUT /schema/collections/a", NULL, text));
	free(text);
}

static void
a_slug_cannot_change(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	o = harness_request(h, admin, "PUT /schema/collections/a", NULL, "{\"slug\":\"b\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "slug"));
}

static void
a_change_with_a_problem_changes_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	o = harness_request(h, admin, "PUT /schema/collections/a", NULL,
	    "{\"label\":\"New\",\"urlPattern\":\"{\"}");
	assert_code(o, "VALIDATION_ERROR");
	o = harness_request(h, admin, "PUT /schema/collections/a", NULL,
	    "{\"label\":\"New\",\"titleField\":\"none\"}");
	assert_true(harness_issue(o, "titleField"));
	o = harness_request(
	    h, admin, "PUT /schema/collections/a", NULL, "{\"label\":\"New\",\"icon\":null}");
	assert_true(harness_issue(o, "icon"));
	o = harness_request(
	    h, admin, "PUT /schema/collections/a", NULL, "{\"label\":\"New\",\"author_id\":\"x\"}");
	assert_true(harness_issue(o, "author_id"));
	harness_ok(o, get(h, "a"));
	assert_string_equal(harness_text(o->data, "item.label"), "Things");
}

/* ---- order ---- */

static void
assert_order(struct harness *h, const char *order)
{
	struct outcome *o;
	struct buf text = { 0 };

	buf_reserve(&text, 1);
	harness_ok(o, harness_request(h, admin, "GET /schema/collections", NULL, NULL));
	for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++) {
		char path[40];

		snprintf(path, sizeof(path), "items[%zu].slug", i);
		buf_str(&text, harness_text(o->data, path));
	}
	assert_string_equal(text.data, order);
	buf_free(&text);
}

static void
placed_collections_come_first_then_slugs(void **state)
{
	struct harness *h = *state;

	make(h, "c");
	make(h, "b");
	make(h, "a");
	assert_order(h, "abc");
	assert_ok(
	    harness_request(h, admin, "PUT /schema/collections/c", NULL, "{\"sortOrder\":-5}"));
	assert_order(h, "cab");
	assert_ok(harness_request(
	    h, admin, "POST /schema/collections/reorder", NULL, "{\"slugs\":[\"b\",\"a\"]}"));
	assert_order(h, "bac");
}

static void
a_bad_order_changes_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	make(h, "b");
	assert_ok(harness_request(
	    h, admin, "POST /schema/collections/reorder", NULL, "{\"slugs\":[\"b\",\"a\"]}"));
	o = harness_request(h, admin, "POST /schema/collections/reorder", NULL,
	    "{\"slugs\":[\"a\",\"none\",\"b\"]}");
	assert_code(o, "COLLECTION_NOT_FOUND");
	assert_string_equal(harness_text(o->details, "slugs"), "none");
	o = harness_request(
	    h, admin, "POST /schema/collections/reorder", NULL, "{\"slugs\":[\"a\",\"a\"]}");
	assert_code(o, "DUPLICATE_SLUG");
	assert_int_equal(o->http, 400);
	o = harness_request(h, admin, "POST /schema/collections/reorder", NULL, "{\"slugs\":[7]}");
	assert_code(o, "VALIDATION_ERROR");
	assert_order(h, "ba");
}

/* ---- deleting ---- */

static void
content_stands_in_the_way_of_deleting(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	inside_item(h, "a", "01ITEM00000000000000000001");
	o = harness_request(h, admin, "DELETE /schema/collections/a", NULL, NULL);
	assert_code(o, "COLLECTION_HAS_CONTENT");
	assert_int_equal(o->http, 409);
	o = harness_request(h, admin, "DELETE /schema/collections/a?force=1", NULL, NULL);
	assert_code(o, "COLLECTION_HAS_CONTENT");
	assert_code(
	    harness_op(h, admin, "schema_delete_collection", "{\"slug\":\"a\",\"force\":false}"),
	    "COLLECTION_HAS_CONTENT");
	harness_ok(
	    o, harness_request(h, admin, "DELETE /schema/collections/a?force=true", NULL, NULL));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_code(get(h, "a"), "NOT_FOUND");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'c_a'"), "0");
	make(h, "a");
}

static void
trash_does_not_stand_in_the_way(void **state)
{
	struct harness *h = *state;

	make(h, "a");
	inside_item(h, "a", "01ITEM00000000000000000001");
	inside_sql(h, "UPDATE c_a SET deleted_at = '2026-01-01T00:00:00.000Z'", NULL);
	assert_ok(harness_request(h, admin, "DELETE /schema/collections/a", NULL, NULL));
}

static void
fields_go_with_their_collection(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	assert_ok(harness_request(h, admin, "POST /schema/collections/a/fields", NULL,
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\",\"unique\":true}"));
	assert_ok(harness_request(h, admin, "DELETE /schema/collections/a", NULL, NULL));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM field"), "0");
	make(h, "a");
	harness_ok(o, get(h, "a?includeFields=true"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.fields")), 0);
}

/* ---- kept ---- */

static void
definitions_are_there_after_a_restart(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make(h, "a");
	assert_ok(harness_request(h, admin, "POST /schema/collections/a/fields", NULL,
	    "{\"slug\":\"kind\",\"label\":\"K\",\"type\":\"select\",\"indexed\":true,"
	    "\"validation\":{\"options\":[\"x\",\"\\u00e4\"]},\"defaultValue\":\"x\"}"));
	*state = h = harness_again(h);
	harness_ok(o, get(h, "a?includeFields=true"));
	assert_string_equal(harness_text(o->data, "item.fields[0].type"), "select");
	assert_string_equal(
	    harness_text(o->data, "item.fields[0].validation.options[1]"), "\xc3\xa4");
	assert_string_equal(harness_text(o->data, "item.fields[0].defaultValue"), "x");
}

#define T(name) cmocka_unit_test_setup_teardown(name, inside_begin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_collection_is_made_with_its_defaults),
		T(an_empty_list_of_features_is_kept),
		T(seo_follows_the_features_unless_it_is_said),
		T(reserved_slugs_are_refused),
		T(bad_slugs_are_refused),
		T(a_taken_slug_is_a_conflict),
		T(bad_definitions_name_what_is_wrong),
		T(all_problems_are_told_at_once),
		T(fields_come_only_for_the_exact_word),
		T(what_is_not_there_is_not_found),
		T(the_tools_answer_bare_records),
		T(roles_and_scopes_are_asked_for),
		T(a_change_keeps_what_it_does_not_name),
		T(members_of_admin_change_one_by_one),
		T(an_empty_change_touches_the_time),
		T(what_was_read_can_be_sent_back),
		T(a_slug_cannot_change),
		T(a_change_with_a_problem_changes_nothing),
		T(placed_collections_come_first_then_slugs),
		T(a_bad_order_changes_nothing),
		T(content_stands_in_the_way_of_deleting),
		T(trash_does_not_stand_in_the_way),
		T(fields_go_with_their_collection),
		T(definitions_are_there_after_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
