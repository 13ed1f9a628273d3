/* image.c - decodes images by the program stet-image, and maps its answers to statuses. */
#include "image/image.h"
#include "image/imageproc.h"

#include <signal.h>
#include <stet/table.h>
#include <string.h>

#define SECONDS 20 /* time limit for an image */
#define MEMORY (1536ULL << 20) /* bytes of address space, libraries included */
#define SIZE (256ULL << 20) /* bytes of a result */

static const char *const types[IMAGEWIRE_FORMATS] = {
	[IMAGEWIRE_JPEG] = "image/jpeg",
	[IMAGEWIRE_PNG] = "image/png",
	[IMAGEWIRE_GIF] = "image/gif",
	[IMAGEWIRE_WEBP] = "image/webp",
	[IMAGEWIRE_AVIF] = "image/avif",
	[IMAGEWIRE_HEIC] = "image/heic",
};

static enum stet_status
killed(struct stet_call *call, int signal)
{
	if (signal == SIGALRM || signal == SIGXCPU)
		return stet_fail(
		    call, STET_IMAGE_UNREADABLE, NULL, "The image takes too long to decode");
	/* Logged because the image may exploit a fault of a decoder. */
	stet_log(call, STET_WARN, "stet-image: a decoder was ended by signal %d%s", signal,
	    signal == SIGSYS ? ", a system call that it may not make" : "");
	return stet_fail(call, STET_IMAGE_UNREADABLE, NULL, "The image breaks its decoder");
}

/* Copies a text of a message, which may fill its field without a NUL. */
static const char *
text_of(struct stet_call *call, const char *text, size_t size)
{
	return *text != '\0' ? stet_printf(call, "%.*s", (int)strnlen(text, size), text) : NULL;
}

enum stet_status
image_ask(struct stet_call *call, struct imagewire_ask *what, int in, int out,
    struct imagewire_answer *answer)
{
	const char *why = NULL;

	what->version = IMAGEWIRE_VERSION;
	what->seconds = SECONDS;
	what->pixels = STET_IMAGE_PIXELS_MAX;
	what->memory = MEMORY;
	what->size = SIZE;
	memset(answer, 0, sizeof(*answer));
	if (!imageproc_ask(what, in, out, answer, &why))
		return stet_fail(call, STET_IMAGES_UNAVAILABLE, NULL, "%s", why);
	switch (answer->state) {
	case IMAGEWIRE_DONE:
		return STET_OK;
	case IMAGEWIRE_KILLED:
		return killed(call, (int)answer->signal);
	case IMAGEWIRE_UNCONFINED:
		return stet_fail(call, STET_IMAGES_UNAVAILABLE, NULL,
		    "This system cannot confine the decoder of images (seccomp)");
	case IMAGEWIRE_UNSUPPORTED:
		return stet_fail(call, STET_IMAGES_UNAVAILABLE, NULL,
		    "This machine has no decoder for images of this format");
	case IMAGEWIRE_MISMATCH:
		return stet_fail(call, STET_IMAGES_UNAVAILABLE, NULL,
		    "The program stet-image is of another version than the daemon");
	default: /* some decoders give no reason, for example if a file ends in its header */
		why = text_of(call, answer->why, sizeof(answer->why));
		return stet_fail(call, STET_IMAGE_UNREADABLE, NULL, "The image cannot be read: %s",
		    why != NULL ? why : "it is incomplete or damaged");
	}
}

enum stet_status
image_look(struct stet_call *call, int fd, struct stet_image *out, size_t size)
{
	struct imagewire_ask what = { .task = IMAGEWIRE_LOOK };
	struct imagewire_answer answer;
	struct stet_image image = { .type = NULL };

	STET_TRY(image_ask(call, &what, fd, fd, &answer));
	image.type = answer.format < IMAGEWIRE_FORMATS ? types[answer.format] : NULL;
	image.width = answer.width;
	image.height = answer.height;
	image.blurhash = text_of(call, answer.blurhash, sizeof(answer.blurhash));
	image.color = text_of(call, answer.color, sizeof(answer.color));
	stet_extend(out, size, &image, sizeof(image));
	return STET_OK;
}
