/* filed.c - files in a daemon's directory, asked for by the probe. */
#include "filed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

void
filed_make(const struct daemon *d, const char *name, size_t size)
{
	FILE *file = fopen(daemon_path(d, name), "w");

	assert_non_null(file);
	for (size_t i = 0; i < size; i++)
		assert_true(putc((int)('a' + i % 23), file) != EOF);
	assert_int_equal(fclose(file), 0);
}

bool
filed_forget(const struct daemon *d, const char *name)
{
	int fd = open(daemon_path(d, name), O_RDONLY | O_CLOEXEC);
	char byte;
	struct iovec v = { &byte, 1 };
	bool cold;

	assert_true(fd >= 0);
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	/* The check reads a part of the file, so the file is evicted again below. */
	cold = preadv2(fd, &v, 1, 0, RWF_NOWAIT) == -1 && errno == EAGAIN;
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	close(fd);
	return cold;
}

void
filed_say(const struct daemon *d, struct client *c, const char *method, const char *name,
    const char *query, const char *headers)
{
	client_say(c, "%s " API "/file?path=%s%s HTTP/1.1\r\nHost: x\r\n%s\r\n", method,
	    daemon_path(d, name), query, headers);
}

void
filed_get(const struct daemon *d, struct answer *a, const char *name, const char *query,
    const char *headers)
{
	struct client c;

	client_open(&c, d, false);
	filed_say(d, &c, "GET", name, query, headers);
	client_answer(&c, a, false);
	client_close(&c);
}

void
filed_bytes(const struct answer *a, size_t from, size_t size)
{
	assert_true(a->whole);
	assert_int_equal(a->len, size);
	for (size_t i = 0; i < size; i++)
		if (a->body[i] != (char)('a' + (from + i) % 23))
			fail_msg("byte %zu is wrong", i);
}

void
filed_header(const struct answer *a, const char *name, const char *value)
{
	const char *is = answer_header(a, name);

	if (value == NULL)
		assert_null(is);
	else
		assert_string_equal(is != NULL ? is : "(none)", value);
}

int
filed_descriptors(const struct daemon *d, const char *name)
{
	char path[300], to[4096];
	const struct dirent *entry;
	int found = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)d->pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		ssize_t n;

		(void)snprintf(path, sizeof(path), "/proc/%d/fd/%.20s", (int)d->pid, entry->d_name);
		n = readlink(path, to, sizeof(to) - 1);
		to[n > 0 ? n : 0] = '\0';
		found += strcmp(to, daemon_path(d, name)) == 0;
	}
	closedir(dir);
	return found;
}
