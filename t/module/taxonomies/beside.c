/* beside.t - the terms of a list's items, included in its response up to a limit. */
#include "inside.h"
#include "posts.h"

/* One of 1,001 terms is left out, and `truncated` says so. */
static void
terms_that_do_not_fit_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27];

	make(h, editor, a, "{'slug':'a','status':'published','data':{}}");
	for (int count = 1000; count <= 1001; count++) {
		inside_sql(h,
		    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS INT))"
		    " INSERT INTO term (id, taxonomy, slug, label, parent_group, position,"
		    " locale, translation_group) SELECT printf('01ARZ3NDEKTSV4RRFFQ6%06d', i),"
		    " 'category', 't' || i, 'T', '', i, 'en', printf('01ARZ3NDEKTSV4RRFFQ6%06d', i)"
		    " FROM n WHERE true ON CONFLICT DO NOTHING",
		    count == 1000 ? "1000" : "1001");
		inside_sql(h,
		    "INSERT INTO content_term (collection, entry_group, taxonomy,"
		    " term_group, shown) SELECT 'posts', ?1, taxonomy, id, 'en' FROM term"
		    " WHERE taxonomy = 'category' ON CONFLICT DO NOTHING",
		    a);
		harness_ok(o, ask(h, editor, "GET " BASE "?include=terms&fields=id"));
		assert_int_equal(json_object_size(harness_at(o->data, "included.terms")), 1000);
		assert_int_equal(
		    json_is_true(harness_at(o->data, "included.truncated")), count > 1000);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = { check(terms_that_do_not_fit_are_told) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
