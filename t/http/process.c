/* process.c - what the operating system reports about a daemon's process. */
#include "config.h"

#include "daemon.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *
word_of(const char *line, int index, char *out, size_t size)
{
	size_t len;

	for (line += strspn(line, " "); index > 0; index--) {
		line += strcspn(line, " \n");
		line += strspn(line, " ");
	}
	len = strcspn(line, " \n");
	assert_true(len < size);
	memcpy(out, line, len);
	out[len] = '\0';
	return out;
}

long
daemon_resident(const struct daemon *d)
{
	long pages = 0;
#ifndef STET_SANITIZED
	char path[64], line[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/statm", (int)d->pid);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	pages = strtol(word_of(line, 1, path, sizeof(path)), NULL, 10);
	fclose(file);
#endif
	return pages * sysconf(_SC_PAGESIZE);
}

int
daemon_descriptors(const struct daemon *d)
{
	char path[64];
	DIR *dir;
	int n = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)d->pid);
	dir = opendir(path);
	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n;
}
