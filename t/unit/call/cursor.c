/* cursor.t - cursors (keyset positions): what was encoded is decoded again, and anything else is
 * refused. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/call.h"
#include <stdlib.h>
#include <string.h>

#define ID "01HZXW2B5T0000000000000000"

static int
begin(void **state)
{
	*state = call_new();
	return 0;
}

static int
end(void **state)
{
	call_free(*state);
	return 0;
}

static void
refused(struct stet_call *call, const char *cursor, const char *listing)
{
	const json_t *key;
	const char *id;

	assert_int_equal(stet_cursor_read(call, cursor, listing, &key, &id), STET_INVALID_CURSOR);
	assert_int_equal(call->error.status, STET_INVALID_CURSOR);
}

static void
every_type_of_key_comes_back(void **state)
{
	json_t *keys =
	    stet_json_own(*state, json_pack("[n,i,I,f,s,s,s]", -1, (json_int_t)INT64_MAX, 0.1, "",
				      "x", "\xe4\xbd\xa0 \x01\"\\\n\xf0\x9f\x98\x80"));
	const json_t *key, *back;
	const char *id;
	size_t i;

	json_array_foreach(keys, i, key)
	{
		char *cursor = stet_cursor_make(*state, "posts:title", key, ID);

		assert_int_equal(
		    strspn(
			cursor, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
		    strlen(cursor));
		assert_int_equal(
		    stet_cursor_read(*state, cursor, "posts:title", &back, &id), STET_OK);
		assert_true(json_equal((json_t *)(uintptr_t)key, (json_t *)(uintptr_t)back));
		assert_string_equal(id, ID);
	}
}

static void
a_cursor_belongs_to_its_listing(void **state)
{
	json_t *key = stet_json_own(*state, json_string("x"));
	char *cursor = stet_cursor_make(*state, "posts:title", key, ID);

	refused(*state, cursor, "posts:name");
	refused(*state, cursor, "pages:title");
	refused(*state, cursor, "");
}

static void
anything_else_is_refused(void **state)
{
	static const char *const bad[] = { "", " ", "a", "ab", "abc", "!!!!", "eyJpZCI6IjEifQ",
		"eyJpZCI6IjEifQ==", "bm90IGpzb24", "AAAAAAAAAAAAAAAA",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\xff\xff", "null", "[]", "../../etc/passwd",
		"' OR 1=1 --" };
	char *huge = malloc(5001);

	assert_non_null(huge);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refused(*state, bad[i], "posts:title");
	memset(huge, 'A', 5000);
	huge[5000] = '\0';
	refused(*state, huge, "posts:title");
	huge[2049] = '\0';
	refused(*state, huge, "posts:title");
	free(huge);
}

static void
one_changed_character_is_noticed(void **state)
{
	json_t *key = stet_json_own(*state, json_integer(1958));
	char *cursor = stet_cursor_make(*state, "posts:year", key, ID);
	size_t len = strlen(cursor);

	for (size_t i = 0; i < len; i++) {
		char *other = stet_strdup(*state, cursor);

		other[i] = other[i] == 'A' ? 'B' : 'A';
		refused(*state, other, "posts:year");
		other = stet_strndup(*state, cursor, i);
		refused(*state, other, "posts:year");
	}
	refused(*state, stet_printf(*state, "%s=", cursor), "posts:year");
	refused(*state, stet_printf(*state, "%sA", cursor), "posts:year");
}

static void
long_keys_are_cut_at_a_character(void **state)
{
	char *text = malloc(100001);
	json_t *key;
	const json_t *back;
	const char *id;
	char *cursor;

	assert_non_null(text);
	for (size_t i = 0; i < 100000; i++)
		text[i] = i % 2 == 0 ? (char)0xc3 : (char)0xa4;
	text[0] = 'x'; /* so that the limit is inside a character */
	text[1] = '\xc3';
	for (size_t i = 1; i < 99999; i += 2)
		memcpy(text + i, "\xc3\xa4", 2);
	text[99999] = '\0';
	key = stet_json_own(*state, json_string(text));
	assert_non_null(key);
	cursor = stet_cursor_make(*state, "posts:title", key, ID);
	assert_true(strlen(cursor) <= 2048);
	assert_int_equal(stet_cursor_read(*state, cursor, "posts:title", &back, &id), STET_OK);
	assert_int_equal(json_string_length(back), 1023);
	assert_memory_equal(json_string_value(back), text, 1023);
	free(text);
}

#define test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		test(every_type_of_key_comes_back),
		test(a_cursor_belongs_to_its_listing),
		test(anything_else_is_refused),
		test(one_changed_character_is_noticed),
		test(long_keys_are_cut_at_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
