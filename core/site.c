/* site.c - one site: opened and closed, and what it is called. */
#include "site.h"

#include "arena.h"
#include "datadir.h"
#include "db.h"
#include "jobs.h"
#include "keeper.h"
#include "log.h"
#include "outbox.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLOSE_WAIT 5 /* seconds that site_free waits for calls */

struct conf_retired {
	struct conf_retired *next;
	struct conf_site conf;
};

/* Of all sites: closing down is rare. */
static pthread_mutex_t closing_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closing_done = PTHREAD_COND_INITIALIZER;

char *
site_words(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	return text;
}

/* ---- the configuration ---- */

static char **
list_dup(char **list)
{
	size_t n = 0;
	char **copy;

	while (list != NULL && list[n] != NULL)
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(list[i]);
	return copy;
}

static void
list_free(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

static char *
dup_or_null(const char *text)
{
	return text != NULL ? xstrdup(text) : NULL;
}

static struct conf_site
conf_dup(const struct conf_site *conf)
{
	return (struct conf_site){
		.name = xstrdup(conf->name),
		.base_url = xstrdup(conf->base_url != NULL ? conf->base_url : ""),
		.data = xstrdup(conf->data),
		.hosts = list_dup(conf->hosts),
		.locales = list_dup(conf->locales),
		.modules = list_dup(conf->modules),
		.cors_origins = list_dup(conf->cors_origins),
		.cors_credentials = conf->cors_credentials,
		.fetch_allow = list_dup(conf->fetch_allow),
		.fetch_ca = conf->fetch_ca == NULL ? NULL : xstrdup(conf->fetch_ca),
		.hsts = conf->hsts,
		.rates = conf->rates,
		.backup_dir = dup_or_null(conf->backup_dir),
		.backup_keep = dup_or_null(conf->backup_keep),
		.backup_key = dup_or_null(conf->backup_key),
		.backup_every = conf->backup_every,
		.backup_daily = conf->backup_daily,
		.backup_minute = conf->backup_minute,
	};
}

static void
conf_drop(struct conf_site *conf)
{
	free(conf->name);
	free(conf->base_url);
	free(conf->data);
	list_free(conf->hosts);
	list_free(conf->locales);
	list_free(conf->modules);
	list_free(conf->cors_origins);
	list_free(conf->fetch_allow);
	free(conf->fetch_ca);
	free(conf->backup_dir);
	free(conf->backup_keep);
	free(conf->backup_key);
}

/* Calls may be reading what was said before: it stays until the site is freed. The data directory
 * is the same, and its text is not replaced: it is read without a lock. */
void
site_configure(struct site *site, const struct conf_site *conf)
{
	struct conf_retired *old = xcalloc(1, sizeof(*old));
	struct conf_site now = conf_dup(conf);

	pthread_mutex_lock(&site->lock);
	old->conf = site->conf;
	old->conf.data = now.data;
	old->next = site->retired;
	site->retired = old;
	__atomic_store_n(&site->conf.name, now.name, __ATOMIC_RELEASE);
	site->conf.base_url = now.base_url;
	site->conf.hosts = now.hosts;
	site->conf.locales = now.locales;
	site->conf.modules = now.modules;
	site->conf.cors_origins = now.cors_origins;
	site->conf.cors_credentials = now.cors_credentials;
	site->conf.fetch_allow = now.fetch_allow;
	site->conf.fetch_ca = now.fetch_ca;
	site->conf.hsts = now.hsts;
	site->conf.rates = now.rates;
	site->conf.backup_dir = now.backup_dir;
	site->conf.backup_keep = now.backup_keep;
	site->conf.backup_key = now.backup_key;
	site->conf.backup_every = now.backup_every;
	site->conf.backup_daily = now.backup_daily;
	site->conf.backup_minute = now.backup_minute;
	pthread_mutex_unlock(&site->lock);
}

static bool
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
same_list(char **a, char **b)
{
	size_t i = 0;

	if (a == NULL || b == NULL)
		return a == b;
	while (a[i] != NULL && b[i] != NULL && strcmp(a[i], b[i]) == 0)
		i++;
	return a[i] == NULL && b[i] == NULL;
}

static bool
same_backups(const struct conf_site *a, const struct conf_site *b)
{
	return same_text(a->backup_dir, b->backup_dir) &&
	       same_text(a->backup_keep, b->backup_keep) &&
	       same_text(a->backup_key, b->backup_key) && a->backup_every == b->backup_every &&
	       a->backup_daily == b->backup_daily && a->backup_minute == b->backup_minute;
}

bool
site_configured(struct site *site, const struct conf_site *conf)
{
	struct conf_site now = site_conf(site);

	return same_text(now.name, conf->name) && same_text(now.base_url, conf->base_url) &&
	       same_list(now.hosts, conf->hosts) && same_list(now.locales, conf->locales) &&
	       same_list(now.modules, conf->modules) &&
	       same_list(now.cors_origins, conf->cors_origins) &&
	       same_list(now.fetch_allow, conf->fetch_allow) &&
	       same_text(now.fetch_ca, conf->fetch_ca) && now.hsts == conf->hsts &&
	       now.cors_credentials == conf->cors_credentials && same_backups(&now, conf) &&
	       memcmp(&now.rates, &conf->rates, sizeof(now.rates)) == 0;
}

struct conf_site
site_conf(struct site *site)
{
	struct conf_site now;

	pthread_mutex_lock(&site->lock);
	now = site->conf;
	pthread_mutex_unlock(&site->lock);
	return now;
}

const char *
site_name(const struct site *site)
{
	return __atomic_load_n(&site->conf.name, __ATOMIC_ACQUIRE);
}

/* ---- a site's own things ---- */

static struct site *
site_new(const struct conf_site *conf, bool daemon)
{
	static atomic_uint_fast64_t last_id;
	struct site *site = xcalloc(1, sizeof(*site));

	site->conf = conf_dup(conf);
	site->daemon = daemon;
	site->lock_fd = -1;
	pthread_mutex_init(&site->lock, NULL);
	pthread_mutex_init(&site->compiling, NULL);
	atomic_init(&site->generations, 0);
	site->db_path = site_words("%s/stet.db", conf->data);
	site->tmp_path = site_words("%s/" DATADIR_TMP, conf->data);
	site->id = atomic_fetch_add(&last_id, 1) + 1;
	return site;
}

/* Let go of everything that is open. No call runs any more. */
static void
close_down(struct site *site)
{
	if (site->writer != NULL)
		writer_close(site->writer);
	for (size_t i = 0; i < modules_count(); i++) {
		if (site->opened[i] && modules_at(i)->m.close != NULL)
			modules_at(i)->m.close(site->state[i]);
		free(site->state[i]);
	}
	db_retire(site);
	datadir_leave(site);
	pthread_mutex_lock(&closing_lock);
	site->closed_down = true;
	pthread_cond_broadcast(&closing_done);
	pthread_mutex_unlock(&closing_lock);
}

static bool
run_apart(void *(*fn)(void *), struct site *site)
{
	pthread_attr_t detached;
	pthread_t thread;
	sigset_t all, old;
	bool good;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	good = pthread_create(&thread, &detached, fn, site) == 0;
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return good;
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

/* On whatever thread the last call ended: it may be one that closing would wait for. */
void
site_generation_ended(struct site *site)
{
	if (last_is_gone(site) && !run_apart(close_down_thread, site))
		log_line(STET_ERROR, "site %s stays open: there is no thread to close it",
		    site->conf.name);
}

/* What works for the site by itself ends while there is still a generation to work with. */
static void *
shut_down(void *arg)
{
	struct site *site = arg;
	struct generation *last;

	pthread_mutex_lock(&site->compiling);
	pthread_mutex_lock(&site->lock);
	site->closing = true;
	site->live++; /* ours: nobody else closes before we have come to the end */
	pthread_mutex_unlock(&site->lock);
	pthread_mutex_unlock(&site->compiling);
	if (site->outbox != NULL)
		outbox_stop(site);
	if (site->daemon) {
		keeper_forget(site);
		jobs_forget(site);
	}
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
	if (wait || !run_apart(shut_down, site))
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
		conf_drop(&old->conf);
		free(old);
	}
	conf_drop(&site->conf);
	free(site->db_path);
	free(site->tmp_path);
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

struct generation *
site_generation(struct site *site)
{
	struct generation *gen;

	pthread_mutex_lock(&site->lock);
	gen = site->current;
	if (gen != NULL)
		atomic_fetch_add_explicit(&gen->refs, 1, memory_order_relaxed);
	pthread_mutex_unlock(&site->lock);
	return gen;
}

/* ---- opening ---- */

/* Is there a database that can be left as it is until something is written? */
static bool
is_there(struct site *site)
{
	struct db *db;

	if (access(site->db_path, F_OK) != 0)
		return false;
	db = db_reader(site);
	return db != NULL && db_in_wal(db);
}

struct site *
site_open(const struct conf_site *conf, bool daemon, char **why)
{
	struct site *site = site_new(conf, daemon);

	*why = NULL;
	if (!datadir_make(site, why) || !datadir_take(site, why))
		goto failed;
	site->writer = writer_open(site, is_there(site));
	if (site->writer == NULL) {
		*why = site_words("%s cannot be opened: the log says why", site->db_path);
		goto failed;
	}
	if (site_compile(site, why) != STET_OK)
		goto failed;
	if (daemon)
		outbox_start(site);
	writer_rest(site->writer);
	return site;
failed:
	site_close(site);
	return NULL;
}
