/* snippets.c - the part of a text that is shown with a result. */
#include "searched.h"
#include <stdarg.h>
#include <string.h>

#define WORDS 32 /* words of a snippet */

static void
snippets_escape_all_but_the_marks(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "T", "a <script>alert(1)</script> & a <mark>zebra</mark> of 5 > 4");
	assert_string_equal(snippet(h, "zebra"),
	    "a &lt;script&gt;alert(1)&lt;/script&gt; &amp; a &lt;mark&gt;<mark>zebra</mark>"
	    "&lt;/mark&gt; of 5 &gt; 4");
	make(h, editor, id,
	    "{'status':'published','data':{'title':'T','summary':'the \\u0001okapi\\u0002 "
	    "isn\\u0027t \\u0022x\\u0022'}}");
	assert_string_equal(
	    snippet(h, "okapi"), "the  <mark>okapi</mark>  isn&#39;t &quot;x&quot;");
}

#define TEXT 8000

static void add(char to[TEXT], const char *fmt, ...) STET_FMT(2, 3);
static void
add(char to[TEXT], const char *fmt, ...)
{
	size_t len = strlen(to);
	va_list ap;

	va_start(ap, fmt);
	assert_in_range(vsnprintf(to + len, TEXT - len, fmt, ap), 0, TEXT - len - 1);
	va_end(ap);
}

/* Appends "w<from> w<from+1> ...". */
static void
words(char to[TEXT], int from, int count)
{
	for (int i = 0; i < count; i++)
		add(to, "w%d ", from + i);
}

static void
a_sentence_far_into_the_text_is_shown_from_its_beginning(void **state)
{
	char body[TEXT] = "", want[TEXT] = "", id[27];

	words(body, 0, 300);
	add(body, "end. Here the zebra sleeps. ");
	words(body, 300, 300);
	post(*state, id, "T", body);
	add(want, "...Here the <mark>zebra</mark> sleeps. ");
	words(want, 300, WORDS - 5);
	add(want, "w%d...", 300 + WORDS - 5);
	assert_string_equal(snippet(*state, "zebra"), want);
}

static void
a_match_in_a_long_sentence_stands_in_the_middle(void **state)
{
	char body[TEXT] = "", want[TEXT] = "", id[27];
	const int before = (WORDS - 1) / 2, behind = WORDS - 1 - before;

	words(body, 0, 300);
	add(body, "zebra ");
	words(body, 301, 300);
	post(*state, id, "T", body);
	add(want, "...");
	words(want, 300 - before, before);
	add(want, "<mark>zebra</mark> ");
	words(want, 301, behind - 1);
	add(want, "w%d...", 301 + behind - 1);
	assert_string_equal(snippet(*state, "zebra"), want);
}

static void
a_text_is_shown_to_its_last_stop(void **state)
{
	char id[27];

	post(*state, id, "T", "(\\u0022The zebra\\u0022.)");
	assert_string_equal(snippet(*state, "zebra"), "(&quot;The <mark>zebra</mark>&quot;.)");
}

static void
where_more_of_the_question_stands_is_shown(void **state)
{
	char body[TEXT] = "", id[27];
	const char *found;

	add(body, "zebra zebra zebra zebra ");
	words(body, 0, 100);
	add(body, "okapi w zebra ");
	words(body, 100, 100);
	post(*state, id, "zebra", body);
	found = snippet(*state, "zebra okapi");
	assert_non_null(strstr(found, "<mark>okapi</mark> w <mark>zebra</mark>"));
}

static void
a_word_without_end_is_bounded(void **state)
{
	static char body[70000];
	char id[27];

	*body = '\0';
	for (int i = 0; i < 10000; i++)
		memcpy(body + 6 * i, "okapi ", 7);
	post(*state, id, "T", body);
	assert_int_equal(strlen(snippet(*state, "okapi")),
	    WORDS * strlen("<mark>okapi</mark> ") - 1 + strlen("..."));
}

static void
a_phrase_that_is_longer_than_a_snippet_is_cut(void **state)
{
	char body[TEXT] = "first ", question[TEXT] = "\"", id[27];
	const char *found;

	words(body, 0, 50);
	words(question, 0, 50);
	add(question, "\"");
	post(*state, id, "T", body);
	found = snippet(*state, question);
	assert_memory_equal(found, "...", 3);
	assert_non_null(strstr(found, "w0 w1 w2"));
	assert_null(strstr(found, "w40"));
	assert_string_equal(found + strlen(found) - strlen("</mark>..."), "</mark>...");
}

static void
marks_of_letters_do_not_overlap(void **state)
{
	char id[27];

	enable(*state, "posts", "'tokenize':'trigram'");
	post(*state, id, "T", "an aaaaa, a bcbcb");
	assert_string_equal(snippet(*state, "aaa"), "an <mark>aaaaa</mark>, a bcbcb");
	assert_string_equal(snippet(*state, "bcb"), "an aaaaa, a <mark>bcbcb</mark>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(snippets_escape_all_but_the_marks),
		searched(a_sentence_far_into_the_text_is_shown_from_its_beginning),
		searched(a_match_in_a_long_sentence_stands_in_the_middle),
		searched(a_text_is_shown_to_its_last_stop),
		searched(where_more_of_the_question_stands_is_shown),
		searched(a_word_without_end_is_bounded),
		searched(a_phrase_that_is_longer_than_a_snippet_is_cut),
		searched(marks_of_letters_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
