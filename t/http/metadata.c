/*
 * metadata.c - copies of images in every format have no metadata of their source: no Exif (place,
 * author), XMP, IPTC or comments. Orientation and colors stay. The metadata of the sources is
 * written here, chunk by chunk.
 */
#include "pictures.h"
#include "uploads.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define ROOM 4000
#define AUTHOR "Ann at home"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BYTES(text) (text), sizeof(text) - 1

/* Exif as TIFF: orientation 6 (turned), the author, and a part for the place. */
#define EXIF                           \
	"MM\0*\0\0\0\10\0\3"           \
	"\1\22\0\3\0\0\0\1\0\6\0\0"    \
	"\1\73\0\2\0\0\0\14\0\0\0\62"  \
	"\210\45\0\4\0\0\0\1\0\0\0\76" \
	"\0\0\0\0" AUTHOR "\0"         \
	"\0\1"                         \
	"\0\1\0\2\0\0\0\2N\0\0\0"      \
	"\0\0\0\0"
#define XMP "<x:xmpmeta xmlns:x='adobe:ns:meta/'>" AUTHOR "</x:xmpmeta>"
#define IPTC                    \
	"Photoshop 3.0\0"       \
	"8BIM\4\4\0\0\0\0\0\20" \
	"\34\2\120\0\13" AUTHOR

/* Made by libvips, with Exif and XMP: red and blue, like pictures[]. */
static const char avif[] =
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAXVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA"
    "AAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAARmlsb2MAAAAAREAAAwABAAAAAAGZAAEAAAAAAAAAJAACAAAA"
    "AAG9AAEAAAAAAAAAwgADAAAAAAJ/AAEAAAAAAAAAOAAAAGJpaW5mAAAAAAADAAAAFWluZmUCAAAAAAEAAGF2"
    "MDEAAAAAFWluZmUCAAABAAIAAEV4aWYAAAAAKmluZmUCAAABAAMAAG1pbWUAYXBwbGljYXRpb24vcmRmK3ht"
    "bAAAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAA"
    "AAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAAChpcmVmAAAAAAAAAA5j"
    "ZHNjAAIAAQABAAAADmNkc2MAAwABAAEAAAEmbWRhdBIACgkYFS/7BAgIGhAyFUYAAAAU3wGaMEBVSozGpuGq"
    "/JBxYAAAAAZFeGlmAABNTQAqAAAACAAGAQ4AAgAAABAAAABWARIAAwAAAAEAAQAAARoABQAAAAEAAABmARsA"
    "BQAAAAEAAABuASgAAwAAAAEAAgAAh2kABAAAAAEAAAB2AAAAAGF0IGhvbWUsIGFzbGVlcAAAAGM4AAAD6AAA"
    "YzgAAAPoAAWQAAAHAAAABDAyMTCgAAAHAAAABDAxMDCgAQADAAAAAf//AACgAgAEAAAAAQAAADCgAwAEAAAA"
    "AQAAACAAAAAAPHg6eG1wbWV0YSB4bWxuczp4PSdhZG9iZTpuczptZXRhLyc+YXQgaG9tZS48L3g6eG1wbWV0"
    "YT4=";
static const char heic[] =
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAjBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA"
    "AAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAADAAIAAAAGBpbG9jAQAAAERAAAQAAQAAAAAA"
    "AAJUAAEAAAAAAAAALgACAAEAAAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACggABAAAAAAAAAMIABAAAAAAAAANE"
    "AAEAAAAAAAAAOAAAAHdpaW5mAAAAAAAEAAAAFWluZmUCAAABAAEAAGh2YzEAAAAAFWluZmUCAAAAAAIAAGdy"
    "aWQAAAAAFWluZmUCAAABAAMAAEV4aWYAAAAAKmluZmUCAAABAAQAAG1pbWUAYXBwbGljYXRpb24vcmRmK3ht"
    "bAAAAAAA2GlwcnAAAAC2aXBjbwAAAHZodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNw"
    "AAADAJAAAAMAAAMAHroCQCEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uBAQMCAAAAMAIAAAAwAh"
    "IgABAAZEAcFzwIkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAADAAAAAgAAAAEHBpeGkAAAAA"
    "AwgICAAAABppcG1hAAAAAAAAAAIAAQKBAgACAgOEAAAANmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOY2Rz"
    "YwADAAEAAgAAAA5jZHNjAAQAAQACAAABMG1kYXQAAAAqKAGvE4DlMff/vjU/2+0/ytksEs/p+Pud3v6vLvll"
    "FraLAqbRyRKY9wR4AAAABkV4aWYAAE1NACoAAAAIAAYBDgACAAAAEAAAAFYBEgADAAAAAQABAAABGgAFAAAA"
    "AQAAAGYBGwAFAAAAAQAAAG4BKAADAAAAAQACAACHaQAEAAAAAQAAAHYAAAAAYXQgaG9tZSwgYXNsZWVwAAAA"
    "YzgAAAPoAABjOAAAA+gABZAAAAcAAAAEMDIxMKAAAAcAAAAEMDEwMKABAAMAAAAB//8AAKACAAQAAAABAAAA"
    "MKADAAQAAAABAAAAIAAAAAA8eDp4bXBtZXRhIHhtbG5zOng9J2Fkb2JlOm5zOm1ldGEvJz5hdCBob21lLjwv"
    "eDp4bXBtZXRhPg==";
/* One color, (220, 20, 30) of the space Display P3, whose profile is in the file. */
static const char wide[] =
    "iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAACZWlDQ1BpY2MAACiRY2BgepCTnFvMJMDAkJtX"
    "UhTk7qQQERmlwP6IgZlBhIGTgY9BNjG5uMA32C2EAQiKE8uLk0uKchhQwLdrDIwg+rJuRmJeSnU+/+kHro5m"
    "9v4upqel2iQZ8APOlNTiZCD9AYjjkguKShgYGHmAbJ7ykgIQWwLIFikCOgrI1gGx0yFsBxA7CcIOAasJCXIG"
    "sjOAuCIdiZ2ExIbaBQKsxQHGzsgOKUmtKAHRzs4GDKAwgIh+DgT7jVHsDEKs+T4Dg+1+EAsh5gXkbzRnYODa"
    "ihDTsGBgEORiYDhRkVxaVAa1ZhsQyzBYMIQwFDD0MKxgOMLwkJGBUYnRjTGXcSrjQcYPTApMoUzdTEeYGZnt"
    "mZuYj7HwsUSyLGf5yerDuoT1H1sM2z52RfYu9i8cyRxXOT05D3PZc+3nduI+yRPC85C3hI+TbxG/A/8DgVZB"
    "XcFbQl3CdsLfRDaJFoqZif0VPyUxUzJPyk1aSYZZ5rnsBbm98usUlijOU5qjPF9lqepGtQPqVzXeanFpa+sE"
    "6tbordK/ZyhmFGQ8xeSmmYp5scUxKwXrGpv7dq72GxwVnaa5CLj2uwt5zPbS8N7tG+j3LqA/yDT4QeiEcNdI"
    "hqh9MS1xPgnSie+Tj6cuS+/MLMyOzw3M9yp0K/YqDSyPqyys7qhdVn+i8UOLXFtAR2fX0V7O/sCJ8yd/nuY9"
    "Y/VsvrkV858vil5ybXnYyttr0td939i/RWvbmZ0lexT3XT3Ye8TnuMDJW2dWn6+/FHPV9obKbaF7LA/+Pf7z"
    "nPEVz1uZDyafA74V/5z959T//wDUytJGPF1SSAAAAAlwSFlzAAAD6AAAA+gBtXtSawAAADJJREFUWMPtzjEN"
    "AAAIA7CJ4Ma/KMTggnA0qYBmql+JkJCQkJCQkJCQkJCQkJCQkNClBSLPVFuGRnQkAAAAAElFTkSuQmCC";

struct image {
	const char *type;
	unsigned char bytes[ROOM];
	size_t len;
	bool turned; /* turned by its Exif orientation */
};

static void
load(struct image *i, const char *base64, const char *type)
{
	i->type = type;
	assert_int_equal(sodium_base642bin(i->bytes, ROOM, base64, strlen(base64), NULL, &i->len,
			     NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
}

static void
insert(struct image *i, size_t at, const void *bytes, size_t len)
{
	assert_true(i->len + len <= ROOM && at <= i->len);
	memmove(i->bytes + at + len, i->bytes + at, i->len - at);
	memcpy(i->bytes + at, bytes, len);
	i->len += len;
}

static void
put_32(unsigned char *at, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(n >> (24 - 8 * i));
}

static uint32_t
get_32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* ---- sources ---- */

/* Inserts a segment of a JPEG behind its first two bytes. */
static void
add_segment(struct image *i, int marker, const void *bytes, size_t len)
{
	unsigned char head[] = { 0xff, (unsigned char)marker, (unsigned char)((len + 2) >> 8),
		(unsigned char)(len + 2) };

	insert(i, 2, bytes, len);
	insert(i, 2, head, sizeof(head));
}

/* The picture already has an Exif segment with a place. */
static void
make_jpeg(struct image *i)
{
	load(i, pictures[3].base64, pictures[3].type);
	add_segment(i, 0xfe, BYTES("comment: " AUTHOR));
	add_segment(i, 0xed, BYTES(IPTC));
	add_segment(i, 0xe1, BYTES("http://ns.adobe.com/xap/1.0/\0" XMP));
	i->turned = true;
}

/* Inserts a chunk of a PNG behind its first one. */
static void
add_chunk(struct image *i, const char *type, const void *bytes, size_t len)
{
	unsigned char chunk[500], *end = chunk + 8 + len;

	assert_true(len + 12 <= sizeof(chunk));
	put_32(chunk, (uint32_t)len);
	memcpy(chunk + 4, type, 4);
	memcpy(chunk + 8, bytes, len);
	put_32(end, (uint32_t)crc32(0, chunk + 4, (uInt)(len + 4)));
	insert(i, 33, chunk, len + 12);
}

static void
make_png(struct image *i)
{
	load(i, pictures[0].base64, pictures[0].type);
	add_chunk(i, "tEXt", BYTES("Author\0" AUTHOR));
	add_chunk(i, "tIME", BYTES("\7\350\1\1\1\1\1"));
	add_chunk(i, "iTXt", BYTES("XML:com.adobe.xmp\0\0\0\0\0" XMP));
	add_chunk(i, "eXIf", BYTES(EXIF));
	i->turned = true;
}

/* Inserts a comment, and XMP as an application extension, behind the color table. */
static void
make_gif(struct image *i)
{
	size_t at = 13 + 3 * 4;

	load(i, pictures[1].base64, pictures[1].type);
	assert_int_equal(i->bytes[at], '!');
	insert(i, at, BYTES("!\376\13" AUTHOR "\0"));
	insert(i, at, BYTES("!\377\13XMP DataXMP\13" AUTHOR "\0"));
}

static void
add_riff(struct image *i, const char *type, const void *bytes, size_t len)
{
	unsigned char head[8];

	memcpy(head, type, 4);
	head[4] = (unsigned char)len;
	head[5] = head[6] = head[7] = 0;
	insert(i, i->len, head, sizeof(head));
	insert(i, i->len, bytes, len);
	if (len % 2 != 0)
		insert(i, i->len, "\0", 1);
}

static void
make_webp(struct image *i)
{
	const unsigned char *exif;
	size_t len;

	load(i, pictures[2].base64, pictures[2].type);
	exif = memmem(i->bytes, i->len, "EXIF", 4);
	assert_non_null(exif);
	i->len = (size_t)(exif - i->bytes);
	add_riff(i, "EXIF", BYTES(EXIF));
	add_riff(i, "XMP ", BYTES(XMP));
	i->bytes[20] |= 4 | 8; /* flags: the file has XMP and Exif */
	len = i->len - 8;
	i->bytes[4] = (unsigned char)len;
	i->bytes[5] = (unsigned char)(len >> 8);
	i->turned = true;
}

static void
make_avif(struct image *i)
{
	load(i, avif, "image/avif");
}

static void
make_heic(struct image *i)
{
	load(i, heic, "image/heic");
}

static void
make_wide(struct image *i)
{
	load(i, wide, "image/png");
}

static void (*const sources[])(
    struct image *) = { make_jpeg, make_png, make_gif, make_webp, make_avif, make_heic, make_wide };

/* ---- copies ---- */

static bool
is_one_of(const void *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (memcmp(name, *names, strlen(*names)) == 0)
			return true;
	return false;
}

/* Segments that a copy may have: tables, frames, scans, JFIF (APP0) and a color profile (APP2). */
static void
check_jpeg(const unsigned char *bytes, size_t len)
{
	static const char *const good[] = { "\xff\xdb", "\xff\xc0", "\xff\xc2", "\xff\xc4",
		"\xff\xdd", "\xff\xe0", "\xff\xe2", NULL };
	size_t at = 2;

	assert_memory_equal(bytes, "\xff\xd8", 2);
	while (at + 4 <= len && bytes[at + 1] != 0xda) {
		if (!is_one_of(bytes + at, good))
			fail_msg("segment %02x", bytes[at + 1]);
		at += 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
	}
	assert_true(at + 4 <= len);
}

/* pHYs is the resolution: always 1000 pixels a metre, whatever the source says. */
static void
check_png(const unsigned char *bytes, size_t len)
{
	static const char *const good[] = { "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "iCCP", "sRGB",
		"gAMA", "cHRM", "pHYs", NULL };
	size_t at = 8;

	assert_memory_equal(bytes, "\x89PNG", 4);
	for (; at + 12 <= len; at += 12 + get_32(bytes + at))
		if (!is_one_of(bytes + at + 4, good))
			fail_msg("chunk %.4s", (const char *)bytes + at + 4);
		else if (memcmp(bytes + at + 4, "pHYs", 4) == 0)
			assert_memory_equal(bytes + at + 8, "\0\0\3\350\0\0\3\350\1", 9);
	assert_int_equal(at, len);
}

static void
check_webp(const unsigned char *bytes, size_t len)
{
	static const char *const good[] = { "VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", NULL };
	size_t at = 12, size;

	assert_memory_equal(bytes, "RIFF", 4);
	for (; at + 8 <= len; at += 8 + size + size % 2) {
		size = bytes[at + 4] | (size_t)bytes[at + 5] << 8 | (size_t)bytes[at + 6] << 16;
		if (!is_one_of(bytes + at, good))
			fail_msg("chunk %.4s", (const char *)bytes + at);
	}
	assert_int_equal(at, len);
}

static const struct format {
	const char *name, *type;
	void (*check)(const unsigned char *, size_t);
} formats[] = { { "jpeg", "image/jpeg", check_jpeg }, { "png", "image/png", check_png },
	{ "webp", "image/webp", check_webp } };

static int64_t
number(const struct answer *a, const char *name)
{
	return json_integer_value(json_object_get(item_of(a), name));
}

/* Compares the colors of an image that has one color, or two halves. Their mean is the dominant
 * color. */
static void
assert_same_color(const struct answer *a, const struct answer *b)
{
	long x = strtol(text_of(item_of(a), "dominantColor") + 1, NULL, 16);
	long y = strtol(text_of(item_of(b), "dominantColor") + 1, NULL, 16);

	for (int shift = 0; shift <= 16; shift += 8)
		if (labs((x >> shift & 0xff) - (y >> shift & 0xff)) > 6)
			fail_msg("%06lx and %06lx", x, y);
}

/* Uploads the copy, too, so that the library reports its dominant color and size. */
static void
check_copy(const struct format *f, const struct answer *source, const struct answer *copy)
{
	struct answer again;

	assert_int_equal(copy->status, 200);
	f->check((const unsigned char *)copy->body, copy->len);
	assert_null(memmem(copy->body, copy->len, "home", 4));
	assert_null(memmem(copy->body, copy->len, "Exif", 4));
	assert_null(memmem(copy->body, copy->len, "adobe", 5));
	upload(library.daemon, &again, library.admin,
	    &(struct file){ "copy", f->type, copy->body, copy->len, NULL });
	assert_in_range(again.status, 200, 201);
	assert_int_equal(number(&again, "width"), number(source, "width") / 2);
	assert_int_equal(number(&again, "height"), number(source, "height") / 2);
	assert_same_color(source, &again);
	answer_free(&again);
}

static void
check_copies(const struct answer *source)
{
	for (const struct format *f = formats; f < formats + COUNT(formats); f++) {
		json_t *data = remote_must(&library.by_admin, 200, "GET", NULL,
		    "/media/%s/rendition?w=%d&format=%s", text_of(item_of(source), "id"),
		    (int)number(source, "width") / 2, f->name);
		struct answer copy;

		ask(library.daemon, &copy, "GET", text_of(data, "url"));
		check_copy(f, source, &copy);
		answer_free(&copy);
		json_decref(data);
	}
}

static void
copies_have_pixels_and_colors_alone(void **state)
{
	(void)state;
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"moreTypes\":\"image/avif,image/heic\"}}",
	    "/admin/plugins/media/settings"));
	for (size_t n = 0; n < COUNT(sources); n++) {
		struct image i = { .type = NULL };
		struct answer a;

		sources[n](&i);
		upload(library.daemon, &a, library.admin,
		    &(struct file){ "source", i.type, i.bytes, i.len, NULL });
		if (a.status != 201)
			fail_msg("%s: %s", i.type, a.body);
		assert_int_equal(number(&a, "width"), i.turned ? 32 : 48);
		assert_int_equal(number(&a, "height"), i.turned ? 48 : 32);
		check_copies(&a);
		answer_free(&a);
	}
}

/* The Display P3 color (220, 20, 30) is outside of sRGB. The nearest sRGB color is redder. */
static void
colors_are_read_by_their_profile(void **state)
{
	struct image i = { .type = NULL };
	struct answer a;
	long color;

	(void)state;
	make_wide(&i);
	upload(library.daemon, &a, library.admin,
	    &(struct file){ "wide", i.type, i.bytes, i.len, NULL });
	color = strtol(text_of(item_of(&a), "dominantColor") + 1, NULL, 16);
	assert_in_range(color >> 16, 230, 250);
	assert_in_range(color >> 8 & 0xff, 0, 12);
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_have_pixels_and_colors_alone),
		cmocka_unit_test(colors_are_read_by_their_profile),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
