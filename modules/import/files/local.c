/* local.c - files of attachments in a directory of this machine, such as a copy of
 * wp-content/uploads.
 */
#include "files/media.h"
#include "plan/given.h"
#include "read/text.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

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

/* Opens a file by its path below the uploads; the directory may be a folder above them. */
static int
open_upload(int directory, const char *path)
{
	static const char *const above[] = { "", "uploads/", "wp-content/uploads/" };
	char whole[PATH_MAX];
	int fd = -1;

	for (size_t i = 0; fd == -1 && i < sizeof(above) / sizeof(above[0]); i++)
		if (snprintf(whole, sizeof(whole), "%s%s", above[i], path) < (int)sizeof(whole))
			fd = open_below(directory, whole);
	return fd;
}

static int
open_named(int directory, const char *url)
{
	const char *below = strstr(url, "/uploads/"), *name = strrchr(url, '/');
	int fd = -1;

	if (strncmp(url, GIVEN_FILE, strlen(GIVEN_FILE)) == 0)
		fd = open_below(directory, url + strlen(GIVEN_FILE));
	else if (below != NULL)
		fd = open_upload(directory, below + 9);
	return fd == -1 && name != NULL ? open_below(directory, name + 1) : fd;
}

/* Opens the file; a Mac stores names in another form of Unicode than the addresses have. */
static int
open_any(int directory, const char *url)
{
	utf8proc_uint8_t *(*const forms[])(
	    const utf8proc_uint8_t *) = { utf8proc_NFD, utf8proc_NFC };
	int fd = open_named(directory, url);

	for (size_t i = 0; fd == -1 && i < sizeof(forms) / sizeof(forms[0]); i++) {
		utf8proc_uint8_t *form = forms[i]((const utf8proc_uint8_t *)url);

		if (form != NULL)
			fd = open_named(directory, (const char *)form);
		free(form);
	}
	return fd;
}

enum stet_status
local_take(struct stet_call *call, int directory, const struct attachment *a, const char **path,
    uint64_t *size)
{
	const char *url = text_unescape(call, stet_strndup(call, a->url, strcspn(a->url, "?#")));
	enum stet_status status;
	struct stat st;
	int fd = open_any(directory, url);

	*path = NULL;
	if (fd == -1)
		return STET_OK;
	status = fstat(fd, &st) == 0 ? stet_file_temporary_copy(call, fd, path)
				     : stet_fault(call, "cannot read a file of the directory");
	*size = (uint64_t)st.st_size;
	close(fd);
	return status;
}
