/* jsonread.t - the fast JSON reader agrees with Jansson and reads common texts; members are found
 * in texts of objects. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/jsonread.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define FLAGS (JSON_DECODE_ANY | JSON_REJECT_DUPLICATES)

/* Reads the text with both readers, and compares. Returns true if the fast one could read it. */
static bool
agrees(const char *text, size_t len)
{
	json_t *ours = json_read(text, len, 100), *theirs = json_loadb(text, len, FLAGS, NULL);
	const bool known = ours != NULL;

	if (known) {
		char *a = json_dumps(ours, JSON_ENCODE_ANY), *b;

		assert_non_null(theirs);
		b = json_dumps(theirs, JSON_ENCODE_ANY);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	json_decref(ours);
	json_decref(theirs);
	return known;
}

static void
usual_texts_are_read(void **state)
{
	static const char *const texts[] = { "{}", "[]", " [ ] ", "{ }", "\"\"", "0", "-0", "-12",
		"123456789012345678", "0.5", "-1.25e-3", "1E5", "true", "false", "null",
		"{\"a\":1,\"b\":[true,null,{\"c\":\"d\"}]}\n", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		"\"\\u00e9\\u20ac\\u0041\"", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
		"{\"\\n\\u00e9\":\"\\t\",\"\xc3\xa9\":2,\"\":3}",
		"[\"a\\nb\",\"c\",\"\\n\",\"d\\\\\"]" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!agrees(texts[i], strlen(texts[i])))
			fail_msg("not read: %s", texts[i]);
}

/* Each byte at each place of texts of some lengths, since eight bytes are looked at together. */
static void
a_byte_counts_wherever_it_stands(void **state)
{
	char text[32];

	(void)state;
	for (size_t len = 1; len < 20; len++)
		for (size_t at = 1; at <= len; at++)
			for (int c = 0; c < 0x100; c++) {
				const bool plain = c >= ' ' && c < 0x80 && c != '"' && c != '\\';

				memset(text, 'x', sizeof(text));
				text[0] = text[len + 1] = '"';
				text[at] = (char)c;
				assert_int_equal(agrees(text, len + 2), plain);
			}
}

static void
everything_else_is_left_to_jansson(void **state)
{
	static const char *const texts[] = { "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]",
		"{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}",
		"{\"\\u0061\":1,\"a\":2}", "01", "-", "+1", ".5", "1.", "1.e2", "1e", "1e+",
		"1E400", "1234567890123456789", "tru", "nul", "\"", "\"a", "\"\\", "\"\\x\"",
		"\"\\u12\"", "\"\\u12g4\"", "\"\\u0000\"", "\"\\ud83d\"", "\"a\nb\"", "\"\xff\"",
		"\"\xc3\"", "\"\xed\xa0\x80\"", "{\"\xff\":1}", "[1] 2", "1 2", "\xef\xbb\xbf[]",
		"[1]]", "'a'", "NaN", "Infinity", "/**/1" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (agrees(texts[i], strlen(texts[i])))
			fail_msg("read: %s", texts[i]);
	assert_false(agrees("1\0", 2));
	assert_false(agrees("\"a\0b\"", 5));
}

static void
nesting_is_limited(void **state)
{
	char text[210];

	(void)state;
	memset(text, '[', 100);
	memset(text + 100, ']', 100);
	assert_true(agrees(text, 200));
	memset(text, '[', 101);
	memset(text + 101, ']', 101);
	assert_false(agrees(text, 202));
}

static void
no_change_of_a_byte_makes_them_differ(void **state)
{
	static const char begin[] =
	    "{\"a\":[1,-2.5e3,\"x\\u00e9\\n\",{\"b\":null}],\"\xc3\xa9\":true}";
	const size_t len = sizeof(begin) - 1;
	unsigned known = 0;

	(void)state;
	for (size_t i = 0; i < len; i++)
		for (int byte = 0; byte < 256; byte++) {
			char text[sizeof(begin)];

			memcpy(text, begin, len);
			text[i] = (char)byte;
			known += agrees(text, len);
			(void)agrees(text, i);
		}
	assert_true(known > len);
}

static void
members_are_found(void **state)
{
	static const char *const texts[] = { "{}", " { } ", "{\"a\":1}",
		"{\"a\":\"\\\\\",\"b\":\"\\\"\"}", "{ \"a\" : [ ] , \"b\" : {\"c\":\"}]\\\"\"}\n}",
		"{\"a\":[[{\"b\":[\"]\"]}],-1.5e3],\"\xc3\xa9\":true,\"\":null}" };
	static const char *const bad[] = { "", "[]", "1", "{", "{\"a\"", "{\"a\":", "{\"a\":}",
		"{\"a\":1", "{\"a\":1,}", "{\"a\":\"x}", "{\"a\":[1}", "{\"a\":1}}", "{a:1}",
		"{\"\\n\":1}" };
	struct stet_json_member m[3];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_t *all = json_loads(texts[i], 0, NULL), *v;
		int n = stet_json_split(texts[i], strlen(texts[i]), m, 3);

		assert_int_equal(n, json_object_size(all));
		for (int k = 0; k < n; k++) {
			char *name = strndup(m[k].name, m[k].name_len);

			v = json_loadb(m[k].value, m[k].value_len, JSON_DECODE_ANY, NULL);
			assert_true(json_equal(v, json_object_get(all, name)));
			json_decref(v);
			free(name);
		}
		json_decref(all);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (stet_json_split(bad[i], strlen(bad[i]), m, 3) >= 0)
			fail_msg("split: %s", bad[i]);
	assert_int_equal(stet_json_split(texts[4], strlen(texts[4]), m, 1), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_texts_are_read),
		cmocka_unit_test(a_byte_counts_wherever_it_stands),
		cmocka_unit_test(everything_else_is_left_to_jansson),
		cmocka_unit_test(nesting_is_limited),
		cmocka_unit_test(no_change_of_a_byte_makes_them_differ),
		cmocka_unit_test(members_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
