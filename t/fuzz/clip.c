/*
 * clip.c - headers of videos and sounds: any file is read to an answer within its bounds.
 * fuzz: with modules/media/clip.c
 */
#include "../../modules/media/clip.h"
#include "fuzz.h"
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("clip", MFD_CLOEXEC);
	struct clip c;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	clip_read(fd, &c);
	must(isfinite(c.seconds) && c.seconds >= 0 && c.seconds <= 1e8);
	must((c.width == 0) == (c.height == 0));
	must(c.width >= 0 && c.width <= 65535 && c.height >= 0 && c.height <= 65535);
	close(fd);
	return 0;
}
