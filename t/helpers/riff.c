/* riff.c - WebP files without Exif and XMP. */
#include "harness.h"

#include "../../helpers/image/riff.h"
#include <stdlib.h>
#include <string.h>

#define HEAD(size) "RIFF" size "\0\0\0WEBP"
#define VP8X(flags) "VP8X\12\0\0\0" flags "\0\0\0\57\0\0\37\0\0"
#define PIXELS "VP8L\3\0\0\0abc\0"
#define EXIF "EXIF\5\0\0\0hello\0"
#define XMP "XMP \4\0\0\0home"

/* In memory of exactly that size, so that a sanitizer notices a byte too much. */
static void
becomes(const char *from, size_t len, const char *to, size_t left)
{
	unsigned char *bytes = malloc(len + 1);

	assert_non_null(bytes);
	bytes = realloc(bytes, len > 0 ? len : 1);
	memcpy(bytes, from, len);
	assert_int_equal(riff_strip(bytes, len), left);
	assert_memory_equal(bytes, to, left);
	free(bytes);
}
#define BECOMES(from, to) becomes(from, sizeof(from) - 1, to, sizeof(to) - 1)

static void
exif_and_xmp_are_removed(void **state)
{
	(void)state;
	BECOMES(HEAD("\76") VP8X("\14") PIXELS EXIF XMP, HEAD("\42") VP8X("\0") PIXELS);
	BECOMES(HEAD("\76") VP8X("\54") EXIF PIXELS XMP, HEAD("\42") VP8X("\40") PIXELS);
	BECOMES(HEAD("\20") PIXELS, HEAD("\20") PIXELS);
}

static void
what_is_no_whole_file_is_read_to_its_end(void **state)
{
	static const char file[] = HEAD("\76") VP8X("\14") PIXELS EXIF XMP;

	(void)state;
	for (size_t len = 0; len < sizeof(file) - 1; len++) {
		unsigned char *bytes = malloc(len > 0 ? len : 1);

		assert_non_null(bytes);
		memcpy(bytes, file, len);
		assert_true(riff_strip(bytes, len) <= len);
		free(bytes);
	}
	BECOMES("GIF89a, and no WebP", "GIF89a, and no WebP");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(exif_and_xmp_are_removed),
		cmocka_unit_test(what_is_no_whole_file_is_read_to_its_end) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
