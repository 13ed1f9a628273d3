/*
 * many.t - filters by one of several values, of choices and of references. The index of such a
 * field follows changes of items and definitions, and is filled in steps.
 */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAGS "/schema/collections/posts/fields/tags"

static void
index_tags(struct harness *h, bool indexed)
{
	assert_ok(say(h, admin, "PUT " TAGS, "{'indexed':%s}", indexed ? "true" : "false"));
}

static int
has(struct harness *h, const struct harness_user *user, const char *value)
{
	char text[128];

	snprintf(text, sizeof(text), "{'tags':{'has':'%s'}}", value);
	return (int)total(h, user, filters(text));
}

static void
nothing_is_wrong(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	if (json_array_size(json_object_get(o->data, "problems")) > 0)
		fail_msg("%s", o->text);
}

static const char *
rows(struct harness *h)
{
	return inside_ask(h, "SELECT count(*) FROM value_item");
}

static void
fill_tags(struct harness *h)
{
	char id[27];

	index_tags(h, true);
	make(h, author, id, "{'slug':'a','data':{'tags':['a']}}");
	make(h, author, id, "{'slug':'b','status':'published','data':{'tags':['b','a','b']}}");
	make(h, author, id, "{'slug':'c','data':{}}");
}

/* ---- what is shown ---- */

static void
a_list_shows_what_has_a_value(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27], query[256];

	index_tags(h, true);
	make(h, author, a, "{'slug':'a','data':{'tags':['a','b']}}");
	at(h, 1);
	make(h, author, b, "{'slug':'b','status':'published','data':{'tags':['b','b']}}");
	at(h, 2);
	make(h, author, c, "{'slug':'c','status':'published','data':{'tags':[]}}");
	assert_int_equal(has(h, editor, "a"), 1);
	assert_int_equal(has(h, editor, "b"), 2);
	assert_int_equal(has(h, editor, "c"), 0);
	assert_int_equal(has(h, editor, "ab"), 0);
	assert_int_equal(has(h, editor, "B"), 0);
	assert_int_equal(has(h, subscriber, "a"), 0);
	assert_int_equal(has(h, subscriber, "b"), 1);
	/* An empty list counts as no value. */
	assert_int_equal(total(h, editor, filters("{'tags':null}")), 1);
	assert_int_equal(total(h, editor, filters("{'tags':{'isNull':true}}")), 1);
	assert_int_equal(total(h, editor, filters("{'tags':{'isNull':false}}")), 2);
	assert_int_equal(total(h, editor, filters("{'not':{'tags':{'has':'a'}}}")), 2);
	assert_int_equal(
	    total(h, editor, filters("{'and':[{'tags':{'has':'a'}},{'tags':{'has':'b'}}]}")), 1);
	assert_int_equal(
	    total(h, editor, filters("{'or':[{'tags':{'has':'a'}},{'tags':null}]}")), 2);
	snprintf(query, sizeof(query), "orderBy=publishedAt&order=asc&%s",
	    filters("{'tags':{'has':'b'}}"));
	assert_int_equal(total(h, editor, query), 2);
	/* A filter on the list's order, which the rows of the value store, too. */
	snprintf(query, sizeof(query), "%s", filters("{'tags':{'has':'b'},'createdAt':null}"));
	assert_int_equal(total(h, editor, query), 0);
	snprintf(query, sizeof(query), "orderBy=publishedAt&%s",
	    filters("{'tags':{'has':'b'},'publishedAt':null}"));
	assert_int_equal(total(h, editor, query), 1);
	nothing_is_wrong(h);
}

/* Creates a field of several references, and two items; the second refers to the first. */
static void
make_kin(struct harness *h, char a[27], char b[27])
{
	field(h, "posts", "kin", "reference",
	    "'indexed':true,'options':{'collection':'posts','allowMultiple':true}");
	make(h, author, a, "{'slug':'a','data':{}}");
	make(h, author, b, "{'slug':'b','data':{'kin':['%s']}}", a);
}

static void
references_are_found_by_what_they_name(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], id[27], text[128];

	make_kin(h, a, b);
	make(h, author, id, "{'slug':'c','data':{'kin':['%s','%s']}}", a, b);
	snprintf(text, sizeof(text), "{'kin':{'has':'%s'}}", a);
	assert_int_equal(total(h, editor, filters(text)), 2);
	snprintf(text, sizeof(text), "{'kin':{'has':'%s'}}", b);
	assert_int_equal(total(h, editor, filters(text)), 1);
	assert_int_equal(total(h, editor, filters("{'kin':null}")), 1);
	/* A field of a single reference is filtered like other values. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/near", "{'indexed':true}"));
	make(h, author, id, "{'slug':'d','data':{'near':'%s'}}", a);
	snprintf(text, sizeof(text), "{'near':'%s'}", a);
	assert_int_equal(total(h, editor, filters(text)), 1);
	snprintf(text, sizeof(text), "{'near':{'has':'%s'}}", a);
	assert_code(ask(h, editor, "GET " BASE "?%s", filters(text)), "VALIDATION_ERROR");
	/* Lists cannot be ordered by it. */
	assert_code(ask(h, editor, "GET " BASE "?orderBy=kin"), "VALIDATION_ERROR");
}

/* The public does not find values of a draft until it is published. */
static void
values_are_those_of_the_row(void **state)
{
	struct harness *h = *state;
	char id[27], copy[27];
	struct outcome *o;

	index_tags(h, true);
	make(h, author, id, "{'slug':'x','status':'published','data':{'tags':['a']}}");
	assert_ok(say(h, editor, "PUT " BASE "/x", "{'data':{'tags':['b']}}"));
	assert_int_equal(has(h, editor, "a"), 1);
	assert_int_equal(has(h, editor, "b"), 0);
	assert_ok(say(h, editor, "POST " BASE "/x/publish", "{}"));
	assert_int_equal(has(h, subscriber, "a"), 0);
	assert_int_equal(has(h, subscriber, "b"), 1);
	assert_ok(say(h, editor, "POST " BASE "/x/unpublish", "{}"));
	assert_int_equal(has(h, subscriber, "b"), 0);
	assert_int_equal(has(h, editor, "b"), 1);
	harness_ok(o, say(h, editor, "POST " BASE "/x/duplicate", "{}"));
	snprintf(copy, sizeof(copy), "%s", harness_text(o->data, "item.id"));
	assert_int_equal(has(h, editor, "b"), 2);
	assert_ok(ask(h, editor, "DELETE " BASE "/x"));
	assert_int_equal(has(h, editor, "b"), 1);
	assert_ok(say(h, editor, "POST " BASE "/x/restore", "{}"));
	assert_int_equal(has(h, editor, "b"), 2);
	nothing_is_wrong(h);
	assert_ok(ask(h, editor, "DELETE " BASE "/x"));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", copy));
	assert_string_equal(rows(h), "0");
}

/* All translations share one value. */
static void
a_shared_value_is_that_of_each_translation(void **state)
{
	struct harness *h = *state;
	char id[27];

	field(h, "posts", "marks", "multiSelect",
	    "'indexed':true,'translatable':false,'validation':{'options':['x','y']}");
	make(h, editor, id, "{'slug':'en','data':{'marks':['x']}}");
	assert_ok(say(h, editor, "POST " BASE,
	    "{'slug':'fr','locale':'fr','translationOf':'%s','data':{}}", id));
	assert_int_equal(total(h, editor, filters("{'marks':{'has':'x'}}")), 2);
	assert_ok(say(h, editor, "PUT " BASE "/fr?locale=fr", "{'data':{'marks':['y']}}"));
	assert_int_equal(total(h, editor, filters("{'marks':{'has':'x'}}")), 0);
	assert_int_equal(total(h, editor, filters("{'marks':{'has':'y'}}")), 2);
	nothing_is_wrong(h);
}

static void
bad_questions_are_refused(void **state)
{
	static const char *const bad[] = { "{'tags':'a'}", "{'tags':['a']}", "{'tags':{'eq':'a'}}",
		"{'tags':{'ne':'a'}}", "{'tags':{'in':['a']}}", "{'tags':{'has':null}}",
		"{'tags':{'has':5}}", "{'tags':{'has':['a']}}", "{'tags':{'has':''}}",
		"{'tags':{'has':'a','isNull':false}}", "{'tags':{}}", "{'tags':{'isNull':'x'}}",
		"{'kind':{'has':'news'}}", "{'year':{'has':5}}", "{'createdAt':{'has':'x'}}" };
	struct harness *h = *state;
	struct outcome *o;

	/* Without an index the filter fails, and the message says how to create one. */
	o = ask(h, editor, "GET " BASE "?%s", filters("{'tags':{'has':'a'}}"));
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "fieldFilters.tags"));
	assert_non_null(strstr(o->text, "PUT /schema/collections/posts/fields/"));
	index_tags(h, true);
	for (size_t i = 0; i < COUNT(bad); i++) {
		o = ask(h, editor, "GET " BASE "?%s", filters(bad[i]));
		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
}

/* ---- definitions ---- */

static void
the_index_comes_and_goes_with_the_definition(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'x','data':{'tags':['a','b']}}");
	assert_string_equal(rows(h), "0");
	index_tags(h, true);
	assert_string_equal(rows(h), "2");
	assert_int_equal(has(h, editor, "a"), 1);
	index_tags(h, false);
	/* The new index does not contain rows of the old one. */
	assert_ok(say(h, editor, "PUT " BASE "/x", "{'data':{'tags':['b']}}"));
	index_tags(h, true);
	assert_int_equal(has(h, editor, "a"), 0);
	assert_int_equal(has(h, editor, "b"), 1);
	nothing_is_wrong(h);
	while (inside_work(h, "content"))
		;
	assert_string_equal(rows(h), "1");
	assert_int_equal(has(h, editor, "b"), 1);
	assert_ok(ask(h, admin, "DELETE " TAGS));
	while (inside_work(h, "content"))
		;
	assert_string_equal(rows(h), "0");
	field(h, "posts", "tags", "multiSelect",
	    "'indexed':true,'validation':{'options':['a','b','c']}");
	assert_int_equal(total(h, editor, filters("{'tags':null}")), 1);
	nothing_is_wrong(h);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	while (inside_work(h, "content"))
		;
	assert_string_equal(rows(h), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM value_index"), "0");
}

#define SOME 1300 /* more items than a change of the definition indexes at once */

static void
a_large_index_is_filled_in_steps(void **state)
{
	struct harness *h = *state;
	char id[27];
	int steps = 0;

	for (int i = 0; i < SOME; i++)
		make(h, author, id, "{'slug':'s%d','data':{'tags':['%s']}}", i,
		    i % 100 == 99 ? "b" : "a");
	index_tags(h, true);
	assert_code(
	    ask(h, editor, "GET " BASE "?%s", filters("{'tags':{'has':'b'}}")), "UNAVAILABLE");
	/* Items that are written meanwhile are indexed, whether the filling has passed them or
	 * not. */
	assert_ok(say(h, editor, "PUT " BASE "/s99", "{'data':{'tags':['a']}}"));
	assert_ok(say(h, editor, "PUT " BASE "/s1299", "{'data':{'tags':['a']}}"));
	assert_ok(ask(h, editor, "DELETE " BASE "/s1199"));
	make(h, author, id, "{'slug':'new','data':{'tags':['b']}}");
	while (inside_work(h, "content"))
		steps++;
	assert_true(steps > 0);
	assert_int_equal(has(h, editor, "b"), SOME / 100 - 3 + 1);
	nothing_is_wrong(h);
}

static void
a_wrong_index_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], told[128];

	index_tags(h, true);
	make(h, author, id, "{'slug':'x','data':{'tags':['a']}}");
	inside_sql(h, "UPDATE value_item SET value = 'b'", NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	snprintf(told, sizeof(told), "posts %s: the index of tags has not its values", id);
	assert_string_equal(harness_text(o->data, "problems[0]"), told);
	inside_sql(h, "UPDATE value_item SET value = 'a', item_status = 'published'", NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_string_equal(harness_text(o->data, "problems[0]"), told);
	inside_sql(h, "UPDATE value_item SET item_status = 'draft', item = 'gone'", NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 2);
	inside_sql(h, "DELETE FROM value_index", NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_string_equal(
	    harness_text(o->data, "problems[0]"), "posts: the index of tags is not there");
}

/* An older site, whose field of several references was indexed as one text. */
static void
older_sites_get_the_index(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], text[64];

	make_kin(h, a, b);
	inside_sql(h, "DROP TABLE value_index", NULL);
	inside_sql(h, "DROP TABLE value_item", NULL);
	inside_sql(h, "DROP TABLE value_count", NULL);
	inside_sql(h, "DROP TABLE item_scheduler", NULL);
	inside_sql(h, "DROP TABLE item_unpublisher", NULL);
	inside_sql(h, "DROP TABLE preview_link", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'content' AND version >= 7", NULL);
	inside_sql(h, "CREATE INDEX f5_posts_kin ON c_posts (f_kin, id)", NULL);
	inside_sql(h, "CREATE INDEX c5_posts_kin ON c_posts (status, f_kin, created_at, id)", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_posts", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_pages", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE field DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN required_on", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN url_patterns", NULL);
	inside_sql(h, "DROP TABLE block_type", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'schema' AND version >= 8", NULL);
	*state = h = harness_again(h);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '_5_posts_kin'"),
	    "0");
	snprintf(text, sizeof(text), "{'kin':{'has':'%s'}}", a);
	assert_int_equal(total(h, editor, filters(text)), 1);
	nothing_is_wrong(h);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/kin"));
}

/* An older site, which has rows of values but no counts. */
static void
older_sites_get_the_numbers(void **state)
{
	struct harness *h = *state;

	fill_tags(h);
	inside_sql(h, "DROP TABLE value_count", NULL);
	inside_sql(h, "DROP TABLE item_scheduler", NULL);
	inside_sql(h, "DROP TABLE item_unpublisher", NULL);
	inside_sql(h, "DROP TABLE preview_link", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'content' AND version >= 8", NULL);
	*state = h = harness_again(h);
	nothing_is_wrong(h);
	assert_int_equal(has(h, editor, "a"), 2);
	assert_int_equal(has(h, subscriber, "a"), 1);
}

/* ---- numbers that are kept ---- */

static const char *
numbers(struct harness *h)
{
	return inside_ask(h, "SELECT group_concat(value || ' ' || status || ' ' || n, ', ') FROM"
			     " (SELECT * FROM value_count ORDER BY value, status) AS v");
}

static void
numbers_follow_the_items(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill_tags(h);
	assert_string_equal(numbers(h), " draft 1, a draft 1, a published 1, b published 1");
	assert_int_equal(has(h, editor, "a"), 2);
	assert_int_equal(has(h, editor, "b"), 1);
	make(h, author, id, "{'slug':'d','data':{'tags':['b','b','c']}}");
	assert_int_equal(has(h, editor, "b"), 2);
	assert_ok(say(h, editor, "PUT " BASE "/d", "{'data':{'tags':['c']}}"));
	assert_ok(say(h, editor, "POST " BASE "/d/publish", "{}"));
	assert_string_equal(
	    numbers(h), " draft 1, a draft 1, a published 1, b published 1, c published 1");
	assert_ok(ask(h, editor, "DELETE " BASE "/d"));
	assert_int_equal(has(h, editor, "c"), 0);
	assert_ok(say(h, admin, "POST " BASE "/d/restore", "{}"));
	assert_int_equal(has(h, editor, "c"), 1);
	nothing_is_wrong(h);
	index_tags(h, false);
	while (inside_work(h, "content"))
		;
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM value_count"), "0");
}

static void
wrong_numbers_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill_tags(h);
	inside_sql(h, "UPDATE value_count SET n = 5 WHERE value = 'b'", NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 1);
	assert_string_equal(harness_text(o->data, "problems[0]"),
	    "posts: the kept number of items that are published and have 'b' in tags is wrong by 4");
}

/* ---- what it costs ---- */

static char *
plans_of(struct harness *h, const char *query)
{
	free(harness_trace(h));
	assert_ok(ask(h, editor, "GET " BASE "?%s", query));
	return harness_trace(h);
}

static void
a_value_leads_in_the_order_of_the_list(void **state)
{
	static const struct {
		const char *query, *plan;
	} cases[] = {
		{ "status=published&",
		    "i_value_item_created (index_id=? AND value=? AND item_status=?)" },
		{ "order=asc&", "i_value_item_created (index_id=? AND value=? AND item_status=?)" },
		{ "status=published&orderBy=publishedAt&",
		    "i_value_item_published (index_id=? AND value=? AND item_status=? AND published>" },
	};
	struct harness *h = *state;
	char query[512], id[27];
	char *plans;

	index_tags(h, true);
	for (int i = 0; i < 450; i++)
		make(h, author, id,
		    "{'slug':'p%d','status':'published','data':{'tags':['a'],'kind':'%s'}}", i,
		    i % 2 ? "news" : "note");
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(
		    query, sizeof(query), "%s%s", cases[i].query, filters("{'tags':{'has':'a'}}"));
		plans = plans_of(h, query);
		if (strstr(plans, cases[i].plan) == NULL || strstr(plans, "SCAN c_posts") != NULL)
			fail_msg("%s:\n%s", query, plans);
		free(plans);
	}
	/* A few items are sorted. */
	make(h, author, id, "{'data':{'tags':['c'],'title':'x'}}");
	snprintf(query, sizeof(query), "orderBy=title&%s", filters("{'tags':{'has':'c'}}"));
	plans = plans_of(h, query);
	if (strstr(plans, "i_value_item_") == NULL || strstr(plans, "SCAN c_posts") != NULL)
		fail_msg("%s", plans);
	free(plans);
}

static int
traced(void **state)
{
	setenv("STET_SQL_TRACE", "1", 1);
	return posts_begin(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_list_shows_what_has_a_value),
		check(references_are_found_by_what_they_name),
		check(values_are_those_of_the_row),
		check(a_shared_value_is_that_of_each_translation),
		check(bad_questions_are_refused),
		check(the_index_comes_and_goes_with_the_definition),
		check(a_large_index_is_filled_in_steps),
		check(a_wrong_index_is_told),
		check(older_sites_get_the_index),
		check(older_sites_get_the_numbers),
		check(numbers_follow_the_items),
		check(wrong_numbers_are_told),
		cmocka_unit_test_setup_teardown(
		    a_value_leads_in_the_order_of_the_list, traced, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
