/*
 * rendition.c - smaller copies of stored images: files made from a stored file (stet_file_derive),
 * whose form is a hash of the parameters.
 */
#include "image/rendition.h"
#include "image/image.h"

#include <stet/file.h>
#include <stet/table.h>
#include <string.h>
#include <xxhash.h>

static const enum imagewire_format formats[] = {
	[STET_IMAGE_JPEG] = IMAGEWIRE_JPEG,
	[STET_IMAGE_PNG] = IMAGEWIRE_PNG,
	[STET_IMAGE_WEBP] = IMAGEWIRE_WEBP,
};
static const enum imagewire_fit fits[] = {
	[STET_IMAGE_INSIDE] = IMAGEWIRE_INSIDE,
	[STET_IMAGE_CONTAIN] = IMAGEWIRE_CONTAIN,
	[STET_IMAGE_COVER] = IMAGEWIRE_COVER,
};

/* ---- parameters ---- */

static uint32_t
focal(int64_t given)
{
	return given == 0 ? IMAGEWIRE_FOCAL / 2 : (uint32_t)(given - 1) * (IMAGEWIRE_FOCAL / 1000);
}

/* Returns true if the module's parameters are valid. */
static bool
is_known(const struct stet_rendition *r)
{
	return (unsigned)r->fit < sizeof(fits) / sizeof(fits[0]) &&
	       (unsigned)r->format < sizeof(formats) / sizeof(formats[0]) && r->focal_x >= 0 &&
	       r->focal_x <= 1001 && r->focal_y >= 0 && r->focal_y <= 1001;
}

static enum stet_status
check(struct stet_call *call, const struct stet_rendition *r)
{
	if (r->width < 0 || r->width > STET_IMAGE_SIDE_MAX || r->height < 0 ||
	    r->height > STET_IMAGE_SIDE_MAX || r->width + r->height == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "width",
		    "Give width or height, of 1 to %d pixels", STET_IMAGE_SIDE_MAX);
	if (r->fit != STET_IMAGE_INSIDE && (r->width == 0 || r->height == 0))
		return stet_fail(call, STET_VALIDATION_ERROR, "width",
		    "Give width and height: the box has both");
	if (r->quality < 0 || r->quality > 100)
		return stet_fail(call, STET_VALIDATION_ERROR, "quality", "must be 1 to 100");
	return is_known(r) ? STET_OK
			   : stet_fault(call, "a rendition of no known fit, format or focal point");
}

/* Makes the request. A focal point without effect is omitted, so that there is only one copy. */
static struct imagewire_ask
ask_of(const struct stet_rendition *r)
{
	bool cuts = r->fit == STET_IMAGE_COVER;

	return (struct imagewire_ask){ .task = IMAGEWIRE_MAKE,
		.width = (uint32_t)r->width,
		.height = (uint32_t)r->height,
		.fit = fits[r->fit],
		.format = formats[r->format],
		.quality = r->quality > 0 ? (uint32_t)r->quality : STET_IMAGE_QUALITY,
		.focal_x = focal(cuts ? r->focal_x : 0),
		.focal_y = focal(cuts ? r->focal_y : 0) };
}

/* ---- making and opening ---- */

static enum stet_status
make(struct stet_call *call, int from, int to, void *arg)
{
	struct imagewire_answer answer;

	return image_ask(call, arg, from, to, &answer);
}

enum stet_status
rendition_open(struct stet_call *call, const char *key, const struct stet_rendition *theirs,
    size_t size, int *fd, const char **tag)
{
	struct stet_rendition what;
	struct imagewire_ask ask;
	const char *text, *form;

	*fd = -1;
	stet_extend(&what, sizeof(what), theirs, size);
	STET_TRY(check(call, &what));
	ask = ask_of(&what);
	/* The first number grows when copies are made otherwise; 2: WebP without Exif. */
	text = stet_printf(call, "2 %u %u %u %u %u %u %u", ask.width, ask.height, ask.fit,
	    ask.format, ask.quality, ask.focal_x, ask.focal_y);
	form = stet_printf(call, "%016llx", (unsigned long long)XXH3_64bits(text, strlen(text)));
	*tag = stet_printf(call, "%s-%s", key, form);
	return stet_file_derive(call, key, form, make, &ask, fd);
}

/* ---- those that are kept ---- */

enum stet_status
rendition_kept(
    struct stet_call *call, const char *key, bool drop, struct stet_renditions *out, size_t size)
{
	struct stet_file_derived kept;
	struct stet_renditions found;

	STET_TRY(stet_file_derived(call, key, drop, &kept));
	found = (struct stet_renditions){ kept.count, kept.bytes, kept.most };
	stet_extend(out, size, &found, sizeof(found));
	return STET_OK;
}
