/*
 * filestamp.c - notes which file each module was loaded from, and tells if another file has taken
 * its place. A module is loaded once, so the code of a rebuilt plugin does not run before the
 * daemon is restarted. Device, inode, size and time of modification tell files apart.
 */
#include "module/filestamp.h"

#include "call/loaded.h"

struct filestamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

/* By the index of the module; `seen` is what the last look found. */
static struct {
	struct filestamp loaded, seen;
} stamps[MODULES_MAX];

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
