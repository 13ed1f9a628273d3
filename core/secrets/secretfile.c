/* secretfile.c - a password or key in a file. */
#include "base/arena.h"
#include "base/dir.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stet/driver.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
read_open(int fd, char *text, size_t size)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !dir_read_small(fd, text, size))
		return xstrdup(strerror(errno));
	if ((st.st_mode & 07) != 0)
		return xstrdup("everybody may open it: chmod 600 it");
	return *text == '\0' ? xstrdup("it is empty") : NULL;
}

char *
stet_secret_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char *why = fd >= 0 ? read_open(fd, text, size) : xstrdup(strerror(errno));

	if (fd >= 0)
		close(fd);
	if (why != NULL)
		sodium_memzero(text, size);
	return why;
}
