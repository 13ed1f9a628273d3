/* kept.c - the archives of a site in its directory, and the end of old ones. */
#include "backup/kept.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/pace.h"
#include "base/words.h"
#include "conf/retention.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".tar.zst"
#define SUFFIX_SEALED ".tar.zst.sealed"
#define ASKED "-asked"
#define STAMP 16 /* "20261122T093000Z" */

/* ---- names ---- */

char *
kept_directory(const struct conf_site *conf)
{
	return conf->backup_dir != NULL ? xstrdup(conf->backup_dir)
					: words_format("%s/" DATADIR_BACKUPS, conf->data);
}

static char *
path_at(const struct conf_site *conf, const char *directory, int64_t at, bool asked)
{
	char stamp[CLOCK_TEXT_SIZE];

	clock_digits(at, stamp);
	return words_format("%s/%s-%s%s%s", directory, conf->name, stamp, asked ? ASKED : "",
	    conf->backup_key != NULL ? SUFFIX_SEALED : SUFFIX);
}

char *
kept_path(const struct conf_site *conf, const char *directory, int64_t now, bool asked)
{
	char *path = path_at(conf, directory, now, asked);

	while (asked && access(path, F_OK) == 0) {
		free(path);
		path = path_at(conf, directory, now += 1000, asked);
	}
	return path;
}

/* Returns the time in the name of a backup of this site that the daemon made, or -1. */
static int64_t
time_of(const char *site, const char *name, bool *asked)
{
	size_t len = strlen(site);
	struct tm tm = { 0 };
	const char *end;

	if (strncmp(name, site, len) != 0 || name[len] != '-' ||
	    strlen(name + len + 1) < STAMP + strlen(SUFFIX))
		return -1;
	name += len + 1;
	end = strptime(name, "%Y%m%dT%H%M%SZ", &tm);
	if (end != name + STAMP)
		return -1;
	*asked = strncmp(end, ASKED, strlen(ASKED)) == 0;
	if (*asked)
		end += strlen(ASKED);
	if (strcmp(end, SUFFIX) != 0 && strcmp(end, SUFFIX_SEALED) != 0)
		return -1;
	return (int64_t)timegm(&tm) * 1000;
}

/* ---- the list ---- */

static int
newest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->at < y->at ? 1 : x->at > y->at ? -1 : 0;
}

static struct kept *
read_all(DIR *dir, const char *site, size_t *count)
{
	const struct dirent *entry;
	struct kept *list = NULL;

	while ((entry = readdir(dir)) != NULL) {
		struct kept one = { 0 };
		struct stat st;

		if ((one.at = time_of(site, entry->d_name, &one.asked)) < 0)
			continue;
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			one.bytes = (uint64_t)st.st_size;
		one.name = xstrdup(entry->d_name);
		list = xrealloc(list, (*count + 1) * sizeof(*list));
		list[(*count)++] = one;
	}
	if (*count > 0)
		qsort(list, *count, sizeof(*list), newest_first);
	return list;
}

struct kept *
kept_list(const struct conf_site *conf, size_t *count, char **why)
{
	char *directory = kept_directory(conf);
	DIR *dir = opendir(directory);
	struct kept *list = NULL;

	*count = 0;
	*why = NULL;
	if (dir != NULL) {
		list = read_all(dir, conf->name, count);
		closedir(dir);
	} else if (errno != ENOENT)
		*why = words_format("%s: %s", directory, strerror(errno));
	free(directory);
	return list;
}

void
kept_free(struct kept *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].name);
	free(list);
}

/* ---- retention ---- */

static bool
remove_archive(const char *directory, const char *name)
{
	char *path = words_format("%s/%s", directory, name);
	int fd = pace_hold(AT_FDCWD, path);
	bool gone = unlink(path) == 0;

	pace_drop(fd);
	free(path);
	return gone;
}

/* Chooses the backups that stay, from times with the newest first. Returns false if none is to be
 * removed. */
static bool
choose(const struct conf_site *conf, bool asked, const int64_t *times, size_t count, bool *stays)
{
	struct retention policy;

	if (asked) {
		for (size_t i = 0; i < count; i++)
			stays[i] = i < KEPT_ASKED;
		return true;
	}
	if (conf->backup_keep == NULL || !retention_parse(conf->backup_keep, &policy))
		return false;
	retention_choose(&policy, times, count, stays);
	return true;
}

void
kept_prune(const struct conf_site *conf, bool asked)
{
	char *directory = kept_directory(conf), *why;
	size_t all, count = 0;
	struct kept *list = kept_list(conf, &all, &why);
	int64_t *times = xcalloc(all + 1, sizeof(*times));
	bool *stays = xcalloc(all + 1, sizeof(*stays));

	for (size_t i = 0; i < all; i++)
		if (list[i].asked == asked)
			times[count++] = list[i].at;
	if (choose(conf, asked, times, count, stays))
		for (size_t i = 0, at = 0; i < all; i++)
			if (list[i].asked == asked && !stays[at++] &&
			    remove_archive(directory, list[i].name))
				log_line(STET_INFO, "site %s: the backup %s is removed", conf->name,
				    list[i].name);
	kept_free(list, all);
	free(times);
	free(stays);
	free(directory);
	free(why);
}

void
kept_remove_begun(const struct conf_site *conf)
{
	char *prefix = words_format(".%s-", conf->name), *directory = kept_directory(conf);
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	bool asked;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		size_t len = strlen(name);
		char *whole =
		    len > 7 ? words_format("%.*s", (int)(len - 8), name + 1) : xstrdup("");

		if (strncmp(name, prefix, strlen(prefix)) == 0 && name[len - 7] == '.' &&
		    time_of(conf->name, whole, &asked) >= 0)
			(void)unlinkat(dirfd(dir), name, 0);
		free(whole);
	}
	if (dir != NULL)
		closedir(dir);
	free(prefix);
	free(directory);
}
