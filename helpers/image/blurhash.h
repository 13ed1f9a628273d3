/* blurhash.h - a placeholder for an image: a blurhash of 4 x 3 components, and its mean color. */
#ifndef HELPERS_IMAGE_BLURHASH_H
#define HELPERS_IMAGE_BLURHASH_H

#include <stddef.h>

#define BLURHASH_SIZE 29 /* with the NUL */
#define COLOR_SIZE 8 /* #rrggbb, with the NUL */

/* Pixels of 8 bits, row by row: red, green, blue, and alpha if there are four bands. */
struct pixels {
	const unsigned char *bytes;
	size_t width, height;
	size_t bands; /* 3 or 4 */
};

/* The blurhash; ignores alpha. The image must have a pixel. */
void blurhash_encode(const struct pixels *, char out[BLURHASH_SIZE]);
/* The mean of the pixels whose alpha is 128 or more; black if there are none. */
void blurhash_color(const struct pixels *, char out[COLOR_SIZE]);

#endif
