/*
 * image.h - images that nobody vouches for. They are decoded in a process of their own, which can
 * compute and do nothing else: it opens no file and no socket, and its memory and time are
 * limited. What an image does to its decoder costs that image's answer alone.
 *
 * Formats: JPEG, PNG, GIF and WebP. All functions are for the slow lane and for jobs; they wait
 * for the result, less than a minute.
 */
#ifndef STET_IMAGE_H
#define STET_IMAGE_H

#include <stet/call.h>

#define STET_IMAGE_PIXELS_MAX 120000000LL /* of an image that is decoded: 120 megapixels */

/* What an image is. Texts are owned by the call. */
struct stet_image {
	const char *type; /* as its bytes say: "image/jpeg" */
	int64_t width, height; /* pixels, as the image is shown: turned as its EXIF data say */
	const char *blurhash; /* of 4 x 3 components; NULL: the pixels cannot be decoded */
	const char *color; /* the mean of its opaque pixels as #rrggbb; NULL as blurhash */
	/* New fields go here, and nowhere else. */
};

/* Reads what an image is from its beginning to its end; the caller keeps the descriptor, whose
 * position changes. Fails with IMAGE_UNREADABLE if it is no image of these formats, is damaged,
 * has too many pixels or takes too long to decode, and with IMAGES_UNAVAILABLE if this
 * installation cannot decode images. */
STET_MUST static inline enum stet_status stet_image_look(
    struct stet_call *, int fd, struct stet_image *out);

/* The host's side of the function above: it is told the size of the structure in the caller's
 * headers. */
STET_API STET_MUST enum stet_status stet_image_look_sized(
    struct stet_call *, int fd, struct stet_image *, size_t);

static inline enum stet_status
stet_image_look(struct stet_call *call, int fd, struct stet_image *out)
{
	return stet_image_look_sized(call, fd, out, sizeof(*out));
}

#endif
