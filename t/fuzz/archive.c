/* archive.c - archives for `stet restore`: a stream of blocks, frames and heads. Any input either
 * fails with a reason or gives complete files with valid names, and no more bytes than it had. */
#include "archive/pack.h"
#include "archive/tar.h"
#include "archive/unpack.h"
#include "fuzz.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long
get(void *arg, void *out, size_t len)
{
	return unpack_get(arg, out, len);
}

static void
read_files(struct unpack *u)
{
	static char part[65536];
	struct tar_entry e;
	const char *why;

	for (int i = 0; i < 100; i++) {
		uint64_t left;
		enum tar_outcome outcome = tar_next(get, u, &e, &why);

		must(outcome != TAR_BAD || why != NULL || u->why != NULL);
		if (outcome != TAR_ENTRY)
			return;
		must(tar_name_good(e.name) && strstr(e.name, "..") != e.name);
		left = e.size > (64u << 20) ? 64u << 20 : e.size + tar_padding(e.size);
		while (left > 0) {
			size_t n = left < sizeof(part) ? (size_t)left : sizeof(part);

			if (unpack_get(u, part, n) != (long)n)
				return;
			left -= n;
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seal_key key = { .kind = SEAL_SECRET, .key = { 7 } };
	struct unpack u;
	int fd = memfd_create("archive", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	if (unpack_begin(&u, fd) && unpack_open(&u, &key))
		read_files(&u);
	else
		must(u.why != NULL);
	unpack_free(&u);
	close(fd);
	return 0;
}
