/*
 * image.h - the service images/1 of the module media: images that nobody vouches for. They are
 * decoded in a process of their own, which can compute and do nothing else: it opens no file and no
 * socket, and its memory and time are limited. What an image does to its decoder costs that image's
 * answer alone. On a site without the module all functions fail with IMAGES_UNAVAILABLE.
 *
 * Formats: JPEG, PNG, GIF and WebP; AVIF and HEIC where the installed libvips reads them. All
 * functions are for the slow lane and for jobs; they wait for the result, less than a minute.
 * stet_rendition_open is for the read lane, too.
 */
#ifndef STET_IMAGE_H
#define STET_IMAGE_H

#include <stet/call.h>

#define STET_IMAGE_PIXELS_MAX 120000000LL /* largest image that is decoded: 120 megapixels */

/* Properties of an image. Texts are owned by the call. */
struct stet_image {
	const char *type; /* detected from its bytes: "image/jpeg" */
	int64_t width, height; /* pixels as the image is shown, rotated by its EXIF data */
	const char *blurhash; /* of 4 x 3 components */
	const char *color; /* the mean of its opaque pixels as #rrggbb */
	/* New fields go here, and nowhere else. */
};

/* Reads the whole file and returns the image's properties. The caller keeps the descriptor, whose
 * position changes. Fails with IMAGE_UNREADABLE if the file is not an image of these formats, is
 * damaged, has too many pixels or takes too long to decode, and with IMAGES_UNAVAILABLE if this
 * installation cannot decode images. */
STET_MUST static inline enum stet_status stet_image_look(
    struct stet_call *, int fd, struct stet_image *out);

enum stet_image_fit {
	STET_IMAGE_INSIDE, /* the whole image, scaled to fit into the box */
	STET_IMAGE_CONTAIN, /* as INSIDE, centred in the box, the rest of which is padded */
	STET_IMAGE_COVER /* fills the box; the image is cropped around its focal point */
};
enum stet_image_format { STET_IMAGE_JPEG, STET_IMAGE_PNG, STET_IMAGE_WEBP };

#define STET_IMAGE_SIDE_MAX 4096 /* pixels of a rendition's width and height */
#define STET_IMAGE_QUALITY 80 /* the default */

/* The properties of a copy of an image that is wanted. */
struct stet_rendition {
	int64_t width, height; /* pixels, at most; 0: follows from the other one */
	enum stet_image_fit fit;
	enum stet_image_format format;
	int64_t quality; /* 1 to 100, of JPEG and WebP; 0: STET_IMAGE_QUALITY */
	/* The focal point in thousandths of width and height, plus 1; 0: the middle. */
	int64_t focal_x, focal_y;
	/* New fields go here, and nowhere else. */
};

/* Opens a copy of an image that the module stored (stet_file_keep), never larger than the image,
 * in sRGB, turned as it is shown, without EXIF and other metadata. It is made and kept as
 * stet_file_derive (file.h) says, and fails like that in the read lane. *fd is the caller's, *tag
 * an entity tag. Fails with VALIDATION_ERROR for a member out of its range, with NOT_FOUND if
 * there is no such file, and as stet_image_look. */
STET_MUST static inline enum stet_status stet_rendition_open(
    struct stet_call *, const char *key, const struct stet_rendition *, int *fd, const char **tag);

/* Number and size of cached renditions. */
struct stet_renditions {
	int64_t count, bytes;
	int64_t most; /* bytes of the file cache of the site, which keeps other files too */
	/* New fields go here, and nowhere else. */
};
/* Counts the cached renditions of one of the module's files; key NULL: of all its files. With
 * `drop` it also removes them; they are made again on demand. Reads a directory: for the slow lane.
 */
STET_MUST static inline enum stet_status stet_renditions(
    struct stet_call *, const char *key, bool drop, struct stet_renditions *out);

/* The service behind the functions above. They pass it the sizes of the structures in the caller's
 * headers. */
#define STET_IMAGES_1 "images/1"
struct stet_images_1 {
	enum stet_status (*look)(struct stet_call *, int fd, struct stet_image *out, size_t size);
	enum stet_status (*rendition_open)(struct stet_call *, const char *key,
	    const struct stet_rendition *, size_t size, int *fd, const char **tag);
	enum stet_status (*renditions)(struct stet_call *, const char *key, bool drop,
	    struct stet_renditions *out, size_t size);
	/* New functions go here, and nowhere else. */
};

/* The service; NULL: the call has failed with IMAGES_UNAVAILABLE. */
static inline const struct stet_images_1 *
stet_images(struct stet_call *call)
{
	const struct stet_images_1 *images = stet_service(call, STET_IMAGES_1);

	if (images == NULL)
		(void)stet_fail(call, STET_IMAGES_UNAVAILABLE, NULL,
		    "Enable the module media, which decodes images");
	return images;
}

static inline enum stet_status
stet_image_look(struct stet_call *call, int fd, struct stet_image *out)
{
	const struct stet_images_1 *images = stet_images(call);

	return images != NULL ? images->look(call, fd, out, sizeof(*out)) : STET_IMAGES_UNAVAILABLE;
}

static inline enum stet_status
stet_rendition_open(struct stet_call *call, const char *key, const struct stet_rendition *what,
    int *fd, const char **tag)
{
	const struct stet_images_1 *images = stet_images(call);

	*fd = -1;
	return images != NULL ? images->rendition_open(call, key, what, sizeof(*what), fd, tag)
			      : STET_IMAGES_UNAVAILABLE;
}

static inline enum stet_status
stet_renditions(struct stet_call *call, const char *key, bool drop, struct stet_renditions *out)
{
	const struct stet_images_1 *images = stet_images(call);

	return images != NULL ? images->renditions(call, key, drop, out, sizeof(*out))
			      : STET_IMAGES_UNAVAILABLE;
}

#endif
