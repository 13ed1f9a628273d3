/* upgrade.c - copies databases before migrations, and reports why a site is delayed. */
#include "site/upgrade.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include "call/site.h"
#include "db/sqlite/dbcopy.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "stet-"
#define SUFFIX ".db"
/* Limit including copies of interrupted attempts. */
#define COPIES_MOST (2 * UPGRADE_KEPT)
#define UNFINISHED ".part" /* suffix of a copy that is being made */

/* ---- progress ---- */

struct told {
	struct told *next;
	const struct site *site;
	char *what;
};

static pthread_mutex_t told_lock = PTHREAD_MUTEX_INITIALIZER;
static struct told *told;

void
upgrade_tell(const struct site *site, const char *what)
{
	struct told **link = &told, *t;

	pthread_mutex_lock(&told_lock);
	while ((t = *link) != NULL && t->site != site)
		link = &t->next;
	if (t == NULL && what != NULL) {
		t = *link = xcalloc(1, sizeof(*t));
		t->site = site;
	}
	if (t != NULL) {
		free(t->what);
		t->what = what != NULL ? xstrdup(what) : NULL;
	}
	if (t != NULL && what == NULL) {
		*link = t->next;
		free(t);
	}
	pthread_mutex_unlock(&told_lock);
}

bool
upgrade_told(struct buf *b)
{
	bool any;

	pthread_mutex_lock(&told_lock);
	any = told != NULL;
	for (const struct told *t = told; t != NULL; t = t->next)
		buf_printf(b, "site %s: %s\n", site_name(t->site), t->what);
	pthread_mutex_unlock(&told_lock);
	return any;
}

/* ---- the end of the process ---- */

atomic_bool upgrade_stopped;

void
upgrade_stop(void)
{
	atomic_store(&upgrade_stopped, true);
}

/* ---- the copy ---- */

static bool
make_directory(const char *directory, char **why)
{
	if (mkdir(directory, 0700) == 0)
		dir_give_path(directory);
	else if (errno != EEXIST) {
		*why = words_format("%s: %s", directory, strerror(errno));
		return false;
	}
	return true;
}

/* Names contain the time and sort by it. */
static int
is_copy(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > strlen(PREFIX SUFFIX) && strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
	       strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX) == 0;
}

/* Selects files of unfinished copies, as after a power loss. */
static int
is_unfinished(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), end = strlen(UNFINISHED);

	return len > end && strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
	       strcmp(entry->d_name + len - end, UNFINISHED) == 0;
}

/* Removes all but the newest `kept` files. */
static void
thin_out(const char *directory, int (*is)(const struct dirent *), int kept)
{
	struct dirent **list;
	int count = scandir(directory, &list, is, alphasort);

	for (int i = 0; i < count; i++) {
		char *path = words_format("%s/%s", directory, list[i]->d_name);

		if (i < count - kept)
			(void)unlink(path);
		free(path);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
}

struct watch {
	const struct site *site;
	unsigned percent;
};

static void
progress(void *arg, uint64_t done, uint64_t all)
{
	struct watch *w = arg;
	unsigned percent = all > 0 ? (unsigned)(done * 100 / all) : 0;
	char what[80];

	if (percent == w->percent)
		return;
	w->percent = percent;
	(void)snprintf(
	    what, sizeof(what), "its database is copied before an upgrade, %u %%", percent);
	upgrade_tell(w->site, what);
}

/* Returns an unused name, because two starts may happen in one second. */
static char *
free_name(const char *directory)
{
	char now[CLOCK_TEXT_SIZE], *path;

	clock_digits(clock_now(), now);
	path = words_format("%s/" PREFIX "%s" SUFFIX, directory, now);
	for (int n = 2; access(path, F_OK) == 0; n++) {
		free(path);
		path = words_format("%s/" PREFIX "%s-%d" SUFFIX, directory, now, n);
	}
	return path;
}

static bool
give_name(const char *part, const char *path, char **why)
{
	if (rename(part, path) == 0)
		return true;
	*why = words_format("%s: %s", path, strerror(errno));
	return false;
}

/* Copies the database under a temporary name and renames it, so that the final name never has a
 * partial copy. */
static bool
copy(struct site *site, const char *directory, const char *path, char **why)
{
	char *part = words_format("%s" UNFINISHED, path);
	struct watch w = { .site = site };
	struct dbcopy c = {
		.from = site->db_file,
		.to = part,
		.pace = { .stop = &upgrade_stopped },
		.progress = progress,
		.arg = &w,
	};
	bool good;

	c.fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (c.fd < 0) {
		*why = words_format("%s: %s", part, strerror(errno));
		free(part);
		return false;
	}
	dir_give(c.fd, directory);
	good = dbcopy_run(&c, why) && give_name(part, path, why) && dir_sync(directory, why);
	close(c.fd);
	if (!good)
		(void)unlink(part);
	free(part);
	return good;
}

bool
upgrade_copy(struct site *site, char **why)
{
	char *data, *directory, *path;
	bool good;

	*why = NULL;
	if (site->copy != NULL)
		return true;
	if (site->db_file == NULL) {
		log_line(STET_INFO,
		    "site %s: its database is in PostgreSQL, so no copy is made before migrations",
		    site->conf.name);
		return true;
	}
	data = dir_parent_dup(site->db_file);
	directory = words_format("%s/" DATADIR_UPGRADES, data);
	path = free_name(directory);
	thin_out(directory, is_unfinished, 0);
	thin_out(directory, is_copy, COPIES_MOST - 1);
	good = dir_room(data, dbcopy_room(site->db_file), why) && make_directory(directory, why) &&
	       copy(site, directory, path, why);
	if (good) {
		log_line(STET_INFO, "site %s: the database before migrations is kept as %s",
		    site->conf.name, path);
		site->copy = path;
	} else {
		free(path);
	}
	free(data);
	free(directory);
	return good;
}

void
upgrade_ended(struct site *site, bool applied)
{
	char *directory;

	if (site->copy == NULL || site->upgraded)
		return;
	if (!applied) {
		log_line(STET_INFO, "site %s: nothing was changed, so %s is removed",
		    site->conf.name, site->copy);
		(void)unlink(site->copy);
		free(site->copy);
		site->copy = NULL;
		return;
	}
	site->upgraded = true;
	directory = dir_parent_dup(site->copy);
	thin_out(directory, is_copy, UPGRADE_KEPT);
	free(directory);
}
