/* router.c - which op a path leads to, and hostile paths. */
/* clang-format off */
#include "http/http1.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "http/router.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	enum http_method method;
	const char *path;
} routes[] = {
	{ HTTP_GET, "/_cms/api/content/:collection" },
	{ HTTP_POST, "/_cms/api/content/:collection" },
	{ HTTP_GET, "/_cms/api/content/:collection/:id" },
	{ HTTP_PUT, "/_cms/api/content/:collection/:id" },
	{ HTTP_DELETE, "/_cms/api/content/:collection/:id" },
	{ HTTP_GET, "/_cms/api/content/:collection/trash" },
	{ HTTP_GET, "/_cms/api/content/:slug/:id/revisions" },
	{ HTTP_GET, "/_cms/api/content/pages/home/special" },
	{ HTTP_GET, "/_cms/api/menus" },
	{ HTTP_GET, "/" },
	{ HTTP_GET, "/a/:b/c/:d/e/:f/g/:h/:i/:j/:k/:l" },
};
#define ROUTES (sizeof(routes) / sizeof(routes[0]))

static struct op ops[ROUTES];

static struct router *
make(void)
{
	struct router *router = router_new();

	for (size_t i = 0; i < ROUTES; i++)
		assert_true(router_add(router, routes[i].method, routes[i].path, &ops[i]));
	return router;
}

/* Returns the path of the route that matches, or "". */
static const char *
find(enum http_method method, const char *path, struct router_match *m)
{
	static struct router_match own;
	struct router *router = make();

	m = m != NULL ? m : &own;
	router_find(router, method, path, m);
	/* Copy the names, since they are freed with the router. */
	for (size_t i = 0; i < m->param_count; i++) {
		static char names[ROUTER_PARAMS_MAX][32];

		snprintf(names[i], sizeof(names[i]), "%s", m->param[i].name);
		m->param[i].name = names[i];
	}
	router_free(router);
	return m->op != NULL ? routes[m->op - ops].path : "";
}

static void
literals_win_over_parameters(void **state)
{
	(void)state;
	assert_string_equal(find(HTTP_GET, "/_cms/api/content/posts/trash", NULL), routes[5].path);
	assert_string_equal(find(HTTP_GET, "/_cms/api/content/posts/x", NULL), routes[2].path);
	assert_string_equal(
	    find(HTTP_GET, "/_cms/api/content/pages/home/special", NULL), routes[7].path);
}

static void
a_literal_that_leads_nowhere_is_left_again(void **state)
{
	struct router_match m;

	(void)state;
	assert_string_equal(
	    find(HTTP_GET, "/_cms/api/content/pages/home/revisions", &m), routes[6].path);
	assert_int_equal(m.param_count, 2);
	assert_string_equal(m.param[0].name, "slug");
	assert_memory_equal(m.param[0].value, "pages", 5);
	assert_int_equal(m.param[0].len, 5);
	assert_string_equal(m.param[1].name, "id");
	assert_memory_equal(m.param[1].value, "home", 4);
}

static void
parameters_are_named_by_the_route_that_is_found(void **state)
{
	struct router_match m;

	(void)state;
	find(HTTP_GET, "/_cms/api/content/posts/abc", &m);
	assert_int_equal(m.param_count, 2);
	assert_string_equal(m.param[0].name, "collection");
	assert_string_equal(m.param[1].name, "id");
	find(HTTP_GET, "/_cms/api/content/posts/trash", &m);
	assert_int_equal(m.param_count, 1);
}

static void
a_method_that_the_literal_lacks_goes_to_the_parameter(void **state)
{
	(void)state;
	assert_string_equal(find(HTTP_PUT, "/_cms/api/content/posts/trash", NULL), routes[3].path);
}

static void
head_finds_get(void **state)
{
	(void)state;
	assert_string_equal(find(HTTP_HEAD, "/_cms/api/menus", NULL), routes[8].path);
}

static void
another_method_finds_nothing_but_what_is_allowed(void **state)
{
	struct router_match m;

	(void)state;
	assert_string_equal(find(HTTP_DELETE, "/_cms/api/menus", &m), "");
	assert_int_equal(m.allowed, 1U << HTTP_GET | 1U << HTTP_HEAD);
	assert_string_equal(find(HTTP_OPTIONS, "/_cms/api/content/a/trash", &m), "");
	assert_int_equal(
	    m.allowed, 1U << HTTP_GET | 1U << HTTP_HEAD | 1U << HTTP_PUT | 1U << HTTP_DELETE);
	assert_string_equal(find(HTTP_OTHER, "/_cms/api/menus", &m), "");
	assert_int_equal(m.allowed, 1U << HTTP_GET | 1U << HTTP_HEAD);
	assert_int_equal(m.param_count, 0);
}

static void
empty_segments_find_nothing(void **state)
{
	static const char *const paths[] = { "", "//", "/_cms/api/menus/", "/_cms/api//menus",
		"//_cms/api/menus", "/_cms/api/content/", "/_cms/api/content//x", "///", "*",
		"_cms/api/menus" };
	struct router_match m;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		assert_string_equal(find(HTTP_GET, paths[i], &m), "");
		assert_int_equal(m.allowed, 0);
	}
	assert_string_equal(find(HTTP_GET, "/", NULL), "/");
}

static void
segments_are_compared_as_they_were_sent(void **state)
{
	struct router_match m;

	(void)state;
	assert_string_equal(find(HTTP_GET, "/_cms/api/menu%73", NULL), "");
	assert_string_equal(find(HTTP_GET, "/_CMS/api/menus", NULL), "");
	assert_string_equal(find(HTTP_GET, "/_cms/api/content/a%2Fb/%00", &m), routes[2].path);
	assert_memory_equal(m.param[0].value, "a%2Fb", 5);
	assert_string_equal(find(HTTP_GET, "/_cms/api/menus/../menus", NULL), "");
	assert_string_equal(find(HTTP_GET, "/_cms/api/content/..", &m), routes[0].path);
	assert_memory_equal(m.param[0].value, "..", 2);
}

static void
a_route_has_at_most_eight_parameters(void **state)
{
	struct router_match m;

	(void)state;
	assert_string_equal(find(HTTP_GET, "/a/1/c/2/e/3/g/4/5/6/7/8", &m), routes[10].path);
	assert_int_equal(m.param_count, 8);
	assert_string_equal(m.param[7].name, "l");
	assert_non_null(router_check("/:a/:b/:c/:d/:e/:f/:g/:h/:i"));
	assert_null(router_check("/:a/:b/:c/:d/:e/:f/:g/:h"));
}

static void
the_same_route_cannot_be_added_twice(void **state)
{
	struct router *router = make();

	(void)state;
	assert_false(router_add(router, HTTP_GET, "/_cms/api/content/:other/:name", &ops[0]));
	assert_true(router_add(router, HTTP_PATCH, "/_cms/api/content/:other/:name", &ops[0]));
	assert_ptr_equal(router_at(router, HTTP_GET, "/_cms/api/content/:x/:y"), &ops[2]);
	assert_null(router_at(router, HTTP_POST, "/_cms/api/content/:x/:y"));
	assert_null(router_at(router, HTTP_GET, "/_cms/api/content/posts"));
	router_free(router);
}

static void
paths_that_no_request_can_have_are_no_routes(void **state)
{
	static const char *const bad[] = { "", "a", "//", "/a//", "/a//b", "/:", "/a/:/b", "/:a-b",
		"/:a/:a", "/a b", "/a?b", "/a#b", "/a%62", "/\xc3\xa9", "/.", "/a/../b", "/a/*" };
	static const char *const good[] = { "/", "/a", "/a/", "/a/:b/", "/a/:b", "/a.b/c-d/_e",
		"/.well-known/x" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(router_check(bad[i]));
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_null(router_check(good[i]));
}

static void
a_trailing_slash_is_a_path_of_its_own(void **state)
{
	struct router *router = router_new();
	struct router_match m;

	(void)state;
	assert_true(router_add(router, HTTP_GET, "/a", &ops[0]));
	assert_true(router_add(router, HTTP_GET, "/a/", &ops[1]));
	assert_true(router_add(router, HTTP_GET, "/a/:b", &ops[2]));
	assert_true(router_add(router, HTTP_GET, "/a/:b/", &ops[3]));
	assert_false(router_add(router, HTTP_GET, "/a/", &ops[4]));
	assert_ptr_equal(router_at(router, HTTP_GET, "/a"), &ops[0]);
	assert_ptr_equal(router_at(router, HTTP_GET, "/a/"), &ops[1]);
	router_find(router, HTTP_GET, "/a", &m);
	assert_ptr_equal(m.op, &ops[0]);
	router_find(router, HTTP_HEAD, "/a/", &m);
	assert_ptr_equal(m.op, &ops[1]);
	assert_int_equal(m.param_count, 0);
	router_find(router, HTTP_GET, "/a/x", &m);
	assert_ptr_equal(m.op, &ops[2]);
	router_find(router, HTTP_GET, "/a/x/", &m);
	assert_ptr_equal(m.op, &ops[3]);
	router_find(router, HTTP_GET, "/a//", &m);
	assert_null(m.op);
	router_find(router, HTTP_GET, "/a/x//", &m);
	assert_null(m.op);
	router_free(router);
}

/* A lookup visits each node of the trie at most once, even if every segment of the path can match
 * in two ways. */
static void
a_path_that_forks_everywhere_is_fast(void **state)
{
	struct router *router = router_new();
	struct router_match m;
	char path[64];

	(void)state;
	for (unsigned bits = 0; bits < 256; bits++) {
		int n = 0;

		for (int i = 0; i < 8; i++)
			n += snprintf(path + n, sizeof(path) - (size_t)n,
			    (bits >> i & 1) != 0 ? "/:p%d" : "/a", i);
		snprintf(path + n, sizeof(path) - (size_t)n, "/end");
		assert_true(router_add(router, HTTP_GET, path, &ops[0]));
	}
	for (int i = 0; i < 1000; i++) {
		router_find(router, HTTP_GET, "/a/a/a/a/a/a/a/a/none", &m);
		assert_null(m.op);
		assert_int_equal(m.allowed, 0);
	}
	router_find(router, HTTP_GET, "/a/a/b/a/a/a/a/a/end", &m);
	assert_non_null(m.op);
	assert_int_equal(m.param_count, 1);
	router_free(router);
}

static void
many_literals_are_all_found(void **state)
{
	struct router *router = router_new();
	struct router_match m;
	static struct op op[1000];
	char path[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/x/n%d", i * 7919 % 1000);
		assert_true(router_add(router, HTTP_GET, path, &op[i * 7919 % 1000]));
	}
	for (int i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/x/n%d", i);
		router_find(router, HTTP_GET, path, &m);
		assert_ptr_equal(m.op, &op[i]);
	}
	router_free(router);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literals_win_over_parameters),
		cmocka_unit_test(a_literal_that_leads_nowhere_is_left_again),
		cmocka_unit_test(parameters_are_named_by_the_route_that_is_found),
		cmocka_unit_test(a_method_that_the_literal_lacks_goes_to_the_parameter),
		cmocka_unit_test(head_finds_get),
		cmocka_unit_test(another_method_finds_nothing_but_what_is_allowed),
		cmocka_unit_test(empty_segments_find_nothing),
		cmocka_unit_test(segments_are_compared_as_they_were_sent),
		cmocka_unit_test(a_route_has_at_most_eight_parameters),
		cmocka_unit_test(the_same_route_cannot_be_added_twice),
		cmocka_unit_test(paths_that_no_request_can_have_are_no_routes),
		cmocka_unit_test(a_trailing_slash_is_a_path_of_its_own),
		cmocka_unit_test(a_path_that_forks_everywhere_is_fast),
		cmocka_unit_test(many_literals_are_all_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
