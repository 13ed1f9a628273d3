/* context.c - passages of published items for a question (content_answer_context). */
#include "searched.h"
#include <string.h>

#define PARA(style, text)                                                    \
	"{'_type':'block','_key':'" text "','style':'" style "','children':" \
	"[{'_type':'span','_key':'s','text':'" text "'}]}"
/* A paragraph that is long enough to be a passage of its own. */
#define LONG                                                                                      \
	"The garden of the old house is large and green and many birds live in it. Every spring " \
	"the neighbours bring bread and cheese and sit below the trees until the evening, and "   \
	"they talk about the weather and about the harvest of the year before. Nobody knows "     \
	"who built the wall at its end, which is said to be as old as the village itself. In "    \
	"autumn the leaves are swept into heaps and burnt, and the smoke hangs over the roofs "   \
	"for days, so that the washing smells of it when it is taken in."

static struct outcome *
about(struct harness *h, const struct harness_user *user, const char *q, const char *more)
{
	return ask(h, user, "GET /search/context?q=%s%s", encoded(q), more);
}

static json_t *
items(struct outcome *o)
{
	return json_object_get(o->data, "items");
}

/* The answer stands in the last section of a long item; other items have words of the question. */
static void
the_passage_with_the_answer_comes_first(void **state)
{
	struct harness *h = *state;
	char long_id[27], id[27];
	struct outcome *o;

	make(h, editor, long_id,
	    "{'slug':'house','status':'published','data':{'title':'The house','body':[" PARA(
		"h2", "The garden") "," PARA("normal", LONG) "," PARA("h2",
		"Opening hours") "," PARA("normal",
		"The museum opens at nine, and closes on Mondays.") "]}}");
	post(h, id, "Museums", "There are museums in many towns.");
	post(h, id, "Bread", "How bread is baked.");
	harness_ok(o, about(h, subscriber, "When does the museum open on Mondays?", ""));
	assert_string_equal(harness_text(o->data, "items[0].id"), long_id);
	assert_string_equal(harness_text(o->data, "items[0].collection"), "posts");
	assert_string_equal(harness_text(o->data, "items[0].slug"), "house");
	assert_string_equal(harness_text(o->data, "items[0].title"), "The house");
	assert_string_equal(harness_text(o->data, "items[0].field"), "body");
	assert_string_equal(harness_text(o->data, "items[0].text"),
	    "## Opening hours\n\nThe museum opens at nine, and closes on Mondays.");
	assert_null(strstr(o->text, "How bread is baked"));
	assert_null(json_object_get(o->data, "more"));
	/* A word that is spelled wrong is corrected in the passages, too. */
	harness_ok(o, about(h, subscriber, "museuum", ""));
	assert_true(json_array_size(items(o)) >= 2);
	harness_ok(o, about(h, subscriber, "zeppelin", ""));
	assert_int_equal(json_array_size(items(o)), 0);
	assert_int_equal(harness_int(o->data, "tokens"), 0);
}

/* Scripts without blanks, compounds, and endings. */
static void
words_are_found_in_other_scripts_and_inside_of_others(void **state)
{
	static const struct {
		const char *body, *q;
	} cases[] = {
		{ "\xe5\x9b\xbe\xe4\xb9\xa6\xe9\xa6\x86\xe6\x98\x9f\xe6\x9c\x9f\xe4\xb8\x80\xe5\x85"
		  "\xb3\xe9\x97\xa8\xe3\x80\x82",
		    "\xe5\x9b\xbe\xe4\xb9\xa6\xe9\xa6\x86" },
		{ "\xc2\xab\xd0\x91\xd0\xb8\xd0\xb1\xd0\xbb\xd0\xb8\xd0\xbe\xd1\x82\xd0\xb5\xd0\xba\xd0\xb0"
		  "\xc2\xbb \xd0\xb7\xd0\xb0\xd0\xba\xd1\x80\xd1\x8b\xd1\x82\xd0\xb0",
		    "\xd0\xb1\xd0\xb8\xd0\xb1\xd0\xbb\xd0\xb8\xd0\xbe\xd1\x82\xd0\xb5\xd0"
		    "\xba\xd0\xb0" },
		{ "Die Krankenversicherungen zahlen.", "zahlen krankenversicherungen" },
		{ "Two libraries were opened.", "library opening two" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27], title[20];

	enable(h, "posts", "'tokenize':'trigram'");
	work_all(h);
	for (size_t i = 0; i < COUNT(cases); i++) {
		(void)snprintf(title, sizeof(title), "Post %zu", i);
		post(h, id, title, cases[i].body);
	}
	for (size_t i = 0; i < COUNT(cases) - 1; i++) {
		harness_ok(o, about(h, subscriber, cases[i].q, ""));
		if (strcmp(harness_text(o->data, "items[0].text"), cases[i].body) != 0)
			fail_msg("%s: %s", cases[i].q, o->text);
	}
	harness_ok(o, about(h, subscriber, "versicherung", ""));
	assert_string_equal(harness_text(o->data, "items[0].text"), cases[2].body);
	enable(h, "posts", "'tokenize':'unicode61'");
	work_all(h);
	harness_ok(o, about(h, subscriber, "are libraries being opened anywhere", ""));
	assert_string_equal(harness_text(o->data, "items[0].text"), cases[3].body);
}

/* The rights of the caller, and what is not public yet, or no more. */
static void
drafts_and_other_collections_do_not_come_out(void **state)
{
	struct harness *h = *state;
	char id[27], draft[27], gone[27];
	struct outcome *o;

	post(h, id, "Prices", "A walrus costs ten shells.");
	make(h, editor, draft,
	    "{'data':{'title':'Later','body':[" PARA(
		"normal", "A walrus costs SECRET shells.") "]}}");
	/* A draft of what is published. */
	assert_ok(say(h, editor, "PUT " BASE "/prices",
	    "{'data':{'body':[" PARA("normal", "A walrus costs SECRET pearls.") "]}}"));
	post(h, gone, "Old prices", "A walrus costs SECRET stones.");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", gone));
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'secret','label':'Secret','supports':['search']}"));
	field(h, "secret", "text", "string", "'searchable':true");
	enable(h, "secret", "");
	harness_ok(
	    o, say(h, editor, "POST /content/secret",
		   "{'status':'published','slug':'w','data':{'text':'A walrus costs much.'}}"));
	assert_code(about(h, nobody, "What does a walrus cost?", ""), "UNAUTHORIZED");
	for (int i = 0; i < 3; i++) {
		const struct harness_user *who[] = { subscriber, editor, admin };

		harness_ok(o, about(h, who[i], "What does a walrus cost?", "&collections=posts"));
		assert_non_null(strstr(o->text, "ten shells"));
		assert_null(strstr(o->text, "SECRET"));
		assert_null(strstr(o->text, "much"));
	}
	harness_ok(o, about(h, editor, "What does a walrus cost?", ""));
	assert_non_null(strstr(o->text, "costs much"));
	assert_null(strstr(o->text, "SECRET"));
	/* A token without the scope. */
	o = about(h,
	    &(const struct harness_user){ .id = editor->id, .role = 40, .scopes = "media:read" },
	    "What does a walrus cost?", "");
	assert_code(o, "INSUFFICIENT_SCOPE");
	assert_code(about(h, editor, "walrus", "&collections=nothing"), "NOT_FOUND");
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'secret','enabled':false}"));
	assert_code(about(h, editor, "walrus", "&collections=secret"), "SEARCH_NOT_ENABLED");
}

static void
the_budget_is_kept(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], title[20];
	size_t all;

	for (int i = 0; i < 8; i++) {
		(void)snprintf(title, sizeof(title), "Garden %d", i);
		post(h, id, title, LONG);
	}
	harness_ok(o, about(h, subscriber, "Who built the wall of the garden?", "&tokens=8000"));
	all = json_array_size(items(o));
	assert_int_equal(all, 8);
	assert_null(json_object_get(o->data, "more"));
	harness_ok(o, about(h, subscriber, "Who built the wall of the garden?", "&tokens=400"));
	assert_in_range(json_array_size(items(o)), 1, all - 1);
	assert_in_range(harness_int(o->data, "tokens"), 1, 400);
	assert_true(json_is_true(json_object_get(o->data, "more")));
	assert_code(about(h, subscriber, "wall", "&tokens=99"), "VALIDATION_ERROR");
	assert_code(about(h, subscriber, "wall", "&tokens=8001"), "VALIDATION_ERROR");
	assert_code(about(h, subscriber, "", ""), "VALIDATION_ERROR");
	/* Other locales have no such item. */
	harness_ok(o, about(h, subscriber, "wall", "&locale=fr"));
	assert_int_equal(json_array_size(items(o)), 0);
}

/* A text of one paragraph without blanks, whose characters have several bytes, is cut between
 * them. */
static void
a_very_long_paragraph_is_cut_between_characters(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text = malloc(60000);
	size_t len = 0, i;
	json_t *one;
	char id[27];

	assert_non_null(text);
	for (int k = 0; k < 4000; k++)
		len += (size_t)snprintf(text + len, 60000 - len, "\xe5\x9b\xbe\xe4\xb9\xa6");
	make(h, editor, id,
	    "{'status':'published','data':{'title':'A','body':[{'_type':'block','_key':'a',"
	    "'style':'normal','children':[{'_type':'span','_key':'b','text':'Pear %s'}]}]}}",
	    text);
	free(text);
	harness_ok(o, about(h, subscriber, "Pear \xe5\x9b\xbe\xe4\xb9\xa6", "&tokens=8000"));
	assert_true(json_array_size(items(o)) > 3);
	json_array_foreach(items(o), i, one)
	    assert_in_range(strlen(json_string_value(json_object_get(one, "text"))), 1, 1200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(the_passage_with_the_answer_comes_first),
		searched(words_are_found_in_other_scripts_and_inside_of_others),
		searched(drafts_and_other_collections_do_not_come_out),
		searched(the_budget_is_kept),
		searched(a_very_long_paragraph_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
