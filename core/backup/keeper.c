/* keeper.c - scheduled backups, one at a time, and the end of old ones. */
#include "backup/keeper.h"
#include "archive/seal.h"
#include "backup/backup.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/pace.h"
#include "base/thread.h"
#include "base/words.h"
#include "call/site.h"
#include "conf/retention.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DAY_MS 86400000
#define MINUTE_MS 60000
#define RETRY_MS (15 * MINUTE_MS) /* after a failure */
#define SUFFIX ".tar.zst"
#define SUFFIX_SEALED ".tar.zst.sealed"
#define STAMP 16 /* "20261122T093000Z" */

/* A site with scheduled backups. */
struct keep {
	struct keep *next;
	struct site *site;
	struct alarm alarm;
	bool due;
	bool scheduled; /* still */
	struct keeper_stats stats; /* if so */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct keep *first;
	struct keep *running; /* the one that is backed up now */
	pthread_t thread;
	bool started, stopped;
	atomic_bool interrupt; /* of the running one */
} keeper = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

/* ---- the status ---- */

json_t *
keeper_status(const char *data)
{
	char *path = words_format("%s/" KEEPER_STATUS, data);
	json_t *status = json_load_file(path, 0, NULL);

	free(path);
	if (json_is_object(status))
		return status;
	json_decref(status);
	return json_object();
}

static void
write_status(const char *data, const json_t *status)
{
	char *why;

	if (!dir_put_json(data, KEEPER_STATUS, status, &why)) {
		log_line(STET_WARN, "%s", why);
		free(why);
	}
}

static int64_t
number(const json_t *status, const char *name)
{
	return json_integer_value(json_object_get(status, name));
}

/* ---- when ---- */

int64_t
keeper_due(const struct conf_site *conf, const json_t *status, int64_t now)
{
	int64_t made = number(status, "made"), tried = number(status, "tried"), due;

	if (conf->backup_every > 0)
		due = made == 0 ? now : made + conf->backup_every;
	else if (conf->backup_at.set) {
		int64_t at = (int64_t)conf->backup_at.of_day * MINUTE_MS;

		due = (now - at) / DAY_MS * DAY_MS + at; /* the last time that it was so late */
		if (made >= due)
			due += DAY_MS;
	} else
		return -1;
	if (json_object_get(status, "error") != NULL && due < tried + RETRY_MS && tried <= now)
		due = tried + RETRY_MS;
	return due;
}

char *
keeper_directory(const struct conf_site *conf)
{
	return conf->backup_dir != NULL ? xstrdup(conf->backup_dir)
					: words_format("%s/" DATADIR_BACKUPS, conf->data);
}

/* ---- old ones ---- */

struct old {
	char *name;
	int64_t at;
};

static int
newest_first(const void *a, const void *b)
{
	const struct old *x = a, *y = b;

	return x->at < y->at ? 1 : x->at > y->at ? -1 : 0;
}

/* The time in a name that we gave to a backup of this site, or -1. */
static int64_t
time_of(const char *site, const char *name)
{
	size_t len = strlen(site);
	struct tm tm = { 0 };
	const char *end;

	if (strncmp(name, site, len) != 0 || name[len] != '-' ||
	    strlen(name + len + 1) < STAMP + strlen(SUFFIX))
		return -1;
	name += len + 1;
	end = strptime(name, "%Y%m%dT%H%M%SZ", &tm);
	if (end != name + STAMP || (strcmp(end, SUFFIX) != 0 && strcmp(end, SUFFIX_SEALED) != 0))
		return -1;
	return (int64_t)timegm(&tm) * 1000;
}

static struct old *
list_old(DIR *dir, const char *site, size_t *count)
{
	const struct dirent *entry;
	struct old *list = NULL;

	*count = 0;
	while ((entry = readdir(dir)) != NULL) {
		int64_t at = time_of(site, entry->d_name);

		if (at < 0)
			continue;
		list = xrealloc(list, (*count + 1) * sizeof(*list));
		list[(*count)++] = (struct old){ xstrdup(entry->d_name), at };
	}
	if (*count > 0)
		qsort(list, *count, sizeof(*list), newest_first);
	return list;
}

static bool
remove_archive(int dir, const char *name)
{
	int fd = pace_hold(dir, name);
	bool gone = unlinkat(dir, name, 0) == 0;

	pace_drop(fd);
	return gone;
}

static void
remove_old(const struct conf_site *conf, const char *directory)
{
	DIR *dir = opendir(directory);
	struct retention policy;
	struct old *list;
	int64_t *times;
	bool *kept;
	size_t count;

	if (dir == NULL || conf->backup_keep == NULL ||
	    !retention_parse(conf->backup_keep, &policy)) {
		if (dir != NULL)
			closedir(dir);
		return;
	}
	list = list_old(dir, conf->name, &count);
	times = xcalloc(count + 1, sizeof(*times));
	kept = xcalloc(count + 1, sizeof(*kept));
	for (size_t i = 0; i < count; i++)
		times[i] = list[i].at;
	retention_choose(&policy, times, count, kept);
	for (size_t i = 0; i < count; i++) {
		if (!kept[i] && remove_archive(dirfd(dir), list[i].name))
			log_line(STET_INFO, "site %s: the backup %s is removed", conf->name,
			    list[i].name);
		free(list[i].name);
	}
	free(list);
	free(times);
	free(kept);
	closedir(dir);
}

/* What a daemon that was killed had begun. */
static void
remove_begun(const struct conf_site *conf, const char *directory)
{
	char *prefix = words_format(".%s-", conf->name);
	DIR *dir = opendir(directory);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		size_t len = strlen(name);
		char *whole =
		    len > 7 ? words_format("%.*s", (int)(len - 8), name + 1) : xstrdup("");

		if (strncmp(name, prefix, strlen(prefix)) == 0 && name[len - 7] == '.' &&
		    time_of(conf->name, whole) >= 0)
			(void)unlinkat(dirfd(dir), name, 0);
		free(whole);
	}
	if (dir != NULL)
		closedir(dir);
	free(prefix);
}

/* ---- one backup ---- */

static char *
path_of(const struct conf_site *conf, const char *directory, int64_t now)
{
	char stamp[CLOCK_TEXT_SIZE];

	clock_digits(now, stamp);
	return words_format("%s/%s-%s%s", directory, conf->name, stamp,
	    conf->backup_key != NULL ? SUFFIX_SEALED : SUFFIX);
}

static bool
make_directory(const char *directory, char **why)
{
	if (mkdir(directory, 0700) == 0 || errno == EEXIST)
		return true;
	*why = words_format("%s: %s", directory, strerror(errno));
	return false;
}

static bool
make(const struct conf_site *conf, struct backup *b, const char *directory, const char *path,
    char **why)
{
	struct seal_key key = { .kind = SEAL_NONE };
	struct stat st;

	*why = NULL;
	if (conf->backup_key != NULL && !seal_key_parse(&key, conf->backup_key, false)) {
		*why = words_format("backup-public-key is no key");
		return false;
	}
	if (!make_directory(directory, why))
		return false;
	remove_begun(conf, directory);
	if (stat(directory, &st) == 0) {
		b->avoid_device = st.st_dev;
		b->avoid = st.st_ino;
	}
	b->key = &key;
	if (!backup_file(b, path, false, why))
		return false;
	if (b->keyless != NULL)
		log_line(STET_WARN, "site %s: its backup lacks the key of the site: %s", conf->name,
		    b->keyless);
	if (b->damage != NULL)
		*why = words_format("%s is made, but the database is damaged: %s", path, b->damage);
	return b->damage == NULL;
}

/* Whoever reads the log finds the status written. */
static void
note(const struct conf_site *conf, json_t *status, const struct backup *b, const char *path,
    const char *why, int64_t ms)
{
	if (why != NULL) {
		json_object_set_new(status, "error", json_sprintf("%s", why));
		json_object_set_new(
		    status, "failures", json_integer(number(status, "failures") + 1));
		write_status(conf->data, status);
		log_line(STET_ERROR, "site %s: the backup failed: %s", conf->name, why);
		return;
	}
	json_object_del(status, "error");
	json_object_set(status, "made", json_object_get(status, "tried"));
	json_object_set_new(status, "file", json_string(path));
	json_object_set_new(status, "bytes", json_integer((json_int_t)b->bytes));
	json_object_set_new(status, "ms", json_integer(ms));
	write_status(conf->data, status);
	log_line(STET_INFO, "site %s: backup %s, %llu bytes in %lld ms", conf->name, path,
	    (unsigned long long)b->bytes, (long long)ms);
}

static void
keep_one(const struct conf_site *conf, json_t *status)
{
	char *directory = keeper_directory(conf), *path, *why;
	int64_t begun = clock_monotonic();
	struct backup b = { .site = conf->name,
		.data = conf->data,
		.key_file = conf->key_file,
		.compress = true,
		.rate = BACKUP_RATE,
		.stop = &keeper.interrupt };
	bool good;

	path = path_of(conf, directory, clock_now());
	json_object_set_new(status, "tried", json_integer(clock_now()));
	good = make(conf, &b, directory, path, &why);
	if (good || !atomic_load(&keeper.interrupt)) {
		note(conf, status, &b, path, why, clock_monotonic() - begun);
		if (good)
			remove_old(conf, directory);
	}
	backup_free(&b);
	free(why);
	free(path);
	free(directory);
}

/* The alarm may be older than the terms, or the clock. */
static void
keep_if_due(struct site *site)
{
	struct conf_site conf = site_conf(site);
	json_t *status = keeper_status(conf.data);
	int64_t due = keeper_due(&conf, status, clock_now());

	if (due >= 0 && due <= clock_now())
		keep_one(&conf, status);
	json_decref(status);
}

/* ---- the thread ---- */

/* With the lock held. */
static void
set_alarm(struct keep *k)
{
	struct conf_site conf = site_conf(k->site);
	json_t *status = keeper_status(conf.data);
	int64_t due = keeper_due(&conf, status, clock_now());

	k->scheduled = due >= 0;
	k->stats = (struct keeper_stats){
		.made = number(status, "made"),
		.due = due,
		.took = number(status, "ms"),
		.bytes = number(status, "bytes"),
		.failures = number(status, "failures"),
		.failing = json_object_get(status, "error") != NULL,
	};
	json_decref(status);
	if (due >= 0)
		alarm_set(&k->alarm, due);
}

static void
ring(void *arg)
{
	struct keep *k = arg;

	pthread_mutex_lock(&keeper.lock);
	k->due = true;
	pthread_cond_broadcast(&keeper.change);
	pthread_mutex_unlock(&keeper.lock);
}

static struct keep *
next_due(void)
{
	struct keep *k = keeper.first;

	while (k != NULL && !k->due)
		k = k->next;
	return k;
}

static void *
thread(void *arg)
{
	(void)arg;
	pace_background();
	pthread_mutex_lock(&keeper.lock);
	while (!keeper.stopped) {
		struct keep *k = next_due();

		if (k == NULL) {
			pthread_cond_wait(&keeper.change, &keeper.lock);
			continue;
		}
		k->due = false;
		keeper.running = k;
		atomic_store(&keeper.interrupt, false);
		pthread_mutex_unlock(&keeper.lock);
		keep_if_due(k->site);
		pthread_mutex_lock(&keeper.lock);
		keeper.running = NULL;
		if (!atomic_load(&keeper.interrupt))
			set_alarm(k);
		pthread_cond_broadcast(&keeper.change);
	}
	pthread_mutex_unlock(&keeper.lock);
	return NULL;
}

/* ---- sites ---- */

static struct keep **
link_of(const struct site *site)
{
	struct keep **link = &keeper.first;

	while (*link != NULL && (*link)->site != site)
		link = &(*link)->next;
	return link;
}

bool
keeper_stats(const struct site *site, struct keeper_stats *stats)
{
	const struct keep *k;
	bool scheduled;

	pthread_mutex_lock(&keeper.lock);
	k = *link_of(site);
	scheduled = k != NULL && k->scheduled;
	if (scheduled)
		*stats = k->stats;
	pthread_mutex_unlock(&keeper.lock);
	return scheduled;
}

void
keeper_site(struct site *site)
{
	struct conf_site conf = site_conf(site);
	struct keep *k;

	pthread_mutex_lock(&keeper.lock);
	k = *link_of(site);
	if (k == NULL && (conf.backup_every > 0 || conf.backup_at.set)) {
		k = xcalloc(1, sizeof(*k));
		*k = (struct keep){ .next = keeper.first, .site = site, .alarm = { .ring = ring } };
		k->alarm.arg = k;
		keeper.first = k;
	}
	if (k != NULL && k != keeper.running)
		set_alarm(k);
	pthread_mutex_unlock(&keeper.lock);
}

void
keeper_forget(struct site *site)
{
	struct keep **link, *k;

	pthread_mutex_lock(&keeper.lock);
	k = *link_of(site);
	while (k != NULL && keeper.running == k) {
		atomic_store(&keeper.interrupt, true);
		pthread_cond_wait(&keeper.change, &keeper.lock);
	}
	link = link_of(site);
	if (k != NULL)
		*link = k->next;
	pthread_mutex_unlock(&keeper.lock);
	if (k != NULL)
		alarm_unset(&k->alarm); /* it may be ringing: the lock is free */
	free(k);
}

void
keeper_start(void)
{
	keeper.stopped = false;
	keeper.started = true;
	thread_start(&keeper.thread, "stet-keeper", thread, NULL);
}

void
keeper_stop(void)
{
	if (!keeper.started)
		return;
	pthread_mutex_lock(&keeper.lock);
	keeper.stopped = true;
	atomic_store(&keeper.interrupt, true);
	pthread_cond_broadcast(&keeper.change);
	pthread_mutex_unlock(&keeper.lock);
	pthread_join(keeper.thread, NULL);
	keeper.started = false;
}
