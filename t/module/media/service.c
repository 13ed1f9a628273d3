/* service.c - the service images/1, and derived files, as a plugin uses them. */
#include "inside.h"
#include "pictures.h"
#include "posts.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#undef check /* of posts.h: this site has a plugin */

#define BYTES_MAX 2000

/* The plugin has the first of the pictures, a PNG of 48 x 32 pixels, as "one.png". */
static int
begin(void **state)
{
	char path[] = "/tmp/stet-frames-XXXXXX", bytes[BYTES_MAX];
	struct outcome *o;
	size_t len = 0;
	int failed, fd;

	posts_plugins = "t/plugins/frames/.libs";
	failed = posts_begin(state);
	inside_enable(*state, "frames", true);
	assert_int_equal(
	    sodium_base642bin((unsigned char *)bytes, BYTES_MAX, pictures[0].base64,
		strlen(pictures[0].base64), NULL, &len, NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
	fd = mkstemp(path);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
	harness_ok(o, harness_op(*state, admin, "frames__keep",
			  "{\"key\":\"one.png\",\"path\":\"%s\"}", path));
	unlink(path);
	return failed;
}

static int
end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static struct outcome *
derive(struct harness *h, const char *key, const char *form, const char *more)
{
	return harness_op(
	    h, admin, "frames__derive", "{\"key\":\"%s\",\"form\":\"%s\"%s}", key, form, more);
}

static void
a_file_is_made_once_from_a_stored_one(void **state)
{
	struct outcome *o;

	harness_ok(o, derive(*state, "one.png", "line", ""));
	assert_int_equal(harness_int(o->data, "times"), 1);
	assert_int_equal(harness_int(o->data, "count"), 1);
	assert_int_equal(harness_int(o->data, "bytes"), 6);
	/* It was removed since, and is made again. */
	harness_ok(o, derive(*state, "one.png", "line", ""));
	assert_int_equal(harness_int(o->data, "times"), 1);
	assert_code(derive(*state, "two.png", "line", ""), "NOT_FOUND");
	assert_code(derive(*state, "../one", "line", ""), "NOT_FOUND");
}

static void
one_that_cannot_be_made_is_not_kept(void **state)
{
	struct outcome *o;

	assert_code(derive(*state, "one.png", "bad", ",\"fails\":true"), "SAVE_REJECTED");
	harness_ok(o, derive(*state, "one.png", "bad", ""));
	assert_int_equal(harness_int(o->data, "times"), 1);
}

/* With a hyphen the form "b-c" of the file "a" would be the form "c" of the file "a-b". */
static void
a_form_has_letters_and_digits_only(void **state)
{
	static const char *const wrong[] = { "", "b-c", "../x", "a.b", "a b",
		"012345678901234567890123456789012", "\xc3\xa4" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_code(derive(*state, "one.png", wrong[i], ""), "INTERNAL_ERROR");
}

static struct outcome *
look(struct harness *h, const char *key, int width)
{
	return harness_op(h, admin, "frames__look", "{\"key\":\"%s\",\"width\":%d}", key, width);
}

static void
a_plugin_looks_at_its_own_pictures(void **state)
{
	struct outcome *o;
	char tag[200];

	harness_ok(o, look(*state, "one.png", 24));
	assert_string_equal(harness_text(o->data, "type"), "image/png");
	assert_int_equal(harness_int(o->data, "width"), 48);
	assert_int_equal(harness_int(o->data, "copyWidth"), 24);
	assert_int_equal(harness_int(o->data, "kept"), 1);
	(void)snprintf(tag, sizeof(tag), "%s", harness_text(o->data, "tag"));
	harness_ok(o, look(*state, "one.png", 24));
	assert_string_equal(harness_text(o->data, "tag"), tag);
	assert_int_equal(harness_int(o->data, "kept"), 1);
	harness_ok(o, look(*state, "one.png", 12));
	assert_int_equal(harness_int(o->data, "kept"), 2);
	assert_code(look(*state, "one.png", 5000), "VALIDATION_ERROR");
}

/* Each module has its own files, also through the service of another. */
static void
it_has_no_copies_of_files_of_the_library(void **state)
{
	char key[100];
	struct outcome *o;

	harness_ok(
	    o, harness_op(*state, admin, "media_upload",
		   "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"base64\":\"%s\"}",
		   pictures[0].base64));
	(void)snprintf(key, sizeof(key), "%s", harness_text(o->data, "item.storageKey"));
	assert_code(look(*state, key, 24), "NOT_FOUND");
}

/* Derived files are the core's. */
static void
without_the_module_images_are_unavailable(void **state)
{
	struct outcome *o;

	inside_enable(*state, "media", false);
	assert_code(look(*state, "one.png", 24), "IMAGES_UNAVAILABLE");
	harness_ok(o, derive(*state, "one.png", "line", ""));
	inside_enable(*state, "media", true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_made_once_from_a_stored_one),
		cmocka_unit_test(one_that_cannot_be_made_is_not_kept),
		cmocka_unit_test(a_form_has_letters_and_digits_only),
		cmocka_unit_test(a_plugin_looks_at_its_own_pictures),
		cmocka_unit_test(it_has_no_copies_of_files_of_the_library),
		cmocka_unit_test(without_the_module_images_are_unavailable),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
