/* template.c - see template.h. */
#include "template.h"
#include "engine.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define KINDS 16

static struct {
	char *kind;
	char dir[40]; /* directory of the template; "": none is stored yet */
} kinds[KINDS];
static size_t count;
static pid_t owner; /* the process that owns the templates; its children do not delete them */
static const char *from, *to; /* arguments of copy_one */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void
template_remove(const char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
remove_all(void)
{
	if (getpid() != owner)
		return;
	for (size_t i = 0; i < count; i++) {
		if (kinds[i].dir[0] != '\0')
			template_remove(kinds[i].dir);
		free(kinds[i].kind);
	}
	count = 0;
}

static bool
copy_file(const char *source, const char *target, const struct stat *st)
{
	int in = open(source, O_RDONLY | O_CLOEXEC), out = -1;
	bool ok = in >= 0 && (out = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				  st->st_mode & 07777)) >= 0;

	for (off_t left = st->st_size; ok && left > 0;) {
		ssize_t n = sendfile(out, in, NULL, (size_t)left);

		ok = n > 0;
		left -= n;
	}
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ok;
}

static int
copy_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	char target[512];

	(void)ftw;
	if (snprintf(target, sizeof(target), "%s%s", to, path + strlen(from)) >=
	    (int)sizeof(target))
		return 1;
	if (type == FTW_D)
		return mkdir(target, st->st_mode & 07777) == 0 || errno == EEXIST ? 0 : 1;
	return S_ISREG(st->st_mode) && copy_file(path, target, st) ? 0 : 1;
}

static void
copy_all(const char *source, const char *target)
{
	from = source;
	to = target;
	if (nftw(source, copy_one, 16, FTW_PHYS) != 0) {
		fprintf(stderr, "template: %s cannot be copied to %s\n", source, target);
		abort();
	}
}

static size_t
place_of(const char *kind)
{
	size_t i = 0;

	while (i < count && strcmp(kinds[i].kind, kind) != 0)
		i++;
	return i;
}

bool
template_copy(const char *kind, const char *dir)
{
	size_t i = place_of(kind);

	if (i == count || kinds[i].dir[0] == '\0')
		return false;
	engine_copy(kinds[i].dir, dir);
	copy_all(kinds[i].dir, dir);
	return true;
}

bool
template_wanted(const char *kind)
{
	size_t i = place_of(kind);

	if (i < count || count == KINDS || getenv("STET_RECORD") != NULL)
		return i < count;
	if (owner == 0) {
		owner = getpid();
		atexit(remove_all);
	}
	if ((kinds[count].kind = strdup(kind)) == NULL)
		abort();
	count++;
	return false;
}

void
template_keep(const char *kind, const char *dir)
{
	size_t i = place_of(kind);
	char name[] = "/tmp/stet-template-XXXXXX";

	if (i == count)
		return;
	if (mkdtemp(name) == NULL)
		abort();
	engine_copy(dir, name);
	copy_all(dir, name);
	(void)snprintf(kinds[i].dir, sizeof(kinds[i].dir), "%s", name);
}
