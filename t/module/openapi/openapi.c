/* openapi.t - the OpenAPI document: which ops it lists for which caller, where arguments are,
 * shapes, collections. */
#include "call/site.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define LIST "/content/{collection}"

static const struct harness_user reader[] = { { "01USERREADER00000000000010", 10, "content:read",
    false } };
static const struct harness_user no_schema[] = { { "01USERADMIN000000000000050", 50,
    "content:read content:write", false } };

static int
begin(void **state)
{
	posts_plugins = "t/plugins/good/.libs";
	return posts_begin(state);
}

static int
end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

/* Returns the document as this user gets it. */
static json_t *
document(struct harness *h, const struct harness_user *user)
{
	struct outcome *o;

	harness_ok(o, harness_request(h, user, "GET /openapi.json", NULL, NULL));
	assert_string_equal(json_string_value(json_object_get(o->body, "openapi")), "3.1.0");
	return o->body;
}

/* Returns the member of a member ... of the value; NULL ends the names. */
static json_t *
in(json_t *value, const char *first, ...)
{
	va_list ap;

	va_start(ap, first);
	for (const char *name = first; name != NULL; name = va_arg(ap, const char *))
		value = json_is_array(value) ? json_array_get(value, (size_t)(*name - '0'))
					     : json_object_get(value, name);
	va_end(ap);
	return value;
}

static const char *
text(json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : "";
}

static json_t *
parameter(json_t *operation, const char *name)
{
	json_t *list = json_object_get(operation, "parameters"), *p;
	size_t i;

	json_array_foreach(
	    list, i, p) if (strcmp(text(json_object_get(p, "name")), name) == 0) return p;
	return NULL;
}

/* Such a route redirects to the route without the slash. */
static bool
ends_with_slash(const char *route)
{
	return route[strlen(route) - 1] == '/' && strcmp(route, "GET /") != 0;
}

static void
every_route_that_an_administrator_may_call_is_there_once(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, admin), "paths"), *path, *operation;
	struct generation *gen = site_generation(harness_site(h));
	const char *key, *method;
	size_t routes = 0, listed = 0;

	for (size_t i = 0; i < gen->op_count; i++)
		routes += gen->op[i].route != NULL && !ends_with_slash(gen->op[i].route);
	json_object_foreach(paths, key, path)
	{
		json_object_foreach(path, method, operation)
		{
			if (!json_is_object(operation))
				continue;
			listed++;
			assert_non_null(
			    generation_op(gen, text(json_object_get(operation, "operationId"))));
		}
	}
	generation_put(gen);
	assert_int_equal(listed, routes);
}

static void
callers_see_what_they_may_call_and_no_more(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, nobody), "paths");

	assert_null(json_object_get(paths, "/menus"));
	assert_non_null(in(paths, "/comments/{collection}/{contentId}", "get", NULL));
	assert_non_null(in(paths, "/robots.txt", "servers", NULL));
	paths = json_object_get(document(h, reader), "paths");
	assert_non_null(in(paths, LIST, "get", NULL));
	assert_null(in(paths, LIST, "post", NULL));
	assert_null(json_object_get(paths, "/admin/users"));
	paths = json_object_get(document(h, contributor), "paths");
	assert_non_null(in(paths, LIST, "post", NULL));
	assert_null(json_object_get(paths, "/admin/users"));
}

/* Returns true if the failure lists this code. */
static bool
has_code(json_t *document, const char *failure, const char *name)
{
	json_t *codes = in(document, "components", "schemas", failure, "properties", "error",
		   "properties", "code", "enum", NULL),
	       *code;
	size_t i;

	json_array_foreach(codes, i, code) if (strcmp(text(code), name) == 0) return true;
	return false;
}

static void
a_plugin_is_there_once_it_is_enabled(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, admin), "paths");

	assert_null(json_object_get(paths, "/plugins/notes"));
	assert_false(has_code(document(h, admin), "Error", "NOTE_TORN"));
	inside_enable(h, "notes", true);
	assert_true(has_code(document(h, admin), "Error", "NOTE_TORN"));
	assert_true(has_code(document(h, admin), "Error500", "NOTE_PEEK_ERROR"));
	assert_false(has_code(document(h, admin), "Error500", "NOTE_TORN"));
	paths = json_object_get(document(h, admin), "paths");
	assert_string_equal(
	    text(in(paths, "/plugins/notes", "post", "operationId", NULL)), "notes__add");
	inside_enable(h, "notes", false);
	paths = json_object_get(document(h, admin), "paths");
	assert_null(json_object_get(paths, "/plugins/notes"));
}

static void
arguments_stand_in_the_path_the_query_or_the_body(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, admin), "paths"), *list, *body;

	list = in(paths, LIST, "get", NULL);
	assert_string_equal(text(json_object_get(parameter(list, "collection"), "in")), "path");
	assert_true(json_is_true(json_object_get(parameter(list, "collection"), "required")));
	assert_string_equal(text(json_object_get(parameter(list, "limit"), "in")), "query");
	assert_int_equal(
	    json_integer_value(in(parameter(list, "limit"), "schema", "maximum", NULL)), 100);
	assert_null(json_object_get(list, "requestBody"));
	body =
	    in(paths, LIST, "post", "requestBody", "content", "application/json", "schema", NULL);
	assert_non_null(in(body, "properties", "data", NULL));
	assert_null(in(body, "properties", "collection", NULL));
	assert_true(json_is_false(json_object_get(body, "additionalProperties")));
}

static void
one_path_has_one_name_for_each_parameter(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, admin), "paths"), *path, *p, *operation;
	const char *key, *method;
	size_t i;
	char name[80];

	assert_non_null(in(paths, "/schema/collections/{slug}", "put", NULL));
	assert_null(json_object_get(paths, "/schema/collections/{collection}"));
	json_object_foreach(paths, key, path) json_object_foreach(path, method, operation)
	{
		json_t *list = json_object_get(operation, "parameters");

		json_array_foreach(list, i, p)
		{
			if (strcmp(text(json_object_get(p, "in")), "path") != 0)
				continue;
			snprintf(name, sizeof(name), "{%s}", text(json_object_get(p, "name")));
			assert_non_null(strstr(key, name));
		}
	}
}

static void
an_item_tells_its_collection_and_has_its_fields(void **state)
{
	struct harness *h = *state;
	json_t *schemas;

	field(h, "posts", "kind2", "select", "'validation':{'options':['a','b']}");
	schemas = in(document(h, admin), "components", "schemas", NULL);
	assert_string_equal(
	    text(in(schemas, "Content_posts", "allOf", "1", "properties", "type", "const", NULL)),
	    "posts");
	assert_string_equal(
	    text(in(schemas, "Fields_posts", "properties", "title", "type", NULL)), "string");
	assert_string_equal(
	    text(in(schemas, "Fields_posts", "properties", "kind2", "enum", "1", NULL)), "b");
	assert_true(json_is_array(in(schemas, "Content", "anyOf", NULL)));
}

static void
what_is_written_has_the_rules_of_its_collection(void **state)
{
	struct harness *h = *state;
	json_t *schemas, *values, *data;

	field(h, "posts", "size", "integer", "'validation':{'min':1,'max':9}");
	field(h, "posts", "motto", "string",
	    "'required':true,'validation':{'minLength':2,'maxLength':40,'pattern':'^[a-z]+$'}");
	field(h, "posts", "when", "datetime", "'validation':{'min':'2026-01-01T00:00:00Z'}");
	field(h, "posts", "colour", "select", "'validation':{'options':['a','b']}");
	schemas = in(document(h, admin), "components", "schemas", NULL);
	values = in(schemas, "Values_posts", "properties", NULL);
	assert_int_equal(json_integer_value(in(values, "size", "anyOf", "0", "minimum", NULL)), 1);
	assert_int_equal(json_integer_value(in(values, "size", "anyOf", "0", "maximum", NULL)), 9);
	assert_string_equal(text(in(values, "size", "anyOf", "1", "type", NULL)), "null");
	assert_int_equal(json_integer_value(in(values, "motto", "minLength", NULL)), 2);
	assert_int_equal(json_integer_value(in(values, "motto", "maxLength", NULL)), 40);
	assert_null(in(values, "motto", "pattern", NULL));
	assert_null(in(values, "when", "anyOf", "0", "minimum", NULL));
	assert_string_equal(text(in(values, "colour", "anyOf", "0", "enum", "1", NULL)), "b");
	assert_true(json_is_false(in(schemas, "Values_posts", "additionalProperties", NULL)));
	/* Stored values may be older than a rule, so responses do not promise it. */
	assert_null(in(schemas, "Fields_posts", "properties", "size", "minimum", NULL));
	data = in(document(h, admin), "paths", LIST, "post", "requestBody", "content",
	    "application/json", "schema", "properties", "data", NULL);
	assert_true(strstr(text(in(data, "anyOf", "0", "$ref", NULL)), "Values_") != NULL);
	/* The fields are hidden from callers who may not read the schema. */
	data = in(document(h, author), "paths", LIST, "post", "requestBody", "content",
	    "application/json", "schema", "properties", "data", NULL);
	assert_string_equal(text(json_object_get(data, "type")), "object");
}

static void
fields_are_for_those_who_may_read_the_schema(void **state)
{
	struct harness *h = *state;

	assert_non_null(in(document(h, editor), "components", "schemas", "Fields_posts", NULL));
	assert_null(in(document(h, author), "components", "schemas", "Fields_posts", NULL));
	assert_null(in(document(h, no_schema), "components", "schemas", "Fields_posts", NULL));
	assert_non_null(
	    in(document(h, author), "components", "schemas", "Content", "properties", NULL));
}

static void
security_names_the_scope_and_headers_the_rules(void **state)
{
	struct harness *h = *state;
	json_t *paths = json_object_get(document(h, admin), "paths"), *p;
	size_t i;
	bool csrf = false;

	assert_string_equal(
	    text(in(paths, LIST, "post", "security", "0", "token", "0", NULL)), "content:write");
	/* An empty requirement: anonymous callers are allowed. */
	assert_int_equal(json_object_size(in(paths, "/search", "get", "security", "0", NULL)), 0);
	/* No requirement at all: credentials are ignored. */
	assert_int_equal(json_array_size(in(paths, "/robots.txt", "get", "security", NULL)), 0);
	json_array_foreach(in(paths, "/admin/users/{id}", "put", "parameters", NULL), i, p) csrf |=
	    strstr(text(json_object_get(p, "$ref")), "XCmsRequest") != NULL;
	assert_true(csrf);
}

static void
failures_have_the_codes_of_their_status(void **state)
{
	struct harness *h = *state;
	json_t *schemas = in(document(h, admin), "components", "schemas", NULL), *code;
	bool conflict = false;
	size_t i;

	json_array_foreach(
	    in(schemas, "Error409", "properties", "error", "properties", "code", "enum", NULL), i,
	    code)
	{
		conflict |= strcmp(text(code), "CONFLICT") == 0;
		assert_string_not_equal(text(code), "NOT_FOUND");
	}
	assert_true(conflict);
}

static void
the_same_site_has_the_same_document(void **state)
{
	struct harness *h = *state;
	char *before = strdup(harness_request(h, admin, "GET /openapi.json", NULL, NULL)->text),
	     etag[64];
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "GET /openapi.json", NULL, NULL));
	snprintf(etag, sizeof(etag), "%s", o->etag);
	assert_string_equal(before, o->text);
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'new','label':'New'}"));
	harness_ok(o, harness_request(h, admin, "GET /openapi.json", NULL, NULL));
	assert_string_not_equal(etag, o->etag);
	free(before);
}

#define CHECK(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CHECK(every_route_that_an_administrator_may_call_is_there_once),
		CHECK(callers_see_what_they_may_call_and_no_more),
		CHECK(a_plugin_is_there_once_it_is_enabled),
		CHECK(arguments_stand_in_the_path_the_query_or_the_body),
		CHECK(one_path_has_one_name_for_each_parameter),
		CHECK(an_item_tells_its_collection_and_has_its_fields),
		CHECK(what_is_written_has_the_rules_of_its_collection),
		CHECK(fields_are_for_those_who_may_read_the_schema),
		CHECK(security_names_the_scope_and_headers_the_rules),
		CHECK(failures_have_the_codes_of_their_status),
		CHECK(the_same_site_has_the_same_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
