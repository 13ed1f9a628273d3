/*
 * rendition.c - smaller copies of images: /media/file/KEY?preset=NAME for everybody. Presets are a
 * setting of the site, so a stranger cannot have any number of copies made.
 */
#include "media.h"
#include <stdlib.h>
#include <stet/image.h>
#include <string.h>

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

/* Reads "240x160:cover:webp:80", what comes behind the name. The pattern of the setting has checked
 * it. Without a format it is JPEG, and PNG of what may have transparent parts. */
static size_t
read_preset(char *text, const char *type, struct stet_rendition *out)
{
	char *size = next_part(&text), *fit = next_part(&text), *name = next_part(&text), *end;
	const char *quality = text;
	size_t format = format_of(name);

	out->width = strtol(size, &end, 10);
	out->height = *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
	for (size_t i = 0; fit != NULL && i < sizeof(fits) / sizeof(fits[0]); i++)
		if (strcmp(fit, fits[i]) == 0)
			out->fit = (enum stet_image_fit)i;
	out->quality = quality != NULL ? strtol(quality, NULL, 10) : 0;
	if (format == sizeof(formats) / sizeof(formats[0]))
		format = format_of(strcmp(type, "image/jpeg") == 0   ? "jpeg"
				   : strcmp(type, "image/webp") == 0 ? "webp"
								     : "png");
	out->format = formats[format].format;
	return format;
}

/* The text behind the name of a preset, or NULL. */
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

enum stet_status
rendition_serve(struct stet_call *call, const char *key, const char *type)
{
	/* What a preset means may be changed: the URL is not for ever. */
	struct stet_file_answer answer = { .cache = "public, max-age=86400" };
	char *preset = find_preset(call, stet_arg(call, "preset"));
	struct stet_rendition what = { .width = 0 };
	int fd;

	if (preset == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "preset",
		    "There is no such preset in the setting imagePresets");
	if (strncmp(type, "image/", 6) != 0)
		return stet_fail(call, STET_IMAGE_UNREADABLE, "preset", "The file is no image");
	answer.type = formats[read_preset(preset, type, &what)].type;
	STET_TRY(stet_rendition_open(call, key, &what, &fd, &answer.tag));
	return stet_reply_file(call, fd, &answer);
}
