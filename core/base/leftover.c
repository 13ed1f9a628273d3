/*
 * leftover.c - directories that something is unpacked into, and the remains of killed processes.
 * A mark in the directory says that its content is incomplete, a lock that a process works on
 * it. A directory without the mark is never removed, because the site that a restore has just
 * replaced has such a name for a moment.
 */
#include "base/leftover.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".unpacking"

int
leftover_claim(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), mark = -1;

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		mark = openat(fd, MARK, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (mark >= 0) {
		close(mark);
		return fd;
	}
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return -1;
}

void
leftover_unclaim(const char *directory)
{
	char *mark = words_format("%s/" MARK, directory);

	(void)unlink(mark);
	free(mark);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	(void)remove(path);
	return 0;
}

void
leftover_remove(const char *directory)
{
	(void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* If the directory is ours, marked, and no process works on it: returns a descriptor that locks
 * it; else -1. */
static int
seize(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && (geteuid() == 0 || st.st_uid == geteuid()) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && fstatat(fd, MARK, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

void
leftover_sweep(const char *base, const char *what)
{
	char *parent = dir_parent_dup(base), *begin = words_format("%s%s", base, what);
	const char *name = strrchr(begin, '/') != NULL ? strrchr(begin, '/') + 1 : begin;
	const struct dirent *entry;
	DIR *dir = opendir(parent);
	int fd;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char *path;

		if (strncmp(entry->d_name, name, strlen(name)) != 0 ||
		    (fd = seize(dirfd(dir), entry->d_name)) < 0)
			continue;
		path = words_format("%s/%s", parent, entry->d_name);
		leftover_remove(path);
		log_line(STET_INFO, "%s, which a killed process left, is removed", path);
		free(path);
		close(fd);
	}
	if (dir != NULL)
		closedir(dir);
	free(begin);
	free(parent);
}
