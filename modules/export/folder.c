/*
 * folder.c - a directory of files that gets its name when it is complete. Names of files come from
 * the site, so each is checked, and no link is followed.
 */
#include "outgoing.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum stet_status
cannot(struct stet_call *call, const char *path)
{
	return stet_fail(
	    call, STET_INVALID_INPUT, NULL, "cannot write %.500s: %s", path, strerror(errno));
}

/* Fails if the path is something other than an empty directory. */
static enum stet_status
check_empty(struct stet_call *call, const char *path)
{
	struct stat st;
	int made;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? STET_OK : cannot(call, path);
	if (!S_ISDIR(st.st_mode))
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "%.500s is there, and is no directory", path);
	/* rename() replaces a directory only if it is empty; here a clear message is earlier. */
	made = rmdir(path);
	if (made == 0 && mkdir(path, st.st_mode & 07777) == 0)
		return STET_OK;
	return stet_fail(call, STET_INVALID_INPUT, NULL,
	    "%.500s is not empty: an export makes a new directory", path);
}

enum stet_status
folder_begin(struct stet_call *call, const char *path, struct folder *f)
{
	char *end = stet_strdup(call, path);
	mode_t mask = umask(0);

	(void)umask(mask);
	for (size_t len = strlen(end); len > 1 && end[len - 1] == '/';)
		end[--len] = '\0';
	f->path = end;
	f->fd = -1;
	STET_TRY(check_empty(call, f->path));
	f->beside = stet_printf(call, "%s.XXXXXX", f->path);
	if (mkdtemp(f->beside) == NULL)
		return cannot(call, f->path);
	f->fd = open(f->beside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (f->fd == -1 || fchmod(f->fd, 0777 & ~mask) != 0)
		return folder_end(call, f, cannot(call, f->path));
	return STET_OK;
}

static bool
is_part(const char *part, size_t len)
{
	return len > 0 && len < 256 && *part != '.';
}

enum stet_status
folder_file(struct stet_call *call, int root, const char *path, int *fd)
{
	int at = root;

	*fd = -1;
	for (const char *part = path;;) {
		size_t len = strcspn(part, "/");
		const char *name = stet_strndup(call, part, len);
		int next = -1;

		errno = EINVAL;
		if (is_part(part, len) && part[len] == '\0')
			next = openat(
			    at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		else if (is_part(part, len) && (mkdirat(at, name, 0777) == 0 || errno == EEXIST))
			next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (at != root)
			close(at);
		if (next == -1)
			return cannot(call, path);
		at = next;
		if (part[len] == '\0')
			break;
		part += len + 1;
	}
	*fd = at;
	return STET_OK;
}

static void
remove_all(char *path)
{
	char *paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *e;

	while (tree != NULL && (e = fts_read(tree)) != NULL)
		if (e->fts_info == FTS_DP)
			(void)rmdir(e->fts_accpath);
		else if (e->fts_info != FTS_D)
			(void)unlink(e->fts_accpath);
	if (tree != NULL)
		(void)fts_close(tree);
}

enum stet_status
folder_end(struct stet_call *call, struct folder *f, enum stet_status status)
{
	if (status == STET_OK && (syncfs(f->fd) != 0 || rename(f->beside, f->path) != 0))
		status = cannot(call, f->path);
	if (f->fd != -1)
		close(f->fd);
	if (status != STET_OK)
		remove_all(f->beside);
	return status;
}
