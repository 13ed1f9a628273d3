/* tmpdisk.c - a small disk for the data of a daemon. */
#include "tmpdisk.h"

#include <errno.h>
#include <fcntl.h>
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

void
tmpdisk_fill(struct daemon *d, size_t left)
{
	static const char block[4096] = "filler";
	int fd =
	    open(daemon_path(d, "data/filler"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int room = open(daemon_path(d, "data/room"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && room >= 0);
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
