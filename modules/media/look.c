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
		"image/webp", "image/avif" };

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

void
look_fd(struct stet_call *call, const char *type, int fd, struct look *out)
{
	struct stet_image image;

	*out = (struct look){ 0 };
	if (strncmp(type, "video/", 6) == 0 || strncmp(type, "audio/", 6) == 0)
		look_at_clip(fd, out);
	if (!look_can(type))
		return;
	if (image_look(call, fd, &image, sizeof(image)) == STET_OK) {
		out->width = image.width;
		out->height = image.height;
		out->blurhash = image.blurhash;
		out->color = image.color;
	} else {
		stet_error_clear(call);
		stet_metric_add(call, "undecoded_total", 1);
	}
}

void
look_at(struct stet_call *call, const char *type, const char *path, struct look *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*out = (struct look){ 0 };
	if (fd == -1)
		return;
	look_fd(call, type, fd, out);
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
