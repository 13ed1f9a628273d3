/* op.t - arguments from path, query, headers and bodies; validation by shapes; scopes. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/call.h"
#include "call/json.h"
#include "http/http1.h"
#include "module/oprow.h"
#include "op/args.h"
#include "op/part.h"
#include <stdlib.h>
#include <string.h>

static const struct stet_member link_shape[] = {
	{ "label", STET_STRING, STET_REQUIRED, STET_RANGE(1, 5) },
	{ "url", STET_STRING, STET_NULLABLE },
	{ 0 },
};
static const struct stet_member in[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "limit", STET_INTEGER, STET_QUERY, STET_RANGE(1, 100), .fallback = "50" },
	{ "order", STET_STRING, STET_QUERY, STET_CHOICES("asc", "desc") },
	{ "flag", STET_BOOLEAN, STET_QUERY },
	{ "ids", STET_ARRAY, STET_QUERY, .item = STET_INTEGER, STET_RANGE(0, 3) },
	{ "since", STET_TIME, STET_QUERY },
	{ "offset", STET_INTEGER, STET_QUERY | STET_BOUNDED, STET_RANGE(-12, 0) },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "links", STET_ARRAY, .of = link_shape },
	{ "any", STET_ANY },
	{ "createdAt", STET_STRING, STET_IGNORED },
	{ "_rev", STET_STRING, STET_HEADER },
	{ 0 },
};

static enum stet_status
nothing(struct stet_call *call)
{
	(void)call;
	return STET_OK;
}

static struct op op = {
	.row = { .name = "thing_put", .route = "PUT /things/:id", .in = in, .run = nothing },
	.name = (char *)(uintptr_t) "thing_put",
	.method = HTTP_PUT,
};

static struct stet_call *
request(const char *query, const char *headers, const char *body, enum stet_status *status)
{
	struct stet_call *call = call_new();
	char *head = stet_printf(
	    call, "PUT /things/x%%2Fy?%s HTTP/1.1\r\nHost: a\r\n%s\r\n", query, headers);

	oprow_compile(&op);
	call->op = &op;
	call->head = stet_alloc(call, sizeof(*call->head));
	assert_true(http1_parse(head, strlen(head), call->head));
	op_part(call)->match.param[0] =
	    (struct router_param){ .name = "id", .value = call->head->path + 8, .len = 5 };
	op_part(call)->match.param_count = 1;
	*status = args_http(call, body, strlen(body));
	return call;
}

static bool
issue(const struct stet_call *call, const char *path)
{
	for (const struct call_issue *i = call->error.issues; i != NULL; i = i->next)
		if (strcmp(i->path, path) == 0)
			return true;
	return false;
}

#define REFUSED(query, body, path)                                            \
	do {                                                                  \
		enum stet_status status_;                                     \
		struct stet_call *call_ = request(query, "", body, &status_); \
		assert_int_equal(status_, STET_VALIDATION_ERROR);             \
		assert_true(issue(call_, path));                              \
		call_free(call_);                                             \
	} while (0)

static void
arguments_come_from_path_query_body_and_header(void **state)
{
	enum stet_status status;
	struct stet_call *call = request(
	    "limit=7&flag=1&ids=1,2&since=2020-01-02T03:04:05%2B02:00&_x=y&utm_source=z&",
	    "If-Match: W/\"abc\"\r\n",
	    "{\"label\":\"L\\u00e9\",\"links\":[{\"label\":\"a\",\"url\":null}],\"any\":null,\"createdAt\":3}",
	    &status);

	(void)state;
	assert_int_equal(status, STET_OK);
	assert_string_equal(stet_arg(call, "id"), "x/y");
	assert_int_equal(stet_arg_int(call, "limit"), 7);
	assert_true(stet_arg_bool(call, "flag"));
	assert_int_equal(json_array_size(stet_arg_json(call, "ids")), 2);
	assert_string_equal(stet_arg(call, "since"), "2020-01-02T01:04:05.000Z");
	assert_string_equal(stet_arg(call, "label"), "L\xc3\xa9");
	assert_true(stet_has(call, "any"));
	assert_true(json_is_null(stet_arg_json(call, "any")));
	assert_false(stet_has(call, "order"));
	assert_false(stet_has(call, "createdAt"));
	assert_string_equal(stet_arg(call, "_rev"), "abc");
	call_free(call);
}

static void
a_fallback_fills_what_is_absent(void **state)
{
	enum stet_status status;
	struct stet_call *call = request("", "", "{\"label\":\"a\"}", &status);

	(void)state;
	assert_int_equal(status, STET_OK);
	assert_int_equal(stet_arg_int(call, "limit"), 50);
	assert_true(stet_has(call, "limit"));
	call_free(call);
}

static void
of_a_parameter_that_is_given_twice_the_last_counts(void **state)
{
	enum stet_status status;
	struct stet_call *call = request("limit=7&limit=8", "", "{\"label\":\"a\"}", &status);

	(void)state;
	assert_int_equal(STET_OK, status);
	assert_int_equal(8, stet_arg_int(call, "limit"));
	call_free(call);
}

static void
parameters_that_no_member_is_called_are_refused_by_name(void **state)
{
	enum stet_status status;
	struct stet_call *call = request("limit=7&lmit=8&ut=1", "", "{\"label\":\"a\"}", &status);

	(void)state;
	assert_int_equal(status, STET_VALIDATION_ERROR);
	assert_true(issue(call, "lmit"));
	assert_true(issue(call, "ut"));
	assert_false(issue(call, "limit"));
	assert_non_null(strstr(call->error.issues->message, "limit, order, flag, ids, since"));
	assert_null(strstr(call->error.issues->message, "label"));
	assert_null(strstr(call->error.issues->next->message, "order"));
	call_free(call);
	/* Arguments of the path or the body are refused as query parameters, too. */
	REFUSED("id=3", "{\"label\":\"a\"}", "id");
	REFUSED("label=b", "{\"label\":\"a\"}", "label");
	REFUSED("_rev=b", "{\"label\":\"a\"}", "_rev");
	REFUSED("=b", "{\"label\":\"a\"}", "");
	REFUSED("l%69mit2=b", "{\"label\":\"a\"}", "limit2");
}

static void
an_op_may_take_any_query(void **state)
{
	enum stet_status status;
	struct stet_call *call;

	(void)state;
	op.row.flags = STET_ANY_QUERY;
	call = request("limit=7&lmit=8&foo", "", "{\"label\":\"a\"}", &status);
	op.row.flags = 0;
	assert_int_equal(status, STET_OK);
	assert_int_equal(stet_arg_int(call, "limit"), 7);
	call_free(call);
}

static void
what_is_out_of_range_is_refused_not_clamped(void **state)
{
	(void)state;
	REFUSED("limit=0", "{\"label\":\"a\"}", "limit");
	REFUSED("limit=101", "{\"label\":\"a\"}", "limit");
	REFUSED("limit=1.5", "{\"label\":\"a\"}", "limit");
	REFUSED("limit=", "{\"label\":\"a\"}", "limit");
	REFUSED("limit=0x10", "{\"label\":\"a\"}", "limit");
	REFUSED("limit=1e999", "{\"label\":\"a\"}", "limit");
	REFUSED("offset=1", "{\"label\":\"a\"}", "offset");
	REFUSED("offset=-13", "{\"label\":\"a\"}", "offset");
	REFUSED("order=up", "{\"label\":\"a\"}", "order");
	REFUSED("flag=yes", "{\"label\":\"a\"}", "flag");
	REFUSED("ids=1,2,3,4", "{\"label\":\"a\"}", "ids");
	REFUSED("ids=1,x", "{\"label\":\"a\"}", "ids");
	REFUSED("since=yesterday", "{\"label\":\"a\"}", "since");
}

static void
all_problems_are_reported_at_once(void **state)
{
	enum stet_status status;
	struct stet_call *call = request("limit=0", "",
	    "{\"links\":[{\"label\":\"toolong\",\"bad\":1},7],\"unknown\":1,\"id\":\"x\"}",
	    &status);

	(void)state;
	assert_int_equal(status, STET_VALIDATION_ERROR);
	assert_true(issue(call, "limit"));
	assert_true(issue(call, "label"));
	assert_true(issue(call, "links[0].label"));
	assert_true(issue(call, "links[0].bad"));
	assert_true(issue(call, "links[1]"));
	assert_true(issue(call, "unknown"));
	assert_true(issue(call, "id"));
	call_free(call);
}

static void
lengths_count_characters(void **state)
{
	enum stet_status status;
	struct stet_call *call = request("", "",
	    "{\"label\":\"a\",\"links\":[{\"label\":\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\"}]}",
	    &status);

	(void)state;
	assert_int_equal(status, STET_OK);
	call_free(call);
	REFUSED("", "{\"label\":\"a\",\"links\":[{\"label\":\"\"}]}", "links[0].label");
}

static void
bodies_that_are_not_json_objects_are_refused(void **state)
{
	static const char *const bad[] = { "", "  ", "{", "{\"label\":\"a\",\"label\":\"b\"}",
		"{\"label\":1e999}", "{\"la\\u0000bel\":\"a\"}", "{\"label\":\"\xff\"}",
		"{\"label\":\"\\u0000\"" };
	enum stet_status status;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		call_free(request("", "", bad[i], &status));
		assert_int_equal(status, STET_INVALID_JSON);
	}
	call_free(request("", "", "[]", &status));
	assert_int_equal(status, STET_VALIDATION_ERROR);
}

static void
a_nul_character_is_a_bad_value_with_its_path(void **state)
{
	(void)state;
	REFUSED("", "{\"label\":\"\\u0000\"}", "label");
	REFUSED("", "{\"label\":\"a\",\"links\":[{\"label\":\"b\"},{\"label\":\"b\\u0000c\"}]}",
	    "links[1].label");
}

/* Each of many values is below a name as long as the body, so that the paths of all issues would
 * use too much memory. */
static void
problems_are_listed_up_to_a_bound(void **state)
{
	struct stet_call *call = call_new();
	json_t *outer = json_object(), *list = json_array();
	const struct call_issue *issue;
	char *name = malloc(1000001);
	int count = 0;

	(void)state;
	assert_non_null(name);
	memset(name, 'n', 1000000);
	name[1000000] = '\0';
	for (int i = 0; i < 100000; i++)
		assert_int_equal(0, json_array_append_new(list, json_stringn("\0", 1)));
	assert_int_equal(0, json_object_set_new(outer, name, list));
	assert_false(stet_json_check_nul(call, "data", outer));
	assert_int_equal(STET_VALIDATION_ERROR, stet_issues(call));
	for (issue = call->error.issues; issue != NULL && issue->next != NULL;
	     issue = issue->next) {
		assert_int_equal(0, strncmp(issue->path, "data.n", 6));
		assert_true(strlen(issue->path) < 1100);
		count++;
	}
	assert_int_equal(100, count);
	assert_non_null(strstr(issue->message, "more problems"));
	json_decref(outer);
	free(name);
	call_free(call);
}

static void
a_nul_byte_is_no_json_wherever_it_stands(void **state)
{
	static const char *const bad[] = { "{\"v\":123#}", "{\"v\":123}#", "#{\"v\":123}",
		"{\"v\":1.5#}", "{\"v\":[1#]}", "{\"v\":\"a#\"}", "{\"v\":true#}", "{#\"v\":1}" };
	const char *why;
	size_t position;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[32];
		size_t len = strlen(bad[i]);

		memcpy(text, bad[i], len);
		*(char *)memchr(text, '#', len) = '\0';
		assert_null(json_parse(text, len, &why, &position));
		assert_string_equal(why, "it holds a NUL byte");
		assert_null(json_parse_nul(text, len, &why, &position));
	}
}

static void
deep_json_is_refused_before_it_is_parsed(void **state)
{
	char *deep = malloc(400001);
	const char *why;
	size_t position;

	(void)state;
	assert_non_null(deep);
	memset(deep, '[', 200000);
	memset(deep + 200000, ']', 200000);
	assert_null(json_parse(deep, 400000, &why, &position));
	assert_null(json_parse(deep + 199899, 202, &why, &position)); /* 101 levels */
	json_decref(json_parse(deep + 199900, 200, &why, &position));
	free(deep);
}

static void
broken_encodings_are_refused(void **state)
{
	enum stet_status status;
	static const char *const bad[] = { "limit=%", "limit=%1", "limit=%zz", "limit=%00",
		"order=%ff", "order=%c0%af" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		call_free(request(bad[i], "", "{\"label\":\"a\"}", &status));
		assert_int_equal(status, STET_VALIDATION_ERROR);
	}
}

static void
rows_that_cannot_work_are_refused_in_words(void **state)
{
	struct stet_op row = op.row;

	(void)state;
	assert_null(oprow_check(&row, NULL));
	row.name = "Bad-Name";
	assert_non_null(strstr(oprow_check(&row, NULL), "name"));
	row = op.row;
	row.route = "FETCH /x";
	assert_non_null(strstr(oprow_check(&row, NULL), "route"));
	row.route = "GET /:nope";
	assert_non_null(strstr(oprow_check(&row, NULL), "route parameter"));
	row = op.row;
	row.run = NULL;
	assert_non_null(strstr(oprow_check(&row, NULL), "handler"));
	row = op.row;
	row.flags = STET_STREAM;
	row.lane = STET_WRITE;
	assert_non_null(strstr(oprow_check(&row, NULL), "write lane"));
	row = op.row;
	row.flags = STET_FOR_ALL;
	assert_non_null(strstr(oprow_check(&row, NULL), "not public"));
	row.flags |= STET_PUBLIC;
	assert_null(oprow_check(&row, NULL));
	row = op.row;
	row.route = "POST /x";
	row.out = NULL;
	row.flags = STET_FILE;
	row.lane = STET_READ;
	assert_non_null(strstr(oprow_check(&row, NULL), "no GET"));
	row.route = "GET /x";
	row.lane = STET_WRITE;
	assert_non_null(strstr(oprow_check(&row, NULL), "writes"));
	row.lane = STET_READ;
	row.flags = STET_FILE | STET_TOOL;
	row.title = row.about = "x";
	assert_non_null(strstr(oprow_check(&row, NULL), "something else"));
}

static void
scopes_stand_for_themselves_and_admin_never_for_plugin_tools(void **state)
{
	(void)state;
	assert_true(stet_scope_allows(NULL, "mcp:tools:x"));
	assert_true(stet_scope_allows("content:read content:write", "content:write"));
	assert_false(stet_scope_allows("content:draft", "content:write"));
	assert_false(stet_scope_allows("content:write", "menus:manage"));
	assert_false(stet_scope_allows("menus:manage", "content:write"));
	assert_false(stet_scope_allows("content:read", "content:write"));
	assert_false(stet_scope_allows("content:write", "content:read"));
	assert_true(stet_scope_allows("admin", "schema:write"));
	assert_false(stet_scope_allows("admin", "mcp:tools"));
	assert_false(stet_scope_allows("admin", "mcp:tools:x"));
	assert_true(stet_scope_allows("mcp:tools", "mcp:tools:x"));
	assert_false(stet_scope_allows("mcp:tools:y", "mcp:tools:x"));
	assert_false(stet_scope_allows("", "admin"));
	assert_false(stet_scope_allows("content", "content:read"));
	assert_false(stet_scope_allows("__proto__", "content:read"));
}

static void
what_a_scope_keeps_with_the_call_ends_with_it(void **state)
{
	struct stet_call *call = call_new();
	const struct call_mark before = call_mark(call);
	static char outer, inner;

	(void)state;
	*stet_call_slot(call, &outer) = &outer;
	{
		const struct call_mark mark = call_mark(call);

		assert_null(*stet_call_slot(call, &inner));
		*stet_call_slot(call, &inner) = stet_alloc(call, 100000);
		call_release(call, &mark);
	}
	assert_ptr_equal(*stet_call_slot(call, &outer), &outer);
	assert_null(*stet_call_slot(call, &inner));
	call_release(call, &before);
	assert_null(*stet_call_slot(call, &outer));
	call_free(call);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_come_from_path_query_body_and_header),
		cmocka_unit_test(a_fallback_fills_what_is_absent),
		cmocka_unit_test(of_a_parameter_that_is_given_twice_the_last_counts),
		cmocka_unit_test(parameters_that_no_member_is_called_are_refused_by_name),
		cmocka_unit_test(an_op_may_take_any_query),
		cmocka_unit_test(what_is_out_of_range_is_refused_not_clamped),
		cmocka_unit_test(all_problems_are_reported_at_once),
		cmocka_unit_test(lengths_count_characters),
		cmocka_unit_test(bodies_that_are_not_json_objects_are_refused),
		cmocka_unit_test(a_nul_character_is_a_bad_value_with_its_path),
		cmocka_unit_test(problems_are_listed_up_to_a_bound),
		cmocka_unit_test(a_nul_byte_is_no_json_wherever_it_stands),
		cmocka_unit_test(deep_json_is_refused_before_it_is_parsed),
		cmocka_unit_test(broken_encodings_are_refused),
		cmocka_unit_test(rows_that_cannot_work_are_refused_in_words),
		cmocka_unit_test(what_a_scope_keeps_with_the_call_ends_with_it),
		cmocka_unit_test(scopes_stand_for_themselves_and_admin_never_for_plugin_tools),
	};

	return cmocka_run_group_tests_name("op", tests, NULL, NULL);
}
