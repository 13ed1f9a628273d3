/* lengths.t - responses are the same whether lengths of texts and results of shards come from
 * memory or from the index. Both follow what is written, and scores follow where words are. */
#include "searched.h"
#include <math.h>
#include <string.h>

#define TEXT_MAX 8000
#define ASKED 8 /* requests; more than are needed until lengths are in memory */

static void
answer(struct harness *h, const char *q, char out[TEXT_MAX])
{
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, "&limit=5"));
	assert_true(strlen(o->text) < TEXT_MAX);
	stpcpy(out, o->text);
}

/* Repeats the search; all responses must be the same. Sets `out` to the last. */
static void
answers(struct harness *h, const char *q, char out[TEXT_MAX])
{
	char first[TEXT_MAX];

	answer(h, q, first);
	for (int i = 0; i < ASKED; i++) {
		answer(h, q, out);
		assert_string_equal(out, first);
	}
}

static void
fill_site(struct harness *h, char id[27])
{
	char text[400] = "zebra";
	size_t len = strlen(text);

	for (int i = 0; i < 12; i++) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
		    i % 3 == 0 ? " horse zebra" : " grass and more grass");
		post(h, id, i % 4 == 0 ? "A zebra" : "Of animals", text);
	}
	work_all(h);
}

/* Compares with the site opened again, which has nothing in memory. */
static struct harness *
assert_fresh(struct harness *h, const char *q, const char *was, bool changed)
{
	char now[TEXT_MAX], again[TEXT_MAX];

	answer(h, q, now);
	assert_int_equal(strcmp(now, was) != 0, changed);
	h = harness_again(h);
	answer(h, q, again);
	assert_string_equal(now, again);
	return h;
}

static void
scores_follow_what_is_written(void **state)
{
	struct harness *h = *state;
	char id[27], was[TEXT_MAX], request[64];

	fill_site(h, id);
	answers(h, "zebra", was);
	h = *state = assert_fresh(h, "zebra", was, false);
	answers(h, "zebra", was);
	/* The same document becomes longer, another is deleted, one is added. */
	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{'data':{'title':'A zebra among many other animals'}}"));
	snprintf(request, sizeof(request), "POST " BASE "/%s/publish", id);
	assert_ok(say(h, editor, request, "{}"));
	work_all(h);
	h = *state = assert_fresh(h, "zebra", was, true);
	answers(h, "zebra", was);
	snprintf(request, sizeof(request), "DELETE " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{}"));
	work_all(h);
	h = *state = assert_fresh(h, "zebra", was, true);
	answers(h, "zebra", was);
	post(h, id, "One more zebra", "zebra zebra");
	work_all(h);
	*state = assert_fresh(h, "zebra", was, true);
}

/* Longer than the longest length that is stored. */
static void
very_long_texts_are_ranked_alike(void **state)
{
	struct harness *h = *state;
	char id[27], was[TEXT_MAX], *text;
	FILE *to;
	size_t len;

	fill_site(h, id);
	assert_non_null(to = open_memstream(&text, &len));
	for (int i = 0; i < 70000; i++)
		(void)fprintf(to, i % 100 == 0 ? "zebra " : "w%d ", i % 7919);
	(void)fclose(to);
	post(h, id, "Long", text);
	free(text);
	work_all(h);
	answers(h, "zebra", was);
	assert_non_null(strstr(was, id));
	*state = assert_fresh(h, "zebra", was, false);
}

static void
questions_are_ranked_alike(void **state)
{
	static const char q[] = "which grass does a zebra eat";
	struct harness *h = *state;
	char id[27], was[TEXT_MAX], request[64];

	fill_site(h, id);
	answers(h, q, was);
	assert_non_null(strstr(was, "\"score\""));
	h = *state = assert_fresh(h, q, was, false);
	answers(h, q, was);
	/* Another word becomes the rarest one. */
	for (int i = 0; i < 30; i++)
		post(h, id, "A zebra", i == 0 ? "grass which does eat" : "zebra eat");
	work_all(h);
	h = *state = assert_fresh(h, q, was, true);
	answers(h, q, was);
	snprintf(request, sizeof(request), "DELETE " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{}"));
	work_all(h);
	*state = assert_fresh(h, q, was, true);
}

static void
corrections_follow_what_is_written(void **state)
{
	struct harness *h = *state;
	char id[27], was[TEXT_MAX], request[64];

	fill_site(h, id);
	answers(h, "okxpis", was);
	assert_null(strstr(was, "corrected"));
	post(h, id, "A new animal", "okapis");
	work_all(h);
	h = *state = assert_fresh(h, "okxpis", was, true);
	answers(h, "okxpis", was);
	assert_non_null(strstr(was, "\"corrected\":\"okapis\""));
	snprintf(request, sizeof(request), "DELETE " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{}"));
	work_all(h);
	h = *state = assert_fresh(h, "okxpis", was, true);
	answer(h, "okxpis", was);
	assert_null(strstr(was, "corrected"));
}

/* Returns the score of the best item. */
static double
score(struct harness *h, const char *q)
{
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, "&limit=1"));
	return json_number_value(
	    json_object_get(json_array_get(json_object_get(o->data, "items"), 0), "score"));
}

static void
a_place_counts_the_same_in_quotes(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill_site(h, id);
	assert_true(score(h, "zebra") > 0);
	assert_true(fabs(score(h, "zebra") - score(h, "\"zebra\"")) < 1e-9);
}

static void
words_that_are_nearer_rank_first_however_far_apart(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], far[27];

	post(h, id, "x", "zebra a a a a a a a a a a a okapi a a a a a a a a a a a a");
	post(h, far, "x", "zebra a a a a a a a a a a a a a a a a a a a a a a a okapi");
	harness_ok(o, look(h, nobody, "zebra okapi", ""));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_equal(harness_text(o->data, "items[1].id"), far);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(scores_follow_what_is_written),
		searched(very_long_texts_are_ranked_alike),
		searched(questions_are_ranked_alike),
		searched(corrections_follow_what_is_written),
		searched(a_place_counts_the_same_in_quotes),
		searched(words_that_are_nearer_rank_first_however_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
