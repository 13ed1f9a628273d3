/* daemons.t - what administrators see of the daemons of a site that has its database for itself. */
#include "harness.h"

#include "engine.h"
#include <stdio.h>
#include <string.h>

static void
it_is_the_only_one(void **state)
{
	struct harness *h = harness_open(NULL);
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_request(h, admin, "GET /admin/daemons", NULL, NULL));
	if (!engine_is_postgresql()) { /* there, only a daemon has a row */
		json_t *items = harness_at(o->data, "items");
		json_t *first = json_array_get(items, 0);

		assert_int_equal(json_array_size(items), 1);
		assert_true(json_is_true(json_object_get(first, "isSelf")));
		assert_string_not_equal(harness_text(first, "version"), "");
		assert_int_equal(json_array_size(json_object_get(first, "leases")), 0);
		assert_null(json_object_get(first, "clockOffsetMs"));
	}
	harness_close(h, false);
}

static void
others_see_nothing(void **state)
{
	struct harness *h = harness_open(NULL);

	(void)state;
	assert_code(harness_request(h, editor, "GET /admin/daemons", NULL, NULL), "FORBIDDEN");
	assert_code(harness_request(h, nobody, "GET /admin/daemons", NULL, NULL), "UNAUTHORIZED");
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_only_one),
		cmocka_unit_test(others_see_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
