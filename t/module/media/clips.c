/* clips.c - duration and size of videos and sounds, from their headers. */
#include "clips.h"
#include "posts.h"

#include <stdio.h>
#include <string.h>

static void
headers_say_how_long_and_how_large(void **state)
{
	for (size_t i = 0; i < sizeof(clips) / sizeof(clips[0]); i++) {
		struct outcome *o;
		double seconds;

		harness_ok(o, harness_op(*state, contributor, "media_upload",
				  "{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\"}",
				  clips[i].name, clips[i].type, clips[i].base64));
		seconds = json_number_value(harness_at(o->data, "item.duration"));
		if (seconds < clips[i].seconds - 0.001 || seconds > clips[i].seconds + 0.001)
			fail_msg("%s: %f s", clips[i].name, seconds);
		assert_int_equal(
		    json_integer_value(harness_at(o->data, "item.width")), clips[i].width);
		assert_int_equal(
		    json_integer_value(harness_at(o->data, "item.height")), clips[i].height);
	}
}

/* The bytes "a film" are no video. */
static void
what_is_not_understood_is_unknown(void **state)
{
	struct outcome *o;

	harness_ok(o,
	    harness_op(*state, contributor, "media_upload",
		"{\"filename\":\"b.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"YSBmaWxt\"}"));
	assert_true(json_is_null(harness_at(o->data, "item.duration")));
	assert_true(json_is_null(harness_at(o->data, "item.width")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_say_how_long_and_how_large),
		cmocka_unit_test(what_is_not_understood_is_unknown),
	};

	return cmocka_run_group_tests(tests, posts_begin, posts_end);
}
