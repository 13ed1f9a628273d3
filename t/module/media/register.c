/* register.c - media_create: items for stored files without a row; the maximum size of a
 * library. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

/* Stores a file of 6 bytes without a row; returns its key in a static buffer. */
static const char *
stray(struct harness *h)
{
	static char key[64];
	struct outcome *o;

	harness_ok(o,
	    harness_op(h, admin, "media_upload",
		"{\"filename\":\"film.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"YSBmaWxt\"}"));
	(void)snprintf(key, sizeof(key), "%s", harness_text(o->data, "item.storageKey"));
	inside_sql(h, "DELETE FROM media_items", NULL);
	return key;
}

/* Calls the op; arguments have " for each ' and the key for $. */
static struct outcome *
create(struct harness *h, const struct harness_user *user, const char *key, const char *args)
{
	char text[1000];
	size_t len = 0;

	for (; *args != '\0'; args++)
		if (*args == '$')
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s", key);
		else
			text[len++] = (char)(*args == '\'' ? '"' : *args);
	text[len] = '\0';
	return harness_op(h, user, "media_create", "%s", text);
}

#define FILM "'filename':'f.mp4','mimeType':'video/mp4','storageKey':'$'"
#define HASH "sha1:d8a5eb6db8a1f6efa0b0d71d7a51a4ba2a0b9a05"

static void
a_file_of_the_store_becomes_an_item(void **state)
{
	struct harness *h = *state;
	const char *key = stray(h);
	struct outcome *o;
	char hash[60], args[400];

	harness_ok(
	    o, create(h, author, key,
		   "{" FILM ",'size':6,'width':640,'height':480,'dominantColor':'#aabbcc'}"));
	assert_int_equal(harness_int(o->data, "item.size"), 6);
	assert_int_equal(harness_int(o->data, "item.width"), 640);
	assert_string_equal(harness_text(o->data, "item.storageKey"), key);
	assert_string_equal(harness_text(o->data, "item.dominantColor"), "#aabbcc");
	assert_string_equal(harness_text(o->data, "item.status"), "ready");
	(void)snprintf(hash, sizeof(hash), "%s", harness_text(o->data, "item.contentHash"));
	assert_code(create(h, author, key, "{" FILM "}"), "CONFLICT");
	inside_sql(h, "DELETE FROM media_items", NULL);
	(void)snprintf(args, sizeof(args), "{" FILM ",'contentHash':'%s'}", hash);
	assert_ok(create(h, author, key, args));
}

static void
the_same_bytes_are_the_item_that_has_them(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char key[64], id[27];

	(void)snprintf(key, sizeof(key), "%s", stray(h));
	harness_ok(o,
	    harness_op(h, admin, "media_upload",
		"{\"filename\":\"film.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"YSBmaWxt\"}"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, create(h, author, key, "{" FILM "}"));
	assert_true(json_is_true(harness_at(o->data, "deduplicated")));
	assert_string_equal(harness_text(o->data, "item.id"), id);
}

static void
what_does_not_fit_the_bytes_is_refused(void **state)
{
	static const struct {
		const char *args, *code;
	} bad[] = {
		{ "{" FILM ",'size':7}", "UPLOAD_SIZE_MISMATCH" },
		{ "{" FILM ",'contentHash':'" HASH "'}", "VALIDATION_ERROR" },
		{ "{" FILM ",'contentHash':'md5:1'}", "VALIDATION_ERROR" },
		{ "{" FILM ",'dominantColor':'red'}", "VALIDATION_ERROR" },
		{ "{" FILM ",'width':0}", "VALIDATION_ERROR" },
		{ "{'filename':'f.mp4','mimeType':'video','storageKey':'$'}", "VALIDATION_ERROR" },
		{ "{'filename':'f.html','mimeType':'text/html','storageKey':'$'}", "INVALID_TYPE" },
		{ "{'filename':'f\\n','mimeType':'video/mp4','storageKey':'$'}",
		    "VALIDATION_ERROR" },
		{ "{'filename':'f','mimeType':'video/mp4','storageKey':'nothing.mp4'}",
		    "FILE_NOT_FOUND" },
		{ "{'filename':'f','mimeType':'video/mp4','storageKey':'../$'}",
		    "VALIDATION_ERROR" },
		{ "{'filename':'f','mimeType':'video/mp4','storageKey':'a/$'}",
		    "VALIDATION_ERROR" },
		{ "{'filename':'f','mimeType':'video/mp4','storageKey':'.'}", "VALIDATION_ERROR" },
	};
	struct harness *h = *state;
	const char *key = stray(h);

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = create(h, author, key, bad[i].args);

		if (strcmp(o->code, bad[i].code) != 0)
			fail_msg("%s: %s", bad[i].args, o->text);
	}
	assert_code(create(h, contributor, key, "{" FILM "}"), "FORBIDDEN");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "0");
}

/* ---- max-media-bytes ---- */

static int
begin_small(void **state)
{
	static const struct harness_options options = { .media_most = 20 };

	*state = harness_open(&options);
	return 0;
}

static struct outcome *
add(struct harness *h, const char *base64)
{
	return harness_op(h, admin, "media_upload",
	    "{\"filename\":\"f.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"%s\"}", base64);
}

static struct outcome *
target(struct harness *h, int size)
{
	return harness_op(h, admin, "media_get_upload_url",
	    "{\"filename\":\"f.mp4\",\"contentType\":\"video/mp4\",\"size\":%d}", size);
}

static void
a_full_library_takes_nothing_more(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_ok(add(h, "YSBmaWxt")); /* 6 bytes */
	assert_ok(add(h, "YSBmaWxt")); /* the same item */
	harness_ok(o, target(h, 13)); /* 19 of 20 bytes, as announced */
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "mediaId"));
	assert_code(add(h, "YWE="), "INSUFFICIENT_STORAGE");
	assert_code(target(h, 2), "INSUFFICIENT_STORAGE");
	assert_ok(add(h, "YQ=="));
	assert_ok(harness_op(h, admin, "media_delete", "{\"id\":\"%s\"}", id));
	assert_ok(target(h, 13));
	assert_string_equal(inside_ask(h, "SELECT sum(size) FROM media_items"), "20");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    a_file_of_the_store_becomes_an_item, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    the_same_bytes_are_the_item_that_has_them, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    what_does_not_fit_the_bytes_is_refused, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    a_full_library_takes_nothing_more, begin_small, inside_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
