/* dir.c - directories: syncing what was made in them, free space, ownership, locks. */
#include "base/dir.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define URL_MAX 2048 /* bytes */
#define ROOM_LEFT (16u << 20) /* bytes to leave free on the disk */

bool
dir_belongs(const char *name)
{
	static const char *const own[] = { DATADIR_TMP, DATADIR_BACKUPS, DATADIR_UPGRADES,
		DATADIR_MODULES, DATADIR_CACHE };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(name, own[i]) == 0)
			return false;
	return name[0] != '.';
}

void
dir_give(int fd, const char *directory)
{
	struct stat st;

	if (geteuid() == 0 && stat(directory, &st) == 0 && fchown(fd, st.st_uid, st.st_gid) != 0)
		log_line(STET_WARN, "%s: files made here stay owned by root: %s", directory,
		    strerror(errno));
}

bool
dir_room(const char *directory, uint64_t bytes, char **why)
{
	struct statvfs fs;
	uint64_t left;

	if (statvfs(directory, &fs) != 0) {
		*why = words_format("%s: %s", directory, strerror(errno));
		return false;
	}
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (bytes + ROOM_LEFT <= left)
		return true;
	*why = words_format("%s has room for %llu MiB, and a copy of the database may take %llu",
	    directory, (unsigned long long)(left >> 20),
	    (unsigned long long)((bytes + ROOM_LEFT) >> 20));
	return false;
}

bool
dir_flush(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && fsync(fd) == 0;
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return good;
}

bool
dir_sync(const char *directory, char **why)
{
	bool good = dir_flush(directory);

	if (!good)
		*why = words_format("%s: %s", directory, strerror(errno));
	return good;
}

const char *
dir_owner_flaw(const struct stat *st)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return "belongs neither to root nor to the daemon's user";
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return "can be written by group or others";
	return NULL;
}

char *
dir_parent_dup(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return xstrdup(".");
	return words_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

void
dir_give_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *parent = dir_parent_dup(path);

	if (fd >= 0) {
		dir_give(fd, parent);
		close(fd);
	}
	free(parent);
}

static int
lock_files(const char *data, int how)
{
	char *path = words_format("%s/" DATADIR_FILES, data);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(path);
	while (fd >= 0 && flock(fd, how) != 0)
		if (errno != EINTR) {
			close(fd);
			return -1;
		}
	return fd;
}

int
dir_files_hold(const char *data)
{
	return lock_files(data, LOCK_SH);
}

int
dir_files_seize(const char *data)
{
	return lock_files(data, LOCK_EX | LOCK_NB);
}

/* ---- making it ---- */

static bool
make_directory(const char *path, mode_t mode, char **why)
{
	if (mkdir(path, mode) == 0) {
		dir_give_path(path);
		return true;
	}
	if (errno == EEXIST)
		return true;
	*why = words_format("%s cannot be made: %s", path, strerror(errno));
	return false;
}

static bool
make_below(const char *data, const char *name, char **why)
{
	char *path = words_format("%s/%s", data, name);
	bool good = make_directory(path, 0700, why);

	free(path);
	return good;
}

/* Parents get the usual mode; the site's own directories are for the daemon alone. */
bool
dir_make(const char *data, char **why)
{
	char *path = xstrdup(data);
	bool good = true;

	for (char *slash = strchr(path + 1, '/'); good && slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		good = make_directory(path, 0755, why);
		*slash = '/';
	}
	free(path);
	return good && make_directory(data, 0700, why) && make_below(data, DATADIR_TMP, why) &&
	       make_below(data, DATADIR_MODULES, why);
}

/* ---- small files ---- */

/* The name of the next temporary file, in the directory for unfinished files. */
static char *
next_dup(const char *data, const char *name)
{
	char *next = words_format("%s/" DATADIR_TMP "/%s", data, name);

	for (char *c = next + strlen(next) - strlen(name); *c != '\0'; c++)
		if (*c == '/')
			*c = '-';
	return next;
}

bool
dir_replace_json(const char *path, const char *next, const json_t *value, char **why)
{
	char *directory = dir_parent_dup(path);
	int fd = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool good = fd >= 0;

	if (good) {
		dir_give(fd, directory);
		good =
		    json_dumpfd(value, fd, JSON_INDENT(1) | JSON_ENCODE_ANY) == 0 && fsync(fd) == 0;
		good = close(fd) == 0 && good;
	}
	good = good && rename(next, path) == 0 && dir_flush(directory);
	if (!good)
		*why = words_format("%s: %s", path, strerror(errno));
	free(directory);
	return good;
}

bool
dir_put_json(const char *data, const char *name, const json_t *value, char **why)
{
	char *path = words_format("%s/%s", data, name), *next = next_dup(data, name);
	bool good = dir_replace_json(path, next, value, why);

	free(path);
	free(next);
	return good;
}

bool
dir_read_small(int fd, char *text, size_t size)
{
	struct stat st;
	size_t len = 0;
	ssize_t n = 1;

	if (fstat(fd, &st) != 0)
		return false;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size >= size) {
		errno = EINVAL;
		return false;
	}
	while (n > 0 && len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			len += (size_t)n;
	}
	text[len] = '\0';
	return n == 0;
}

/* ---- the lock of a daemon ---- */

static char *
lock_path(const char *data)
{
	return words_format("%s/" DATADIR_LOCK, data);
}

static int
lock_holder(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? (int)lock.l_pid : 0;
}

void
dir_put_url(int fd, const char *url)
{
	char *line = words_format("%s\n", url);
	size_t len = strlen(line);

	if (pwrite(fd, line, len, 0) != (ssize_t)len || ftruncate(fd, (off_t)len) != 0)
		log_line(STET_WARN, "the address of the site cannot be left for stet(1): %s",
		    strerror(errno));
	free(line);
}

int
dir_lock(const char *data, char **why)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *path = lock_path(data);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		*why = words_format("%s: %s", path, strerror(errno));
	else if (fcntl(fd, F_SETLK, &lock) != 0) {
		*why = errno == EACCES || errno == EAGAIN
			   ? words_format("%s is in use by the daemon with process id %d", data,
				 lock_holder(fd))
			   : words_format("%s cannot be locked: %s", path, strerror(errno));
		close(fd);
		fd = -1;
	} else {
		dir_give(fd, data);
		dir_put_url(fd, "");
	}
	free(path);
	return fd;
}

int
dir_daemon(const char *data)
{
	char *path = lock_path(data);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), pid = 0;

	if (fd >= 0) {
		pid = lock_holder(fd);
		close(fd);
	}
	free(path);
	return pid;
}

char *
dir_daemon_url(const char *data)
{
	char *path = lock_path(data), text[URL_MAX + 2], *url = NULL;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	size_t len;

	if (fd >= 0 && lock_holder(fd) > 0 && dir_read_small(fd, text, sizeof(text))) {
		len = strcspn(text, "\n");
		if (len > 0 && text[len] == '\n') /* else a NUL, or an incomplete line */
			url = words_format("%.*s", (int)len, text);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return url;
}
