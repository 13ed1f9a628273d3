/* judged.c - a collection of 1,400 articles, and questions with relevance judgments by experts. */
#include "judged.h"
#include <math.h>

static FILE *
data(const char *name)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s",
	    getenv("STET_SHARED_DATA") != NULL ? getenv("STET_SHARED_DATA") : "/work/shared/data",
	    name);
	return fopen(path, "r");
}

static json_t *
next(FILE *file)
{
	json_t *v = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);

	if (v == NULL)
		assert_int_not_equal(feof(file), 0);
	return v;
}

static void
load(struct harness *h, FILE *articles)
{
	json_t *v;

	while ((v = next(articles)) != NULL) {
		json_t *from = json_object_get(v, "data"),
		       *to = json_pack("{s:O, s:s, s:{s:O, s:O}}", "slug",
			   json_object_get(v, "slug"), "status", "published", "data", "title",
			   json_object_get(from, "title"), "body", json_object_get(from, "body"));
		char *text = json_dumps(to, JSON_COMPACT);

		assert_ok(harness_request(h, editor, "POST " BASE, NULL, text));
		free(text);
		json_decref(to);
		json_decref(v);
	}
}

json_t *
judged_begin(struct harness *h)
{
	FILE *articles = data("articles.jsonl"), *questions = data("questions.jsonl");
	json_t *v, *out = NULL;

	if (articles != NULL && questions != NULL) {
		load(h, articles);
		out = json_array();
		while ((v = next(questions)) != NULL)
			json_array_append_new(out, v);
	}
	if (articles != NULL)
		(void)fclose(articles);
	if (questions != NULL)
		(void)fclose(questions);
	return out;
}

double
judged_gain(struct harness *h, const json_t *question)
{
	const json_t *relevant = json_object_get(question, "relevant"), *item, *slug;
	double gain = 0, best = 0;
	struct outcome *o;
	size_t i, k;

	harness_ok(o,
	    look(h, nobody, json_string_value(json_object_get(question, "question")), "&limit=10"));
	json_array_foreach(json_object_get(o->data, "items"), i, item) json_array_foreach(
	    relevant, k, slug) if (json_equal(slug, json_object_get(item, "slug"))) gain +=
	    1 / log2((double)i + 2);
	for (i = 0; i < 10 && i < json_array_size(relevant); i++)
		best += 1 / log2((double)i + 2);
	return gain / best;
}
