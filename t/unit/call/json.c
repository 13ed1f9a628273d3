/* json.t - the JSON writer, numbers, the JSON Schema of a shape, errors as replies, ids. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/json.h"
#include "base/clock.h"
#include "call/call.h"
#include "call/id.h"
#include "op/reply.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
nesting_commas_and_keys_come_by_themselves(void **state)
{
	struct stet_call *call = call_new();
	struct stet_json *j = stet_reply(call);

	(void)state;
	stet_object(j, NULL);
	stet_put_str(j, "a", "x");
	stet_array(j, "b");
	stet_put_int(j, NULL, -1);
	stet_put_bool(j, NULL, true);
	stet_object(j, NULL);
	stet_close(j);
	stet_close(j);
	stet_put_str(j, "c", NULL);
	stet_put_raw(j, "d", "[1]", 3);
	stet_put_time(j, "e", 0);
	stet_close(j);
	assert_string_equal(stet_json_text(j, NULL),
	    "{\"a\":\"x\",\"b\":[-1,true,{}],\"c\":null,\"d\":[1],\"e\":\"1970-01-01T00:00:00.000Z\"}");
	call_free(call);
}

static void
strings_are_escaped_and_repaired(void **state)
{
	struct stet_call *call = call_new();
	struct stet_json *j = stet_json_new(call);

	(void)state;
	stet_put_str(
	    j, NULL, "\"\\\b\t\n\v\f\r\x01\x7f\xc3\xa9\xf0\x9f\x98\x80\xff\xc0\xaf\xed\xa0\x80/");
	assert_string_equal(stet_json_text(j, NULL),
	    "\"\\\"\\\\\\b\\t\\n\\u000b\\f\\r\\u0001\x7f\xc3\xa9\xf0\x9f\x98\x80"
	    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd/\"");
	call_free(call);
}

static void
numbers_are_the_shortest_that_read_back(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = { { 0.1, "0.1" }, { 1.0 / 3, "0.3333333333333333" }, { 5, "5" }, { -0.0, "-0" },
		{ 1e300, "1e+300" }, { 5e-324, "4.94065645841247e-324" },
		{ 123456789012, "123456789012" } };
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_shortest(cases[i].value, text);
		assert_string_equal(text, cases[i].text);
		assert_true(strtod(text, NULL) == cases[i].value);
	}
}

static void
parsed_values_print_as_they_came(void **state)
{
	static const char text[] =
	    "{\"a\":[1,1.0,-0.5,1e-7,true,null],\"b\":{\"\xc3\xa9\":\"\\\"\"},\"c\":9007199254740993}";
	struct stet_call *call = call_new();
	struct stet_json *j = stet_json_new(call);
	const char *why;
	size_t position;

	(void)state;
	stet_put_json(
	    j, NULL, stet_json_own(call, json_parse(text, strlen(text), &why, &position)));
	assert_string_equal(stet_json_text(j, NULL),
	    "{\"a\":[1,1.0,-0.5,1e-07,true,null],\"b\":{\"\xc3\xa9\":\"\\\"\"},\"c\":9007199254740993}");
	call_free(call);
}

static void
lines_read_back_as_the_same_value(void **state)
{
	json_t *value = json_pack("{s:[f,f,f,f,f,f], s:i, s:{}, s:[], s:{s:[n]}}", "reals", 0.1,
	    1e300, -0.0, 5e-324, 3.0, 1.0 / 3, "i", 3, "none", "empty", "in", "deep");
	char *text = stet_json_lines(value);
	const char *why;
	size_t position;
	json_t *again = json_parse(text, strlen(text), &why, &position);

	(void)state;
	assert_string_equal(text,
	    "{\n  \"reals\": [\n    0.1,\n    1e+300,\n    -0.0,\n    4.94065645841247e-324,\n"
	    "    3.0,\n    0.3333333333333333\n  ],\n  \"i\": 3,\n  \"none\": {},\n"
	    "  \"empty\": [],\n  \"in\": {\n    \"deep\": [\n      null\n    ]\n  }\n}\n");
	assert_true(json_equal(value, again));
	assert_true(signbit(json_real_value(json_array_get(json_object_get(again, "reals"), 2))));
	free(text);
	text = json_text(value);
	assert_string_equal(text,
	    "{\"reals\":[0.1,1e+300,-0.0,4.94065645841247e-324,3.0,0.3333333333333333],\"i\":3,"
	    "\"none\":{},\"empty\":[],\"in\":{\"deep\":[null]}}");
	free(text);
	json_decref(value);
	json_decref(again);
}

static const struct stet_member item[] = { { "id", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member shape[] = {
	{ "limit", STET_INTEGER, .about = "How many", STET_RANGE(1, 100), .fallback = "50" },
	{ "order", STET_STRING, STET_NULLABLE, STET_CHOICES("asc", "desc") },
	{ "at", STET_TIME, STET_REQUIRED },
	{ "items", STET_ARRAY, .of = item },
	{ "old", STET_STRING, STET_IGNORED },
	{ "debt", STET_INTEGER, STET_BOUNDED, STET_RANGE(-9, 0) },
	{ 0 },
};

static void
a_shape_is_its_json_schema(void **state)
{
	struct stet_call *call = call_new();
	struct stet_json *j = stet_json_new(call);

	(void)state;
	stet_put_schema(j, NULL, shape);
	assert_string_equal(stet_json_text(j, NULL),
	    "{\"type\":\"object\",\"properties\":{"
	    "\"limit\":{\"type\":\"integer\",\"description\":\"How many\",\"minimum\":1,\"maximum\":100,"
	    "\"default\":50},"
	    "\"order\":{\"type\":[\"string\",\"null\"],\"enum\":[\"asc\",\"desc\",null]},"
	    "\"at\":{\"type\":\"string\",\"format\":\"date-time\"},"
	    "\"items\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":"
	    "\"string\"}},\"required\":[\"id\"],\"additionalProperties\":false}},"
	    "\"debt\":{\"type\":\"integer\",\"minimum\":-9,\"maximum\":0}},"
	    "\"required\":[\"at\"],\"additionalProperties\":false}");
	call_free(call);
}

static const char *
rendered(struct stet_call *call, int *status)
{
	struct rendered r;

	reply_render(call, &r);
	*status = r.status;
	return stet_printf(call, "%s%.*s%s", r.prefix, (int)r.len, r.data, r.suffix);
}

static void
an_error_is_said_once_with_its_details(void **state)
{
	struct stet_call *call = call_new();
	int status;

	(void)state;
	stet_put_str(stet_reply(call), NULL, "forgotten");
	assert_int_equal(
	    stet_fail(call, STET_CONFLICT, "slug", "\"%s\" is taken", "a"), STET_CONFLICT);
	stet_detail(call, "id", "7");
	assert_string_equal(rendered(call, &status),
	    "{\"success\":false,\"error\":{\"code\":\"CONFLICT\",\"message\":\"\\\"a\\\" is taken\","
	    "\"details\":{\"field\":\"slug\",\"id\":\"7\"}}}");
	assert_int_equal(status, 409);
	call_free(call);
}

static void
issues_are_listed_in_order(void **state)
{
	struct stet_call *call = call_new();
	int status;

	(void)state;
	stet_issue(call, "a", "is required");
	stet_issue(call, "b[1]", "must be %d", 3);
	assert_int_equal(stet_issues(call), STET_VALIDATION_ERROR);
	assert_string_equal(rendered(call, &status),
	    "{\"success\":false,\"error\":{\"code\":\"VALIDATION_ERROR\",\"message\":\"Invalid request data\","
	    "\"details\":{\"issues\":[{\"path\":\"a\",\"message\":\"is required\"},"
	    "{\"path\":\"b[1]\",\"message\":\"must be 3\"}]}}}");
	call_free(call);
}

static void
the_text_of_a_fault_stays_in_the_log(void **state)
{
	struct op op = { .row = { .error = STET_UNAVAILABLE } };
	struct stet_call *call = call_new();
	int status;

	(void)state;
	call->op = &op;
	assert_int_equal(stet_fault(call, "secret"), STET_FAULT);
	assert_string_equal(rendered(call, &status),
	    "{\"success\":false,\"error\":{\"code\":\"UNAVAILABLE\",\"message\":\"The site is not available\"}}");
	assert_int_equal(status, 503);
	call_free(call);
}

/* A status constant of a module that is not loaded, and numbers that no module has. */
static void
a_status_that_nobody_brings_reads_as_an_internal_error(void **state)
{
	static const unsigned numbers[] = { STET_SAVE_REJECTED, 1023, 1024, 16383, 16384,
		1U << 31 };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		enum stet_status status = (enum stet_status)numbers[i];

		assert_string_equal(stet_status_name(status), "INTERNAL_ERROR");
		assert_int_equal(stet_status_http(status), 500);
		assert_string_equal(stet_status_text(status), "Internal error");
	}
}

static void
ids_increase_and_look_like_ulids(void **state)
{
	char last[27], id[27];

	(void)state;
	id_make(last);
	for (int i = 0; i < 10000; i++) {
		id_make(id);
		assert_true(strcmp(id, last) > 0);
		assert_int_equal(strspn(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"), 26);
		memcpy(last, id, sizeof(id));
	}
}

/* Another machine has made ids until then. */
static void
ids_sort_behind_a_time_that_is_ahead(void **state)
{
	char here[27], ahead[27], other[27];
	int64_t floor = clock_now() + 5000;

	(void)state;
	id_make(here);
	id_make_after(ahead, floor);
	assert_true(strcmp(ahead, here) > 0);
	id_make_after(other, floor - 10000);
	assert_true(strcmp(other, ahead) > 0); /* of the same process */
	id_make_after(here, floor + 1);
	assert_true(strncmp(here, other, 10) > 0); /* by its time */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nesting_commas_and_keys_come_by_themselves),
		cmocka_unit_test(strings_are_escaped_and_repaired),
		cmocka_unit_test(numbers_are_the_shortest_that_read_back),
		cmocka_unit_test(parsed_values_print_as_they_came),
		cmocka_unit_test(lines_read_back_as_the_same_value),
		cmocka_unit_test(a_shape_is_its_json_schema),
		cmocka_unit_test(an_error_is_said_once_with_its_details),
		cmocka_unit_test(issues_are_listed_in_order),
		cmocka_unit_test(the_text_of_a_fault_stays_in_the_log),
		cmocka_unit_test(a_status_that_nobody_brings_reads_as_an_internal_error),
		cmocka_unit_test(ids_increase_and_look_like_ulids),
		cmocka_unit_test(ids_sort_behind_a_time_that_is_ahead),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
