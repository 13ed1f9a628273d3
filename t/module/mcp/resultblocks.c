/* resultblocks.t - tools whose result is content itself: blocks of texts, images, resources. */
#include "inside.h"
#include "rpc.h"

static const struct harness_user caller[] = { { "01USERADMIN000000000000050", 50, "mcp:tools",
    false } };

static int
begin(void **state)
{
	posts_plugins = "t/mcp/fixtures/.libs";
	if (posts_begin(state) != 0)
		return -1;
	inside_enable(*state, "fixtures", true);
	assert_ok(say(*state, admin, "PUT /admin/plugins/fixtures/mcp", "{'enabled':true}"));
	return 0;
}

static int
end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
blocks_are_the_content_of_a_result(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, caller, "fixtures__test_multiple_content_types", "{}");

	assert_string_equal(rpc_code(r), "");
	assert_int_equal(json_array_size(harness_at(r, "content")), 3);
	assert_string_equal(harness_text(r, "content[1].type"), "image");
	assert_string_equal(harness_text(r, "content[1].mimeType"), "image/png");
	assert_string_equal(harness_text(r, "content[2].resource.mimeType"), "application/json");
	assert_null(json_object_get(r, "structuredContent"));
}

static void
a_tool_without_the_blocks_it_promised_is_a_fault(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, caller, "fixtures__test_no_blocks", "{}");

	assert_string_equal(rpc_code(r), "INTERNAL_ERROR");
	assert_null(json_object_get(r, "structuredContent"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(blocks_are_the_content_of_a_result, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_tool_without_the_blocks_it_promised_is_a_fault, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
