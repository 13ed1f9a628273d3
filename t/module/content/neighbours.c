/* neighbours.t - the previous and the next item: as in a walk over the whole list. */
#include "posts.h"
#include <stdio.h>

static const char *
side(struct outcome *o, const char *key)
{
	return json_is_null(harness_at(o->data, key))
		   ? ""
		   : json_string_value(json_object_get(harness_at(o->data, key), "id"));
}

static void
check_walk(struct harness *h, const struct harness_user *user, const char *query)
{
	struct walk w;

	walk_all(h, user, query, &w);
	assert_true(w.count > 1);
	for (int i = 0; i < w.count; i++) {
		struct outcome *o;

		harness_ok(o,
		    ask(h, user, "GET " BASE "/%s/neighbors?%s", w.ids[i], strchr(query, '&') + 1));
		if (strcmp(side(o, "previous"), i > 0 ? w.ids[i - 1] : "") != 0 ||
		    strcmp(side(o, "next"), i + 1 < w.count ? w.ids[i + 1] : "") != 0)
			fail_msg("%s: %s", query, o->text);
	}
}

static void
neighbours_are_those_of_the_list_in_every_order(void **state)
{
	struct harness *h = *state;
	char query[128];

	fill(h);
	for (size_t i = 0; orders[i] != NULL; i++) {
		snprintf(query, sizeof(query), "limit=50&orderBy=%s&order=%s", orders[i],
		    i % 2 == 0 ? "asc" : "desc");
		check_walk(h, editor, query);
	}
}

static void
filters_hold_for_neighbours(void **state)
{
	struct harness *h = *state;

	fill(h);
	check_walk(h, editor, "limit=50&status=draft&orderBy=year&order=asc");
	check_walk(h, editor, "limit=50&locale=fr");
	check_walk(h, editor, "limit=50&locale=fr&localeFallback=1&orderBy=locale");
	check_walk(h, subscriber, "limit=50&orderBy=title");
	check_walk(
	    h, editor, "limit=50&orderBy=createdAt&fieldFilters=%7B%22kind%22%3A%22news%22%7D");
}

static void
an_order_says_its_directions_and_has_several_keys(void **state)
{
	struct harness *h = *state;

	fill(h);
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'indexes':['kind:asc,year:desc','flag:desc,day:desc,createdAt:asc']}"));
	check_walk(h, editor, "limit=50&orderBy=year:asc");
	check_walk(h, editor, "limit=50&orderBy=year:desc&order=asc");
	check_walk(h, editor, "limit=50&orderBy=kind:asc,year:desc");
	check_walk(h, editor, "limit=50&orderBy=kind:desc,year:asc&status=draft");
	check_walk(h, editor, "limit=50&orderBy=flag:desc,day:desc,createdAt:asc&locale=en");
	check_walk(h, subscriber, "limit=50&orderBy=flag:asc,day:asc,createdAt:desc");
	assert_code(
	    ask(h, editor, "GET " BASE "/a/neighbors?orderBy=year,kind"), "VALIDATION_ERROR");
}

static void
readers_have_published_neighbours_alone(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27];
	struct outcome *o;

	make(h, editor, a, "{'slug':'a','status':'published','data':{'title':'A'}}");
	make(h, editor, b, "{'slug':'b','data':{'title':'B'}}");
	make(h, editor, c, "{'slug':'c','status':'published','data':{'title':'C'}}");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a/neighbors?orderBy=title&order=asc"));
	assert_string_equal(side(o, "next"), c);
	assert_string_equal(side(o, "previous"), "");
	assert_null(harness_at(o->data, "next.bylines"));
	harness_ok(
	    o, ask(h, editor, "GET " BASE "/a/neighbors?orderBy=title&order=asc&fields=slug"));
	assert_string_equal(side(o, "next"), b);
	assert_null(harness_at(o->data, "next.data"));
	assert_code(ask(h, subscriber, "GET " BASE "/b/neighbors"), "NOT_FOUND");
	/* The item itself need not pass the filter. */
	harness_ok(
	    o, ask(h, editor, "GET " BASE "/b/neighbors?orderBy=title&order=asc&status=published"));
	assert_string_equal(side(o, "previous"), a);
	assert_string_equal(side(o, "next"), c);
	assert_code(ask(h, editor, "GET " BASE "/a/neighbors?orderBy=summary"), "VALIDATION_ERROR");
	assert_code(ask(h, editor, "GET " BASE "/nothing/neighbors"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /content/nothing/a/neighbors"), "COLLECTION_NOT_FOUND");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(neighbours_are_those_of_the_list_in_every_order),
		check(filters_hold_for_neighbours),
		check(an_order_says_its_directions_and_has_several_keys),
		check(readers_have_published_neighbours_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
