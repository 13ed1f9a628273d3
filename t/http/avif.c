/*
 * avif.c - images of the types AVIF and HEIC, which only fields or the site allow: good ones, and
 * ones that are damaged.
 */
#include "uploads.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 700

/* Made by libvips, 48 by 32 pixels, one half red and one blue; with a box "irot" that turns it. */
static const char avif[] =
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA"
    "AAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEYAAEAAAAAAAAAJQAAACNp"
    "aW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAdGlwcnAAAABUaXBjbwAAABNjb2xybmNseAACAAIA"
    "BoAAAAAMYXYxQ4EgAgAAAAAUaXNwZQAAAAAAAAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAJaXJvdAEAAAAY"
    "aXBtYQAAAAAAAAABAAEFgYIDhIUAAAAtbWRhdBIACgk4FS//KBAQNIAyFkRgAAAQAN8BmjBAVUqMxqbhfHvJ"
    "E8A=";
/* The same colors, not turned; a grid of one HEVC image that is cut to its size. */
static const char heic[] =
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA"
    "AAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAADAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAA"
    "AAHRAAEAAAAAAAAALgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAA"
    "aHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe"
    "8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6g"
    "IIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUA"
    "AAAAAAAAMAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAA"
    "AAAAAAAOZGltZwACAAEAAQAAADZtZGF0AAAAKigBrxOA5TH3/741P9vtP8rZLBLP6fj7nd7+ry75ZRa2iwKm"
    "0ckSmPcEeA==";
static struct kind {
	const char *type, *base64;
	int width, height; /* size as it is displayed */
	unsigned char good[ROOM];
	size_t len;
} kinds[] = { { "image/avif", avif, 32, 48 }, { "image/heic", heic, 48, 32 },
	{ "image/heif", heic, 48, 32 } };
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static char form[200]; /* the form part fieldId */

static int
begin(void **state)
{
	json_t *field;

	assert_int_equal(library_start(state), 0);
	for (struct kind *k = kinds; k < kinds + KINDS; k++)
		assert_int_equal(sodium_base642bin(k->good, ROOM, k->base64, strlen(k->base64),
				     NULL, &k->len, NULL, sodium_base64_VARIANT_ORIGINAL),
		    0);
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"shots\",\"label\":\"Shots\"}", "/schema/collections"));
	field = remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"shot\",\"label\":\"Shot\",\"type\":\"image\","
	    "\"validation\":{\"allowedMimeTypes\":[\"image/avif\","
	    "\"image/heic\",\"image/heif\"]}}",
	    "/schema/collections/shots/fields");
	(void)snprintf(form, sizeof(form),
	    "--xx\r\nContent-Disposition: form-data; name=\"fieldId\"\r\n\r\n%s\r\n",
	    text_of(json_object_get(field, "item"), "id"));
	json_decref(field);
	return 0;
}

static void
send_kind(struct answer *a, const struct kind *k, const void *bytes, size_t size, bool with_field)
{
	upload(library.daemon, a, library.admin,
	    &(struct file){ "a", k->type, bytes, size, with_field ? form : NULL });
}

/* The good image, and some bytes behind it that make it another file. */
static void
assert_good(const struct kind *k, const char *tail)
{
	unsigned char bytes[ROOM];
	struct answer a;
	char path[300];
	long mean;

	memcpy(bytes, k->good, k->len);
	memcpy(bytes + k->len, tail, strlen(tail));
	send_kind(&a, k, bytes, k->len + strlen(tail), true);
	assert_int_equal(a.status, 201);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "width")), k->width);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "height")), k->height);
	assert_int_equal(strlen(text_of(item_of(&a), "blurhash")), 28);
	mean = strtol(text_of(item_of(&a), "dominantColor") + 1, NULL, 16);
	assert_in_range(mean >> 16, 112, 128); /* the mean of both halves: 120, 30, 115 */
	assert_in_range(mean >> 8 & 0xff, 22, 38);
	assert_in_range(mean & 0xff, 107, 123);
	assert_non_null(strstr(text_of(item_of(&a), "srcset"), "preset="));
	(void)snprintf(path, sizeof(path), API "/media/file/%s?preset=small",
	    text_of(item_of(&a), "storageKey"));
	answer_free(&a);
	ask(library.daemon, &a, "GET", path);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "content-type"), "image/webp");
	answer_free(&a);
}

static void
assert_refused(const struct kind *k, const void *bytes, size_t size, const char *code)
{
	struct answer a;

	send_kind(&a, k, bytes, size, true);
	assert_string_equal(answer_code(&a), code);
	answer_free(&a);
}

/* ---- tests ---- */

static void
a_field_or_the_site_allows_them(void **state)
{
	struct answer a;

	(void)state;
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		send_kind(&a, k, k->good, k->len, false);
		assert_int_equal(a.status, 400);
		assert_string_equal(answer_code(&a), "INVALID_TYPE");
		answer_free(&a);
	}
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"moreTypes\":\"image/avif, image/heic\"}}",
	    "/admin/plugins/media/settings"));
	for (size_t i = 0; i < KINDS; i++) {
		send_kind(&a, &kinds[i], kinds[i].good, kinds[i].len, false);
		assert_int_equal(a.status, i < 2 ? 201 : 400);
		answer_free(&a);
	}
	json_decref(remote_must(&library.by_admin, 200, "PUT", "{\"values\":{\"moreTypes\":null}}",
	    "/admin/plugins/media/settings"));
}

static void
they_are_images_like_others(void **state)
{
	(void)state;
	for (const struct kind *k = kinds; k < kinds + KINDS; k++)
		assert_good(k, k->type);
}

/* Both are HEIF files; their codecs differ. */
static void
one_is_not_taken_for_the_other(void **state)
{
	(void)state;
	assert_refused(&kinds[0], kinds[1].good, kinds[1].len, "INVALID_TYPE");
	assert_refused(&kinds[1], kinds[0].good, kinds[0].len, "INVALID_TYPE");
}

/* Whatever it is, it is an image with a size, or it is refused. */
static void
send_damaged(const struct kind *k, const unsigned char *bytes, size_t size)
{
	struct answer a;

	send_kind(&a, k, bytes, size, true);
	if (a.status == 201 || a.status == 200)
		assert_true(json_is_integer(json_object_get(item_of(&a), "width")));
	else if (strcmp(answer_code(&a), "IMAGE_UNREADABLE") != 0)
		assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
}

static void
damaged_ones_harm_nothing_but_themselves(void **state)
{
	unsigned char bytes[ROOM];

	(void)state;
	for (const struct kind *k = kinds; k < kinds + 2; k++) {
		for (size_t end = 1; end < k->len; end += 4)
			send_damaged(k, k->good, end);
		for (size_t at = 4; at < k->len; at += 2) {
			memcpy(bytes, k->good, k->len);
			bytes[at] ^= at % 4 == 0 ? 0xff : 0x81;
			send_damaged(k, bytes, k->len);
		}
		assert_good(k, "after damaged ones");
	}
}

/* Boxes that say more than there is, up to 2^32 pixels a side. */
static void
sizes_that_lie_cost_nothing(void **state)
{
	static const char *const sides[] = { "\0\0\x27\x10\0\0\x27\x10", "\0\0\xea\x60\0\0\xea\x60",
		"\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0\0\0\0\0\0\0" };
	const struct kind *k = &kinds[0];

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		unsigned char bytes[ROOM], *at;

		memcpy(bytes, k->good, k->len);
		at = memmem(bytes, k->len, "ispe", 4);
		assert_non_null(at);
		memcpy(at + 8, sides[i], 8);
		assert_refused(k, bytes, k->len, "IMAGE_UNREADABLE");
	}
	assert_good(k, "after sizes");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_or_the_site_allows_them),
		cmocka_unit_test(they_are_images_like_others),
		cmocka_unit_test(one_is_not_taken_for_the_other),
		cmocka_unit_test(damaged_ones_harm_nothing_but_themselves),
		cmocka_unit_test(sizes_that_lie_cost_nothing),
	};

	return cmocka_run_group_tests(tests, begin, library_stop);
}
