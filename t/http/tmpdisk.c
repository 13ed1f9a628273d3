/* tmpdisk.c - a small disk for the data of a daemon. */
#include "tmpdisk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

bool
tmpdisk_permitted(void)
{
	char dir[] = "/tmp/stet-full-XXXXXX";
	bool yes = unshare(CLONE_NEWNS) == 0 &&
		   mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mkdtemp(dir) != NULL;

	if (yes) {
		yes = mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=700") == 0;
		if (yes)
			(void)umount(dir);
		(void)rmdir(dir);
	}
	return yes;
}

void
tmpdisk_mount(struct daemon *d, int megabytes)
{
	char options[60];

	(void)snprintf(options, sizeof(options), "size=%dm,mode=700", megabytes);
	assert_int_equal(mkdir(daemon_path(d, "data"), 0700), 0);
	assert_int_equal(mount("tmpfs", daemon_path(d, "data"), "tmpfs", 0, options), 0);
}

void
tmpdisk_unmount(struct daemon *d)
{
	assert_int_equal(umount(daemon_path(d, "data")), 0);
}

/* Returns true if the daemon has a file open that was unlinked. */
static bool
holds_nameless(const struct daemon *d)
{
	static const char gone[] = " (deleted)";
	char path[60], to[300];
	const struct dirent *e;
	bool holds = false;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", d->pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((e = readdir(dir)) != NULL) {
		ssize_t len = readlinkat(dirfd(dir), e->d_name, to, sizeof(to) - 1);

		to[len > 0 ? len : 0] = '\0';
		holds = holds || (strstr(to, gone) != NULL && strstr(to, "/data/") != NULL);
	}
	closedir(dir);
	return holds;
}

/* The client has the last byte of a response before the daemon closes its file. If the disk were
 * filled in between, that would free space again. */
static void
await_closed(const struct daemon *d)
{
	for (int i = 0; holds_nameless(d) && i < WAIT_MS; i++)
		(void)poll(NULL, 0, 1);
	assert_false(holds_nameless(d));
}

void
tmpdisk_fill(struct daemon *d, size_t left)
{
	static const char block[4096] = "filler";
	int fd =
	    open(daemon_path(d, "data/filler"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int room = open(daemon_path(d, "data/room"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && room >= 0);
	await_closed(d);
	assert_int_equal(posix_fallocate(room, 0, (off_t)left), 0);
	while (write(fd, block, sizeof(block)) > 0)
		continue;
	assert_int_equal(errno, ENOSPC);
	close(fd);
	close(room);
	assert_int_equal(unlink(daemon_path(d, "data/room")), 0);
}

void
tmpdisk_free(struct daemon *d)
{
	assert_int_equal(unlink(daemon_path(d, "data/filler")), 0);
}
