/*
 * decode.c - images by libvips. The format is recognised by its first bytes, and the loader of that
 * format is called by its name: the bytes do not choose among all loaders of the library.
 */
#include "decode.h"
#include "blurhash.h"
#include "riff.h"
#include <dlfcn.h>
#include <gmodule.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#include <vips/vector.h> /* needs the one above */

#define LOOK_WIDTH 32 /* pixels of what blurhash and color are made of */
#define LOOK_HEIGHT 1024
#define HEAD 64 /* bytes that the format is recognised by */
#define HEAD_LEAST 12
enum { HEIF_HEVC = 1, HEIF_AV1 = 4 }; /* codecs, as libheif numbers them */

struct image {
	VipsImage *header; /* not decoded */
	enum imagewire_format format;
	uint32_t width, height; /* as it is shown */
};

static const char *const loaders[IMAGEWIRE_FORMATS] = {
	[IMAGEWIRE_JPEG] = "VipsForeignLoadJpeg",
	[IMAGEWIRE_PNG] = "VipsForeignLoadPng",
	[IMAGEWIRE_GIF] = "VipsForeignLoadNsgif",
	[IMAGEWIRE_WEBP] = "VipsForeignLoadWebp",
	[IMAGEWIRE_AVIF] = "VipsForeignLoadHeif",
	[IMAGEWIRE_HEIC] = "VipsForeignLoadHeif",
};
static uint32_t readable; /* bits of formats */

/* Libraries warn of damaged images: nobody reads that, and GLib would look at where it goes with
 * system calls that are forbidden. */
static GLogWriterOutput
say_nothing(GLogLevelFlags level, const GLogField *field, gsize count, gpointer data)
{
	(void)level;
	(void)field;
	(void)count;
	(void)data;
	return G_LOG_WRITER_HANDLED;
}

/* The loader of AVIF and HEIC may be a plugin beside the library. Without it such images are files
 * like others. */
static void
load_plugin(void)
{
	char *directory, *path;
	Dl_info library;

	if (dladdr((void *)(uintptr_t)vips_init, &library) == 0)
		return;
	directory = g_path_get_dirname(library.dli_fname);
	path = g_strdup_printf(
	    "%s/vips-modules-%d.%d/vips-heif.so", directory, vips_version(0), vips_version(1));
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		(void)g_module_open(path, G_MODULE_BIND_LAZY);
	g_free(path);
	g_free(directory);
}

/* libheif opens its decoders when the first file comes: workers may not open files. */
static void
open_decoders(void)
{
	static const unsigned char empty[] = "\0\0\0\20ftypavif\0\0\0\0";
	VipsImage *none = NULL;

	if (vips_type_find("VipsOperation", "heifload_source") == 0)
		load_plugin();
	if (vips_heifload_buffer((void *)(uintptr_t)empty, sizeof(empty) - 1, &none, NULL) == 0)
		g_object_unref(none);
	vips_error_clear();
}

/* Returns true if libheif has a decoder for this codec, by its number in heif.h. libheif is a
 * library of the loader, and this program is not linked with it. */
static bool
has_codec(int codec)
{
	int (*has)(int) = NULL;
	void *found = dlsym(RTLD_DEFAULT, "heif_have_decoder_for_format");

	memcpy(&has, &found, sizeof(has));
	return has != NULL && has(codec) != 0;
}

static void
find_formats(void)
{
	for (int i = 0; i < IMAGEWIRE_FORMATS; i++)
		if (loaders[i] != NULL && g_type_from_name(loaders[i]) != 0)
			readable |= 1U << i;
	if (!has_codec(HEIF_AV1))
		readable &= ~(1U << IMAGEWIRE_AVIF);
	if (!has_codec(HEIF_HEVC))
		readable &= ~(1U << IMAGEWIRE_HEIC);
}

uint32_t
decode_formats(void)
{
	return readable;
}

bool
decode_open(const char *program)
{
	g_log_set_writer_func(say_nothing, NULL, NULL);
	/* There are no plugins of the library where this points, so none is loaded but by
	 * load_plugin. */
	(void)g_setenv("VIPSHOME", "/nonexistent", TRUE);
	(void)g_setenv("VIPS_DISC_THRESHOLD", "1000g", TRUE); /* no temporary files */
	(void)g_setenv("VIPS_CONCURRENCY", "1", TRUE);
	if (VIPS_INIT(program) != 0)
		return false;
	vips_concurrency_set(1);
	vips_cache_set_max(0);
	/* Until 8.15 the library wrote machine code for its loops, for which there is no memory. */
	if (vips_version(0) == 8 && vips_version(1) < 15)
		vips_vector_set_enabled(FALSE);
	vips_block_untrusted_set(TRUE);
	open_decoders();
	find_formats();
	vips_operation_block_set("VipsForeignLoad", TRUE);
	for (int i = 0; i < IMAGEWIRE_FORMATS; i++)
		if (loaders[i] != NULL)
			vips_operation_block_set(loaders[i], FALSE);
	return true;
}

/* ---- which image ---- */

/* Brands in the first box of a HEIF file (ISO/IEC 23008-12) that say how its image is coded. */
static const struct {
	const char *brand;
	enum imagewire_format format;
} brands[] = { { "avif", IMAGEWIRE_AVIF }, { "heic", IMAGEWIRE_HEIC }, { "heix", IMAGEWIRE_HEIC },
	{ "heim", IMAGEWIRE_HEIC }, { "heis", IMAGEWIRE_HEIC } };

static enum imagewire_format
format_of_brands(const unsigned char *head, size_t len)
{
	size_t end = (size_t)head[2] << 8 | head[3];

	if (head[0] != 0 || head[1] != 0 || memcmp(head + 4, "ftyp", 4) != 0)
		return IMAGEWIRE_NONE;
	for (size_t at = 8; at + 4 <= len && at + 4 <= end; at += 4)
		for (size_t i = 0; at != 12 && i < sizeof(brands) / sizeof(brands[0]); i++)
			if (memcmp(head + at, brands[i].brand, 4) == 0) /* at 12: its version */
				return brands[i].format;
	return IMAGEWIRE_NONE;
}

static enum imagewire_format
format_of(int in)
{
	unsigned char head[HEAD];
	ssize_t len = pread(in, head, sizeof(head), 0);

	if (len < HEAD_LEAST)
		return IMAGEWIRE_NONE;
	if (memcmp(head, "\xff\xd8\xff", 3) == 0)
		return IMAGEWIRE_JPEG;
	if (memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0)
		return IMAGEWIRE_PNG;
	if (memcmp(head, "GIF87a", 6) == 0 || memcmp(head, "GIF89a", 6) == 0)
		return IMAGEWIRE_GIF;
	if (memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0)
		return IMAGEWIRE_WEBP;
	return format_of_brands(head, (size_t)len);
}

static VipsSource *
source_of(int in)
{
	return lseek(in, 0, SEEK_SET) == 0 ? vips_source_new_from_descriptor(in) : NULL;
}

static int
load(VipsSource *source, enum imagewire_format format, VipsImage **out)
{
	switch (format) {
	case IMAGEWIRE_JPEG:
		return vips_jpegload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	case IMAGEWIRE_PNG:
		return vips_pngload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	case IMAGEWIRE_GIF:
		return vips_gifload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	case IMAGEWIRE_WEBP:
		return vips_webpload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	case IMAGEWIRE_AVIF:
	case IMAGEWIRE_HEIC:
		return vips_heifload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	default:
		return -1;
	}
}

static void
fail(struct imagewire_answer *answer, enum imagewire_state state, const char *why)
{
	answer->state = state;
	g_strlcpy(answer->why, why, sizeof(answer->why));
	for (char *c = answer->why; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = *c == '\n' && c[1] == '\0' ? '\0' : ' ';
}

/* Reads the header. */
static bool
open_image(
    int in, const struct imagewire_ask *ask, struct imagewire_answer *answer, struct image *image)
{
	VipsSource *source;
	bool good;

	image->header = NULL;
	image->format = format_of(in);
	if (image->format == IMAGEWIRE_NONE) {
		fail(
		    answer, IMAGEWIRE_UNREADABLE, "not a JPEG, PNG, GIF, WebP, AVIF or HEIC image");
		return false;
	}
	if ((readable & 1U << image->format) == 0) {
		fail(answer, IMAGEWIRE_UNSUPPORTED, "there is no decoder of this format");
		return false;
	}
	source = source_of(in);
	good = source != NULL && load(source, image->format, &image->header) == 0;
	if (source != NULL)
		g_object_unref(source);
	if (!good) {
		fail(answer, IMAGEWIRE_UNREADABLE, vips_error_buffer());
		return false;
	}
	image->width = (uint32_t)vips_image_get_width(image->header);
	image->height = (uint32_t)vips_image_get_height(image->header);
	if (vips_image_get_orientation_swap(image->header)) {
		uint32_t width = image->width;

		image->width = image->height;
		image->height = width;
	}
	if ((uint64_t)image->width * image->height <= ask->pixels)
		return true;
	fail(answer, IMAGEWIRE_TOO_LARGE, "it has too many pixels");
	return false;
}

/* Returns true if the colors of the image mean something else than in sRGB. The library would move
 * those of an image without a profile, too. */
static bool
has_profile(const struct image *image)
{
	return vips_image_get_typeof(image->header, VIPS_META_ICC_NAME) != 0 ||
	       vips_image_get_interpretation(image->header) == VIPS_INTERPRETATION_CMYK;
}

/* The loaders of PNG and GIF get "fail_on" only if they are called directly: vips_thumbnail_source
 * does not pass it on to them, and an image that ends early would be filled up with black. */
static int
load_strictly(VipsSource *source, enum imagewire_format format, VipsImage **out)
{
	return format == IMAGEWIRE_PNG
		   ? vips_pngload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
			 VIPS_FAIL_ON_TRUNCATED, NULL)
		   : vips_gifload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
			 VIPS_FAIL_ON_TRUNCATED, NULL);
}

static int
thumbnail_strictly(
    VipsSource *source, const struct image *image, int width, int height, VipsImage **out)
{
	VipsImage *whole = NULL;
	int result;

	if (load_strictly(source, image->format, &whole) != 0)
		return -1;
	result = has_profile(image) ? vips_thumbnail_image(whole, out, width, "height", height,
					  "size", VIPS_SIZE_DOWN, "export_profile", "srgb", NULL)
				    : vips_thumbnail_image(whole, out, width, "height", height,
					  "size", VIPS_SIZE_DOWN, NULL);
	g_object_unref(whole);
	return result;
}

/* Other loaders can shrink while they decode. */
static int
thumbnail_of_source(
    VipsSource *source, const struct image *image, int width, int height, VipsImage **out)
{
	return has_profile(image)
		   ? vips_thumbnail_source(source, out, width, "height", height, "size",
			 VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_ERROR, "export_profile", "srgb",
			 NULL)
		   : vips_thumbnail_source(source, out, width, "height", height, "size",
			 VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

static int
thumbnail(int in, const struct image *image, int width, int height, VipsImage **out)
{
	VipsSource *source = source_of(in);
	int result;

	if (source == NULL)
		return -1;
	if (image->format == IMAGEWIRE_PNG || image->format == IMAGEWIRE_GIF)
		result = thumbnail_strictly(source, image, width, height, out);
	else
		result = thumbnail_of_source(source, image, width, height, out);
	g_object_unref(source);
	return result;
}

/* The image at this size or smaller, turned as it is shown, in sRGB with 8 bits: 3 bands, and one
 * of alpha if it has that. NULL: it cannot be decoded. */
static VipsImage *
shrink(int in, const struct image *image, int width, int height)
{
	VipsImage *shrunk = NULL, *color = NULL, *out = NULL;

	if (thumbnail(in, image, width, height, &shrunk) == 0 &&
	    vips_colourspace(shrunk, &color, VIPS_INTERPRETATION_sRGB, NULL) == 0 &&
	    vips_cast_uchar(color, &out, NULL) != 0)
		out = NULL;
	if (shrunk != NULL)
		g_object_unref(shrunk);
	if (color != NULL)
		g_object_unref(color);
	return out;
}

/* ---- looking ---- */

/* Returns false if the pixels cannot be decoded. */
static bool
look_at_pixels(int in, const struct image *image, struct imagewire_answer *answer)
{
	VipsImage *small = shrink(in, image, LOOK_WIDTH, LOOK_HEIGHT);
	struct pixels p = { .bytes = NULL };
	size_t size = 0;

	if (small == NULL)
		return false;
	p.width = (size_t)vips_image_get_width(small);
	p.height = (size_t)vips_image_get_height(small);
	p.bands = (size_t)vips_image_get_bands(small);
	if (p.bands == 3 || p.bands == 4)
		p.bytes = vips_image_write_to_memory(small, &size);
	if (p.bytes == NULL || size != p.width * p.height * p.bands)
		return false;
	blurhash_encode(&p, answer->blurhash);
	blurhash_color(&p, answer->color);
	return true;
}

void
decode_look(int in, const struct imagewire_ask *ask, struct imagewire_answer *answer)
{
	struct image image;

	if (!open_image(in, ask, answer, &image))
		return;
	answer->format = image.format;
	if (!look_at_pixels(in, &image, answer)) {
		fail(answer, IMAGEWIRE_UNREADABLE, vips_error_buffer());
		return;
	}
	answer->state = IMAGEWIRE_DONE;
	answer->width = image.width;
	answer->height = image.height;
}

/* ---- making ---- */

struct size {
	int width, height;
};
struct plan {
	struct size shrunk; /* of the whole image */
	struct size box; /* of the result */
};

static int
rounded(double value)
{
	return value < 1 ? 1 : (int)(value + 0.5);
}

/* A side that is not given follows from the other one. Nothing is enlarged: a box that the image
 * would have to cover shrinks with its shape. */
static struct plan
plan_of(const struct imagewire_ask *ask, const struct image *image)
{
	double width = image->width, height = image->height, by_width, by_height, by;
	double w = ask->width, h = ask->height;
	struct plan p;

	if (w == 0 && h == 0)
		w = width;
	if (w == 0)
		w = fmax(1, width * h / height);
	if (h == 0)
		h = fmax(1, height * w / width);
	by_width = w / width;
	by_height = h / height;
	by = ask->fit == IMAGEWIRE_COVER ? fmax(by_width, by_height) : fmin(by_width, by_height);
	if (ask->fit == IMAGEWIRE_COVER && by > 1) {
		w /= by;
		h /= by;
	}
	by = fmin(by, 1);
	p.shrunk = (struct size){ rounded(width * by), rounded(height * by) };
	p.box = ask->fit == IMAGEWIRE_INSIDE ? p.shrunk : (struct size){ rounded(w), rounded(h) };
	return p;
}

static int
least(int a, int b)
{
	return a < b ? a : b;
}

/* Where a box begins, so that the focal point is as near to its middle as the image allows. */
static int
begin_at(int whole, int part, uint32_t focal)
{
	int at = (int)((double)whole * focal / IMAGEWIRE_FOCAL) - part / 2;

	return at < 0 ? 0 : least(at, whole - part);
}

static VipsImage *
crop(VipsImage *from, const struct plan *p, const struct imagewire_ask *ask)
{
	int width = vips_image_get_width(from), height = vips_image_get_height(from);
	int w = least(p->box.width, width), h = least(p->box.height, height);
	VipsImage *out = NULL;

	return vips_extract_area(from, &out, begin_at(width, w, ask->focal_x),
		   begin_at(height, h, ask->focal_y), w, h, NULL) == 0
		   ? out
		   : NULL;
}

/* Puts the image into the middle of the box; what is around it cannot be seen, or is white. */
static VipsImage *
pad(VipsImage *from, const struct plan *p)
{
	double clear[] = { 255, 255, 255, 0 };
	VipsArrayDouble *background = vips_array_double_new(clear, vips_image_get_bands(from));
	VipsImage *out = NULL;
	int width = vips_image_get_width(from), height = vips_image_get_height(from);
	int result = vips_embed(from, &out, (p->box.width - width) / 2,
	    (p->box.height - height) / 2, p->box.width, p->box.height, "extend",
	    VIPS_EXTEND_BACKGROUND, "background", background, NULL);

	vips_area_unref(VIPS_AREA(background));
	return result == 0 ? out : NULL;
}

/* JPEG has no alpha: what cannot be seen becomes white. Other formats have it where it is
 * needed. */
static VipsImage *
with_bands(VipsImage *from, const struct imagewire_ask *ask)
{
	double white[] = { 255, 255, 255 };
	VipsArrayDouble *background;
	VipsImage *out = NULL;
	int result = 0;

	if (ask->format == IMAGEWIRE_JPEG && vips_image_hasalpha(from)) {
		background = vips_array_double_new(white, 3);
		result = vips_flatten(from, &out, "background", background, NULL);
		vips_area_unref(VIPS_AREA(background));
	} else if (ask->format != IMAGEWIRE_JPEG && ask->fit == IMAGEWIRE_CONTAIN &&
		   !vips_image_hasalpha(from)) {
		result = vips_addalpha(from, &out, NULL);
	} else {
		out = g_object_ref(from);
	}
	return result == 0 ? out : NULL;
}

/* Returns the image without its metadata. The option "strip" is not enough: the writer of WebP
 * ignores it and writes Exif and XMP, with the place where a picture was taken and its author. The
 * resolution, which PNG and JPEG always have, is set to one pixel a millimetre. */
static VipsImage *
without_metadata(VipsImage *from)
{
	VipsImage *out = NULL;
	char **fields;

	if (vips_copy(from, &out, "xres", 1.0, "yres", 1.0, NULL) != 0)
		return NULL;
	fields = vips_image_get_fields(out);
	for (char **field = fields; *field != NULL; field++)
		(void)vips_image_remove(out, *field); /* false: it is part of the header */
	g_strfreev(fields);
	return out;
}

static bool
write_all(int to, const unsigned char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(to, bytes, len);

		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

static bool
save_webp(VipsImage *image, int to, int quality)
{
	void *bytes = NULL;
	size_t len = 0;
	bool good;

	if (vips_webpsave_buffer(image, &bytes, &len, "Q", quality, "strip", TRUE, NULL) != 0)
		return false;
	good = write_all(to, bytes, riff_strip(bytes, len));
	g_free(bytes);
	return good;
}

static bool
save(VipsImage *image, int to, const struct imagewire_ask *ask)
{
	int result = -1, quality = (int)ask->quality;
	VipsTarget *target;

	if (ask->format == IMAGEWIRE_WEBP)
		return save_webp(image, to, quality);
	target = vips_target_new_to_descriptor(to);
	if (target == NULL)
		return false;
	if (ask->format == IMAGEWIRE_JPEG)
		result = vips_jpegsave_target(
		    image, target, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
	else if (ask->format == IMAGEWIRE_PNG)
		result = vips_pngsave_target(image, target, "compression", 6, "strip", TRUE, NULL);
	g_object_unref(target);
	return result == 0;
}

/* Takes what the step before made, and lets go of it. */
static VipsImage *
then(VipsImage *from, VipsImage *made)
{
	if (from != NULL)
		g_object_unref(from);
	return made;
}

void
decode_make(int in, int out, const struct imagewire_ask *ask, struct imagewire_answer *answer)
{
	VipsImage *made = NULL;
	struct image image;
	struct plan p;

	if (!open_image(in, ask, answer, &image))
		return;
	p = plan_of(ask, &image);
	made = shrink(in, &image, p.shrunk.width, p.shrunk.height);
	if (made != NULL)
		made = then(made, with_bands(made, ask));
	if (made != NULL && ask->fit == IMAGEWIRE_COVER)
		made = then(made, crop(made, &p, ask));
	if (made != NULL && ask->fit == IMAGEWIRE_CONTAIN)
		made = then(made, pad(made, &p));
	if (made != NULL)
		made = then(made, without_metadata(made));
	if (made == NULL || !save(made, out, ask)) {
		fail(answer, IMAGEWIRE_UNREADABLE, vips_error_buffer());
		return;
	}
	answer->state = IMAGEWIRE_DONE;
	answer->width = (uint32_t)vips_image_get_width(made);
	answer->height = (uint32_t)vips_image_get_height(made);
	answer->format = ask->format;
}
