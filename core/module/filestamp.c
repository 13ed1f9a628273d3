/*
 * filestamp.c - notes which file each module was loaded from, and tells if another file has taken
 * its place. A module is loaded once, so the code of a rebuilt plugin does not run before the
 * daemon is restarted. Device, inode, size and time of modification tell files apart.
 */
#include "module/filestamp.h"

#include "base/arena.h"
#include "call/loaded.h"
#include <string.h>

struct filestamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

/* Indexed by module; `seen` is the file found by the last scan. */
static struct {
	struct filestamp loaded, seen;
} stamps[MODULES_MAX];

/* Files that were opened, whether they became modules or not. */
static struct opened {
	struct opened *next;
	struct filestamp stamp;
	char *path;
} * opened;

static struct filestamp
of(const struct stat *st)
{
	return (struct filestamp){ st->st_dev, st->st_ino, st->st_size, st->st_mtim };
}

static bool
same(const struct filestamp *a, const struct filestamp *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->modified.tv_sec == b->modified.tv_sec &&
	       a->modified.tv_nsec == b->modified.tv_nsec;
}

void
filestamp_keep(int index, const struct stat *st)
{
	stamps[index].loaded = stamps[index].seen = of(st);
}

bool
filestamp_changed(int index, const char *path)
{
	struct filestamp now;
	struct stat st;
	bool news;

	if (stat(path, &st) != 0)
		return false;
	now = of(&st);
	news = !same(&now, &stamps[index].seen) && !same(&now, &stamps[index].loaded);
	stamps[index].seen = now;
	return news;
}

static struct opened *
find(const char *path)
{
	struct opened *s = opened;

	while (s != NULL && strcmp(s->path, path) != 0)
		s = s->next;
	return s;
}

void
filestamp_opened(const char *path, const struct stat *st)
{
	struct opened *s;

	if (find(path) != NULL)
		return;
	s = xcalloc(1, sizeof(*s));
	*s = (struct opened){ opened, of(st), xstrdup(path) };
	opened = s;
}

bool
filestamp_replaced(const char *path, const struct stat *st)
{
	const struct opened *s = find(path);
	struct filestamp now = of(st);

	return s != NULL && !same(&s->stamp, &now);
}
