/*
 * look.c - reads properties of an upload: size, blurhash and color of an image; size and duration
 * of a video or sound.
 */
#include "clip.h"
#include "image/image.h"
#include "media.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool
look_can(const char *type)
{
	static const char *const types[] = { "image/jpeg", "image/jpg", "image/png", "image/gif",
		"image/webp", "image/avif", "image/heic", "image/heif" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static void
look_at_clip(int fd, struct look *out)
{
	struct clip clip;

	clip_read(fd, &clip);
	out->width = clip.width;
	out->height = clip.height;
	out->seconds = clip.seconds;
}

/* HEIC is a kind of HEIF, and clients declare it as either. */
static const char *
plain(const char *type)
{
	return strcmp(type, "image/heif") == 0  ? "image/heic"
	       : strcmp(type, "image/jpg") == 0 ? "image/jpeg"
						: type;
}

/* If this machine cannot decode the image, its properties stay unknown. */
static enum stet_status
look_at_image(struct stet_call *call, const char *type, int fd, struct look *out)
{
	struct stet_image image;
	enum stet_status status = image_look(call, fd, &image, sizeof(image));

	if (status != STET_OK)
		stet_metric_add(call, "undecoded_total", 1);
	if (status == STET_IMAGES_UNAVAILABLE) {
		stet_error_clear(call);
		return STET_OK;
	}
	STET_TRY(status);
	if (image.type != NULL && strcmp(image.type, plain(type)) != 0)
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
		    "The file is declared as %s, but its bytes are %s", type, image.type);
	out->width = image.width;
	out->height = image.height;
	out->blurhash = image.blurhash;
	out->color = image.color;
	return STET_OK;
}

enum stet_status
look_fd(struct stet_call *call, const char *type, int fd, struct look *out)
{
	*out = (struct look){ 0 };
	if (strncmp(type, "video/", 6) == 0 || strncmp(type, "audio/", 6) == 0)
		look_at_clip(fd, out);
	return look_can(type) ? look_at_image(call, type, fd, out) : STET_OK;
}

enum stet_status
look_at(struct stet_call *call, const char *type, const char *path, struct look *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum stet_status status;

	*out = (struct look){ 0 };
	if (fd == -1)
		return stet_fault(call, "cannot read a temporary file");
	status = look_fd(call, type, fd, out);
	close(fd);
	return status;
}

void
look_at_thumbnail(struct stet_call *call, const char *path, struct look *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stet_image image;

	if (fd == -1)
		return;
	if (image_look(call, fd, &image, sizeof(image)) == STET_OK) {
		out->blurhash = image.blurhash;
		out->color = image.color;
	} else {
		stet_error_clear(call);
	}
	close(fd);
}

struct stet_val
look_pixels(int64_t n)
{
	return n > 0 ? stet_val_int(n) : stet_val_str(NULL);
}

struct stet_val
look_seconds(double seconds)
{
	return seconds > 0 ? stet_val_real(seconds) : stet_val_null();
}
