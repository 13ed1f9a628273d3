/* probe.c - the check of `stet doctor` that starts the program stet-image, and reports how well it
 * is confined. */
#include "image/image.h"
#include "image/imageproc.h"

#include <fcntl.h>
#include <stet/check.h>
#include <unistd.h>

#define PROBE_SECONDS 5

/* Returns false if the program cannot be asked; *why is then the reason. */
static bool
probe(struct imagewire_answer *answer, const char **why)
{
	const struct imagewire_ask ask = { .version = IMAGEWIRE_VERSION,
		.task = IMAGEWIRE_PROBE,
		.seconds = PROBE_SECONDS,
		.memory = 1ULL << 30,
		.size = 1 };
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool asked;

	*why = "there is no /dev/null";
	if (nothing == -1)
		return false;
	asked = imageproc_ask(&ask, nothing, nothing, answer, why);
	close(nothing);
	return asked;
}

/* Reports the formats that need packages of their own. */
static void
tell_formats(struct stet_call *call, uint32_t readable)
{
	static const struct {
		enum imagewire_format format;
		const char *name, *package;
	} all[] = { { IMAGEWIRE_AVIF, "AVIF", "libdav1d6" },
		{ IMAGEWIRE_HEIC, "HEIC", "libde265-0" } };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if ((readable & 1U << all[i].format) == 0)
			stet_finding(call, STET_NOTE,
			    stet_printf(call,
				"libvips reads it with libheif (Debian 12: libheif1 and %s). Without it such"
				" images are stored without sizes and smaller copies.",
				all[i].package),
			    "this machine cannot read %s images", all[i].name);
}

enum stet_status
image_check(struct stet_call *call)
{
	struct imagewire_answer answer = { 0 };
	const char *why;

	if (!probe(&answer, &why))
		stet_finding(call, STET_NOTE,
		    "Install it (Debian: the package stet-images), for sizes and placeholders of"
		    " images.",
		    "%s", why);
	else if (answer.state != IMAGEWIRE_DONE)
		stet_finding(call, STET_WARNING,
		    "Images are stored, but not decoded. Seccomp must be allowed here.",
		    "the program stet-image cannot be confined, or is of another version");
	else if (answer.landlock == 0)
		stet_finding(call, STET_NOTE,
		    "Seccomp confines the program without it; a newer kernel has both.",
		    "this kernel has no landlock");
	else
		stet_finding(call, STET_FINE, NULL, "decoded in confinement");
	if (answer.state == IMAGEWIRE_DONE && answer.readable != 0)
		tell_formats(call, answer.readable);
	return STET_OK;
}
