/* headers.c - headers of videos and sounds that are truncated, changed or false: clip.c alone. */
#include "../../../modules/media/clip.h"
#include "../lib/clips.h"
#include "harness.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CLIPS (sizeof(clips) / sizeof(clips[0]))
#define SMALL 512 /* more than any file of clips.h */
#define MANY 1000000

/* ---- reading bytes ---- */

static int
file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("clip", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	return fd;
}

/* Reads a clip; the result is within its bounds, whatever the bytes are. */
static struct clip
read_file(int fd)
{
	struct clip c;

	clip_read(fd, &c);
	close(fd);
	assert_true(isfinite(c.seconds) && c.seconds >= 0 && c.seconds <= 1e8);
	assert_true(c.width >= 0 && c.width <= 65535 && c.height >= 0 && c.height <= 65535);
	assert_int_equal(c.width == 0, c.height == 0);
	return c;
}

static struct clip
read_bytes(const void *bytes, size_t len)
{
	return read_file(file_of(bytes, len));
}

static void
assert_unknown(struct clip c)
{
	assert_true(c.seconds == 0);
	assert_int_equal(c.width, 0);
}

static size_t
good_bytes(size_t which, unsigned char out[SMALL])
{
	size_t len = 0;

	assert_int_equal(
	    sodium_base642bin(out, SMALL, clips[which].base64, strlen(clips[which].base64), NULL,
		&len, NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
	return len;
}

static bool
is_near(double a, double b)
{
	return fabs(a - b) < 0.001;
}

/* ---- small files ---- */

/* For formats that state their duration, a truncated file gives the same duration or none. */
static void
a_file_may_end_at_any_byte(void **state)
{
	unsigned char bytes[SMALL];

	(void)state;
	for (size_t i = 0; i < CLIPS; i++) {
		size_t len = good_bytes(i, bytes);

		assert_true(is_near(read_bytes(bytes, len).seconds, clips[i].seconds));
		for (size_t cut = 0; cut < len; cut++) {
			struct clip c = read_bytes(bytes, cut);

			assert_true(c.width == 0 || c.width == clips[i].width);
			assert_true(c.height == 0 || c.height == clips[i].height);
			if (strcmp(clips[i].name, "a.wav") == 0)
				assert_true(c.seconds <= clips[i].seconds);
			else if (strcmp(clips[i].name, "a.mp3") != 0)
				assert_true(c.seconds == 0 || is_near(c.seconds, clips[i].seconds));
		}
	}
}

static void
each_byte_may_be_another(void **state)
{
	static const unsigned char others[] = { 0, 1, 0x7f, 0x80, 0xfe, 0xff };
	unsigned char bytes[SMALL];

	(void)state;
	for (size_t i = 0; i < CLIPS; i++) {
		size_t len = good_bytes(i, bytes);

		for (size_t at = 0; at < len; at++) {
			unsigned char was = bytes[at];

			for (size_t k = 0; k < sizeof(others); k++) {
				bytes[at] = others[k];
				(void)read_bytes(bytes, len);
			}
			bytes[at] = was;
		}
	}
}

static void
read_with_run(const unsigned char *bytes, size_t len, size_t at, size_t run)
{
	unsigned char worse[SMALL];

	memcpy(worse, bytes, len);
	memset(worse + at, 0, run);
	(void)read_bytes(worse, len);
	memset(worse + at, 0xff, run);
	(void)read_bytes(worse, len);
}

/* Overwrites bytes so that every number after them is as large, or as small, as possible. */
static void
all_that_follows_may_be_another(void **state)
{
	unsigned char bytes[SMALL];

	(void)state;
	for (size_t i = 0; i < CLIPS; i++) {
		size_t len = good_bytes(i, bytes);

		for (size_t at = 0; at < len; at++)
			for (size_t run = 1; run <= len - at; run *= 2)
				read_with_run(bytes, len, at, run);
	}
}

/* ---- numbers that lie ---- */

static void
sizes_that_no_file_has_end_the_search(void **state)
{
	static const char *const files[] = {
		/* boxes of 0 and 7 bytes, and of 64 bits: 0, 15, all */
		"\0\0\0\0ftyp\0\0\0\0\0\0\0\0moov",
		"\0\0\0\7ftyp\0\0\0\0\0\0\0\7moov",
		"\0\0\0\1ftyp\0\0\0\0\0\0\0\0moov",
		"\0\0\0\1ftyp\0\0\0\0\0\0\0\17moov",
		"\0\0\0\1ftyp\xff\xff\xff\xff\xff\xff\xff\xffmoov",
		"\0\0\0\1ftyp\x7f\xff\xff\xff\xff\xff\xff\xffmoov",
		/* elements of 2^56 - 2 bytes and of unknown size */
		"\x1a\x45\xdf\xa3\1\xff\xff\xff\xff\xff\xff\xfe\x18\x53\x80\x67",
		"\x1a\x45\xdf\xa3\1\xff\xff\xff\xff\xff\xff\xff\x18\x53\x80\x67",
		"\x1a\x45\xdf\xa3\x80\0\0\0\0\0\0\0\0\0\0\0",
		"RIFF\xff\xff\xff\xffWAVE\xff\xff\xff\xff",
		"OggS\0\0\0\0\0\0\0\0\0\0\0\0",
		"ID3\4\0\0\x7f\x7f\x7f\x7f\xff\xfb\x90\x64\0\0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert_unknown(read_bytes(files[i], 16));
}

/* Bytes after a box are not read as its content. */
static void
a_box_that_is_too_short_says_nothing(void **state)
{
	unsigned char bytes[SMALL];
	size_t len = good_bytes(0, bytes);
	unsigned char *movie = memmem(bytes, len, "mvhd", 4),
		      *track = memmem(bytes, len, "tkhd", 4);

	(void)state;
	assert_non_null(movie);
	assert_non_null(track);
	track[-1] = 8 + 83;
	assert_int_equal(read_bytes(bytes, len).width, 0);
	movie[-1] = 8 + 19;
	assert_unknown(read_bytes(bytes, len));
}

static void
durations_and_sides_without_end_are_unknown(void **state)
{
	unsigned char bytes[SMALL];
	size_t len = good_bytes(0, bytes);
	unsigned char *movie = memmem(bytes, len, "mvhd", 4),
		      *track = memmem(bytes, len, "tkhd", 4);

	(void)state;
	memset(movie + 16, 0, 3); /* one tick a second, 2^32 - 2 of them */
	movie[19] = 1;
	memset(movie + 20, 0xff, 3);
	movie[23] = 0xfe;
	memset(track + 4 + 76, 0, 2); /* no pixel wide */
	assert_unknown(read_bytes(bytes, len));
	memset(movie + 16, 0, 4); /* no ticks a second */
	assert_unknown(read_bytes(bytes, len));
}

/* ---- many headers ---- */

/* Reads a file that follows `count` repetitions of the unit. */
static struct clip
read_behind(size_t begin, const void *unit, size_t size, size_t count, size_t which)
{
	unsigned char good[SMALL];
	size_t len = good_bytes(which, good), at = begin;
	unsigned char *all = malloc(begin + size * count + len);
	struct clip c;

	assert_non_null(all);
	memcpy(all, good, begin);
	for (size_t i = 0; i < count; i++, at += size)
		memcpy(all + at, unit, size);
	memcpy(all + at, good + begin, len - begin);
	c = read_bytes(all, at + len - begin);
	free(all);
	return c;
}

/* A thousand headers are read, but of a million only some thousand. So the rest is not found, and
 * no file takes longer than another. */
static void
assert_bounded(size_t begin, const void *unit, size_t size, size_t which)
{
	assert_true(
	    is_near(read_behind(begin, unit, size, 1000, which).seconds, clips[which].seconds));
	assert_unknown(read_behind(begin, unit, size, MANY, which));
}

static void
a_million_headers_are_not_read(void **state)
{
	(void)state;
	assert_bounded(16, "\0\0\0\10free", 8, 0);
	assert_bounded(16, "\0\0\0\1free\0\0\0\0\0\0\0\20", 16, 0);
	assert_bounded(16, "\0\0\0\10moov", 8, 0); /* each in the one before */
	assert_bounded(16, "\xec\x80", 2, 1);
	assert_bounded(16, "\x18\x53\x80\x67\x80", 5, 1);
	assert_bounded(12, "junk\0\0\0\0", 8, 2);
}

/* A file of 64 GiB, the largest upload, with one box of that size: the content is not read. */
static void
a_box_of_64_gib_is_passed_over(void **state)
{
	static const unsigned char head[] = "\0\0\0\20ftypisomxxxx\0\0\0\1mdat\0\0\0\x10\0\0\0\0";
	unsigned char bytes[SMALL];
	size_t len = good_bytes(0, bytes);
	unsigned char *movie = memmem(bytes, len, "moov", 4);
	int fd = file_of(head, 32);
	off_t end = 16 + ((off_t)64 << 30);

	(void)state;
	movie -= 4;
	assert_int_equal(
	    pwrite(fd, movie, len - (size_t)(movie - bytes), end), len - (size_t)(movie - bytes));
	assert_true(is_near(read_file(fd).seconds, clips[0].seconds));
}

/* The last page is searched for once, at the end of an Ogg file. */
static void
a_million_pages_of_ogg_are_not_read(void **state)
{
	static const char page[] = "OggS\0\4\xff\xff\xff\xff\xff\xff\xff\xff";
	unsigned char good[SMALL];
	size_t len = good_bytes(4, good);

	(void)state;
	assert_true(len > 47);
	assert_unknown(read_behind(len, page, 14, MANY, 4)); /* no page states the end */
	assert_unknown(read_behind(len, "OggO", 4, MANY, 4));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_may_end_at_any_byte),
		cmocka_unit_test(each_byte_may_be_another),
		cmocka_unit_test(all_that_follows_may_be_another),
		cmocka_unit_test(sizes_that_no_file_has_end_the_search),
		cmocka_unit_test(a_box_that_is_too_short_says_nothing),
		cmocka_unit_test(durations_and_sides_without_end_are_unknown),
		cmocka_unit_test(a_million_headers_are_not_read),
		cmocka_unit_test(a_box_of_64_gib_is_passed_over),
		cmocka_unit_test(a_million_pages_of_ogg_are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
