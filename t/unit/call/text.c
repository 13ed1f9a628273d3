/* text.t - UTF-8, slugs, names, locales, ids, times, patterns; the texts of entries. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "base/log.h"
#include "call/call.h"
#include <stdlib.h>
#include <stet/content.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* ---- UTF-8 ---- */

static void
length_counts_code_points(void **state)
{
	(void)state;
	assert_int_equal(stet_utf8_length(""), 0);
	assert_int_equal(stet_utf8_length("abc"), 3);
	assert_int_equal(stet_utf8_length("n\xc3\xa4h"), 3);
	assert_int_equal(stet_utf8_length("\xe4\xbd\xa0\xe5\xa5\xbd"), 2);
	assert_int_equal(stet_utf8_length("\xf0\x9f\x98\x80"), 1);
	assert_int_equal(
	    stet_utf8_length("\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf"), 5);
	assert_int_equal(stet_utf8_length("\xed\x9f\xbf\xee\x80\x80"), 2);
}

static void
texts_are_cut_between_characters(void **state)
{
	static const char text[] = "a\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80";
	static const size_t cut[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };
	static const size_t first[] = { 0, 1, 3, 6, 10, 10 };

	(void)state;
	for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
		assert_int_equal(stet_utf8_cut(text, i), cut[i]);
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		assert_int_equal(stet_utf8_first(text, i), first[i]);
}

static void
text_that_is_not_utf8_has_no_length(void **state)
{
	static const char *const bad[] = { "\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(",
		"\xe0\x9f\xbf", "\xe2\x82", "\xe2(\xa1", "\xed\xa0\x80", "\xed\xbf\xbf",
		"\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
		"a\xfe" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(stet_utf8_length(bad[i]), -1);
}

/* ---- slugs ---- */

static void
titles_become_slugs(void **state)
{
	static const char *const pairs[][2] = {
		{ "Hello World", "hello-world" },
		{ "Caf\xc3\xa9 Na\xc3\xafve", "caf\xc3\xa9-na\xc3\xafve" },
		{ "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xb8\x96\xe7\x95\x8c",
		    "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xb8\x96\xe7\x95\x8c" },
		{ "  --A__B  c!! ", "a-b-c" },
		{ "don't stop", "dont-stop" },
		{ "A.B/C", "abc" },
		{ "\xef\xac\x81ne \xef\xbc\xa6\xef\xbd\x95\xef\xbd\x8c\xef\xbd\x8c", "fine-full" },
		{ "C++ & C#", "c-c" },
		{ "100% off", "100-off" },
		{ "\xf0\x9f\x98\x80\xf0\x9f\x98\x80", "" },
		{ "!!!", "" },
		{ "___", "" },
		{ "", "" },
		{ "a\xc2\xa0"
		  "b\xe3\x80\x80"
		  "c",
		    "a-b-c" },
		{ "e\xcc\x81t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
		{ "\xc4\xb0stanbul", "i\xcc\x87stanbul" },
		{ "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80",
		    "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80" },
		{ "tail-", "tail" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		assert_string_equal(stet_slugify(*state, pairs[i][0]), pairs[i][1]);
}

static void
slugs_end_after_eighty_graphemes(void **state)
{
	char title[400] = "";
	char *slug;

	memset(title, 'x', 79);
	memcpy(title + 79, " yyyy", 5);
	slug = stet_slugify(*state, title);
	assert_int_equal(strlen(slug), 79); /* no hyphen at the end */
	memset(title, 'x', 100);
	assert_int_equal(strlen(stet_slugify(*state, title)), 80);
	/* A combining mark belongs to the letter before it: q with a dot below is two code
	 * points. */
	for (size_t i = 0; i < 100; i++)
		memcpy(title + 3 * i, "q\xcc\xa3", 3);
	title[300] = '\0';
	assert_int_equal(stet_utf8_length(stet_slugify(*state, title)), 160);
}

static void
slugs_of_hostile_titles_stay_small(void **state)
{
	size_t size = 1 << 20;
	char *title = malloc(size + 1);

	assert_non_null(title);
	for (size_t i = 0; i + 2 <= size; i += 2)
		memcpy(title + i, i == 0 ? "qq" : "\xcc\xa3", 2);
	title[size] = '\0';
	assert_true(strlen(stet_slugify(*state, title)) <= 1024);
	memset(title, 'a', size);
	assert_int_equal(strlen(stet_slugify(*state, title)), 80);
	assert_string_equal(stet_slugify(*state, "\xff\xfe"), "");
	free(title);
}

/* ---- names, locales, ids ---- */

static void
names_are_lower_case_words(void **state)
{
	char name[65];

	(void)state;
	assert_true(stet_is_name("a"));
	assert_true(stet_is_name("blog_posts2"));
	assert_false(stet_is_name(""));
	assert_false(stet_is_name("2a"));
	assert_false(stet_is_name("_a"));
	assert_false(stet_is_name("aB"));
	assert_false(stet_is_name("a-b"));
	assert_false(stet_is_name("a\xc3\xa4"));
	assert_false(stet_is_name("a\"; DROP TABLE x"));
	memset(name, 'a', 64);
	name[63] = '\0';
	assert_true(stet_is_name(name));
	name[63] = 'a';
	name[64] = '\0';
	assert_false(stet_is_name(name));
}

static void
locales_have_a_language_and_parts(void **state)
{
	static const char *const good[] = { "en", "EN", "ast", "pt-BR", "zh-Hans-CN",
		"sl-rozaj-1994", "de-CH-x1" };
	static const char *const bad[] = { "", "e", "engl", "en-", "en-a", "en_GB", "en--GB",
		"en-toolongpart", "1n", "en-G\xc3\xa4" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(stet_is_locale(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(stet_is_locale(bad[i]));
}

static void
ids_are_26_digits_and_capitals(void **state)
{
	assert_true(stet_is_id(stet_id(*state)));
	assert_true(stet_is_id("01USERADMIN000000000000050"));
	assert_false(stet_is_id(""));
	assert_false(stet_is_id("01USERADMIN00000000000005"));
	assert_false(stet_is_id("01USERADMIN0000000000000500"));
	assert_false(stet_is_id("01USERADMIN00000000000005a"));
}

/* ---- times ---- */

static void
times_are_read_as_iso_8601(void **state)
{
	static const char *const pairs[][2] = {
		{ "1970-01-01", "1970-01-01T00:00:00.000Z" },
		{ "2026-11-20T12:30", "2026-11-20T12:30:00.000Z" },
		{ "2026-11-20T12:30:15", "2026-11-20T12:30:15.000Z" },
		{ "2026-11-20T12:30:15.5", "2026-11-20T12:30:15.500Z" },
		{ "2026-11-20T12:30:15.1239Z", "2026-11-20T12:30:15.123Z" },
		{ "2026-11-20T12:30:15+02:00", "2026-11-20T10:30:15.000Z" },
		{ "2026-11-20T23:30:15-05:30", "2026-11-21T05:00:15.000Z" },
		{ "2024-02-29", "2024-02-29T00:00:00.000Z" },
		{ "2000-02-29T00:00Z", "2000-02-29T00:00:00.000Z" },
		{ "0000-01-01", "0000-01-01T00:00:00.000Z" },
		{ "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z" },
		{ "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z" },
	};
	int64_t ms;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_true(stet_time_parse(pairs[i][0], &ms));
		assert_string_equal(stet_time_text(*state, ms), pairs[i][1]);
	}
	assert_true(stet_time_parse("2001-09-09T01:46:40Z", &ms));
	assert_true(ms == INT64_C(1000000000000));
}

static void
what_is_no_time_is_refused(void **state)
{
	static const char *const bad[] = { "", "now", "2026", "2026-11", "2026-1-2", "26-11-20",
		"2026-13-01", "2026-00-10", "2026-11-31", "2026-02-29", "1900-02-29", "2026-11-00",
		"2026-11-20 12:30", "2026-11-20t12:30", "2026-11-20T12", "2026-11-20T24:00",
		"2026-11-20T12:60", "2026-11-20T12:30:60", "2026-11-20T12:30:15.",
		"2026-11-20T12:30z", "2026-11-20T12:30+0200", "2026-11-20T12:30+02",
		"2026-11-20T12:30+24:00", "2026-11-20T12:30+02:60", "2026-11-20Z", "2026-11-20T",
		"2026-11-20T12:30Zx", "0000-01-01T00:00+00:01", "9999-12-31T23:59-00:01",
		"+2026-11-20", " 2026-11-20" };
	int64_t ms = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(stet_time_parse(bad[i], &ms));
	assert_int_equal(ms, 42);
}

/* ---- patterns ---- */

static bool
matches(struct stet_call *call, const char *pattern, const char *text)
{
	const char *why = NULL;
	bool found = false;

	assert_int_equal(stet_match(call, pattern, text, &found, &why), STET_OK);
	return found;
}

static void
patterns_are_searched_for(void **state)
{
	assert_true(matches(*state, "b", "abc"));
	assert_false(matches(*state, "^b", "abc"));
	assert_true(
	    matches(*state, "^.$", "\xf0\x9f\x98\x80")); /* "." matches a character, not a byte */
	assert_false(matches(*state, "^[a-z]+$", "abc\n"));
	assert_true(matches(*state, "(?i)ABC", "xabcx"));
	assert_true(matches(*state, "\\u00e4", "\xc3\xa4"));
	assert_false(matches(*state, "x", "\xff"));
	/* More patterns than the cache of compiled patterns holds, twice. */
	for (int i = 0; i < 100; i++)
		assert_true(matches(*state, stet_printf(*state, "^%d$", i % 50),
		    stet_printf(*state, "%d", i % 50)));
}

static void
bad_patterns_say_why(void **state)
{
	static const char *const bad[] = { "(", "[z-a]", "a{2,1}", "\\C", "(?<n>a)(?<n>b)" };
	const char *why;
	bool found = true;
	char *huge = malloc(10000);

	assert_non_null(huge);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why = NULL;
		assert_int_equal(
		    stet_match(*state, bad[i], "a", &found, &why), STET_VALIDATION_ERROR);
		assert_non_null(why);
		assert_false(found);
	}
	memset(huge, 'a', 9999);
	huge[9999] = '\0';
	assert_int_equal(stet_match(*state, huge, "a", &found, &why), STET_VALIDATION_ERROR);
	memset(huge, '(', 1000);
	memset(huge + 1000, ')', 1000);
	huge[2000] = '\0';
	assert_int_equal(stet_match(*state, huge, "a", &found, &why), STET_VALIDATION_ERROR);
	free(huge);
}

/* Returns the CPU time of this thread in milliseconds, which other load does not change. */
static int64_t
spent(void)
{
	struct timespec ts;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts), 0);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Patterns with catastrophic backtracking, on 64 KiB: they fail, and soon. */
static void
costly_patterns_are_given_up(void **state)
{
	static const char *const costly[] = { "(a+)+$", "(a|a)*$", "^(a|aa)+$", "(.*a){20}x", "a*b",
		"a.*b", "(a*)*b", "(x+x+)+y", "([a-z]+)*\\d", "(?:a?){30}a{30}!", "\\w+\\d",
		"(.+)+\\1x" };
	char *text = malloc(65537);
	int64_t begun;

	assert_non_null(text);
	memset(text, 'a', 65536);
	text[65535] = '?';
	text[65536] = '\0';
	for (size_t i = 0; i < sizeof(costly) / sizeof(costly[0]); i++) {
		begun = spent();
		assert_false(matches(*state, costly[i], text));
		/* About 20 ms at most on a usual machine; the rest is for slow ones. */
		if (spent() - begun > 1000)
			fail_msg("%s took %lld ms", costly[i], (long long)(spent() - begun));
	}
	/* A harmless pattern matches a text of the same length. */
	assert_true(matches(*state, "^[a-z]+\\?$", text));
	assert_true(matches(*state, "\\?", text));
	free(text);
}

/* ---- entries ---- */

static const struct stet_collection posts = { .slug = "posts" };

static void
an_entry_tells_its_members(void **state)
{
	json_t *data = stet_json_own(*state, json_pack("{s:s,s:i}", "title", "Hello", "count", 3));
	struct stet_entry *e = stet_entry_new(*state, &posts, "ID", true, data);

	stet_entry_put(e, "slug", "hello");
	stet_entry_put(e, "slug", "hello-1");
	stet_entry_put(e, "authorId", NULL);
	assert_ptr_equal(stet_entry_collection(e), &posts);
	assert_string_equal(stet_entry_id(e), "ID");
	assert_true(stet_entry_is_new(e));
	assert_string_equal(stet_entry_str(e, "slug"), "hello-1");
	assert_string_equal(stet_entry_str(e, "authorId"), "");
	assert_string_equal(stet_entry_str(e, "title"), "Hello");
	assert_string_equal(stet_entry_str(e, "count"), "");
	assert_int_equal(json_integer_value(stet_entry_get(e, "count")), 3);
	assert_null(stet_entry_get(e, "missing"));
}

/* What is logged while names are asked for; owned by the call. */
static const char *
logged(struct stet_call *call, const struct stet_entry *e, const char *const *names, bool as_text)
{
	char path[] = "/tmp/stet-text-XXXXXX", said[1024];
	int fd = mkstemp(path);
	ssize_t n;

	assert_true(fd >= 0);
	assert_int_equal(log_open(path, STET_INFO), 0);
	for (; *names != NULL; names++)
		assert_string_equal(
		    as_text ? stet_entry_text(call, e, *names) : stet_entry_str(e, *names), "");
	assert_int_equal(log_open(NULL, STET_INFO), 0);
	n = read(fd, said, sizeof said - 1);
	assert_true(n >= 0);
	said[n] = '\0';
	close(fd);
	unlink(path);
	return stet_strdup(call, said);
}

static void
an_unknown_name_is_logged_once(void **state)
{
	static const struct stet_field summary = { .slug = "summary" };
	static const struct stet_field *const fields[] = { &summary };
	static const struct stet_collection pages = {
		.slug = "pages", .fields = fields, .field_count = 1
	};
	static const char *const known[] = { "summary", "slug", "authorId", NULL },
				 *const unknown[] = { "summary", "headline", "other", NULL };
	json_t *data = stet_json_own(*state, json_object());
	struct stet_entry *e = stet_entry_new(*state, &pages, "ID", true, data);
	const char *said;

	stet_entry_put(e, "slug", NULL);
	stet_entry_put(e, "authorId", NULL);
	assert_string_equal(logged(*state, e, known, false), "");
	said = logged(*state, e, unknown, false);
	assert_non_null(
	    strstr(said, "asked for \"headline\", which is no field or member of pages\n"));
	assert_null(strstr(said, "other"));
	/* A member is no field. */
	e = stet_entry_new(*state, &pages, "ID", true, data);
	stet_entry_put(e, "authorId", NULL);
	assert_non_null(strstr(logged(*state, e, known + 2, true),
	    "asked for \"authorId\", which is no field of pages\n"));
}

static void
setting_a_field_leaves_the_clients_data_alone(void **state)
{
	json_t *data = stet_json_own(*state, json_pack("{s:s}", "title", "Hello"));
	struct stet_entry *e = stet_entry_new(*state, &posts, "ID", true, data);

	stet_entry_set(e, "title", json_string("Bye"));
	stet_entry_set(e, "extra", NULL);
	assert_string_equal(stet_entry_str(e, "title"), "Bye");
	assert_true(json_is_null(stet_entry_get(e, "extra")));
	assert_int_equal(json_object_size(stet_entry_data(e)), 2);
	assert_string_equal(json_string_value(json_object_get(data, "title")), "Hello");
	assert_int_equal(json_object_size(data), 1);
}

static void
portable_text_reads_as_lines(void **state)
{
	json_t *data = stet_json_own(*state,
	    json_pack("{s:[{s:s,s:[{s:s},{s:s}]},{s:s},{s:s,s:[{s:s}]}],s:f,s:b,s:n,s:[s,s]}",
		"body", "_type", "block", "children", "text", "Hello ", "text", "world", "_type",
		"image", "_type", "block", "children", "text", "Again", "ratio", 0.5, "flag", 1,
		"none", "tags", "a", "b"));
	struct stet_entry *e = stet_entry_new(*state, &posts, "ID", false, data);

	assert_string_equal(stet_entry_text(*state, e, "body"), "Hello world\nAgain");
	assert_string_equal(stet_entry_text(*state, e, "ratio"), "0.5");
	assert_string_equal(stet_entry_text(*state, e, "flag"), "true");
	assert_string_equal(stet_entry_text(*state, e, "none"), "");
	assert_string_equal(stet_entry_text(*state, e, "tags"), "a\nb");
	assert_string_equal(stet_entry_text(*state, e, "missing"), "");
}

/* ---- scopes ---- */

static enum stet_status
use_memory(struct stet_call *call, void *arg)
{
	int *ended = arg;

	memset(stet_alloc(call, 100000), 1, 100000);
	stet_json_own(call, json_array());
	stet_issue(call, "data.title", "is %s", "required");
	stet_issue(call, "slug", "is bad");
	*ended = *ended + 1;
	return stet_issues(call);
}

static void
a_scope_gives_back_memory_and_keeps_the_error(void **state)
{
	struct stet_call *call = *state;
	struct arena_block *head;
	int ended = 0;

	stet_alloc(call, 16);
	head = call->arena.head;
	for (int i = 0; i < 10; i++)
		assert_int_equal(stet_scope(call, use_memory, &ended), STET_VALIDATION_ERROR);
	assert_int_equal(ended, 10);
	assert_ptr_equal(call->arena.head, head);
	assert_null(call->defers);
	assert_string_equal(
	    stet_error_text(call), "VALIDATION_ERROR: data.title: is required; slug: is bad");
	stet_error_clear(call);
	assert_string_equal(stet_error_text(call), "");
}

static enum stet_status
give_header(struct stet_call *call, void *arg)
{
	stet_header(call, "X-Name", stet_printf(call, "value %d", *(int *)arg));
	return STET_OK;
}

static void
a_header_of_a_scope_stays(void **state)
{
	struct stet_call *call = *state;
	int number = 7, ended = 0;

	assert_int_equal(stet_scope(call, give_header, &number), STET_OK);
	assert_int_equal(stet_scope(call, use_memory, &ended), STET_VALIDATION_ERROR);
	assert_string_equal(call->reply.headers->name, "X-Name");
	assert_string_equal(call->reply.headers->value, "value 7");
	stet_error_clear(call);
}

#define test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		test(length_counts_code_points),
		test(texts_are_cut_between_characters),
		test(text_that_is_not_utf8_has_no_length),
		test(titles_become_slugs),
		test(slugs_end_after_eighty_graphemes),
		test(slugs_of_hostile_titles_stay_small),
		test(names_are_lower_case_words),
		test(locales_have_a_language_and_parts),
		test(ids_are_26_digits_and_capitals),
		test(times_are_read_as_iso_8601),
		test(what_is_no_time_is_refused),
		test(patterns_are_searched_for),
		test(bad_patterns_say_why),
		test(costly_patterns_are_given_up),
		test(an_entry_tells_its_members),
		test(an_unknown_name_is_logged_once),
		test(setting_a_field_leaves_the_clients_data_alone),
		test(portable_text_reads_as_lines),
		test(a_scope_gives_back_memory_and_keeps_the_error),
		test(a_header_of_a_scope_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
