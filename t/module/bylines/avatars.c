/* avatars.c - avatars of bylines: an item of the media library, shown with its metadata. */
#include "posts.h"
#include <stdio.h>
#include <string.h>

static char picture[27];

static int
begin(void **state)
{
	int failed = posts_begin(state);
	struct outcome *o;

	harness_ok(
	    o, harness_op(*state, admin, "media_upload",
		   "{\"filename\":\"ann.png\",\"contentType\":\"image/png\",\"alt\":\"Ann\","
		   "\"base64\":\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9"
		   "QDwADhgGAWjR9awAAAABJRU5ErkJggg==\"}"));
	(void)snprintf(picture, sizeof(picture), "%s", harness_text(o->data, "item.id"));
	return failed;
}

/* Creates the byline ann with the picture as its avatar. */
static void
make_ann(struct harness *h, char id[27])
{
	struct outcome *o;

	harness_ok(o,
	    say(h, editor, "POST /bylines", "{'displayName':'Ann','avatarMediaId':'%s'}", picture));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

static bool
has_picture(json_t *byline)
{
	const char *key = harness_text(byline, "avatarStorageKey");
	const char *url = harness_text(byline, "avatarUrl");

	return strcmp(harness_text(byline, "avatarMediaId"), picture) == 0 &&
	       strcmp(harness_text(byline, "avatarAlt"), "Ann") == 0 &&
	       strncmp(url, "/_cms/api/media/file/", 21) == 0 && strcmp(url + 21, key) == 0;
}

static bool
has_none(json_t *byline)
{
	static const char *const members[] = { "avatarStorageKey", "avatarAlt", "avatarBlurhash",
		"avatarDominantColor", "avatarUrl" };

	for (size_t i = 0; i < COUNT(members); i++)
		if (!json_is_null(harness_at(byline, members[i])))
			return false;
	return true;
}

static void
it_is_shown_wherever_the_byline_is(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char ann[27], id[27];

	make_ann(h, ann);
	harness_ok(o, ask(h, editor, "GET /bylines/%s", ann));
	assert_true(has_picture(o->data));
	harness_ok(o, ask(h, editor, "GET /bylines"));
	assert_true(has_picture(harness_at(o->data, "items[0]")));
	harness_ok(o, ask(h, editor, "GET /bylines?limit=1&search=an&isGuest=true&locale=en"));
	assert_true(has_picture(harness_at(o->data, "items[0]")));
	harness_ok(o, ask(h, editor, "GET /bylines/%s/translations", ann));
	assert_true(has_picture(harness_at(o->data, "translations[0]")));
	make(h, editor, id, "{'slug':'a','data':{},'bylines':[{'bylineId':'%s'}]}", ann);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_true(has_picture(harness_at(o->data, "item.byline")));
	assert_true(has_picture(harness_at(o->data, "item.bylines[0].byline")));
	harness_ok(o, say(h, editor, "POST /bylines", "{'displayName':'Ben'}"));
	assert_true(has_none(o->data));
}

static void
it_has_to_exist(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char ann[27], path[80];

	o = say(h, editor, "POST /bylines",
	    "{'displayName':'Ann','avatarMediaId':'01JZZZZZZZZZZZZZZZZZZZZZZZ'}");
	assert_string_equal(o->code, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "avatarMediaId"));
	make_ann(h, ann);
	(void)snprintf(path, sizeof(path), "PUT /bylines/%s", ann);
	o = say(h, editor, path, "{'avatarMediaId':'gone'}");
	assert_string_equal(o->code, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "avatarMediaId"));
	/* The URL of a file is not accepted as an id. */
	harness_ok(o, ask(h, editor, "GET /bylines/%s", ann));
	o = say(h, editor, path, "{'avatarMediaId':'%s'}", harness_text(o->data, "avatarUrl"));
	assert_string_equal(o->code, "VALIDATION_ERROR");
	harness_ok(o, say(h, editor, path, "{'avatarMediaId':null}"));
	assert_true(has_none(o->data));
}

/* If the media item changes, so do the byline and the entity tags of all responses that contain
 * it. */
static void
it_changes_and_goes_with_its_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char ann[27], id[27], tag[100], path[80];

	make_ann(h, ann);
	make(h, editor, id, "{'slug':'a','data':{},'bylines':[{'bylineId':'%s'}]}", ann);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	assert_ok(
	    harness_op(h, admin, "media_update", "{\"id\":\"%s\",\"alt\":\"Old Ann\"}", picture));
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.byline.avatarAlt"), "Old Ann");
	assert_string_not_equal(o->etag, tag);
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	assert_ok(harness_op(h, admin, "media_delete", "{\"id\":\"%s\"}", picture));
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_true(has_none(harness_at(o->data, "item.byline")));
	assert_string_not_equal(o->etag, tag);
	/* A client may send back the avatarMediaId that it has received. */
	(void)snprintf(path, sizeof(path), "PUT /bylines/%s", ann);
	harness_ok(
	    o, say(h, editor, path, "{'displayName':'Ann L.','avatarMediaId':'%s'}", picture));
	assert_string_equal(harness_text(o->data, "avatarMediaId"), picture);
}

static void
without_the_library_nobody_gets_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char ann[27];

	make_ann(h, ann);
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"media\"}"));
	harness_ok(o, ask(h, editor, "GET /bylines/%s", ann));
	assert_true(has_none(o->data));
	assert_string_equal(harness_text(o->data, "avatarMediaId"), picture);
	o = say(h, editor, "POST /bylines", "{'displayName':'Ben','avatarMediaId':'%s'}", picture);
	assert_string_equal(o->code, "VALIDATION_ERROR");
}

#define CHECK(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CHECK(it_is_shown_wherever_the_byline_is),
		CHECK(it_has_to_exist),
		CHECK(it_changes_and_goes_with_its_item),
		CHECK(without_the_library_nobody_gets_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
