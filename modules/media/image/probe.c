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
	return STET_OK;
}
