/*
 * rendition.c - smaller copies of images: /media/file/KEY?preset=NAME for everybody, and
 * ?w=&h=&fit=&format=&q=&s= with a signature, which those who may read the library get from
 * /media/ID/rendition. Presets are a setting of the site, and signatures need its key, so a
 * stranger cannot have any number of copies made.
 */
#include "image/rendition.h"
#include "media.h"
#include <stdlib.h>
#include <string.h>

#define SIGNED "rendition" /* purpose of the signatures */
#define FOR_A_DAY "public, max-age=86400"

static const struct {
	const char *name, *type;
	enum stet_image_format format;
} formats[] = {
	{ "jpeg", "image/jpeg", STET_IMAGE_JPEG },
	{ "png", "image/png", STET_IMAGE_PNG },
	{ "webp", "image/webp", STET_IMAGE_WEBP },
};
static const char *const fits[] = {
	[STET_IMAGE_INSIDE] = "inside",
	[STET_IMAGE_CONTAIN] = "contain",
	[STET_IMAGE_COVER] = "cover",
};

/* The next part of a preset, which ends at a colon; NULL: there is none. */
static char *
next_part(char **at)
{
	return strsep(at, ":");
}

static size_t
format_of(const char *name)
{
	for (size_t i = 0; name != NULL && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(name, formats[i].name) == 0)
			return i;
	return sizeof(formats) / sizeof(formats[0]);
}

static enum stet_image_fit
fit_of(const char *name)
{
	for (size_t i = 0; name != NULL && i < sizeof(fits) / sizeof(fits[0]); i++)
		if (strcmp(name, fits[i]) == 0)
			return (enum stet_image_fit)i;
	return STET_IMAGE_INSIDE;
}

/* Without a format JPEG and WebP stay what they are, AVIF and HEIC become WebP, and others become
 * PNG, which has alpha. */
static size_t
format_for(const char *name, const char *type)
{
	static const char *const webp[] = { "image/webp", "image/avif", "image/heic",
		"image/heif" };
	size_t format = format_of(name);

	if (format < sizeof(formats) / sizeof(formats[0]))
		return format;
	if (strcmp(type, "image/jpeg") == 0 || strcmp(type, "image/jpg") == 0)
		return format_of("jpeg");
	for (size_t i = 0; i < sizeof(webp) / sizeof(webp[0]); i++)
		if (strcmp(type, webp[i]) == 0)
			return format_of("webp");
	return format_of("png");
}

/* Reads the part of a preset after its name, "240x160:cover:webp:80". The pattern of the setting
 * has validated it. */
static size_t
read_preset(char *text, const char *type, struct stet_rendition *out)
{
	char *size = next_part(&text), *fit = next_part(&text), *name = next_part(&text), *end;
	const char *quality = text;
	size_t format = format_for(name, type);

	out->width = strtol(size, &end, 10);
	out->height = *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
	out->fit = fit_of(fit);
	out->quality = quality != NULL ? strtol(quality, NULL, 10) : 0;
	out->format = formats[format].format;
	return format;
}

/* Returns the text after the name of a preset; NULL: there is no such preset. */
static char *
find_preset(struct stet_call *call, const char *name)
{
	char *all = stet_strdup(call, json_string_value(stet_setting(call, "imagePresets"))), *one;
	size_t len = strlen(name);

	while ((one = strsep(&all, ",")) != NULL)
		if (strncmp(one, name, len) == 0 && one[len] == ':')
			return one + len + 1;
	return NULL;
}

/* ---- parameters ---- */

static const char *const parameters[] = { "w", "h", "fit", "format", "q" };

bool
rendition_asked(struct stet_call *call)
{
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (stet_has(call, parameters[i]))
			return true;
	return stet_has(call, "preset") || stet_has(call, "s");
}

/* Returns the parameters as a query in a fixed order: this is signed, and part of the URL. */
static const char *
canonical(struct stet_call *call)
{
	const char *text = "";

	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		const char *name = parameters[i], *and = *text != '\0' ? "&" : "";

		if (!stet_has(call, name))
			continue;
		text = strcmp(name, "fit") == 0 || strcmp(name, "format") == 0
			   ? stet_printf(call, "%s%s%s=%s", text, and, name, stet_arg(call, name))
			   : stet_printf(call, "%s%s%s=%lld", text, and, name,
				 (long long)stet_arg_int(call, name));
	}
	return text;
}

static const char *
signed_text(struct stet_call *call, const char *key)
{
	return stet_printf(call, "%s?%s", key, canonical(call));
}

static enum stet_status
check_signature(struct stet_call *call, const char *key)
{
	bool right;

	STET_TRY(
	    signature_check(call, SIGNED, signed_text(call, key), stet_arg(call, "s"), &right));
	if (right)
		return STET_OK;
	return stet_fail(call, STET_FORBIDDEN, "s",
	    "These parameters are not signed: give a preset, or ask GET /media/:id/rendition");
}

static size_t
read_parameters(struct stet_call *call, const char *type, struct stet_rendition *out)
{
	size_t format = format_for(stet_arg(call, "format"), type);

	out->width = stet_arg_int(call, "w");
	out->height = stet_arg_int(call, "h");
	out->quality = stet_arg_int(call, "q");
	out->fit = fit_of(stet_arg(call, "fit"));
	out->format = formats[format].format;
	return format;
}

/* Returns the share in thousandths, plus 1; 0: none. */
static int64_t
thousandths(double share)
{
	return share >= 0 && share <= 1 ? (int64_t)(share * 1000 + 0.5) + 1 : 0;
}

/* A preset may change, and the focal point too: only a rendition that depends on neither is
 * immutable. */
enum stet_status
rendition_serve(struct stet_call *call, const char *key, const char *type, const double focal[2])
{
	struct stet_file_answer answer = { .cache = FOR_A_DAY };
	struct stet_rendition what = { .focal_x = thousandths(focal[0]),
		.focal_y = thousandths(focal[1]) };
	char *preset = NULL;
	size_t format;
	int fd;

	if (stet_has(call, "preset")) {
		preset = find_preset(call, stet_arg(call, "preset"));
		if (preset == NULL)
			return stet_fail(call, STET_VALIDATION_ERROR, "preset",
			    "There is no such preset in the setting imagePresets");
	} else {
		STET_TRY(check_signature(call, key));
	}
	if (strncmp(type, "image/", 6) != 0)
		return stet_fail(call, STET_IMAGE_UNREADABLE, NULL, "The file is no image");
	format =
	    preset != NULL ? read_preset(preset, type, &what) : read_parameters(call, type, &what);
	if (preset == NULL && what.fit != STET_IMAGE_COVER)
		answer.cache = "public, max-age=31536000, immutable";
	answer.type = formats[format].type;
	STET_TRY(rendition_open(call, key, &what, sizeof(what), &fd, &answer.tag));
	return stet_reply_file(call, fd, &answer);
}

/* ---- the URL of a rendition ---- */

const struct stet_member rendition_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	RENDITION_PARAMETERS,
	{ 0 },
};
const struct stet_member rendition_out[] = {
	{ "url", STET_STRING, STET_REQUIRED, .about = "Where anybody may read the copy" },
	{ 0 },
};

enum stet_status
media_rendition(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *key, *type, *signature;
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT kept_key, mime_type FROM media_items WHERE id = ?1 AND status = 'ready'",
	    STET_ARGS(stet_arg(call, "id"))));
	key = stet_col_dup(&rows, 0);
	type = stet_col_dup(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	if (!look_can(type))
		return stet_fail(call, STET_IMAGE_UNREADABLE, NULL, "The file is no image");
	if (!stet_has(call, "w") && !stet_has(call, "h"))
		return stet_fail(call, STET_VALIDATION_ERROR, "w", "Give w or h, or both");
	if (fit_of(stet_arg(call, "fit")) != STET_IMAGE_INSIDE &&
	    !(stet_has(call, "w") && stet_has(call, "h")))
		return stet_fail(call, STET_VALIDATION_ERROR, "w",
		    "Give w and h: only fit=inside finds one from the other");
	STET_TRY(signature_make(call, SIGNED, signed_text(call, key), &signature));
	stet_object(out, NULL);
	stet_put_str(out, "url",
	    stet_printf(call, "/_cms/api" FILE_PATH "%s?%s&s=%s", key, canonical(call), signature));
	stet_close(out);
	return STET_OK;
}

/* ---- srcset ---- */

/* Returns the width of a preset that keeps the shape of the image, as srcset needs it, or 0. */
static int64_t
width_of(char *preset, const char *type)
{
	struct stet_rendition what = { .width = 0 };

	(void)read_preset(preset, type, &what);
	return what.fit == STET_IMAGE_INSIDE && what.height == 0 &&
		       what.width <= STET_IMAGE_SIDE_MAX
		   ? what.width
		   : 0;
}

static const char *
candidate(
    struct stet_call *call, const char *before, const char *key, const char *preset, int64_t width)
{
	return stet_printf(call, "%s%s/_cms/api" FILE_PATH "%s?preset=%s %lldw",
	    before != NULL ? before : "", before != NULL ? ", " : "", key, preset,
	    (long long)width);
}

/* Renditions are never enlarged: of the presets that are at least as wide as the image, the
 * smallest stands for its full width. */
const char *
rendition_srcset(struct stet_call *call, const char *key, const char *type, int64_t width)
{
	const char *out = NULL, *whole = NULL;
	int64_t least = 0;
	char *all, *one;

	if (width < 1 || !look_can(type))
		return NULL;
	all = stet_strdup(call, json_string_value(stet_setting(call, "imagePresets")));
	while ((one = strsep(&all, ",")) != NULL) {
		const char *name = strsep(&one, ":");
		int64_t w = one != NULL ? width_of(one, type) : 0;

		if (w >= width && (whole == NULL || w < least)) {
			whole = name;
			least = w;
		} else if (w > 0 && w < width) {
			out = candidate(call, out, key, name, w);
		}
	}
	return whole != NULL ? candidate(call, out, key, whole, width) : out;
}
