/*
 * failing.c - a library for LD_PRELOAD that lets one allocation fail: the one whose number
 * failing.h gives. It counts only the daemon's allocations, those of all threads together. It also
 * intercepts allocations of the C library itself (strdup, fopen).
 */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEPTH 64 /* number of calling functions that are examined */

/* The C library's own functions, by names that cannot be replaced. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static struct failing *_Atomic failing;

__attribute__((constructor)) static void
begin(void)
{
	const char *path = getenv("STET_FAILING");
	void *at = MAP_FAILED;
	int fd = -1;

	/* The shell script that starts an uninstalled program loads this library, too. */
	if (path != NULL && strstr(program_invocation_short_name, "stetd") != NULL)
		fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		at = mmap(NULL, sizeof(struct failing), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	/* The first call of backtrace() loads a library, which allocates. */
	(void)backtrace((void *[1]){ NULL }, 1);
	if (at != MAP_FAILED)
		failing = at;
}

/* Returns true if libconfuse is among the calling functions. */
static bool
is_confused(void)
{
	void *at[DEPTH];
	Dl_info said;
	int n = backtrace(at, DEPTH);

	while (n-- > 0)
		if (dladdr(at[n], &said) != 0 && strstr(said.dli_fname, "libconfuse") != NULL)
			return true;
	return false;
}

static bool
fails(void)
{
	struct failing *f = failing;
	uint64_t number, at;

	if (f == NULL)
		return false;
	number = ++f->count;
	at = f->fails_at;
	if (at == 0 || number < at || (number > at && f->onward == 0))
		return false;
	f->failed++;
	/* This function does not set it to 0: another thread may have set it at the same time. */
	if (f->confused == 0 && is_confused())
		f->confused = 1;
	errno = ENOMEM;
	return true;
}

void *
malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	/* realloc with size 0 frees the block, which cannot fail. */
	return (old == NULL || size > 0) && fails() ? NULL : __libc_realloc(old, size);
}

void *
reallocarray(void *old, size_t count, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

void *
memalign(size_t align, size_t size)
{
	return fails() ? NULL : __libc_memalign(align, size);
}

void *
aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int
posix_memalign(void **out, size_t align, size_t size)
{
	void *p = memalign(align, size);

	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}
