/* shown.c - what values show is counted alike in JSON and in its text. */
#include "item/shown.h"
#include "harness.h"
#include <string.h>

static void
assert_shown(const struct stet_html_counts *c, int64_t characters, int64_t links, int64_t pictures,
    int64_t players)
{
	assert_int_equal(c->characters, characters);
	assert_int_equal(c->links, links);
	assert_int_equal(c->pictures, pictures);
	assert_int_equal(c->players, players);
}

static void
assert_both(const char *text, int64_t characters, int64_t links, int64_t pictures, int64_t players)
{
	struct stet_html_counts parsed = { 0 }, read = { 0 };
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);

	assert_non_null(value);
	shown_add(&parsed, value);
	json_decref(value);
	shown_add_json(&read, text);
	assert_shown(&parsed, characters, links, pictures, players);
	assert_shown(&read, characters, links, pictures, players);
}

static void
both_count_alike(void **state)
{
	(void)state;
	assert_both("[]", 0, 0, 0, 0);
	assert_both("null", 0, 0, 0, 0);
	assert_both("\"a b\\n\\u00e4\\ud83d\\ude00\"", 4, 0, 0, 0);
	assert_both("[\"text\"]", 0, 0, 0, 0);
	assert_both(
	    "[{\"_type\":\"block\",\"children\":[{\"_type\":\"span\",\"text\":\"A b\\\"c\\\\\"}],"
	    "\"markDefs\":[{\"href\":\"/x\"},{\"href\":\"\"}]}]",
	    5, 2, 0, 0);
	assert_both(
	    "[{\"_type\" : \"image\", \"link\": \"\", \"caption\": \"\xc3\xa4 {,}\"},"
	    "{\"link\":\"/x\",\"_type\":\"video\"},{\"_type\":\"embed\"},{\"_type\":\"audios\"}]",
	    4, 1, 1, 2);
	assert_both(
	    "{\"html\":\"<p class=\\\"x\\\">a &gt;<br>\\u003cb\\u003ec</b></p>\",\"code\":7,"
	    "\"tex\":[\"x\",{\"text\":\"yz\"},[\"w\"]],\"texts\":\"no\"}",
	    6 + 4 + 0, 0, 0, 0);
}

/* Both stop at the same level. */
static void
both_stop_at_a_level(void **state)
{
	char text[1000];

	(void)state;
	for (int levels = 98; levels <= 103; levels++) {
		struct stet_html_counts parsed = { 0 }, read = { 0 };
		size_t len = 0;
		json_t *value;

		for (int i = 0; i < levels - 1; i++)
			text[len++] = '[';
		len += (size_t)snprintf(
		    text + len, sizeof(text) - len, "{\"text\":\"abc\",\"_type\":\"image\"}");
		for (int i = 0; i < levels - 1; i++)
			text[len++] = ']';
		text[len] = '\0';
		value = json_loads(text, 0, NULL);
		shown_add(&parsed, value);
		json_decref(value);
		shown_add_json(&read, text);
		assert_memory_equal(&parsed, &read, sizeof(parsed));
		assert_int_equal(read.characters, levels <= 100 ? 3 : 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_count_alike),
		cmocka_unit_test(both_stop_at_a_level),
	};

	return cmocka_run_group_tests_name("import/shown", tests, NULL, NULL);
}
