/*
 * record.c - records every change of files below a directory, for LD_PRELOAD: STET_RECORD names the
 * record, STET_RECORD_DIR the directory. Each change and its entry happen under one lock, so the
 * order of the entries is that of the changes. A sync has two entries: it makes durable what was
 * written before the first, once the second is there.
 *
 * Not recorded: the index of the log (-shm), which SQLite builds again after a crash. What a
 * program changes in ways that are not seen here (a mapping, a file opened by the C library itself)
 * is found by the test, which holds the end of the record against the directory.
 */
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static char root[PATH_MAX];
static size_t root_len;
static uint64_t inode[FILES_MAX]; /* inode of each descriptor; 0: not below the directory */
static uint64_t syncs;

/* Finds the next function with this name, once. */
#define NEXT(name)                     \
	static __typeof__(&name) next; \
	if (next == NULL)              \
	next = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void
begin(void)
{
	const char *to = getenv("STET_RECORD"), *dir = getenv("STET_RECORD_DIR");

	/* The shell script that starts an uninstalled program loads this library, too. */
	if (to == NULL || dir == NULL || strstr(program_invocation_short_name, "stet") == NULL)
		return;
	root_len = strlen(dir);
	memcpy(root, dir, root_len + 1);
	record = open(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (record < 0)
		abort();
}

/* ---- entries ---- */

/* Writes an entry with one write, so that entries of other processes do not interleave. */
static void
enter(struct record_head head, const char *path, const char *to, const void *bytes)
{
	struct iovec v[4] = { { &head, sizeof(head) } };
	size_t all = 0;

	v[1] = (struct iovec){ (void *)(uintptr_t)path, path != NULL ? strlen(path) + 1 : 0 };
	v[2] = (struct iovec){ (void *)(uintptr_t)to, to != NULL ? strlen(to) + 1 : 0 };
	v[3] = (struct iovec){ (void *)(uintptr_t)bytes, head.len };
	head.paths = (uint32_t)(v[1].iov_len + v[2].iov_len);
	for (int i = 0; i < 4; i++)
		all += v[i].iov_len;
	NEXT(writev);
	if (next(record, v, 4) != (ssize_t)all)
		abort();
}

static void
enter_file(enum record_kind kind, uint64_t ino, uint64_t at)
{
	enter((struct record_head){ .kind = kind, .ino = ino, .at = at }, NULL, NULL, NULL);
}

/* ---- what is recorded ---- */

/* Makes the absolute path; returns false if it is too long. */
static bool
absolute(int dir, const char *path, char out[PATH_MAX])
{
	char link[64], base[PATH_MAX];
	ssize_t n;

	if (path[0] == '/')
		return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
	(void)snprintf(
	    link, sizeof(link), dir == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", dir);
	n = readlink(link, base, sizeof(base) - 1);
	base[n > 0 ? n : 0] = '\0';
	return snprintf(out, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
}

/* Makes the path relative to the directory; returns false if it is outside of it, or is not
 * recorded. */
static bool
below(int dir, const char *path, char out[PATH_MAX])
{
	char full[PATH_MAX];
	size_t len = 0;

	if (record < 0 || path == NULL || !absolute(dir, path, full) ||
	    strncmp(full, root, root_len) != 0 || (full[root_len] != '/' && full[root_len] != '\0'))
		return false;
	/* Removes slashes at the beginning, at the end, and beside others. */
	for (const char *c = full + root_len; *c != '\0'; c++)
		if (*c != '/' || (len > 0 && out[len - 1] != '/' && c[1] != '\0'))
			out[len++] = *c;
	out[len] = '\0';
	return len < 4 || strcmp(out + len - 4, "-shm") != 0;
}

static uint64_t
inode_of(int fd)
{
	return record >= 0 && fd >= 0 && fd < FILES_MAX ? inode[fd] : 0;
}

static bool
exists(int dir, const char *path)
{
	struct stat st;

	return fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Records that a file was opened; `is_new` says that the file did not exist before. */
static void
opened(int fd, const char *path, int flags, bool is_new)
{
	struct stat st;

	if (fd < 0 || fd >= FILES_MAX || fstat(fd, &st) != 0)
		return;
	inode[fd] = st.st_ino;
	if (is_new || (flags & O_TMPFILE) == O_TMPFILE)
		enter((struct record_head){ .kind = RECORD_CREATE, .ino = st.st_ino },
		    (flags & O_TMPFILE) == O_TMPFILE ? NULL : path, NULL, NULL);
	else if ((flags & O_TRUNC) != 0 && (flags & O_ACCMODE) != O_RDONLY)
		enter_file(RECORD_SIZE, st.st_ino, 0);
}

/* ---- opening ---- */

static int
open_at(int dir, const char *path, int flags, mode_t mode)
{
	char rel[PATH_MAX];
	bool is_new;
	int fd;

	NEXT(openat);
	if (!below(dir, path, rel))
		return next(dir, path, flags, mode);
	pthread_mutex_lock(&lock);
	is_new = (flags & O_CREAT) != 0 && !exists(dir, path);
	fd = next(dir, path, flags, mode);
	opened(fd, rel, flags, is_new);
	pthread_mutex_unlock(&lock);
	return fd;
}

static mode_t
mode_of(int flags, va_list ap)
{
	return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name, dir_parameter, dir)                           \
	int name(dir_parameter const char *path, int flags, ...) \
	{                                                        \
		va_list ap;                                      \
		mode_t mode;                                     \
                                                                 \
		va_start(ap, flags);                             \
		mode = mode_of(flags, ap);                       \
		va_end(ap);                                      \
		return open_at(dir, path, flags, mode);          \
	}
#define COMMA ,
OPEN(open, , AT_FDCWD)
OPEN(open64, , AT_FDCWD)
OPEN(openat, int dir COMMA, dir)
OPEN(openat64, int dir COMMA, dir)

/* The variants of open that programs built with _FORTIFY_SOURCE call if they give no mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

int
__open_2(const char *path, int flags)
{
	return open_at(AT_FDCWD, path, flags, 0);
}

int
__open64_2(const char *path, int flags)
{
	return open_at(AT_FDCWD, path, flags, 0);
}

int
__openat_2(int dir, const char *path, int flags)
{
	return open_at(dir, path, flags, 0);
}

int
__openat64_2(int dir, const char *path, int flags)
{
	return open_at(dir, path, flags, 0);
}

int
creat(const char *path, mode_t mode)
{
	return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int
mkostemp(char *path, int flags)
{
	char rel[PATH_MAX];
	int fd;

	NEXT(mkostemp);
	pthread_mutex_lock(&lock);
	fd = next(path, flags);
	if (fd >= 0 && below(AT_FDCWD, path, rel))
		opened(fd, rel, flags, true);
	pthread_mutex_unlock(&lock);
	return fd;
}

int
mkstemp(char *path)
{
	return mkostemp(path, 0);
}

int
close(int fd)
{
	NEXT(close);
	if (inode_of(fd) != 0)
		inode[fd] = 0;
	return next(fd);
}

/* ---- writing ---- */

static void
wrote(int fd, const struct iovec *v, int count, ssize_t n, off_t at)
{
	char *bytes = n > 0 ? malloc((size_t)n) : NULL;
	size_t len = 0;

	if (n <= 0)
		return;
	if (bytes == NULL)
		abort();
	for (int i = 0; i < count && len < (size_t)n; i++) {
		size_t part = (size_t)n - len < v[i].iov_len ? (size_t)n - len : v[i].iov_len;

		memcpy(bytes + len, v[i].iov_base, part);
		len += part;
	}
	enter(
	    (struct record_head){
		.kind = RECORD_WRITE, .ino = inode[fd], .at = (uint64_t)at, .len = (uint64_t)n },
	    NULL, NULL, bytes);
	free(bytes);
}

/* at -1: at the descriptor's offset. */
static ssize_t
write_at(int fd, const struct iovec *v, int count, off_t at)
{
	ssize_t n;

	pthread_mutex_lock(&lock);
	if (at >= 0) {
		NEXT(pwritev);
		n = next(fd, v, count, at);
	} else {
		NEXT(writev);
		n = next(fd, v, count);
		if (n > 0)
			at = lseek(fd, 0, SEEK_CUR) - n;
	}
	wrote(fd, v, count, n, at);
	pthread_mutex_unlock(&lock);
	return n;
}

ssize_t
write(int fd, const void *bytes, size_t len)
{
	const struct iovec v = { (void *)(uintptr_t)bytes, len };

	NEXT(write);
	return inode_of(fd) != 0 ? write_at(fd, &v, 1, -1) : next(fd, bytes, len);
}

ssize_t
writev(int fd, const struct iovec *v, int count)
{
	NEXT(writev);
	return inode_of(fd) != 0 ? write_at(fd, v, count, -1) : next(fd, v, count);
}

#define PWRITE(name)                                                                      \
	ssize_t name(int fd, const void *bytes, size_t len, off_t at)                     \
	{                                                                                 \
		const struct iovec v = { (void *)(uintptr_t)bytes, len };                 \
                                                                                          \
		NEXT(pwritev);                                                            \
		return inode_of(fd) != 0 ? write_at(fd, &v, 1, at) : next(fd, &v, 1, at); \
	}
#define PWRITEV(name)                                                                           \
	ssize_t name(int fd, const struct iovec *v, int count, off_t at)                        \
	{                                                                                       \
		NEXT(pwritev);                                                                  \
		return inode_of(fd) != 0 ? write_at(fd, v, count, at) : next(fd, v, count, at); \
	}
PWRITE(pwrite)
PWRITE(pwrite64)
PWRITEV(pwritev64)

ssize_t
pwritev(int fd, const struct iovec *v, int count, off_t at)
{
	static ssize_t (*further)(int, const struct iovec *, int, off_t);

	if (further == NULL)
		further = (__typeof__(further))(uintptr_t)dlsym(RTLD_NEXT, "pwritev");
	return inode_of(fd) != 0 ? write_at(fd, v, count, at) : further(fd, v, count, at);
}

#define RESIZE(name)                                                        \
	int name(int fd, off_t size)                                        \
	{                                                                   \
		int rc;                                                     \
                                                                            \
		NEXT(name);                                                 \
		if (inode_of(fd) == 0)                                      \
			return next(fd, size);                              \
		pthread_mutex_lock(&lock);                                  \
		rc = next(fd, size);                                        \
		if (rc == 0)                                                \
			enter_file(RECORD_SIZE, inode[fd], (uint64_t)size); \
		pthread_mutex_unlock(&lock);                                \
		return rc;                                                  \
	}
RESIZE(ftruncate)
RESIZE(ftruncate64)

/* ---- what is not recorded, and so must not be ---- */

static void
unknown(int fd, const char *what)
{
	if (inode_of(fd) == 0)
		return;
	pthread_mutex_lock(&lock);
	enter((struct record_head){ .kind = RECORD_UNKNOWN, .ino = inode[fd] }, what, NULL, NULL);
	pthread_mutex_unlock(&lock);
}

int
fallocate(int fd, int mode, off_t at, off_t len)
{
	NEXT(fallocate);
	unknown(fd, "fallocate");
	return next(fd, mode, at, len);
}

int
posix_fallocate(int fd, off_t at, off_t len)
{
	NEXT(posix_fallocate);
	unknown(fd, "posix_fallocate");
	return next(fd, at, len);
}

ssize_t
copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t len, unsigned flags)
{
	NEXT(copy_file_range);
	unknown(out, "copy_file_range");
	return next(in, from, out, to, len, flags);
}

static void *
map(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	NEXT(mmap);
	if ((prot & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0)
		unknown(fd, "a mapping that is written to");
	return next(at, len, prot, flags, fd, offset);
}

void *
mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return map(at, len, prot, flags, fd, offset);
}

void *
mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return map(at, len, prot, flags, fd, offset);
}

/* ---- names ---- */

static void
enter_path(enum record_kind kind, int dir, const char *path)
{
	char rel[PATH_MAX];

	if (below(dir, path, rel))
		enter((struct record_head){ .kind = kind }, rel, NULL, NULL);
}

int
mkdirat(int dir, const char *path, mode_t mode)
{
	int rc;

	NEXT(mkdirat);
	pthread_mutex_lock(&lock);
	rc = next(dir, path, mode);
	if (rc == 0) {
		char rel[PATH_MAX];
		struct stat st = { .st_ino = 0 };

		(void)fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW);
		if (below(dir, path, rel))
			enter((struct record_head){ .kind = RECORD_MKDIR, .ino = st.st_ino }, rel,
			    NULL, NULL);
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

int
mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int
unlinkat(int dir, const char *path, int flags)
{
	int rc;

	NEXT(unlinkat);
	pthread_mutex_lock(&lock);
	rc = next(dir, path, flags);
	if (rc == 0)
		enter_path(RECORD_UNLINK, dir, path);
	pthread_mutex_unlock(&lock);
	return rc;
}

int
unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int
rmdir(const char *path)
{
	return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int
linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	struct stat st = { .st_ino = 0 };
	char rel[PATH_MAX];
	int rc;

	NEXT(linkat);
	pthread_mutex_lock(&lock);
	rc = next(from_dir, from, to_dir, to, flags);
	if (rc == 0 && below(to_dir, to, rel) && fstatat(to_dir, to, &st, AT_SYMLINK_NOFOLLOW) == 0)
		enter(
		    (struct record_head){ .kind = RECORD_LINK, .ino = st.st_ino }, rel, NULL, NULL);
	pthread_mutex_unlock(&lock);
	return rc;
}

int
link(const char *from, const char *to)
{
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	char a[PATH_MAX], b[PATH_MAX];
	int rc;

	NEXT(renameat2);
	pthread_mutex_lock(&lock);
	rc = next(from_dir, from, to_dir, to, flags);
	if (rc == 0 && below(from_dir, from, a) && below(to_dir, to, b))
		enter(
		    (struct record_head){
			.kind = (flags & RENAME_EXCHANGE) != 0 ? RECORD_UNKNOWN : RECORD_RENAME },
		    a, b, NULL);
	pthread_mutex_unlock(&lock);
	return rc;
}

int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return renameat2(from_dir, from, to_dir, to, 0);
}

int
rename(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- syncs ---- */

/* sync_file_range makes nothing durable, since the data may still be in the disk's own cache. */
static int
sync_by(int (*call)(int), int fd)
{
	uint64_t number, ino = inode_of(fd);
	int rc;

	if (ino == 0)
		return call(fd);
	pthread_mutex_lock(&lock);
	number = ++syncs;
	enter_file(RECORD_SYNC, ino, number);
	pthread_mutex_unlock(&lock);
	rc = call(fd);
	pthread_mutex_lock(&lock);
	if (rc == 0)
		enter_file(RECORD_SYNCED, ino, number);
	pthread_mutex_unlock(&lock);
	return rc;
}

int
fsync(int fd)
{
	NEXT(fsync);
	return sync_by(next, fd);
}

int
fdatasync(int fd)
{
	NEXT(fdatasync);
	return sync_by(next, fd);
}
