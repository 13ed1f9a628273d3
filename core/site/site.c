/*
 * site.c - opens and closes a site.
 *
 * Closing has two steps. site_shut ends what works by itself (jobs, deliveries) and drops the
 * current generation. Calls that still run hold references to it; when the last one ends,
 * everything is closed, on a thread of its own.
 */
#include "site/site.h"
#include "site/noted.h"

#include "backup/keeper.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/words.h"
#include "call/site.h"
#include "conf/conf.h"
#include "conf/confdatabase.h"
#include "conf/confdriver.h"
#include "conf/confkey.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/reader.h"
#include "db/writer.h"
#include "module/module.h"
#include "module/series.h"
#include "op/far.h"
#include "secrets/vault.h"
#include "site/compile.h"
#include "site/datadir.h"
#include "work/beacon.h"
#include "work/jobs.h"
#include "work/lease.h"
#include "work/outbox.h"
#include "work/wakes.h"
#include "work/watch.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLOSE_WAIT 5 /* seconds that site_free waits for calls to end */

struct conf_retired {
	struct conf_retired *next;
	struct conf_site conf;
};

/* One lock for all sites: closing is rare. */
static pthread_mutex_t closing_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closing_done = PTHREAD_COND_INITIALIZER;

/* ---- the configuration ---- */

/* Returns true if the key keeps its value while the site is open: the data directory, which is read
 * without a lock, the name, which is replaced apart, and those that need a restart. */
static bool
stays(const struct conf_key *k)
{
	return k->restart || k->offset == offsetof(struct conf_site, data) ||
	       k->offset == offsetof(struct conf_site, name);
}

/* Calls may be reading the old configuration, so it is kept until the site is freed; what stays
 * is exchanged between the two. */
void
site_configure(struct site *site, const struct conf_site *conf)
{
	struct conf_retired *old = xcalloc(1, sizeof(*old));
	struct conf_site now = conf_site_dup(conf);

	pthread_mutex_lock(&site->lock);
	old->conf = site->conf;
	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++)
		if (stays(k) && k->offset != offsetof(struct conf_site, name))
			confkey_move(k, &old->conf, &now);
	old->next = site->retired;
	site->retired = old;
	__atomic_store_n(&site->conf.name, now.name, __ATOMIC_RELEASE);
	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++)
		if (!stays(k))
			confkey_move(k, &site->conf, &now);
	site->conf.brought = now.brought;
	pthread_mutex_unlock(&site->lock);
}

char *
site_changed(struct site *site, const struct conf_site *conf)
{
	struct conf_site now = site_conf(site);
	char *changed = confkey_changed(conf_site_keys, &now, conf, false);
	struct buf names = { 0 };

	if (changed != NULL)
		buf_str(&names, changed);
	free(changed);
	confdriver_changed(&now, conf, &names);
	return names.data;
}

char *
site_pending(struct site *site, const struct conf_site *conf)
{
	struct conf_site now = site_conf(site);

	return confkey_changed(conf_site_keys, &now, conf, true);
}

/* ---- opening and closing the parts of a site ---- */

static void generation_ended(struct site *);

static struct site *
site_new(const struct conf_site *conf, bool daemon)
{
	static atomic_uint_fast64_t last_id;
	struct site *site = xcalloc(1, sizeof(*site));

	site->conf = conf_site_dup(conf);
	site->daemon = daemon;
	site->ended = generation_ended;
	site->follow = compile_follow;
	site->lock_fd = -1;
	pthread_mutex_init(&site->lock, NULL);
	pthread_mutex_init(&site->compiling, NULL);
	atomic_init(&site->generations, 0);
	atomic_init(&site->daemons, 1);
	site->db_place = confdatabase_place(conf);
	site->db_file = confdatabase_file(conf);
	site->tmp_path = words_format("%s/" DATADIR_TMP, conf->data);
	site->id = atomic_fetch_add(&last_id, 1) + 1;
	far_open(site);
	return site;
}

/* Closes everything that is open. No call runs any more. */
static void
close_down(struct site *site)
{
	if (site->writer != NULL)
		writer_close(site->writer);
	lease_close(site);
	wakes_close(site);
	/* What modules have cached with its connections ends before them. */
	far_close(site);
	for (size_t i = 0; i < modules_count(); i++) {
		if (site->opened[i] && modules_at(i)->m.close != NULL)
			modules_at(i)->m.close(site->state[i]);
		free(site->state[i]);
	}
	reader_retire(site);
	datadir_leave(site);
	pthread_mutex_lock(&closing_lock);
	site->closed_down = true;
	pthread_cond_broadcast(&closing_done);
	pthread_mutex_unlock(&closing_lock);
}

static void *
close_down_thread(void *site)
{
	close_down(site);
	return NULL;
}

static bool
last_is_gone(struct site *site)
{
	bool last;

	pthread_mutex_lock(&site->lock);
	last = --site->live == 0 && site->closing;
	pthread_mutex_unlock(&site->lock);
	return last;
}

/* Runs on the thread on which the last call ended, which closing may have to wait for. */
static void
generation_ended(struct site *site)
{
	if (last_is_gone(site) && !thread_detach("stet-close", close_down_thread, site))
		log_line(STET_ERROR, "site %s stays open: there is no thread to close it",
		    site->conf.name);
}

/* Ends jobs and deliveries while there is still a generation for them. */
static void *
shut_down(void *arg)
{
	struct site *site = arg;
	struct generation *last;

	pthread_mutex_lock(&site->compiling);
	pthread_mutex_lock(&site->lock);
	site->closing = true;
	site->live++; /* our own reference: nobody closes the site before this function ends */
	pthread_mutex_unlock(&site->lock);
	pthread_mutex_unlock(&site->compiling);
	if (site->outbox != NULL)
		outbox_stop(site);
	if (site->daemon) {
		keeper_forget(site);
		jobs_forget(site);
	}
	watch_stop(site);
	pthread_mutex_lock(&site->lock);
	last = site->current;
	site->current = NULL;
	pthread_mutex_unlock(&site->lock);
	if (last != NULL)
		generation_put(last);
	if (last_is_gone(site))
		close_down(site);
	return NULL;
}

void
site_shut(struct site *site, bool wait)
{
	if (wait || !thread_detach("stet-close", shut_down, site))
		shut_down(site);
}

void
site_free(struct site *site)
{
	struct timespec until;
	int timeout = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += CLOSE_WAIT;
	pthread_mutex_lock(&closing_lock);
	while (!site->closed_down && timeout == 0)
		timeout = pthread_cond_timedwait(&closing_done, &closing_lock, &until);
	pthread_mutex_unlock(&closing_lock);
	if (timeout != 0) {
		log_line(STET_WARN, "site %s: calls are still running", site->conf.name);
		return;
	}
	for (struct conf_retired *old = site->retired, *next; old != NULL; old = next) {
		next = old->next;
		conf_site_drop(&old->conf);
		free(old);
	}
	watch_free(site);
	vault_free(site);
	series_free(site);
	free(site->shares);
	beacon_free(site);
	conf_site_drop(&site->conf);
	free(site->db_place);
	free(site->db_file);
	free(site->copy);
	free(site->tmp_path);
	for (size_t i = 0; i < MODULES_MAX; i++)
		free(site->unmigrated[i]);
	free(site->broken);
	free(site->failure);
	pthread_mutex_destroy(&site->lock);
	pthread_mutex_destroy(&site->compiling);
	free(site);
}

void
site_close(struct site *site)
{
	site_shut(site, true);
	site_free(site);
}

struct site *
site_failed(const struct conf_site *conf, const char *why)
{
	struct site *site = site_new(conf, false);

	site->failure = xstrdup(why);
	return site;
}

/* ---- opening ---- */

/* Returns true if there is a database that need not be opened for writing yet. */
static bool
is_there(struct site *site)
{
	struct db *db;
	bool alive;

	if (site->db_file != NULL && access(site->db_file, F_OK) != 0)
		return false;
	if ((db = reader_get(site)) == NULL)
		return false;
	alive = db_alive(db);
	reader_put(db);
	return alive;
}

/* A place that no driver is named for would be the path of a file. */
char *
site_lacks_engine(const struct conf_site *conf)
{
	char *place = confdatabase_place(conf);
	const struct db_driver *driver = db_driver_of(place);
	bool has = conf->database == NULL || (driver != NULL && *driver->scheme != '\0');

	free(place);
	if (has)
		return NULL;
	return words_format(
	    "its database is in PostgreSQL, and no module brings that engine:"
	    " database-postgresql.so is not in module-path, or was left out when stet was built"
	    " (--without-postgresql)");
}

/* A daemon with another key than the others would seal what they cannot open. Where it is the only
 * one, as with SQLite, it may go on without secrets (vault.h). */
static bool
has_key(struct site *site, char **why)
{
	char *problem;

	if (!site->daemon || !site->shared)
		return true;
	if ((problem = vault_problem(site)) == NULL)
		return true;
	pthread_mutex_lock(&site->lock);
	*why =
	    site->broken != NULL
		? xstrdup(site->broken)
		: words_format("other daemons use its database, and this one has not their key: %s",
		      problem);
	pthread_mutex_unlock(&site->lock);
	free(problem);
	return false;
}

static struct site *
open_new(struct site *site, char **why)
{
	*why = site_lacks_engine(&site->conf);
	if (*why != NULL || !datadir_make(site, why) || !datadir_take(site, why))
		goto failed;
	site->shared = db_driver_of(site->db_place)->shared;
	lease_open(site);
	wakes_open(site);
	site->writer = writer_open(site, is_there(site));
	if (site->writer == NULL) {
		*why = words_format("%s cannot be opened: the log says why", site->db_place);
		goto failed;
	}
	if (compile_site(site, why) != STET_OK || !has_key(site, why))
		goto failed;
	if (site->daemon) {
		noted_take(site);
		watch_start(site);
		outbox_start(site);
	}
	writer_rest(site->writer, false);
	return site;
failed:
	site_close(site);
	return NULL;
}

struct site *
site_open(const struct conf_site *conf, bool daemon, char **why)
{
	return open_new(site_new(conf, daemon), why);
}

struct site *
site_look(const struct conf_site *conf, char **why)
{
	struct site *site = site_new(conf, false);

	site->looking = true;
	return open_new(site, why);
}

bool
site_plan(const struct conf_site *conf, json_t *pending, char **why)
{
	struct site *site = site_new(conf, false);

	site->looking = true;
	site->pending = pending;
	if ((site = open_new(site, why)) == NULL)
		return false;
	if (site->broken != NULL)
		*why = xstrdup(site->broken);
	site_close(site);
	return *why == NULL;
}
