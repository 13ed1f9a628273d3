/* arguments.c - words of the command line as arguments of ops, and results as text. */
/* clang-format off */
#include "command/arguments.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "command/command.h"
#include "command/print.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct stet_member inner[] = { { "a", STET_STRING }, { 0 } };
static const struct stet_member in[] = {
	{ "email", STET_STRING, STET_REQUIRED },
	{ "second", STET_STRING },
	{ "name", STET_STRING, STET_NULLABLE },
	{ "createSchema", STET_BOOLEAN },
	{ "sort_order", STET_INTEGER, STET_NULLABLE },
	{ "ratio", STET_NUMBER },
	{ "scope", STET_ARRAY, .item = STET_STRING },
	{ "numbers", STET_ARRAY, .item = STET_INTEGER },
	{ "rows", STET_ARRAY, .of = inner },
	{ "data", STET_OBJECT },
	{ "any", STET_ANY },
	{ "until", STET_TIME },
	{ "hidden", STET_STRING, STET_IGNORED },
	{ 0 },
};
#define OPERANDS "email second"

/* Silences standard error, which these tests do not check. */
static int
quiet(void **state)
{
	(void)state;
	return freopen("/dev/null", "w", stderr) != NULL ? 0 : -1;
}

/* Parses the words (NULL-terminated). Returns the arguments as JSON, or NULL and the exit
 * status. */
static char *
parsed(int *status, ...)
{
	char *argv[16], *text = NULL;
	json_t *args = json_object();
	va_list ap;
	int argc = 0;

	va_start(ap, status);
	while (argc < 16 && (argv[argc] = va_arg(ap, char *)) != NULL)
		argc++;
	va_end(ap);
	*status = argument_parse(in, OPERANDS, argc, argv, args);
	if (*status < 0)
		text = json_dumps(args, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(args);
	return text;
}

#define assert_parsed(json, ...)                           \
	do {                                               \
		int s_;                                    \
		char *t_ = parsed(&s_, __VA_ARGS__, NULL); \
		assert_non_null(t_);                       \
		assert_string_equal(t_, json);             \
		free(t_);                                  \
	} while (0)
#define assert_usage(...)                                    \
	do {                                                 \
		int s_;                                      \
		assert_null(parsed(&s_, __VA_ARGS__, NULL)); \
		assert_int_equal(s_, EXIT_USAGE);            \
	} while (0)

static void
operands_go_by_position(void **state)
{
	(void)state;
	assert_parsed("{\"email\":\"a\"}", "a");
	assert_parsed("{\"email\":\"a\",\"second\":\"b\"}", "a", "b");
	assert_parsed("{\"email\":\"a\",\"name\":\"N\",\"second\":\"b\"}", "a", "--name", "N", "b");
	assert_parsed("{\"email\":\"--name\"}", "--", "--name");
	assert_parsed("{\"email\":\"-\"}", "-");
	assert_parsed("{\"email\":\"x\",\"second\":\"s\"}", "--email", "x", "--second=s");
}

static void
missing_and_surplus_words_are_usage_errors(void **state)
{
	(void)state;
	assert_usage("--name", "N");
	assert_usage("a", "b", "c");
	assert_usage("a", "--name");
	assert_usage("a", "-n", "N");
}

static void
unknown_options_are_usage_errors(void **state)
{
	(void)state;
	assert_usage("a", "--nam", "N");
	assert_usage("a", "--names", "N");
	assert_usage("a", "--hidden", "N");
	assert_usage("a", "--data-x=1");
	assert_usage("a", "--no-name");
	assert_usage("a", "--no-create-schema=1");
	assert_usage("a", "--=x");
	assert_usage("a", "--config", "f");
}

static void
options_are_members_in_words(void **state)
{
	(void)state;
	assert_parsed("{\"createSchema\":true,\"email\":\"a\"}", "a", "--create-schema");
	assert_parsed("{\"createSchema\":true,\"email\":\"a\"}", "a", "--createSchema");
	assert_parsed("{\"createSchema\":false,\"email\":\"a\"}", "a", "--no-create-schema");
	assert_parsed("{\"createSchema\":false,\"email\":\"a\"}", "a", "--create-schema=false");
	assert_parsed("{\"email\":\"a\",\"sort_order\":-5}", "a", "--sort-order", "-5");
	assert_parsed("{\"email\":\"a\",\"sort_order\":7}", "a", "--sort_order=7");
	assert_parsed("{\"email\":\"a\",\"name\":\"\"}", "a", "--name=");
	assert_parsed("{\"email\":\"a\",\"name\":\"b=c\"}", "a", "--name=b=c");
}

static void
values_go_by_type(void **state)
{
	(void)state;
	assert_parsed("{\"email\":\"1\"}", "1");
	assert_parsed("{\"email\":\"a\",\"ratio\":0.5}", "a", "--ratio", "0.5");
	assert_parsed("{\"email\":\"a\",\"sort_order\":null}", "a", "--sort-order", "null");
	assert_parsed("{\"email\":\"a\",\"name\":\"null\"}", "a", "--name", "null");
	assert_parsed("{\"data\":{\"x\":[1]},\"email\":\"a\"}", "a", "--data", "{\"x\":[1]}");
	assert_parsed("{\"any\":{\"x\":1},\"email\":\"a\"}", "a", "--any", "{\"x\":1}");
	assert_parsed("{\"any\":\"plain words\",\"email\":\"a\"}", "a", "--any", "plain words");
	assert_parsed("{\"any\":true,\"email\":\"a\"}", "a", "--any", "true");
	assert_parsed("{\"email\":\"a\",\"until\":\"2026-01-01\"}", "a", "--until", "2026-01-01");
	assert_usage("a", "--ratio", "half");
	assert_usage("a", "--sort-order", "");
	assert_usage("a", "--create-schema=maybe");
	assert_usage("a", "--data", "{");
	assert_usage("a", "--name", "\xff");
}

static void
lists_are_parted_by_commas(void **state)
{
	(void)state;
	assert_parsed("{\"email\":\"a\",\"scope\":[\"x\",\"y:z\"]}", "a", "--scope", "x,y:z");
	assert_parsed("{\"email\":\"a\",\"scope\":[\"x\",\"y\"]}", "a", "--scope", "x, y");
	assert_parsed(
	    "{\"email\":\"a\",\"scope\":[\"x\",\"y\"]}", "a", "--scope", "x", "--scope=y");
	assert_parsed("{\"email\":\"a\",\"scope\":[\"x,y\"]}", "a", "--scope", "[\"x,y\"]");
	assert_parsed("{\"email\":\"a\",\"scope\":[\"x\",\"\",\"y\"]}", "a", "--scope", "x,,y");
	assert_parsed("{\"email\":\"a\",\"scope\":[]}", "a", "--scope", "");
	assert_parsed("{\"email\":\"a\",\"numbers\":[1,2]}", "a", "--numbers", "1,2");
	assert_parsed(
	    "{\"email\":\"a\",\"rows\":[{\"a\":\"b\"}]}", "a", "--rows", "[{\"a\":\"b\"}]");
	assert_usage("a", "--numbers", "1,x");
	assert_usage("a", "--rows", "x,y");
}

static void
a_scalar_said_twice_is_refused(void **state)
{
	(void)state;
	assert_usage("a", "--name", "N", "--name", "M");
	assert_usage("a", "--email", "b", "c", "d", "e");
}

/* ---- print ---- */

static char *
printed(const char *json)
{
	json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(value);
	assert_non_null(f);
	print_result(f, value);
	fclose(f);
	json_decref(value);
	return text;
}

static void
assert_printed(const char *json, const char *expected)
{
	char *text = printed(json);

	assert_string_equal(text, expected);
	free(text);
}

static void
an_object_is_names_and_values(void **state)
{
	(void)state;
	assert_printed("{\"id\":\"x\",\"email\":\"a@b\",\"on\":true,\"no\":null}",
	    "id     x\nemail  a@b\non     yes\nno     -\n");
	assert_printed("{\"item\":{\"a\":1,\"b\":{\"c\":0.1}}}", "a    1\nb.c  0.1\n");
	assert_printed("{\"scopes\":[\"a\",\"b\"],\"x\":{}}", "scopes  a, b\nx       {}\n");
	assert_printed("{\"l\":[{\"a\":1}]}", "l  [{\"a\":1}]\n");
}

static void
items_are_a_table(void **state)
{
	(void)state;
	assert_printed(
	    "{\"items\":[{\"id\":\"1\",\"name\":\"long name\"},{\"id\":\"22\",\"x\":5}]}",
	    "ID  NAME       X\n1   long name  -\n22  -          5\n");
	assert_printed(
	    "{\"items\":[{\"createdAt\":\"x\",\"b\":1}]}", "CREATED AT  B\nx           1\n");
	assert_printed("{\"items\":[]}", "none\n");
	assert_printed(
	    "{\"items\":[{\"a\":1}],\"nextCursor\":\"abc\"}", "A\n1\nmore: --cursor abc\n");
	assert_printed("[\"a\",\"b\"]", "a\nb\n");
}

static void
columns_may_be_chosen(void **state)
{
	json_t *value = json_loads("{\"items\":[{\"a\":1,\"b\":2,\"c\":3},{\"b\":4}]}", 0, NULL);
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	(void)state;
	assert_non_null(f);
	print_columns(f, value, "c a none");
	fclose(f);
	assert_string_equal(text, "C  A  NONE\n3  1  -\n-  -  -\n");
	free(text);
	json_decref(value);
}

/* Lists of tools with their descriptions are too wide for a table of modules. */
static void
wide_lists_are_left_out_of_tables(void **state)
{
	(void)state;
	assert_printed("{\"items\":[{\"a\":1,\"l\":[\"x\"],\"b\":2},{\"a\":1,\"l\":"
		       "[\"12345678901234567890\",\"12345678901234567890\"],\"b\":2},"
		       "{\"a\":1,\"l\":[],\"b\":2}]}",
	    "A  B\n1  2\n1  2\n1  2\n");
	assert_printed("{\"items\":[{\"l\":[\"x\",\"y\"]},{\"l\":[]}]}", "L\nx, y\n-\n");
	assert_printed("{\"items\":[{\"t\":\"1234567890123456789012345678901234567890 longer\"}]}",
	    "T\n1234567890123456789012345678901234567890 longer\n");
}

static void
columns_are_as_wide_as_they_look(void **state)
{
	(void)state;
	assert_printed(
	    "{\"items\":[{\"a\":\"\\u6f22\\u5b57\",\"b\":1},{\"a\":\"e\\u0301\",\"b\":2}]}",
	    "A     B\n\xe6\xbc\xa2\xe5\xad\x97  1\ne\xcc\x81     2\n");
}

/* Control characters in a title must not reach the administrator's terminal. */
static void
control_characters_are_not_passed_on(void **state)
{
	(void)state;
	assert_printed("\"a\\u001b[31mb\\u009b\\u202e\\n\\u0007\"",
	    "a\xef\xbf\xbd[31mb\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n");
	assert_printed("{\"k\\u001b\":\"v\"}", "k\xef\xbf\xbd  v\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_go_by_position),
		cmocka_unit_test(missing_and_surplus_words_are_usage_errors),
		cmocka_unit_test(unknown_options_are_usage_errors),
		cmocka_unit_test(options_are_members_in_words),
		cmocka_unit_test(values_go_by_type),
		cmocka_unit_test(lists_are_parted_by_commas),
		cmocka_unit_test(a_scalar_said_twice_is_refused),
		cmocka_unit_test(an_object_is_names_and_values),
		cmocka_unit_test(items_are_a_table),
		cmocka_unit_test(columns_may_be_chosen),
		cmocka_unit_test(wide_lists_are_left_out_of_tables),
		cmocka_unit_test(columns_are_as_wide_as_they_look),
		cmocka_unit_test(control_characters_are_not_passed_on),
	};

	return cmocka_run_group_tests(tests, quiet, NULL);
}
