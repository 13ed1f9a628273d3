/* views.t - saved views of lists: one's own, those of everybody, and their bounds. */
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define VIEWS "/views/posts"

static struct outcome *
save(struct harness *h, const struct harness_user *user, const char *name, const char *more)
{
	return say(h, user, "POST " VIEWS,
	    "{'name':'%s','query':{'status':'draft'},'columns':['year']%s}", name, more);
}

/* Asserts the names of the views that a user sees, separated by commas. */
static void
sees(struct harness *h, const struct harness_user *user, const char *expected)
{
	struct outcome *o;
	char names[400] = "";
	json_t *items, *item;
	size_t i;

	harness_ok(o, ask(h, user, "GET " VIEWS));
	items = harness_at(o->data, "items");
	json_array_foreach(items, i, item)
	{
		size_t len = strlen(names);

		(void)snprintf(names + len, sizeof(names) - len, "%s%s", i > 0 ? "," : "",
		    harness_text(item, "name"));
	}
	assert_string_equal(names, expected);
}

static void
a_person_has_views_of_their_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, save(h, author, "Mine", ""));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	assert_string_equal(harness_text(o->data, "item.query.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.columns[0]"), "year");
	assert_true(json_is_false(harness_at(o->data, "item.shared")));
	sees(h, author, "Mine");
	sees(h, editor, "");
	/* The name is that of the view. */
	harness_ok(
	    o, say(h, author, "POST " VIEWS, "{'name':'Mine','query':{'q':'wing'},'columns':[]}"));
	assert_string_equal(harness_text(o->data, "item.id"), id);
	harness_ok(o, ask(h, author, "GET " VIEWS));
	assert_string_equal(harness_text(o->data, "items[0].query.q"), "wing");
	assert_int_equal(json_array_size(harness_at(o->data, "items[0].columns")), 0);
	/* Others can neither see nor delete it; not even an administrator. */
	assert_code(ask(h, admin, "DELETE " VIEWS "/%s", id), "NOT_FOUND");
	assert_code(ask(h, author, "DELETE /views/pages/%s", id), "NOT_FOUND");
	assert_ok(ask(h, author, "DELETE " VIEWS "/%s", id));
	assert_code(ask(h, author, "DELETE " VIEWS "/%s", id), "NOT_FOUND");
	sees(h, author, "");
	assert_code(ask(h, nobody, "GET " VIEWS), "UNAUTHORIZED");
	assert_code(ask(h, author, "GET /views/nothing"), "COLLECTION_NOT_FOUND");
}

static void
views_of_everybody_belong_to_those_who_manage_the_schema(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_code(save(h, editor, "Ours", ",'shared':true"), "FORBIDDEN");
	harness_ok(o, save(h, admin, "Ours", ",'shared':true"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	assert_ok(save(h, author, "Ours", "")); /* another one */
	assert_ok(save(h, author, "A", ""));
	sees(h, author, "Ours,A,Ours");
	sees(h, editor, "Ours");
	harness_ok(o, ask(h, editor, "GET " VIEWS));
	assert_true(json_is_true(harness_at(o->data, "items[0].shared")));
	assert_true(json_is_false(harness_at(o->data, "mayShare")));
	harness_ok(o, ask(h, admin, "GET " VIEWS));
	assert_true(json_is_true(harness_at(o->data, "mayShare")));
	assert_code(ask(h, editor, "DELETE " VIEWS "/%s", id), "NOT_FOUND");
	assert_ok(ask(h, admin, "DELETE " VIEWS "/%s", id));
	sees(h, author, "A,Ours");
}

static void
what_is_stored_is_bounded(void **state)
{
	struct harness *h = *state;
	char name[70], text[2100];

	memset(name, 'x', sizeof(name));
	name[61] = '\0';
	assert_code(save(h, author, name, ""), "VALIDATION_ERROR");
	assert_code(
	    say(h, author, "POST " VIEWS, "{'name':'A','query':{'q':{'deep':1}},'columns':[]}"),
	    "VALIDATION_ERROR");
	memset(text, 'x', sizeof(text));
	text[2001] = '\0';
	assert_code(
	    say(h, author, "POST " VIEWS, "{'name':'A','query':{'q':'%s'},'columns':[]}", text),
	    "VALIDATION_ERROR");
	text[64] = '\0';
	assert_code(say(h, author, "POST " VIEWS, "{'name':'A','query':{},'columns':['%s']}", text),
	    "VALIDATION_ERROR");
	for (int i = 0; i < 200; i++) {
		(void)snprintf(name, sizeof(name), "View %d", i);
		assert_ok(save(h, author, name, ""));
	}
	assert_code(save(h, author, "One more", ""), "VIEWS_FULL");
	assert_ok(save(h, author, "View 7", "")); /* replaces one */
	assert_ok(save(h, editor, "One more", ""));
}

static void
views_end_with_their_collection(void **state)
{
	struct harness *h = *state;

	assert_ok(save(h, author, "Mine", ""));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts"));
	assert_code(ask(h, author, "GET " VIEWS), "COLLECTION_NOT_FOUND");
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'posts','label':'Posts'}"));
	sees(h, author, "");
}

int
main(void)
{
#define check(name) cmocka_unit_test_setup_teardown(name, posts_begin, posts_end)
	const struct CMUnitTest tests[] = {
		check(a_person_has_views_of_their_own),
		check(views_of_everybody_belong_to_those_who_manage_the_schema),
		check(what_is_stored_is_bounded),
		check(views_end_with_their_collection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
