/*
 * keeper.c - scheduled and requested backups, one at a time. Of several daemons of a site, the one
 * that holds the lease makes those that are scheduled; a requested one is made where it was
 * requested.
 */
#include "backup/keeper.h"
#include "archive/seal.h"
#include "backup/backup.h"
#include "backup/kept.h"
#include "backup/told.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/pace.h"
#include "base/thread.h"
#include "base/words.h"
#include "call/site.h"
#include "conf/confdatabase.h"
#include "work/lease.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAY_MS 86400000
#define MINUTE_MS 60000
#define RETRY_MS (15 * MINUTE_MS) /* after a failure */
#define LEASE "backup"
#define LOOK_MS 10000 /* between looks whether another daemon still makes them */

/* A site with scheduled backups, or with a requested one. */
struct keep {
	struct keep *next;
	struct site *site;
	struct alarm alarm;
	bool due, asked; /* a backup is pending: by schedule, or on request */
	json_t *status; /* as in the file, or newer if that cannot be written */
	bool scheduled; /* the site still has scheduled backups */
	struct keeper_stats stats; /* valid if scheduled */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct keep *first;
	struct keep *running; /* the site being backed up now */
	pthread_t thread;
	bool started, stopped;
	atomic_bool interrupt; /* interrupts the running backup */
	struct keeper_progress progress; /* progress of the running backup */
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

		due = (now - at) / DAY_MS * DAY_MS + at; /* the latest occurrence of that time */
		if (made >= due)
			due += DAY_MS;
	} else
		return -1;
	if (json_object_get(status, "error") != NULL && due < tried + RETRY_MS && tried <= now)
		due = tried + RETRY_MS;
	return due;
}

int64_t
keeper_period(const struct conf_site *conf)
{
	return conf->backup_at.set ? DAY_MS : conf->backup_every;
}

/* ---- one backup ---- */

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
	kept_remove_begun(conf);
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

/* Records the result of a backup in `of`, which is `status` itself or its member "asked". Writes
 * the status before the log line. */
static void
note(const struct conf_site *conf, json_t *status, json_t *of, const struct backup *b,
    const char *path, const char *why, int64_t ms)
{
	if (why != NULL) {
		json_object_set_new(of, "error", json_sprintf("%s", why));
		json_object_set_new(of, "failures", json_integer(number(of, "failures") + 1));
		write_status(conf->data, status);
		log_line(STET_ERROR, "site %s: the backup failed: %s", conf->name, why);
		return;
	}
	json_object_del(of, "error");
	json_object_set(of, "made", json_object_get(of, "tried"));
	json_object_set_new(of, "file", json_string(path));
	json_object_set_new(of, "bytes", json_integer((json_int_t)b->bytes));
	json_object_set_new(of, "ms", json_integer(ms));
	write_status(conf->data, status);
	log_line(STET_INFO, "site %s: backup %s, %llu bytes in %lld ms", conf->name, path,
	    (unsigned long long)b->bytes, (long long)ms);
}

static void
progress(void *arg, const char *what, uint64_t done, uint64_t all)
{
	(void)arg;
	pthread_mutex_lock(&keeper.lock);
	keeper.progress = (struct keeper_progress){ what, done, all };
	pthread_mutex_unlock(&keeper.lock);
}

static void
keep_one(const struct conf_site *conf, json_t *status, bool asked)
{
	char *directory = kept_directory(conf), *path, *why;
	json_t *of = asked ? json_object_get(status, "asked") : status;
	int64_t begun = clock_monotonic();
	char *database = conf->database != NULL ? confdatabase_place(conf) : NULL;
	struct backup b = { .site = conf->name,
		.database = database,
		.data = conf->data,
		.key_file = conf->key_file,
		.compress = true,
		.rate = BACKUP_RATE,
		.stop = &keeper.interrupt,
		.progress = progress };
	bool good;

	path = kept_path(conf, directory, clock_now(), asked);
	json_object_set_new(of, "tried", json_integer(clock_now()));
	good = make(conf, &b, directory, path, &why);
	/* An interrupted scheduled backup is made after the next start. */
	if (good || asked || !atomic_load(&keeper.interrupt)) {
		note(conf, status, of, &b, path, why, clock_monotonic() - begun);
		if (good)
			kept_prune(conf, asked);
	}
	backup_free(&b);
	free(database);
	free(why);
	free(path);
	free(directory);
}

/* Makes a scheduled backup if it is still due: schedule, clock or lease may have changed since the
 * alarm was set, and another daemon may have made one. */
static void
keep_if_due(struct site *site, const struct conf_site *conf, json_t *status)
{
	int64_t due;

	told_take(site, status);
	due = keeper_due(conf, status, clock_now());
	if (due >= 0 && due <= clock_now() && lease_hold(site, LEASE)) {
		keep_one(conf, status, false);
		told_put(site, status);
	}
}

static void
keep_asked(const struct conf_site *conf, json_t *status)
{
	if (!json_is_object(json_object_get(status, "asked")))
		json_object_set_new(status, "asked", json_object());
	keep_one(conf, status, true);
}

/* ---- the thread ---- */

/* Call it with the lock held. */
static void
set_alarm(struct keep *k)
{
	struct conf_site conf = site_conf(k->site);
	const json_t *status = k->status;
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
	if (due >= 0 && !lease_hold(k->site, LEASE) && due < clock_now() + LOOK_MS)
		due = clock_now() + LOOK_MS;
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

	while (k != NULL && !k->due && !k->asked)
		k = k->next;
	return k;
}

/* Makes the backup of a site, with the lock held except while it is made. */
static void
keep_next(struct keep *k)
{
	struct conf_site conf = site_conf(k->site);
	json_t *status = json_deep_copy(k->status);
	bool asked = k->asked;

	k->asked = false;
	if (!asked)
		k->due = false;
	keeper.running = k;
	keeper.progress = (struct keeper_progress){ .step = "beginning" };
	atomic_store(&keeper.interrupt, false);
	pthread_mutex_unlock(&keeper.lock);
	if (asked)
		keep_asked(&conf, status);
	else
		keep_if_due(k->site, &conf, status);
	pthread_mutex_lock(&keeper.lock);
	json_decref(k->status);
	k->status = status;
	keeper.running = NULL;
	if (!atomic_load(&keeper.interrupt))
		set_alarm(k);
	pthread_cond_broadcast(&keeper.change);
}

static void *
thread(void *arg)
{
	(void)arg;
	pace_background();
	pthread_mutex_lock(&keeper.lock);
	while (!keeper.stopped) {
		struct keep *k = next_due();

		if (k == NULL)
			pthread_cond_wait(&keeper.change, &keeper.lock);
		else
			keep_next(k);
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

/* Call it with the lock held. */
static struct keep *
add(struct site *site)
{
	struct conf_site conf = site_conf(site);
	struct keep *k = xcalloc(1, sizeof(*k));

	*k = (struct keep){ .next = keeper.first,
		.site = site,
		.alarm = { .ring = ring },
		.status = keeper_status(conf.data) };
	k->alarm.arg = k;
	keeper.first = k;
	return k;
}

void
keeper_site(struct site *site)
{
	struct conf_site conf = site_conf(site);
	struct keep *k;

	pthread_mutex_lock(&keeper.lock);
	k = *link_of(site);
	if (k == NULL && (conf.backup_every > 0 || conf.backup_at.set))
		k = add(site);
	if (k != NULL && k != keeper.running)
		set_alarm(k);
	pthread_mutex_unlock(&keeper.lock);
}

/* Returns true if the site is closing. A request after keeper_forget would never be removed. */
static bool
is_closing(struct site *site)
{
	bool closing;

	pthread_mutex_lock(&site->lock);
	closing = site->closing;
	pthread_mutex_unlock(&site->lock);
	return closing;
}

enum keeper_asked
keeper_ask(struct site *site, bool really)
{
	enum keeper_asked answer = KEEPER_ASKED;
	struct keep *k;

	pthread_mutex_lock(&keeper.lock);
	k = *link_of(site);
	if (!keeper.started || keeper.stopped || !site->daemon || is_closing(site))
		answer = KEEPER_ABSENT;
	else if (k != NULL && (k->asked || k->due || k == keeper.running))
		answer = KEEPER_BUSY;
	else if (really) {
		if (k == NULL)
			k = add(site);
		k->asked = true;
		pthread_cond_broadcast(&keeper.change);
	}
	pthread_mutex_unlock(&keeper.lock);
	return answer;
}

void
keeper_look(struct site *site, struct keeper_state *state)
{
	struct conf_site conf = site_conf(site);
	const struct keep *k;

	*state = (struct keeper_state){ 0 };
	pthread_mutex_lock(&keeper.lock);
	if ((k = *link_of(site)) != NULL) {
		state->status = json_deep_copy(k->status);
		state->running = k == keeper.running;
		state->waiting = !state->running && (k->asked || k->due);
		if (state->running)
			state->progress = keeper.progress;
	}
	pthread_mutex_unlock(&keeper.lock);
	if (state->status == NULL)
		state->status = keeper_status(conf.data);
	state->due = keeper_due(&conf, state->status, clock_now());
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
		alarm_unset(&k->alarm); /* its handler may run now: the lock must be free */
	if (k != NULL)
		json_decref(k->status);
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
