/* similar.c - finds items similar to one, by the words that are typical of it. */
#include "searched.h"
#include <string.h>

#define LIKE "GET /search/similar/posts/"

static struct outcome *
like(struct harness *h, const struct harness_user *user, const char *id, const char *more)
{
	return ask(h, user, LIKE "%s%s", id, more);
}

/* Returns the titles in the response, separated by "|"; static buffer. */
static const char *
titles(struct harness *h, const char *id, const char *more)
{
	static char out[1000];
	const json_t *item;
	struct outcome *o;
	size_t i, len = 0;

	*out = '\0';
	harness_ok(o, like(h, nobody, id, more));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s", i > 0 ? "|" : "",
		    json_string_value(json_object_get(item, "title")));
		assert_in_range(len, 0, sizeof(out) - 1);
	}
	return out;
}

/* Creates two posts about bread and two about stars; all have the same common words. */
static void
kitchen(struct harness *h, char bread[27], char loaf[27], char star[27])
{
	char other[27];

	post(
	    h, bread, "Sourdough", "This is how the flour and the yeast are a dough for the oven.");
	post(h, loaf, "A loaf",
	    "The yeast of the flour is in the oven, and this dough is the best.");
	post(h, star, "Stars", "This is how the telescope and the lens are for the galaxy.");
	post(h, other, "A comet", "The lens of the telescope is for the galaxy, and the comet.");
	for (int i = 0; i < 8; i++) {
		char title[20];

		(void)snprintf(title, sizeof(title), "Other %d", i);
		post(h, other, title, "This is the other, and how the rest is for the many of it.");
	}
}

static void
items_with_its_rare_words_are_like_it(void **state)
{
	struct harness *h = *state;
	char bread[27], loaf[27], star[27];
	struct outcome *o;

	kitchen(h, bread, loaf, star);
	assert_string_equal(titles(h, bread, "?limit=1"), "A loaf");
	assert_string_equal(titles(h, loaf, "?limit=1"), "Sourdough");
	assert_string_equal(titles(h, star, "?limit=1"), "A comet");
	assert_null(strstr(titles(h, bread, "?limit=20"), "Sourdough"));
	harness_ok(o, like(h, nobody, bread, ""));
	assert_string_equal(harness_text(o->data, "items[0].id"), loaf);
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_null(json_object_get(o->data, "partial"));
}

static void
what_the_public_does_not_see_is_neither_asked_nor_answered(void **state)
{
	struct harness *h = *state;
	char bread[27], loaf[27], star[27], draft[27];

	kitchen(h, bread, loaf, star);
	make(h, editor, draft,
	    "{'data':{'title':'Draft','body':[{'_type':'block','_key':'k','style':'normal',"
	    "'children':[{'_type':'span','_key':'s','text':'yeast flour dough oven'}]}]}}");
	assert_null(strstr(titles(h, bread, "?limit=20"), "Draft"));
	assert_code(like(h, nobody, draft, ""), "NOT_FOUND");
	assert_code(like(h, admin, draft, ""), "NOT_FOUND");
	assert_code(like(h, nobody, "01NOTHING", ""), "NOT_FOUND");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", loaf));
	assert_code(like(h, nobody, loaf, ""), "NOT_FOUND");
	assert_null(strstr(titles(h, bread, "?limit=20"), "A loaf"));
	assert_code(ask(h, nobody, "GET /search/similar/nothing/%s", bread), "NOT_FOUND");
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'posts','enabled':false}"));
	assert_code(like(h, nobody, bread, ""), "SEARCH_NOT_ENABLED");
	assert_code(like(h, nobody, bread, "?limit=21"), "VALIDATION_ERROR");
}

static void
it_is_of_the_same_locale(void **state)
{
	struct harness *h = *state;
	char bread[27], loaf[27], star[27];

	kitchen(h, bread, loaf, star);
	make(h, editor, star,
	    "{'locale':'fr','status':'published','data':{'title':'French yeast','body':[{'_type':"
	    "'block','_key':'k','style':'normal','children':[{'_type':'span','_key':'s','text':"
	    "'yeast flour dough oven'}]}]}}");
	assert_null(strstr(titles(h, bread, "?limit=20"), "French"));
	assert_string_equal(titles(h, star, ""), "");
}

static void
an_index_of_trigrams_has_them_too(void **state)
{
	struct harness *h = *state;
	char bread[27], loaf[27], star[27];

	enable(h, "posts", "'tokenize':'trigram'");
	kitchen(h, bread, loaf, star);
	work_all(h);
	assert_string_equal(titles(h, bread, "?limit=1"), "A loaf");
}

/* An item with many words, of which only the most frequent are looked up, and an item without
 * words. */
static void
long_and_empty_items_are_answered(void **state)
{
	struct harness *h = *state;
	char bread[27], loaf[27], star[27], id[27], *text;
	FILE *to;
	size_t len;

	kitchen(h, bread, loaf, star);
	assert_non_null(to = open_memstream(&text, &len));
	for (int i = 0; i < 20000; i++)
		(void)fprintf(to, "w%d ", i % 7919);
	(void)fclose(to);
	post(h, id, "Long", text);
	free(text);
	assert_ok(like(h, nobody, id, ""));
	make(h, editor, id, "{'status':'published','data':{'title':'?'}}");
	assert_string_equal(titles(h, id, ""), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(items_with_its_rare_words_are_like_it),
		searched(what_the_public_does_not_see_is_neither_asked_nor_answered),
		searched(it_is_of_the_same_locale),
		searched(an_index_of_trigrams_has_them_too),
		searched(long_and_empty_items_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
