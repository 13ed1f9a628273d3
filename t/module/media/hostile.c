/*
 * hostile.c - images made from valid ones: changed bytes, truncation, repetition, false sizes,
 * other files after and inside them. Each is uploaded; the upload must be answered, and the next
 * valid image decoded. HOSTILE_ROUNDS=2500 makes 10,000.
 */
#include "inside.h"
#include "pictures.h"
#include "posts.h"

#include <endian.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 50 /* for each of the four images */
#define ROOM 4096

struct image {
	unsigned char bytes[ROOM];
	size_t len;
};

/* Returns the same pseudo-random numbers each time. */
static uint32_t
random_below(uint32_t below)
{
	static uint64_t seed = 0x9e3779b97f4a7c15u;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

static uint32_t
crc(const unsigned char *at, size_t len)
{
	uint32_t sum = ~0U;

	for (size_t i = 0; i < len; i++) {
		sum ^= at[i];
		for (int bit = 0; bit < 8; bit++)
			sum = (sum >> 1) ^ (0xedb88320U & -(sum & 1));
	}
	return ~sum;
}

/* ---- what is done to an image ---- */

static void
change_bytes(struct image *i)
{
	for (uint32_t n = 1 + random_below(12); n > 0; n--)
		i->bytes[random_below((uint32_t)i->len)] = (unsigned char)random_below(256);
}

static void
cut_end(struct image *i)
{
	i->len = 1 + random_below((uint32_t)i->len - 1);
}

static void
cut_middle(struct image *i)
{
	size_t at = random_below((uint32_t)i->len), gone = random_below((uint32_t)(i->len - at));

	memmove(i->bytes + at, i->bytes + at + gone, i->len - at - gone);
	i->len -= gone;
	if (i->len == 0)
		i->len = 1;
}

static void
repeat_part(struct image *i)
{
	size_t at = random_below((uint32_t)i->len), len = i->len - at;

	if (i->len + len > ROOM)
		len = ROOM - i->len;
	memmove(i->bytes + i->len, i->bytes + at, len);
	i->len += len;
}

/* Sets sizes and lengths to large values: 32 bits of ones, or a sign bit. */
static void
say_large_numbers(struct image *i)
{
	static const char *const large[] = { "\xff\xff\xff\xff", "\x7f\xff\xff\xff",
		"\x80\x00\x00\x00", "\xff\xff\xff\x7f", "\x00\x01\x00\x00" };

	if (i->len > 16)
		memcpy(i->bytes + 8 + random_below((uint32_t)i->len - 12),
		    large[random_below(COUNT(large))], 4);
}

/* Makes a PNG, GIF, WebP or JPEG of many pixels with a valid checksum. */
static void
bomb(struct image *i)
{
	static const unsigned char frame[] = { 0xff, 0xc0, 0, 17, 8 };
	unsigned char *jpeg = memmem(i->bytes, i->len, frame, sizeof(frame));
	uint32_t side = 20000 + random_below(40000), sum;
	unsigned char big[] = { (unsigned char)(side >> 8), (unsigned char)side };

	if (jpeg != NULL) {
		memcpy(jpeg + 5, big, 2);
		memcpy(jpeg + 7, big, 2);
	} else if (memcmp(i->bytes, "\x89PNG", 4) == 0) {
		memcpy(i->bytes + 18, big, 2);
		memcpy(i->bytes + 22, big, 2);
		sum = htobe32(crc(i->bytes + 12, 17));
		memcpy(i->bytes + 29, &sum, 4);
	} else if (memcmp(i->bytes, "GIF", 3) == 0) {
		memcpy(i->bytes + 6, big, 2);
		memcpy(i->bytes + 8, big, 2);
	} else {
		memcpy(i->bytes + 24, big, 2);
		memcpy(i->bytes + 27, big, 2);
	}
}

static void
append_another_file(struct image *i)
{
	static const char *const files[] = { "<html><script>alert(1)</script></html>",
		"PK\3\4\x14\0\0\0", "%PDF-1.7\n", "\177ELF\2\1\1", "#!/bin/sh\nid\n" };
	const char *file = files[random_below(COUNT(files))];

	if (i->len + strlen(file) <= ROOM) {
		memcpy(i->bytes + i->len, file, strlen(file));
		i->len += strlen(file);
	}
}

static void (*const damages[])(struct image *) = { change_bytes, cut_end, cut_middle, repeat_part,
	say_large_numbers, bomb, append_another_file };

/* ---- the uploads ---- */

static struct outcome *
upload(struct harness *h, const char *type, const unsigned char *bytes, size_t len)
{
	static char args[ROOM * 2], text[ROOM * 3 / 2];

	sodium_bin2base64(text, sizeof(text), bytes, len, sodium_base64_VARIANT_ORIGINAL);
	(void)snprintf(args, sizeof(args),
	    "{\"filename\":\"a\",\"contentType\":\"%s\",\"base64\":\"%s\"}", type, text);
	return harness_op(h, contributor, "media_upload", "%s", args);
}

static void
load(const struct picture *p, struct image *out)
{
	assert_int_equal(sodium_base642bin(out->bytes, ROOM, p->base64, strlen(p->base64), NULL,
			     &out->len, NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
}

static void
upload_damaged(struct harness *h, const struct picture *p, int *stored)
{
	struct image image;
	struct outcome *o;

	load(p, &image);
	for (uint32_t n = 1 + random_below(3); n > 0; n--)
		damages[random_below(COUNT(damages))](&image);
	o = upload(h, p->type, image.bytes, image.len);
	if (*o->code == '\0') {
		(*stored)++;
		assert_true(harness_int(o->data, "item.width") > 0);
		assert_true(harness_int(o->data, "item.height") > 0);
		assert_int_equal(strlen(harness_text(o->data, "item.blurhash")), 28);
	} else if (strcmp(o->code, "INVALID_TYPE") != 0 &&
		   strcmp(o->code, "IMAGE_UNREADABLE") != 0) {
		fail_msg("%s: %s", p->name, o->text);
	}
}

static void
hostile_images_harm_nothing_but_themselves(void **state)
{
	const char *chosen = getenv("HOSTILE_ROUNDS");
	long rounds = chosen != NULL ? strtol(chosen, NULL, 10) : ROUNDS;
	int stored = 0;

	for (long round = 0; round < rounds; round++)
		for (const struct picture *p = pictures; p->name != NULL; p++)
			upload_damaged(*state, p, &stored);
	assert_true(stored > 0); /* damage after the last pixel, or to its color */
	for (const struct picture *p = pictures; p->name != NULL; p++) {
		struct image image;
		struct outcome *o;

		load(p, &image);
		harness_ok(o, upload(*state, p->type, image.bytes, image.len));
		assert_int_equal(harness_int(o->data, "item.width"), p->width);
		assert_int_equal(strlen(harness_text(o->data, "item.blurhash")), 28);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    hostile_images_harm_nothing_but_themselves, inside_begin, inside_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
