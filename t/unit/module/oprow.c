/* oprow.c - checks of the members that ops declare. */
/* cmocka.h needs these headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "module/oprow.h"
#include <string.h>

static enum stet_status
run(struct stet_call *call)
{
	(void)call;
	return STET_OK;
}

/* Both return what is wrong with an op that has this input, or this output; NULL: nothing. */
static const char *
input(const struct stet_member *in)
{
	static const struct stet_module m;

	return oprow_check(&(struct stet_op){ .name = "one", .in = in, .run = run }, &m);
}

static const char *
output(const struct stet_member *out)
{
	static const struct stet_module m;

	return oprow_check(&(struct stet_op){ .name = "one", .out = out, .run = run }, &m);
}

static const struct stet_member id[] = { { "id", STET_STRING }, { 0 } };

static void
a_fallback_that_its_member_refuses_is_refused(void **state)
{
	const struct stet_member bad[] = {
		{ "a", STET_INTEGER, .fallback = "\"seven\"" },
		{ "a", STET_INTEGER, STET_RANGE(1, 10), .fallback = "11" },
		{ "a", STET_INTEGER, STET_BOUNDED, STET_RANGE(-5, 0), .fallback = "1" },
		{ "a", STET_STRING, STET_CHOICES("b", "c"), .fallback = "\"d\"" },
		{ "a", STET_STRING, .pattern = "^[a-z]+$", .fallback = "\"9\"" },
		{ "a", STET_STRING, .fallback = "null" },
		{ "a", STET_TIME, .fallback = "\"noon\"" },
		{ "a", STET_ARRAY, .item = STET_STRING, .fallback = "[1]" },
		{ "a", STET_OBJECT, .of = id, .fallback = "{\"other\":1}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct stet_member in[] = { bad[i], { 0 } },
					 within[] = { { "o", STET_OBJECT, .of = in }, { 0 } };

		assert_string_equal(input(in), "has a fallback that its member refuses");
		assert_string_equal(input(within), "has a fallback that its member refuses");
	}
}

static void
a_fallback_that_its_member_takes_is_taken(void **state)
{
	const struct stet_member fine[] = {
		{ "a", STET_INTEGER, STET_RANGE(1, 10), .fallback = "10" },
		{ "b", STET_STRING, STET_NULLABLE, .fallback = "null" },
		{ "c", STET_STRING, STET_CHOICES("b", "c"), .fallback = "\"c\"" },
		{ "d", STET_OBJECT, .of = id, .fallback = "{\"id\":\"x\"}" },
		{ "e", STET_BOOLEAN, STET_REQUIRED, .fallback = "false" },
		{ 0 },
	};

	(void)state;
	assert_null(input(fine));
}

static void
members_have_names_of_their_own(void **state)
{
	static const struct stet_member twice[] = { { "a", STET_STRING }, { "b", STET_STRING },
		{ "a", STET_INTEGER }, { 0 } };
	static const struct stet_member empty[] = { { "a", STET_STRING }, { "", STET_STRING },
		{ 0 } };
	static const struct stet_member within[] = { { "o", STET_ARRAY, .of = twice }, { 0 } };

	(void)state;
	assert_string_equal(input(twice), "has two members of one name");
	assert_string_equal(input(within), "has two members of one name");
	assert_string_equal(output(twice), "has two members of one name");
	assert_string_equal(input(empty), "has a member of an empty name");
}

static void
only_an_op_of_the_write_lane_mends(void **state)
{
	static const struct stet_module m;
	struct stet_op row = {
		.name = "one", .more = STET_MORE_MENDS, .lane = STET_WRITE, .run = run
	};

	(void)state;
	assert_null(oprow_check(&row, &m));
	row.lane = STET_READ;
	assert_non_null(strstr(oprow_check(&row, &m), "not of the write lane"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fallback_that_its_member_refuses_is_refused),
		cmocka_unit_test(a_fallback_that_its_member_takes_is_taken),
		cmocka_unit_test(members_have_names_of_their_own),
		cmocka_unit_test(only_an_op_of_the_write_lane_mends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
