/* range.c - Range headers, and dates as HTTP writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/httpdate.h"
#include "http/range.h"

static void
check(const char *header, uint64_t size, enum range what, uint64_t first, uint64_t last)
{
	uint64_t f = 0, l = 0;

	if (range_read(header, size, &f, &l) != what)
		fail_msg("%s of %llu bytes", header, (unsigned long long)size);
	if (what == RANGE_PART && (f != first || l != last))
		fail_msg(
		    "%s is %llu to %llu", header, (unsigned long long)f, (unsigned long long)l);
}

static void
one_range_is_a_part(void **state)
{
	(void)state;
	check("bytes=0-0", 1, RANGE_PART, 0, 0);
	check("bytes=0-", 1, RANGE_PART, 0, 0);
	check("bytes=-1", 1, RANGE_PART, 0, 0);
	check("bytes=5-7", 10, RANGE_PART, 5, 7);
	check("bytes=5-70", 10, RANGE_PART, 5, 9);
	check("bytes=-3", 10, RANGE_PART, 7, 9);
	check("bytes=-30", 10, RANGE_PART, 0, 9);
}

static void
numbers_do_not_wrap_round(void **state)
{
	const uint64_t most = UINT64_MAX;

	(void)state;
	check("bytes=18446744073709551614-18446744073709551615", most, RANGE_PART, most - 1,
	    most - 1);
	check("bytes=18446744073709551616-", most, RANGE_BEYOND, 0, 0);
	check("bytes=0-184467440737095516160", 10, RANGE_PART, 0, 9);
	check("bytes=-184467440737095516160", 10, RANGE_PART, 0, 9);
	check("bytes=99999999999999999999-99999999999999999998", 10, RANGE_BEYOND, 0, 0);
}

static void
what_is_not_there_is_told(void **state)
{
	(void)state;
	check("bytes=10-", 10, RANGE_BEYOND, 0, 0);
	check("bytes=10-20", 10, RANGE_BEYOND, 0, 0);
	check("bytes=-0", 10, RANGE_BEYOND, 0, 0);
}

static void
of_nothing_there_is_no_part(void **state)
{
	(void)state;
	check("bytes=0-", 0, RANGE_ALL, 0, 0);
	check("bytes=-5", 0, RANGE_ALL, 0, 0);
	check("bytes=5-6", 0, RANGE_ALL, 0, 0);
}

static void
all_else_is_no_range(void **state)
{
	static const char *const no[] = { "", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=2-1",
		"bytes=1-2,4-5", "bytes=1-2 ", "bytes=1 -2", "bytes=--1", "bytes=-1-", "bits=0-1",
		"bytes =0-1", "0-1" };

	(void)state;
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		check(no[i], 10, RANGE_ALL, 0, 0);
}

static void
dates_are_read_in_three_ways_and_written_in_one(void **state)
{
	static const char *const same[] = { "Sun, 06 Nov 1994 08:49:37 GMT",
		"Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994" };
	static const char *const no[] = { "", "Sun, 06 Nov 1994 08:49:37", "1994-11-06",
		"Sun, 06 Nov 1994 08:49:37 GMT+1", "784111777" };
	char text[HTTPDATE_SIZE];
	int64_t at;

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		assert_true(httpdate_parse(same[i], &at));
		assert_int_equal(at, 784111777);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(httpdate_parse(no[i], &at));
	httpdate_text(784111777, text);
	assert_string_equal(text, same[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_range_is_a_part),
		cmocka_unit_test(numbers_do_not_wrap_round),
		cmocka_unit_test(what_is_not_there_is_told),
		cmocka_unit_test(of_nothing_there_is_no_part),
		cmocka_unit_test(all_else_is_no_range),
		cmocka_unit_test(dates_are_read_in_three_ways_and_written_in_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
