/*
 * filecache.c - files of a remote driver, kept in the data directory. The size of a cache is
 * counted in memory; when it reaches the limit, the directory is read to correct the count.
 */
#include "files/filecache.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TOUCH_S 60 /* the time of use is updated at most this often */

struct flight {
	struct flight *next;
	char *path; /* path of the file being fetched */
};
struct count {
	struct count *next;
	char *data;
	uint64_t bytes;
	bool known; /* the directory has been read */
};
static struct {
	pthread_mutex_t lock;
	pthread_cond_t landed;
	struct flight *flights;
	struct count *counts;
} cache = { .lock = PTHREAD_MUTEX_INITIALIZER, .landed = PTHREAD_COND_INITIALIZER };

static char *
directory_of(const struct conf_site *conf)
{
	return words_format("%s/" DATADIR_CACHE, conf->data);
}

static char *
path_of(const struct stet_file_place *p)
{
	return words_format(
	    "%s/" DATADIR_CACHE "/%s@%s", conf_of(p->conf)->data, p->module, p->key);
}

/* ---- cached files ---- */

int
filecache_open(const struct stet_file_place *p)
{
	char *path = path_of(p);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && time(NULL) - st.st_mtime >= TOUCH_S)
		(void)futimens(fd, NULL);
	free(path);
	return fd;
}

bool
filecache_has(const struct stet_file_place *p)
{
	char *path = path_of(p);
	bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

/* ---- the limit ---- */

struct entry {
	char *name;
	uint64_t size;
	time_t used;
};
struct entries {
	struct entry *at;
	size_t count, room;
	uint64_t bytes;
};

static void
add_entry(struct entries *all, int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return;
	if (all->count == all->room) {
		all->room = all->room * 2 + 64;
		all->at = xrealloc(all->at, all->room * sizeof(*all->at));
	}
	all->at[all->count++] = (struct entry){ xstrdup(name), (uint64_t)st.st_size, st.st_mtime };
	all->bytes += (uint64_t)st.st_size;
}

static int
by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

/* Reads the directory and removes the least recently used files until at most `most` bytes are
 * left. Returns the size. */
static uint64_t
shrink(const struct conf_site *conf, uint64_t most)
{
	char *path = directory_of(conf);
	struct entries all = { 0 };
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		add_entry(&all, dirfd(dir), entry->d_name);
	if (all.count > 0)
		qsort(all.at, all.count, sizeof(*all.at), by_use);
	for (size_t i = 0; i < all.count; i++) {
		if (all.bytes > most && unlinkat(dirfd(dir), all.at[i].name, 0) == 0)
			all.bytes -= all.at[i].size;
		free(all.at[i].name);
	}
	free(all.at);
	if (dir != NULL)
		closedir(dir);
	free(path);
	return all.bytes;
}

/* Returns the site's count; makes it if needed. Call it under the lock. */
static struct count *
count_of(const struct conf_site *conf)
{
	struct count *c = cache.counts;

	while (c != NULL && strcmp(c->data, conf->data) != 0)
		c = c->next;
	if (c == NULL) {
		c = xcalloc(1, sizeof(*c));
		c->data = xstrdup(conf->data);
		c->next = cache.counts;
		cache.counts = c;
	}
	return c;
}

/* Adds to the count. Dropped files are noticed only when the directory is read, so the count is
 * never too small. Eviction goes an eighth below the limit, so that not every file causes a
 * scan. */
static void
count_more(const struct conf_site *conf, uint64_t size)
{
	struct count *c;

	pthread_mutex_lock(&cache.lock);
	c = count_of(conf);
	c->bytes += size;
	if (!c->known || c->bytes > conf->file_cache) {
		c->bytes = shrink(conf, conf->file_cache);
		if (c->bytes > conf->file_cache - conf->file_cache / 8)
			c->bytes = shrink(conf, conf->file_cache - conf->file_cache / 8);
		c->known = true;
	}
	pthread_mutex_unlock(&cache.lock);
}

void
filecache_add(const struct stet_file_place *p, const char *path)
{
	const struct conf_site *conf = conf_of(p->conf);
	char *directory = directory_of(conf), *to = path_of(p);
	struct stat st;
	bool fits = stat(path, &st) == 0 && (uint64_t)st.st_size <= conf->file_cache;

	if (fits && mkdir(directory, 0700) == 0)
		dir_give_path(directory);
	if (fits && rename(path, to) == 0)
		count_more(conf, (uint64_t)st.st_size);
	else if (fits)
		log_line(STET_WARN, "cannot keep \"%s\": %s", to, strerror(errno));
	free(directory);
	free(to);
}

void
filecache_drop(const struct stet_file_place *p)
{
	char *path = path_of(p);

	(void)unlink(path);
	free(path);
}

struct filecache_sum
filecache_all(const struct stet_file_place *p, bool drop)
{
	char *path = directory_of(conf_of(p->conf)),
	     *name = words_format("%s@%s", p->module, p->key);
	struct filecache_sum sum = { 0 };
	DIR *dir = opendir(path);
	const struct dirent *entry;
	struct stat st;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, name, strlen(name)) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (drop && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			continue;
		sum.count++;
		sum.bytes += (uint64_t)st.st_size;
	}
	if (dir != NULL)
		closedir(dir);
	free(path);
	free(name);
	return sum;
}

void
filecache_forget(const struct stet_file_place *p)
{
	char *module = words_format("%s" FILECACHE_MADE, p->module);
	char *key = words_format("%s-", p->key);

	(void)filecache_all(&(struct stet_file_place){ p->conf, module, key, NULL }, true);
	free(module);
	free(key);
}

void
filecache_clear(const struct conf_site *conf)
{
	pthread_mutex_lock(&cache.lock);
	count_of(conf)->bytes = shrink(conf, 0);
	pthread_mutex_unlock(&cache.lock);
}

uint64_t
filecache_bytes(const struct conf_site *conf)
{
	uint64_t bytes;

	pthread_mutex_lock(&cache.lock);
	bytes = count_of(conf)->bytes;
	pthread_mutex_unlock(&cache.lock);
	return bytes;
}

/* ---- fetching ---- */

static struct flight **
find(const char *path)
{
	struct flight **f = &cache.flights;

	while (*f != NULL && strcmp((*f)->path, path) != 0)
		f = &(*f)->next;
	return f;
}

bool
filecache_fly(const struct stet_file_place *p)
{
	char *path = path_of(p);
	struct flight *mine = xcalloc(1, sizeof(*mine));
	bool first;

	pthread_mutex_lock(&cache.lock);
	first = *find(path) == NULL;
	if (first) {
		*mine = (struct flight){ cache.flights, path };
		cache.flights = mine;
	}
	while (!first && *find(path) != NULL)
		pthread_cond_wait(&cache.landed, &cache.lock);
	pthread_mutex_unlock(&cache.lock);
	if (!first) {
		free(mine);
		free(path);
	}
	return first;
}

void
filecache_landed(const struct stet_file_place *p)
{
	char *path = path_of(p);
	struct flight **f, *gone;

	pthread_mutex_lock(&cache.lock);
	f = find(path);
	gone = *f;
	stet_assert(gone != NULL);
	*f = gone->next;
	pthread_cond_broadcast(&cache.landed);
	pthread_mutex_unlock(&cache.lock);
	free(gone->path);
	free(gone);
	free(path);
}
