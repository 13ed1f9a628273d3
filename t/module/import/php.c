/* php.c - serialized PHP values become JSON, also in custom fields. */
#include "../../../modules/import/read/php.h"
#include "harness.h"
#include "imported.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
reads_len(const char *text, size_t len, const char *json)
{
	json_t *v = php_read(text, len);
	char *got = v != NULL ? json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

	if (json == NULL ? got != NULL : got == NULL || strcmp(got, json) != 0)
		fail_msg(
		    "%s: %s, not %s", text, got != NULL ? got : "-", json != NULL ? json : "-");
	free(got);
	json_decref(v);
}

static void
reads(const char *text, const char *json)
{
	reads_len(text, strlen(text), json);
}

static void
values_of_each_type_are_read(void **state)
{
	static const char hidden[] = "O:1:\"C\":2:{s:4:\"\0*\0a\";i:1;s:4:\"\0C\0b\";i:2;}";

	(void)state;
	reads("a:0:{}", "[]");
	reads("a:2:{i:0;s:3:\"abc\";i:1;b:1;}", "[\"abc\",true]");
	reads("a:2:{i:1;i:5;i:0;N;}", "{\"1\":5,\"0\":null}");
	reads("a:2:{i:0;i:5;s:1:\"k\";d:0.5;}", "{\"0\":5,\"k\":0.5}");
	reads("a:1:{s:1:\"x\";a:1:{i:0;a:1:{s:1:\"y\";s:0:\"\";}}}", "{\"x\":[{\"y\":\"\"}]}");
	reads("O:8:\"stdClass\":1:{s:1:\"a\";d:INF;}", "{\"a\":null}");
	reads("O:8:\"stdClass\":0:{}", "{}");
	reads("a:1:{i:0;E:9:\"Suit:Home\";}", "[\"Suit:Home\"]");
	/* Lengths count bytes, and a text may contain what looks like its end. */
	reads("a:2:{i:0;s:5:\"é\";;\";i:1;s:2:\"é\";}", "[\"é\\\";;\",\"é\"]");
	reads_len(hidden, sizeof(hidden) - 1, "{\"a\":1,\"b\":2}");
}

/* XML parsers replace CR LF by LF, so the stored lengths are too long. */
static void
lengths_that_an_xml_reader_has_shortened_are_put_right(void **state)
{
	(void)state;
	reads("a:2:{i:0;s:10:\"a\nb\nc\n\";i:1;s:1:\"d\";}", NULL);
	reads("a:2:{i:0;s:9:\"a\nb\nc\n\";i:1;s:1:\"d\";}", "[\"a\\nb\\nc\\n\",\"d\"]");
	reads("a:1:{i:0;s:7:\"abcdef\";}", NULL);
}

static void
what_is_wrong_is_refused(void **state)
{
	static const char *const wrong[] = { "", "a", "a:", "a:1:{", "a:1:{i:0;}", "a:2:{i:0;N;}",
		"a:1:{i:0;N;}x", "s:99:\"a\";", "s:-1:\"\";", "s:18446744073709551615:\"\";",
		"i:99999999999999999999;", "a:99999999999:{}", "a:1:{a:0:{}N;}", "a:1:{i:0;R:1;}",
		"a:1:{i:0;r:1;}", "C:1:\"A\":0:{}", "b:2;", "d:x;", "s:1:\"\xff\";",
		"O:8:\"st0;s:N", "s:3:\"a\n\"", "a:1:{N;N;}", "i:1", "N" };
	char *deep = malloc(100000 * 9 + 1);
	size_t len = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		reads(wrong[i], NULL);
	assert_non_null(deep);
	for (int i = 0; i < 100000; i++, len += 9)
		memcpy(deep + len, "a:1:{i:0;", 9);
	deep[len] = '\0';
	reads_len(deep, len, NULL);
	free(deep);
}

/* Many texts whose lengths are too long, so that the end of each must be searched for. */
static void
hostile_lengths_take_linear_time(void **state)
{
	size_t count = 90000, len = 0;
	char *text = malloc(count * 40 + 100);

	(void)state;
	assert_non_null(text);
	len += (size_t)snprintf(text, 100, "a:%zu:{", count);
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, 40, "i:%zu;s:1000000:\"\n\n\";", i);
	json_decref(php_read(text, len));
	free(text);
}

static void
a_custom_field_holds_the_value(void **state)
{
	struct harness *h = imported_open(NULL);
	struct outcome *o;

	(void)state;
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"layout\",\"label\":\"L\",\"type\":\"json\"}"));
	assert_ok(imported_run(h, "",
	    ITEM("1", "post", "a",
		META("layout", "a:1:{s:4:\"rows\";a:2:{i:0;s:1:\"x\";i:1;a:1:{s:1:\"n\";i:7;}}}"))
		ITEM("2", "post", "b", META("layout", "a:1:{broken"))));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_int_equal(harness_int(o->data, "item.data.layout.rows[1].n"), 7);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/b", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.layout"), "a:1:{broken");
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_each_type_are_read),
		cmocka_unit_test(lengths_that_an_xml_reader_has_shortened_are_put_right),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(hostile_lengths_take_linear_time),
		cmocka_unit_test(a_custom_field_holds_the_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
