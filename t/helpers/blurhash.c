/* blurhash.c - the placeholder of images whose components are known. */
#include "harness.h"

#include "../../helpers/image/blurhash.h"
#include <stdlib.h>
#include <string.h>

#define SIDE 24

static void
expect(void (*paint)(unsigned char *, int x, int y), const char *want)
{
	unsigned char bytes[SIDE * SIDE * 3];
	struct pixels p = { bytes, SIDE, SIDE, 3 };
	char hash[BLURHASH_SIZE];

	for (int i = 0; i < SIDE * SIDE; i++)
		paint(bytes + i * 3, i % SIDE, i / SIDE);
	blurhash_encode(&p, hash);
	assert_string_equal(hash, want);
}

static void
orange(unsigned char *p, int x, int y)
{
	(void)x;
	(void)y;
	memcpy(p, "\xff\x80\x01", 3);
}

static void
halves(unsigned char *p, int x, int y)
{
	(void)y;
	memset(p, x < SIDE / 2 ? 255 : 0, 3);
}

static void
mixture(unsigned char *p, int x, int y)
{
	p[0] = (unsigned char)(x * 11);
	p[1] = (unsigned char)(y * 7);
	p[2] = (unsigned char)((x ^ y) * 5);
}

/* The values that a second program, written from the published description of the algorithm,
 * computes. */
static void
hashes_are_as_another_encoder_makes_them(void **state)
{
	(void)state;
	expect(orange, "LDTNoT}VfQ}V}VoKfQoKfQfQfQfQ");
	expect(halves, "L~Lqe9~qxuIUt7ofj[ayfQfQfQfQ");
	expect(mixture, "LDHcl?2+|ZS~y_NWo6aigZfofLfg");
}

static void
pixels_that_cannot_be_seen_have_no_color(void **state)
{
	static const unsigned char seen[] = { 10, 20, 30, 255, 200, 200, 200, 127, 20, 30, 40,
		128 };
	static const unsigned char none[] = { 10, 20, 30, 0 };
	char color[COLOR_SIZE];

	(void)state;
	blurhash_color(&(struct pixels){ seen, 3, 1, 4 }, color);
	assert_string_equal(color, "#0f1923");
	blurhash_color(&(struct pixels){ none, 1, 1, 4 }, color);
	assert_string_equal(color, "#000000");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_as_another_encoder_makes_them),
		cmocka_unit_test(pixels_that_cannot_be_seen_have_no_color),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
