/*
 * dying.c - for LD_PRELOAD: kills the command before its n-th call that changes a file (n:
 * STET_DIES_AT). Earlier changes stay, as after kill -9.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1;

__attribute__((constructor)) static void
begin(void)
{
	const char *at = getenv("STET_DIES_AT");

	/* The shell script that starts an uninstalled program loads this library, too, so check the
	 * name. */
	if (at != NULL && strstr(program_invocation_short_name, "stet") != NULL &&
	    strcmp(program_invocation_short_name, "sh") != 0)
		left = strtol(at, NULL, 10);
}

static void
step(void)
{
	if (left > 0 && --left == 0)
		(void)kill(getpid(), SIGKILL);
}

#define NEXT(name_) __typeof__(&name_) next = (__typeof__(&name_))dlsym(RTLD_NEXT, #name_)

int
rename(const char *from, const char *to)
{
	NEXT(rename);

	step();
	return next(from, to);
}

int
unlink(const char *path)
{
	NEXT(unlink);

	step();
	return next(path);
}

int
fsync(int fd)
{
	NEXT(fsync);

	step();
	return next(fd);
}

int
fdatasync(int fd)
{
	NEXT(fdatasync);

	step();
	return next(fd);
}

int
ftruncate64(int fd, off_t len)
{
	NEXT(ftruncate64);

	step();
	return next(fd, len);
}

ssize_t
pwrite64(int fd, const void *data, size_t len, off_t at)
{
	NEXT(pwrite64);

	step();
	return next(fd, data, len, at);
}

ssize_t
write(int fd, const void *data, size_t len)
{
	NEXT(write);

	step();
	return next(fd, data, len);
}
