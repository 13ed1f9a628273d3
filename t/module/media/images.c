/* images.c - properties of an uploaded image: size, orientation, blurhash, color. */
#include "inside.h"
#include "pictures.h"
#include "posts.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX 2000

static struct outcome *
upload(struct harness *h, const char *name, const char *type, const char *base64)
{
	static char args[BYTES_MAX * 3];

	(void)snprintf(args, sizeof(args),
	    "{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\"}", name, type, base64);
	return harness_op(h, contributor, "media_upload", "%s", args);
}

/* Reads the bytes of an image. */
static size_t
bytes_of(const struct picture *p, unsigned char out[BYTES_MAX])
{
	size_t len = 0;

	assert_int_equal(sodium_base642bin(out, BYTES_MAX, p->base64, strlen(p->base64), NULL, &len,
			     NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
	return len;
}

static struct outcome *
upload_bytes(struct harness *h, const struct picture *p, const unsigned char *bytes, size_t len)
{
	char text[BYTES_MAX * 2];

	sodium_bin2base64(text, sizeof(text), bytes, len, sodium_base64_VARIANT_ORIGINAL);
	return upload(h, p->name, p->type, text);
}

static void
assert_nothing_known(struct outcome *o)
{
	assert_true(json_is_null(harness_at(o->data, "item.width")));
	assert_true(json_is_null(harness_at(o->data, "item.height")));
	assert_true(json_is_null(harness_at(o->data, "item.blurhash")));
	assert_true(json_is_null(harness_at(o->data, "item.dominantColor")));
}

/* Runs before the other tests, since the helper stays running once started. */
static void
without_the_program_images_are_files_like_others(void **state)
{
	char *path = strdup(getenv("STET_HELPER_PATH"));
	unsigned char bytes[BYTES_MAX];
	size_t len = bytes_of(&pictures[0], bytes);
	struct outcome *o;

	setenv("STET_HELPER_PATH", "/nonexistent", 1);
	harness_ok(o, upload_bytes(*state, &pictures[0], bytes, len));
	assert_nothing_known(o);
	setenv("STET_HELPER_PATH", path, 1);
	free(path);
}

static void
each_format_has_its_size_and_a_placeholder(void **state)
{
	for (const struct picture *p = pictures; p->name != NULL; p++) {
		struct outcome *o;
		long mean;

		harness_ok(o, upload(*state, p->name, p->type, p->base64));
		assert_int_equal(harness_int(o->data, "item.width"), p->width);
		assert_int_equal(harness_int(o->data, "item.height"), p->height);
		assert_int_equal(strlen(harness_text(o->data, "item.blurhash")), 28);
		assert_int_equal(harness_text(o->data, "item.blurhash")[0], 'L');
		assert_int_equal(harness_text(o->data, "item.dominantColor")[0], '#');
		mean = strtol(harness_text(o->data, "item.dominantColor") + 1, NULL, 16);
		/* the mean of the two halves: 120, 30, 115 */
		assert_in_range(mean >> 16, 118, 122);
		assert_in_range(mean >> 8 & 0xff, 28, 32);
		assert_in_range(mean & 0xff, 113, 117);
	}
}

/* Returns the number of items of the library. */
static size_t
count(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, contributor, "media_list", "{}"));
	return json_array_size(harness_at(o->data, "items"));
}

static void
an_image_that_ends_early_is_refused(void **state)
{
	for (const struct picture *p = pictures; p->name != NULL; p++) {
		unsigned char bytes[BYTES_MAX];
		size_t len = bytes_of(p, bytes);
		const unsigned char *exif = memmem(bytes, len, "EXIF", 4); /* WebP: at the end */
		size_t pixels = exif != NULL ? (size_t)(exif - bytes) : len;
		struct outcome *o;

		assert_code(
		    upload_bytes(*state, p, bytes, pixels - pixels / 4), "IMAGE_UNREADABLE");
		assert_int_equal(count(*state), 0);
		harness_ok(o, upload_bytes(*state, p, bytes, len));
		assert_ok(harness_op(*state, admin, "media_delete", "{\"id\":\"%s\"}",
		    harness_text(o->data, "item.id")));
	}
}

/* The header says 60000 x 60000 pixels: 10 GB. */
static void
a_pixel_bomb_is_refused(void **state)
{
	static const unsigned char size[] = { 0xff, 0xc0, 0, 17, 8 };
	const struct picture *p = &pictures[3];
	unsigned char bytes[BYTES_MAX], *at;
	size_t len = bytes_of(p, bytes);
	struct outcome *o;

	at = memmem(bytes, len, size, sizeof(size));
	assert_non_null(at);
	memcpy(at + sizeof(size), "\xea\x60\xea\x60", 4);
	o = upload_bytes(*state, p, bytes, len);
	assert_code(o, "IMAGE_UNREADABLE");
	assert_non_null(strstr(o->message, "too many pixels"));
	assert_int_equal(count(*state), 0);
}

static void
bytes_that_nobody_knows_are_no_image(void **state)
{
	/* The signature of a PNG and a part of its header: its decoder gives no reason. */
	static const char cut[] = "iVBORw0KGgoAAAANSUhEUgAAAAg=";
	struct outcome *o;

	assert_code(
	    upload(*state, "a.png", "image/png", "AAECAwQFBgcICQoLDA0ODw=="), "IMAGE_UNREADABLE");
	o = upload(*state, "a.png", "image/png", cut);
	assert_code(o, "IMAGE_UNREADABLE");
	assert_non_null(strstr(o->message, "cannot be read: it is incomplete"));
	harness_ok(o, upload(*state, "a.mp4", "video/mp4", "AAECAwQFBgcICQoLDA0ODw=="));
	assert_nothing_known(o);
}

static void
what_is_empty_a_text_or_a_document_is_no_image(void **state)
{
	static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp" };
	static const char *const bytes[] = { "YSBmaWxt", "JVBERi0xLjMK", NULL };

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; bytes[k] != NULL; k++)
			assert_code(upload(*state, "a.png", types[i], bytes[k]), "INVALID_TYPE");
	assert_code(upload(*state, "a.png", "image/png", " "), "INVALID_TYPE");
	assert_non_null(strstr(upload(*state, "a.png", "image/png", " ")->message, "empty"));
	/* "" is an argument left out, as with other tools. */
	assert_code(upload(*state, "a.png", "image/png", ""), "VALIDATION_ERROR");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    without_the_program_images_are_files_like_others, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    each_format_has_its_size_and_a_placeholder, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    an_image_that_ends_early_is_refused, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(a_pixel_bomb_is_refused, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    bytes_that_nobody_knows_are_no_image, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    what_is_empty_a_text_or_a_document_is_no_image, inside_begin, inside_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
