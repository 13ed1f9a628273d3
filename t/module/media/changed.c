/* changed.c - the hook media_changed: called for each change of an item, and may refuse it. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef check /* of posts.h: this site has a plugin */

static int
begin(void **state)
{
	int failed;

	posts_plugins = "t/plugins/porter/.libs";
	failed = posts_begin(state);
	inside_enable(*state, "porter", true);
	return failed;
}

static int
end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
must_have_told(struct harness *h, const char *lines)
{
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(line, ', ') FROM porter_told"), lines);
}

static struct outcome *
upload(struct harness *h, const char *name, const char *bytes)
{
	return harness_op(h, admin, "media_upload",
	    "{\"filename\":\"%s\",\"contentType\":\"video/mp4\",\"base64\":\"%s\"}", name, bytes);
}

static int64_t
items(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /media?page=1"));
	return (int64_t)json_array_size(harness_at(o->data, "items"));
}

static void
each_change_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, upload(h, "film.mp4", "YSBmaWxt"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	/* Uploading the same file again is no change. */
	harness_ok(o, upload(h, "other.mp4", "YSBmaWxt"));
	must_have_told(h, "create film.mp4");
	assert_ok(harness_op(h, admin, "media_update", "{\"id\":\"%s\",\"alt\":\"A film\"}", id));
	assert_ok(harness_op(h, admin, "media_delete", "{\"id\":\"%s\"}", id));
	must_have_told(h, "create film.mp4, update film.mp4, delete gone");
}

static void
a_plugin_refuses_an_upload_and_nothing_is_left(void **state)
{
	struct harness *h = *state;
	struct outcome *o = upload(h, "virus.mp4", "YSBmaWxt");

	assert_string_equal(o->code, "SAVE_REJECTED");
	assert_string_equal(o->message, "This file is ill");
	assert_int_equal(items(h), 0);
	/* The same bytes, with another name. */
	harness_ok(o, upload(h, "film.mp4", "YSBmaWxt"));
	assert_int_equal(items(h), 1);
}

static void
of_a_failing_plugin_nothing_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, upload(h, "film.mp4", "YSBmaWxt"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	o = harness_op(h, admin, "media_update", "{\"id\":\"%s\",\"alt\":\"crash\"}", id);
	assert_string_equal(o->code, "CONTENT_HOOK_ERROR");
	assert_null(strstr(o->message, "porter"));
	harness_ok(o, harness_op(h, admin, "media_get", "{\"id\":\"%s\"}", id));
	assert_true(json_is_null(harness_at(o->data, "item.alt")));
}

#define CHECK(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CHECK(each_change_is_told),
		CHECK(a_plugin_refuses_an_upload_and_nothing_is_left),
		CHECK(of_a_failing_plugin_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
