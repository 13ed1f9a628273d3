/* spelling.t - unknown words of a query are corrected to words of items that the caller may
 * read. */
#include "searched.h"
#include <string.h>

/* Returns the corrected query that an anonymous caller gets; "" if the query was not corrected.
 * Static buffer. */
static const char *
corrected(struct harness *h, const char *q, const char *more)
{
	static char out[1000];
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, more));
	snprintf(out, sizeof(out), "%s",
	    json_object_get(o->data, "corrected") != NULL ? harness_text(o->data, "corrected")
							  : "");
	if (*out != '\0')
		assert_true(json_array_size(json_object_get(o->data, "items")) > 0);
	return out;
}

static const char *
suggested(struct harness *h, const char *q)
{
	static char out[1000];
	struct outcome *o;

	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=%s", encoded(q)));
	snprintf(out, sizeof(out), "%s",
	    json_object_get(o->data, "corrected") != NULL ? harness_text(o->data, "corrected")
							  : "");
	return out;
}

static void
fill_site(struct harness *h)
{
	char id[27];

	post(h, id, "Wings", "The Distribution of pressure over a wing");
	post(h, id, "Layers", "The boundary layer at supersonic speeds, approximately");
	post(h, id, "Databases", "Happy dependencies of a laboratory");
}

static void
one_edit_of_each_kind_and_two_in_longer_words_are_corrected(void **state)
{
	static const char *const pairs[][2] = {
		{ "presure", "pressure" }, /* a letter is missing */
		{ "presssure", "pressure" }, /* a letter too many */
		{ "pressire", "pressure" }, /* a wrong letter */
		{ "pressuer", "pressure" }, /* two letters swapped */
		{ "rpessure", "pressure" }, /* the first two letters swapped */
		{ "pessure", "pressure" },
		{ "bressure", "pressure" }, /* the first letter is wrong */
		{ "ressure", "pressure" }, /* the first letter is missing */
		{ "xpressure", "pressure" }, /* an extra first letter */
		{ "bressurre", "pressure" },
		{ "Presure", "pressure" },
		{ "wimg", "wing" },
		{ "hapyp", "happy" },
		{ "hapy", "happy" },
		{ "bondery", "boundary" },
		{ "disdribution", "distribution" },
		{ "distributoin", "distribution" },
		{ "aproximatly", "approximately" },
		{ "suprsonnic", "supersonic" },
		{ "databaess", "databases" },
		{ "dependnecies", "dependencies" },
		{ "labbratory", "laboratory" },
	};
	struct harness *h = *state;

	fill_site(h);
	for (size_t i = 0; i < COUNT(pairs); i++) {
		if (strcmp(corrected(h, pairs[i][0], ""), pairs[i][1]) != 0)
			fail_msg("%s: \"%s\"", pairs[i][0], corrected(h, pairs[i][0], ""));
		assert_int_equal(hits(h, pairs[i][0]), 1);
	}
	/* Two edits of a short word, or three of a long one, are no correction. */
	assert_string_equal(corrected(h, "wimk", ""), "");
	assert_string_equal(corrected(h, "prezzrue", ""), "");
	assert_int_equal(hits(h, "prezzrue"), 0);
}

/* Other forms of the word are in more documents than are examined to choose a form. */
static void
an_ending_is_that_of_the_query(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Experimental", "x");
	for (int i = 0; i < 20; i++)
		post(h, id, "Experiments", "of an experimenter");
	assert_string_equal(corrected(h, "expxrimental", ""), "experimental");
	assert_string_equal(
	    corrected(h, "what is experxmental in this", ""), "what is experimental in this");
	/* No item has this form. */
	assert_string_equal(corrected(h, "expxrimented", ""), "");
}

static void
a_word_that_stands_only_in_others_is_not_told(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "A form",
	    "They were informed of formedness, \xc3\xa9"
	    "formed 2formed and \xc3\xa9"
	    "formed\xc3\xa9");
	assert_string_equal(corrected(h, "fxrmed", ""), "");
	post(h, id, "A form",
	    "informed, \xe2\x80\x9c"
	    "Formed\xe2\x80\x9d");
	assert_string_equal(corrected(h, "fxrmed", ""), "formed");
}

/* The cost of a correction must not grow with the length of texts. */
static void
only_the_first_part_of_a_long_text_is_read(void **state)
{
	struct harness *h = *state;
	char id[27], *text;
	size_t len;
	FILE *to;

	assert_non_null(to = open_memstream(&text, &len));
	for (int i = 0; i < 10000; i++)
		(void)fprintf(to, i == 500 ? "quagga " : i == 9000 ? "okapi " : "w%d ", i);
	(void)fclose(to);
	post(h, id, "Long", text);
	free(text);
	assert_string_equal(corrected(h, "quxgga", ""), "quagga");
	assert_string_equal(corrected(h, "okxpi", ""), "");
	assert_int_equal(hits(h, "okapi"), 1);
}

static void
a_word_that_is_there_stays(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill_site(h);
	post(h, id, "Wind", "presume");
	assert_string_equal(corrected(h, "wind", ""), "");
	assert_string_equal(corrected(h, "wing wind", ""), "");
	assert_string_equal(corrected(h, "presume", ""), "");
	assert_string_equal(corrected(h, "press", ""), "");
	assert_string_equal(corrected(h, "presumes layers", ""), "");
	assert_string_equal(corrected(h, "what is the press of a wind", ""), "");
	/* Short words and words with digits are not corrected. */
	assert_string_equal(corrected(h, "wig", ""), "");
	assert_string_equal(corrected(h, "pressur3", ""), "");
	assert_string_equal(corrected(h, "pre-sure", ""), "");
}

static void
only_the_wrong_words_of_a_query_change(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill_site(h);
	assert_string_equal(
	    corrected(h, "  Distribution,  presure!", ""), "  Distribution,  pressure!");
	assert_int_equal(hits(h, "distribution presure"), 1);
	harness_ok(o, look(h, nobody, "distribution presure", ""));
	assert_null(json_object_get(o->data, "partial"));
	assert_string_equal(corrected(h, "What is the disdribution of presure over a wing?", ""),
	    "What is the distribution of pressure over a wing?");
	/* Two right words that no item has together, and a wrong word. */
	harness_ok(o, look(h, nobody, "boundary presure", ""));
	assert_string_equal(harness_text(o->data, "corrected"), "boundary pressure");
	assert_true(json_is_true(json_object_get(o->data, "partial")));
	/* A repeated word is corrected everywhere, but not in quotes. */
	assert_string_equal(corrected(h, "presure presure", ""), "pressure pressure");
	assert_string_equal(corrected(h, "presure, wing Presure presure,", ""),
	    "pressure, wing pressure pressure,");
	assert_string_equal(corrected(h, "presure a presure wing -presures \"wing\" presure", ""),
	    "pressure a pressure wing -presures \"wing\" pressure");
	/* A word that resembles no other stays. */
	assert_string_equal(corrected(h, "presure zzzzzz", ""), "pressure zzzzzz");
	assert_string_equal(corrected(h, "zzzzzz", ""), "");
	assert_int_equal(hits(h, "zzzzzz"), 0);
}

/* Words that no item has are left out of a question, and are not corrected. */
static void
right_words_of_questions_stay(void **state)
{
	static const char *const questions[] = { "does there exist a wing",
		"what is found of pressure layers", "which papers tell of a boundary layer",
		"a technical report on a wing", "has anyone any pressure layers",
		"what is the criterion of a boundary layer" };
	struct harness *h = *state;
	char id[27];

	fill_site(h);
	post(h, id, "Others", "three exit round panels mechanical alone criteria than hat");
	for (size_t i = 0; i < COUNT(questions); i++) {
		if (*corrected(h, questions[i], "") != '\0')
			fail_msg("%s: %s", questions[i], corrected(h, questions[i], ""));
		assert_true(hits(h, questions[i]) > 0);
	}
	assert_string_equal(corrected(h, "exist", ""), "exit");
	assert_string_equal(corrected(h, "papers", ""), "panels");
}

static void
quotes_and_exclusions_are_left_alone(void **state)
{
	struct harness *h = *state;

	fill_site(h);
	assert_string_equal(corrected(h, "\"presure\"", ""), "");
	assert_string_equal(corrected(h, "\"presure distribution\"", ""), "");
	assert_string_equal(corrected(h, "wing -presure", ""), "");
	assert_string_equal(
	    corrected(h, "wing -presure disdribution", ""), "wing -presure distribution");
	/* If the corrected query finds nothing, the response is as without a correction. */
	assert_string_equal(corrected(h, "presure -wing", ""), "");
	assert_int_equal(hits(h, "presure -wing"), 0);
}

static void
words_of_drafts_are_not_told_to_readers(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	fill_site(h);
	make(h, editor, id, "{'data':{'title':'Secret zebra','summary':'acquisition'}}");
	assert_string_equal(corrected(h, "zebar", ""), "");
	assert_string_equal(suggested(h, "zebar"), "");
	assert_string_equal(corrected(h, "acquizition", ""), "");
	harness_ok(o, look(h, editor, "zebar", "&status=draft"));
	assert_string_equal(harness_text(o->data, "corrected"), "zebra");
	harness_ok(o, look(h, editor, "presure", "&status=draft"));
	assert_null(json_object_get(o->data, "corrected"));
	assert_ok(say(h, editor, "POST " BASE "/secret-zebra/publish", "{}"));
	assert_string_equal(corrected(h, "zebar", ""), "zebra");
	assert_ok(ask(h, editor, "DELETE " BASE "/secret-zebra"));
	assert_string_equal(corrected(h, "zebar", ""), "");
	/* Other locales have words of their own. */
	assert_string_equal(corrected(h, "presure", "&locale=en"), "pressure");
	assert_string_equal(corrected(h, "presure", "&locale=de"), "");
}

/* An index that could not be updated still has the words. */
static void
words_of_items_that_are_withdrawn_are_not_told(void **state)
{
	struct harness *h = *state;
	char id[27], sql[100];

	fill_site(h);
	post(h, id, "Secret", "acquisition");
	make(h, editor, id, "{'data':{'title':'Draft'}}");
	assert_string_equal(corrected(h, "acquizition", ""), "acquisition");
	snprintf(sql, sizeof(sql), "DROP TABLE search_fts_%s",
	    index_ask(h, "SELECT id FROM search_shard WHERE status = 'draft'"));
	index_sql(h, sql, NULL);
	assert_ok(say(h, editor, "POST " BASE "/secret/unpublish", "{}"));
	assert_string_equal(unindexed(h), "1");
	assert_string_equal(corrected(h, "acquizition", ""), "");
	work_all(h);
	assert_string_equal(index_ask(h, "SELECT count(*) FROM search_failed"), "1");
	assert_string_equal(corrected(h, "acquizition", ""), "");
	assert_string_equal(suggested(h, "secrte"), "");
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	assert_string_equal(corrected(h, "acquizition", ""), "");
	assert_string_equal(corrected(h, "presure", ""), "pressure");
}

static void
marks_and_other_scripts_are_letters(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id,
	    "Stadtgespr\xc3\xa4"
	    "ch",
	    "Grenzschicht mit Str\xc3\xb6mung und \xc3\x9c"
	    "berdruck");
	post(h, id, "Other", "\xd0\xb4\xd0\xb0\xd0\xb2\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xb8\xd0\xb5");
	assert_string_equal(corrected(h, "Str\xc3\xb6mnug", ""), "str\xc3\xb6mung");
	assert_string_equal(corrected(h, "stroemung", ""), "str\xc3\xb6mung");
	assert_string_equal(corrected(h,
				"\xc3\xbc"
				"berduck",
				""),
	    "\xc3\xbc"
	    "berdruck");
	assert_string_equal(corrected(h,
				"u\xcc\x88"
				"berduck",
				""),
	    "\xc3\xbc"
	    "berdruck");
	assert_string_equal(
	    corrected(h, "\xd0\xb4\xd0\xb0\xd0\xb2\xd0\xbb\xd0\xbd\xd0\xb8\xd0\xb5", ""),
	    "\xd0\xb4\xd0\xb0\xd0\xb2\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xb8\xd0\xb5");
	assert_string_equal(
	    corrected(h, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80", ""),
	    "");
}

static void
the_next_page_is_of_the_corrected_search(void **state)
{
	char id[27], seen[1000] = "", cursor[2100] = "";
	struct harness *h = *state;
	struct outcome *o;
	int n = 0;

	for (int i = 0; i < 7; i++)
		post(h, id, "Wings", i % 2 == 0 ? "pressure" : "pressure pressures");
	do {
		harness_ok(o, look(h, nobody, "presure", cursor));
		assert_string_equal(harness_text(o->data, "corrected"), "pressure");
		for (size_t i = 0; i < json_array_size(json_object_get(o->data, "items")); i++) {
			const char *one = harness_text(
			    json_array_get(json_object_get(o->data, "items"), i), "id");

			assert_null(strstr(seen, one));
			snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s ", one);
			n++;
		}
		/* From here on a nearer word exists, which is not part of this search. */
		if (*cursor == '\0')
			post(h, id, "Other", "presured");
		snprintf(cursor, sizeof(cursor), "&limit=2&cursor=%s",
		    harness_text(o->data, "nextCursor"));
	} while (json_object_get(o->data, "nextCursor") != NULL);
	assert_int_equal(n, 7);
}

static void
suggestions_are_corrected_by_titles(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Boundary layers", "with slipstreams");
	post(h, id, "Boundless", "x");
	assert_string_equal(suggested(h, "bound"), "");
	assert_string_equal(suggested(h, "boundary laye"), "");
	assert_string_equal(suggested(h, "boundarry laye"), "boundary laye");
	assert_string_equal(suggested(h, "boundary lyaers"), "boundary layers");
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=boundarry+laye"));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Boundary layers");
	/* No title has the word. */
	assert_string_equal(suggested(h, "slipstraem"), "");
}

static void
words_of_fields_that_are_not_searched_are_not_told(void **state)
{
	struct harness *h = *state;

	fill_site(h);
	assert_string_equal(corrected(h, "presure", ""), "pressure");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/body", "{'searchable':false}"));
	assert_string_equal(corrected(h, "presure", ""), "");
}

static void
other_tokenizers(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill_site(h);
	enable(h, "posts", "'tokenize':'unicode61'");
	work_all(h);
	assert_string_equal(corrected(h, "disdribution", ""), "distribution");
	assert_string_equal(corrected(h, "distrib", ""), "");
	post(h, id, "Rides", "one taxi and a safari");
	assert_string_equal(corrected(h, "taxy", ""), "taxi");
	assert_string_equal(corrected(h, "safary", ""), "safari");
	assert_string_equal(corrected(h, "taxxy", ""), "");
	enable(h, "posts", "'tokenize':'trigram'");
	work_all(h);
	assert_int_equal(hits(h, "pressure"), 1);
	assert_string_equal(corrected(h, "disdribution", ""), "");
	assert_string_equal(suggested(h, "layrs"), "");
}

static void
hostile_queries_are_bounded(void **state)
{
	struct harness *h = *state;
	char *large = calloc(1, 11001), id[27];

	fill_site(h);
	post(h, id, "Unknowing", "unknowable");
	for (int i = 0; i < 32; i++)
		snprintf(large + strlen(large), 400, "%sunkno%c%c", i > 0 ? " " : "", 'a' + i % 26,
		    'a' + i / 26);
	assert_ok(harness_op(h, subscriber, "search", "{\"query\":\"%s\"}", large));
	assert_ok(harness_op(h, subscriber, "search", "{\"query\":\"%.230s\"}", large));
	memset(large, 'p', 10000);
	large[10000] = '\0';
	assert_ok(harness_op(h, subscriber, "search", "{\"query\":\"%s\"}", large));
	free(large);
}

/* A site from before the terms of shards were readable. */
static void
older_sites_are_corrected(void **state)
{
	struct harness *h = *state;
	char sql[100];

	fill_site(h);
	while (*inside_ask(h,
		   "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'search_terms%'") != '0') {
		snprintf(sql, sizeof(sql), "DROP TABLE %s",
		    inside_ask(
			h, "SELECT min(name) FROM sqlite_schema WHERE name LIKE 'search_terms%'"));
		inside_sql(h, sql, NULL);
	}
	inside_sql(h, "DROP TABLE search_pending", NULL);
	inside_sql(h, "DROP TABLE search_failed", NULL);
	inside_sql(h, "DROP TABLE search_change", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'search' AND version >= 3", NULL);
	*state = h = harness_again(h);
	assert_string_equal(corrected(h, "presure", ""), "pressure");
}

static void
the_tool_and_lists_by_relevance_correct_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill_site(h);
	harness_ok(o, harness_op(h, subscriber, "search", "{\"query\":\"presure\"}"));
	assert_string_equal(harness_text(o->data, "corrected"), "pressure");
	harness_ok(o, ask(h, subscriber, "GET " BASE "?search=presure"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(one_edit_of_each_kind_and_two_in_longer_words_are_corrected),
		searched(an_ending_is_that_of_the_query),
		searched(a_word_that_stands_only_in_others_is_not_told),
		searched(only_the_first_part_of_a_long_text_is_read),
		searched(a_word_that_is_there_stays),
		searched(only_the_wrong_words_of_a_query_change),
		searched(right_words_of_questions_stay),
		searched(quotes_and_exclusions_are_left_alone),
		searched(words_of_drafts_are_not_told_to_readers),
		searched(words_of_items_that_are_withdrawn_are_not_told),
		searched(marks_and_other_scripts_are_letters),
		searched(the_next_page_is_of_the_corrected_search),
		searched(suggestions_are_corrected_by_titles),
		searched(words_of_fields_that_are_not_searched_are_not_told),
		searched(other_tokenizers),
		searched(hostile_queries_are_bounded),
		searched(older_sites_are_corrected),
		searched(the_tool_and_lists_by_relevance_correct_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
