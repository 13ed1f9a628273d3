/* tempfile.c - temporary files of calls. */
#include "call/tempfile.h"
#include "base/log.h"
#include "call/site.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stet/driver.h>
#include <stet/file.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define COPY_PIECE ((size_t)16 << 20) /* bounds the time until a signal is noticed */

enum stet_status
stet_file_failed(struct stet_call *call, const char *path)
{
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		return stet_fail(call, STET_INSUFFICIENT_STORAGE, NULL, "%s",
		    stet_status_text(STET_INSUFFICIENT_STORAGE));
	return stet_fault(call, "%s: %s", path, strerror(errno));
}

static void
remove_file(void *arg)
{
	const char *path = arg;

	/* A handler may have moved the file. */
	if (unlink(path) == -1 && errno != ENOENT)
		log_line(STET_WARN, "cannot remove \"%s\": %s", path, strerror(errno));
}

enum stet_status
tempfile_make(struct stet_call *call, const char **path, int *fd)
{
	char *made = stet_printf(call, "%s/upload-XXXXXX", call->site->tmp_path);

	*fd = mkostemp(made, O_CLOEXEC);
	if (*fd == -1)
		return stet_file_failed(call, made);
	stet_defer(call, remove_file, made);
	*path = made;
	return STET_OK;
}

enum stet_status
tempfile_write(struct stet_call *call, int fd, const char *path, const void *bytes, size_t len)
{
	const char *data = bytes;

	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return stet_file_failed(call, path);
		data += n;
		len -= (size_t)n;
	}
	return STET_OK;
}

enum stet_status
tempfile_copy(struct stet_call *call, int from, int to, const char *path)
{
	off_t at = 0;
	ssize_t n;

	while ((n = copy_file_range(from, &at, to, NULL, COPY_PIECE, 0)) > 0 ||
	       (n == -1 && errno == EINTR))
		;
	if (n == 0)
		return STET_OK;
	/* copy_file_range does not work between these file systems. */
	while ((n = sendfile(to, from, &at, COPY_PIECE)) > 0 || (n == -1 && errno == EINTR))
		;
	return n == 0 ? STET_OK : stet_file_failed(call, path);
}

enum stet_status
stet_file_temporary_copy(struct stet_call *call, int from, const char **path)
{
	enum stet_status status;
	int fd;

	STET_TRY(tempfile_make(call, path, &fd));
	status = tempfile_copy(call, from, fd, *path);
	if (close(fd) == -1 && status == STET_OK)
		return stet_file_failed(call, *path);
	return status;
}

enum stet_status
stet_file_temporary(struct stet_call *call, const void *bytes, size_t len, const char **path)
{
	enum stet_status status;
	int fd;

	STET_TRY(tempfile_make(call, path, &fd));
	status = tempfile_write(call, fd, *path, bytes, len);
	if (close(fd) == -1 && status == STET_OK)
		return stet_file_failed(call, *path);
	return status;
}
