/*
 * converted.c - completeness of the conversion: the checker finds losses, export files of other
 * sites convert without loss, and malicious texts take time and memory in proportion to their
 * length.
 */
#include "../../../modules/html/convert/convert.h"
#include "call/call.h"
#include "exports.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Returns true if the checker reports `what` for a text whose conversion is empty. */
static bool
is_told(const char *text, const char *what)
{
	json_t *nothing = json_array(), *lost = convert_check(text, strlen(text), nothing);
	char *told = lost != NULL ? json_dumps(lost, 0) : NULL;
	bool is = told != NULL && strstr(told, what) != NULL;

	free(told);
	json_decref(lost);
	json_decref(nothing);
	return is;
}

static void
the_checker_tells_of_text_links_and_pictures(void **state)
{
	(void)state;
	assert_true(is_told("<p>three small words</p>", "three small words"));
	assert_true(is_told("<a href=\"/there\">x</a>", "address: /there"));
	assert_true(is_told("<img src=\"/p.jpg\">", "address: /p.jpg"));
	assert_true(is_told("<!-- wp:a --><b>x</b><!-- /wp:a -->", "text: x"));
	assert_false(is_told("<script>three()</script><!-- four -->", "text"));
	assert_false(is_told("<a href=\"javascript:x\">y</a>", "address"));
}

struct file {
	const char *name;
	int64_t items;
};

static enum stet_status
check_item(void *arg, const struct wxr_item *item)
{
	struct convert_report report;
	json_t *value, *lost;

	assert_int_equal(
	    convert_text(NULL, item->content, strlen(item->content), NULL, &report, &value),
	    STET_OK);
	lost = convert_check(item->content, strlen(item->content), value);
	/* The corpus has one video with a mistyped URL ("ttps:"), which no field accepts. */
	if (json_array_size(lost) == 1 &&
	    strncmp(json_string_value(json_array_get(lost, 0)), "address: ttps://", 16) == 0)
		(void)json_array_clear(lost);
	if (json_array_size(lost) > 0)
		fail_msg("item %lld: %s", (long long)item->id, json_dumps(lost, 0));
	json_decref(lost);
	*(int64_t *)arg += json_array_size(value) > 0;
	json_decref(value);
	return STET_OK;
}

/* The number of items with content in each file that is available. */
static void
nothing_of_the_files_of_others_is_lost(void **state)
{
	static const struct file files[] = {
		{ "64-block-test-data", 70 },
		{ "a11y-unit-test-data", 86 },
		{ "entities-options-and-posts", 1 },
		{ "namespace-edge-cases", 5 },
		{ "post-content-blank-lines", 1 },
		{ "slashes", 1 },
		{ "small-export", 11 },
		{ "stylish-press", 3 },
		{ "theme-preview", 7 },
		{ "valid-wxr-1.0", 6 },
		{ "valid-wxr-1.1", 2 },
		{ "woocommerce-demo-products", 18 },
		{ "wxr-simple", 1 },
		{ "wxr-utf-8-challenges", 1 },
		{ "../theme-unit-test.wxr", 99 },
	};

	(void)state;
	if (export_path("slashes") == NULL) {
		print_message(
		    "# skipped: the export files of others are not here (shared/data/wxr)\n");
		return;
	}
	for (size_t i = 0; i < COUNT(files); i++) {
		const char *path = export_path(files[i].name);
		struct stet_call *call = call_new();
		int64_t items = 0;
		const struct wxr_sink sink = { .item = check_item, .arg = &items };
		struct wxr_totals totals;

		assert_non_null(path);
		assert_int_equal(wxr_read(call, &path, 1, UINT64_MAX, &sink, &totals), STET_OK);
		if (items != files[i].items)
			fail_msg("%s: %lld items with content", files[i].name, (long long)items);
		call_free(call);
	}
}

static double
seconds(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t), 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Converts a text of this size; returns the time. Linear time is 4 times as long for 4 times the
 * size. */
static double
time_of(const char *unit, size_t size)
{
	size_t len = strlen(unit), n = size / len;
	char *text = malloc(n * len + 1);
	double begin;
	json_t *value;

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, unit, len);
	begin = seconds();
	assert_int_equal(convert_text(NULL, text, n * len, NULL, NULL, &value), STET_OK);
	begin = seconds() - begin;
	json_decref(value);
	free(text);
	return begin;
}

static void
hostile_texts_take_linear_time(void **state)
{
	static const char *const units[] = { "<div>", "<b><i>", "<b><p>x", "<font size=1 a=2><p>x",
		"<!-- wp:group -->", "<!-- wp:columns --><!-- wp:column -->", "<!-- ",
		"<a href=x>t", "<table><tr><td>x", "<ul><li>x", "<dd><li>", "<span><p></span>",
		"<form><div></form>", "[caption]", "[embed]x", "x\n\n", "<svg>", "<script>",
		"<a \"", "<", "<p a b c d ", "<blockquote>x<cite>y", "<figure><figcaption>x",
		"<!-- wp:more /-->", "<body a=1><html b=2>", "<select><option>x", "<button><p>" };

	(void)state;
	for (size_t i = 0; i < COUNT(units); i++) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
		/* ASan's allocator is not linear, since it stores a stack trace for each block:
		 * measures no time. */
		(void)time_of(units[i], 1 << 14);
#else
		double quarter = time_of(units[i], 1 << 18), whole = time_of(units[i], 1 << 20);

		if (whole > 8 * quarter + 0.2)
			fail_msg("%s: %.3f s, and %.3f s for four times as much", units[i], quarter,
			    whole);
#endif
	}
}

/* Returns the number of objects in a value. */
static size_t
objects_of(json_t *value)
{
	size_t n = json_is_object(value), i;
	const char *name;
	json_t *member;

	json_object_foreach(value, name, member) n += objects_of(member);
	json_array_foreach(value, i, member) n += objects_of(member);
	return n;
}

static void
a_text_of_very_many_blocks_stays_html(void **state)
{
	static const char unit[] = "<!-- wp:more /--><p>x</p>\n\n<img src=y>";
	size_t len = sizeof(unit) - 1, n = 100000;
	char *text = malloc(n * len + 1);
	json_t *value, *lost;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, unit, len);
	assert_int_equal(convert_text(NULL, text, n * len, NULL, NULL, &value), STET_OK);
	assert_in_range(objects_of(value), 50000, 400000);
	lost = convert_check(text, n * len, value);
	assert_null(lost);
	json_decref(value);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_checker_tells_of_text_links_and_pictures),
		cmocka_unit_test(nothing_of_the_files_of_others_is_lost),
		cmocka_unit_test(hostile_texts_take_linear_time),
		cmocka_unit_test(a_text_of_very_many_blocks_stays_html),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
