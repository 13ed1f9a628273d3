/* local.c - files of attachments in a directory of this machine, such as a copy of
 * wp-content/uploads.
 */
#include "files/media.h"
#include "plan/given.h"
#include "read/text.h"
#include <fcntl.h>
#include <stet/file.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if the path stays below the directory: no part is empty or begins with a dot. */
static bool
is_below(const char *path)
{
	if (*path == '\0')
		return false;
	for (; *path != '\0'; path += path[0] == '/') {
		size_t len = strcspn(path, "/");

		if (len == 0 || *path == '.' || len > 255)
			return false;
		path += len;
	}
	return true;
}

static int
open_below(int directory, const char *path)
{
	struct stat st;
	int fd;

	if (!is_below(path))
		return -1;
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd != -1 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

enum stet_status
local_take(struct stet_call *call, int directory, const struct attachment *a, const char **path,
    uint64_t *size)
{
	const char *url = text_unescape(call, stet_strndup(call, a->url, strcspn(a->url, "?#")));
	const char *below, *name;
	enum stet_status status;
	struct stat st;
	int fd = -1;

	*path = NULL;
	below = strstr(url, "/uploads/");
	name = strrchr(url, '/');
	if (strncmp(url, GIVEN_FILE, strlen(GIVEN_FILE)) == 0)
		fd = open_below(directory, url + strlen(GIVEN_FILE));
	else if (below != NULL)
		fd = open_below(directory, below + 9);
	if (fd == -1 && name != NULL)
		fd = open_below(directory, name + 1);
	if (fd == -1)
		return STET_OK;
	status = fstat(fd, &st) == 0 ? stet_file_temporary_copy(call, fd, path)
				     : stet_fault(call, "cannot read a file of the directory");
	*size = (uint64_t)st.st_size;
	close(fd);
	return status;
}
