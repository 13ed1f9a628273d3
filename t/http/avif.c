/* avif.c - images of the type AVIF, which only fields allow: good ones, and ones that are damaged.
 */
#include "uploads.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 600

/* Made by libvips, 48 by 32 pixels, one half red and one blue; with a box "irot" that turns it. */
static const char base64[] =
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA"
    "AAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEYAAEAAAAAAAAAJQAAACNp"
    "aW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAdGlwcnAAAABUaXBjbwAAABNjb2xybmNseAACAAIA"
    "BoAAAAAMYXYxQ4EgAgAAAAAUaXNwZQAAAAAAAAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAJaXJvdAEAAAAY"
    "aXBtYQAAAAAAAAABAAEFgYIDhIUAAAAtbWRhdBIACgk4FS//KBAQNIAyFkRgAAAQAN8BmjBAVUqMxqbhfHvJ"
    "E8A=";
static char form[200]; /* the part fieldId */
static unsigned char good[ROOM];
static size_t len;

static int
begin(void **state)
{
	json_t *field;

	assert_int_equal(library_start(state), 0);
	assert_int_equal(sodium_base642bin(good, ROOM, base64, strlen(base64), NULL, &len, NULL,
			     sodium_base64_VARIANT_ORIGINAL),
	    0);
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"shots\",\"label\":\"Shots\"}", "/schema/collections"));
	field = remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"shot\",\"label\":\"Shot\",\"type\":\"image\","
	    "\"validation\":{\"allowedMimeTypes\":[\"image/avif\"]}}",
	    "/schema/collections/shots/fields");
	(void)snprintf(form, sizeof(form),
	    "--xx\r\nContent-Disposition: form-data; name=\"fieldId\"\r\n\r\n%s\r\n",
	    text_of(json_object_get(field, "item"), "id"));
	json_decref(field);
	return 0;
}

static void
send_avif(struct answer *a, const void *bytes, size_t size, bool with_field)
{
	upload(library.daemon, a, library.admin,
	    &(struct file){ "a.avif", "image/avif", bytes, size, with_field ? form : NULL });
}

/* The good image, and some bytes behind it that make it another file. */
static void
assert_good(const char *tail)
{
	unsigned char bytes[ROOM];
	struct answer a;
	char path[300];
	long mean;

	memcpy(bytes, good, len);
	memcpy(bytes + len, tail, strlen(tail));
	send_avif(&a, bytes, len + strlen(tail), true);
	assert_int_equal(a.status, 201);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "width")), 32);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "height")), 48);
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

/* ---- tests ---- */

static void
only_a_field_allows_it(void **state)
{
	struct answer a;

	(void)state;
	send_avif(&a, good, len, false);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
}

static void
it_is_an_image_like_others(void **state)
{
	(void)state;
	assert_good("like others");
}

/* Whatever it is, it is stored as a file, or its type is refused. */
static void
send_damaged(const unsigned char *bytes, size_t size)
{
	struct answer a;

	send_avif(&a, bytes, size, true);
	if (a.status != 201 && a.status != 200)
		assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
}

static void
damaged_ones_harm_nothing_but_themselves(void **state)
{
	unsigned char bytes[ROOM];

	(void)state;
	for (size_t end = 1; end < len; end += 4)
		send_damaged(good, end);
	for (size_t at = 4; at < len; at += 2) {
		memcpy(bytes, good, len);
		bytes[at] ^= at % 4 == 0 ? 0xff : 0x81;
		send_damaged(bytes, len);
	}
	assert_good("after damaged ones");
}

static void
send_with_size(const char *sides, bool known)
{
	unsigned char bytes[ROOM], *at;
	struct answer a;

	memcpy(bytes, good, len);
	at = memmem(bytes, len, "ispe", 4);
	assert_non_null(at);
	memcpy(at + 8, sides, 8);
	send_avif(&a, bytes, len, true);
	assert_int_equal(a.status, 201);
	assert_true(known || json_is_null(json_object_get(item_of(&a), "width")));
	assert_true(json_is_null(json_object_get(item_of(&a), "blurhash")));
	answer_free(&a);
}

/* Boxes that say more than there is, up to 2^32 pixels a side. */
static void
sizes_that_lie_cost_nothing(void **state)
{
	(void)state;
	send_with_size("\0\0\x27\x10\0\0\x27\x10", true);
	send_with_size("\0\0\xea\x60\0\0\xea\x60", false);
	send_with_size("\xff\xff\xff\xff\xff\xff\xff\xff", false);
	send_with_size("\0\0\0\0\0\0\0\0", false);
	assert_good("after sizes");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_field_allows_it),
		cmocka_unit_test(it_is_an_image_like_others),
		cmocka_unit_test(damaged_ones_harm_nothing_but_themselves),
		cmocka_unit_test(sizes_that_lie_cost_nothing),
	};

	return cmocka_run_group_tests(tests, begin, library_stop);
}
