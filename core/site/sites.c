/*
 * sites.c - the list of all sites, and the lookup of a site by host. Workers look up hosts without
 * a lock: the table is immutable and replaced as a whole.
 */
#include "site/sites.h"
#include "backup/keeper.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call/site.h"
#include "db/reader.h"
#include "db/writer.h"
#include "site/compile.h"
#include "site/datadir.h"
#include "site/noted.h"
#include "site/site.h"
#include "work/outbox.h"
#include <ctype.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPENERS_MAX 8 /* threads */

struct host {
	char *name; /* lower case */
	struct site *site;
};

/* The table that sites_find reads. Never changed, and kept until the process ends, since a reader
 * may be using it. */
struct hosts {
	struct hosts *older;
	struct host *host; /* sorted by name */
	size_t count;
	struct site *rest; /* answers for any other name; NULL: none */
};
static struct hosts *_Atomic current;

static struct {
	pthread_mutex_t lock;
	struct site **at;
	size_t count;
	/* sites that were shut; kept, since a reader may have just found them */
	struct site **gone;
	size_t gone_count;
} sites = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
host_order(const void *a, const void *b)
{
	const struct host *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct site *
sites_find(const char *name)
{
	const struct hosts *hosts = atomic_load_explicit(&current, memory_order_acquire);
	struct host key = { .name = (char *)(uintptr_t)name };
	const struct host *found;

	if (hosts == NULL)
		return NULL;
	if (hosts->count == 0)
		return hosts->rest;
	found = bsearch(&key, hosts->host, hosts->count, sizeof(struct host), host_order);
	return found != NULL ? found->site : hosts->rest;
}

struct site *
sites_named(const char *name)
{
	struct site *found = NULL;

	pthread_mutex_lock(&sites.lock);
	for (size_t i = 0; i < sites.count && found == NULL; i++)
		if (strcmp(site_name(sites.at[i]), name) == 0)
			found = sites.at[i];
	pthread_mutex_unlock(&sites.lock);
	return found;
}

void
sites_each(void (*fn)(struct site *, void *), void *arg)
{
	pthread_mutex_lock(&sites.lock);
	for (size_t i = 0; i < sites.count; i++)
		fn(sites.at[i], arg);
	pthread_mutex_unlock(&sites.lock);
}

/* ---- hosts ---- */

static void
host_add(struct hosts *hosts, const char *name, struct site *site)
{
	struct host host = { xstrdup(name), site };

	for (char *c = host.name; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	for (size_t i = 0; i < hosts->count; i++)
		if (strcmp(hosts->host[i].name, host.name) == 0) {
			log_line(STET_ERROR, "site %s: the host %s is that of site %s already",
			    site_name(site), name, site_name(hosts->host[i].site));
			free(host.name);
			return;
		}
	hosts->host = xrealloc(hosts->host, (hosts->count + 1) * sizeof(struct host));
	hosts->host[hosts->count++] = host;
}

static void
rest_add(struct hosts *hosts, struct site *site)
{
	if (hosts->rest == NULL)
		hosts->rest = site;
	else
		log_line(STET_ERROR, "site %s: site %s answers for any host already",
		    site_name(site), site_name(hosts->rest));
}

/* Builds the table in the order of the configuration: the first site with a name gets it. */
static void
hosts_publish(void)
{
	struct hosts *hosts = xcalloc(1, sizeof(*hosts));

	for (size_t i = 0; i < sites.count; i++) {
		char **name = sites.at[i]->conf.hosts;

		for (; name != NULL && *name != NULL; name++) {
			if (strcmp(*name, "*") == 0)
				rest_add(hosts, sites.at[i]);
			else
				host_add(hosts, *name, sites.at[i]);
		}
	}
	if (hosts->count > 0)
		qsort(hosts->host, hosts->count, sizeof(struct host), host_order);
	hosts->older = atomic_load_explicit(&current, memory_order_relaxed);
	atomic_store_explicit(&current, hosts, memory_order_release);
}

static void
hosts_free(struct hosts *hosts)
{
	while (hosts != NULL) {
		struct hosts *older = hosts->older;

		for (size_t i = 0; i < hosts->count; i++)
			free(hosts->host[i].name);
		free(hosts->host);
		free(hosts);
		hosts = older;
	}
}

/* ---- the configuration ---- */

static struct site *
site_start(const struct conf_site *conf, bool daemon)
{
	char *why = NULL;
	struct site *site = site_open(conf, daemon, &why);

	if (site == NULL) {
		log_line(STET_ERROR, "site %s cannot be opened: %s", conf->name, why);
		site = site_failed(conf, why);
	} else if (daemon) {
		datadir_put_url(site);
		keeper_site(site);
	}
	reader_close(site); /* the connection of this thread, which serves no requests */
	free(why);
	return site;
}

/* Keeps the site open with the new configuration and what is enabled now. If nothing has changed,
 * does nothing. */
static void
site_renew(struct site *site, const struct conf_site *conf)
{
	char *changed = site_changed(site, conf), *pending = site_pending(site, conf), *why = NULL;
	bool same = changed == NULL, touched = compile_touched(site);

	if (!same) {
		site_configure(site, conf);
		datadir_put_url(site);
		log_line(STET_INFO, "site %s: changed: %s", site_name(site), changed);
	}
	if (pending != NULL)
		log_line(STET_WARN, "site %s: takes effect when stetd is started again: %s",
		    site_name(site), pending);
	free(pending);
	free(changed);
	if (same && !touched)
		return;
	if (compile_again(site, same, &why) != STET_OK)
		log_line(STET_ERROR, "site %s stays as it was: %s", site_name(site), why);
	free(why);
	if (site->daemon)
		noted_take(site);
	reader_close(site);
	if (site->outbox != NULL)
		outbox_wake(site);
	if (site->daemon)
		keeper_site(site);
}

static void
site_end(struct site *site, bool wait)
{
	sites.gone = xrealloc(sites.gone, (sites.gone_count + 1) * sizeof(struct site *));
	sites.gone[sites.gone_count++] = site;
	site_shut(site, wait);
}

/* Finds the open site with this data directory, even if its name has changed. NULL: none. */
static struct site *
keep(struct site **at, size_t count, const struct conf_site *conf)
{
	for (size_t i = 0; i < count; i++)
		if (at[i] != NULL && at[i]->failure == NULL &&
		    strcmp(at[i]->conf.data, conf->data) == 0) {
			struct site *site = at[i];

			at[i] = NULL;
			return site;
		}
	return NULL;
}

/* Sites to be opened, shared by several threads. */
struct opening {
	const struct conf_site *conf;
	struct site **site; /* NULL: to be opened */
	size_t count;
	atomic_size_t next;
	bool daemon;
};

static void *
open_some(void *arg)
{
	struct opening *o = arg;
	size_t i;

	while ((i = atomic_fetch_add(&o->next, 1)) < o->count)
		if (o->site[i] == NULL)
			o->site[i] = site_start(&o->conf[i], o->daemon);
	return NULL;
}

static void
open_all(struct opening *o, size_t fresh)
{
	pthread_t thread[OPENERS_MAX];
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = fresh < OPENERS_MAX ? fresh : OPENERS_MAX;

	if (cores > 0 && (size_t)cores < count)
		count = (size_t)cores;
	for (size_t i = 1; i < count; i++)
		thread_start(&thread[i], "stet-open", open_some, o);
	(void)open_some(o);
	for (size_t i = 1; i < count; i++)
		pthread_join(thread[i], NULL);
	if (fresh > 1)
		(void)malloc_trim(0); /* opening needs more memory than being open: give it back */
}

void
sites_apply(const struct conf *conf, bool daemon)
{
	struct site **now = xcalloc(conf->site_count + 1, sizeof(struct site *)), **before;
	/* A copy of the list to remove kept sites from, since other threads read the list. */
	struct site **old = xcalloc(sites.count + 1, sizeof(struct site *));
	struct opening opening = {
		.conf = conf->sites, .site = now, .count = conf->site_count, .daemon = daemon
	};
	size_t old_count = sites.count, fresh = 0;

	for (size_t i = 0; i < old_count; i++)
		old[i] = sites.at[i];
	for (size_t i = 0; i < conf->site_count; i++) {
		now[i] = keep(old, old_count, &conf->sites[i]);
		if (now[i] != NULL)
			site_renew(now[i], &conf->sites[i]);
		else
			fresh++;
	}
	open_all(&opening, fresh);
	pthread_mutex_lock(&sites.lock);
	before = sites.at;
	sites.at = now;
	sites.count = conf->site_count;
	pthread_mutex_unlock(&sites.lock);
	free(before);
	hosts_publish();
	for (size_t i = 0; i < old_count; i++)
		if (old[i] != NULL)
			site_end(old[i], false);
	free(old);
}

bool
sites_failed(void)
{
	bool failed = false;

	pthread_mutex_lock(&sites.lock);
	for (size_t i = 0; i < sites.count; i++)
		failed |= sites.at[i]->failure != NULL;
	pthread_mutex_unlock(&sites.lock);
	return failed;
}

void
sites_settle(int64_t deadline)
{
	for (size_t i = 0; i < sites.count && clock_monotonic() < deadline; i++)
		if (sites.at[i]->writer != NULL)
			writer_rest(sites.at[i]->writer, true);
}

void
sites_close(void)
{
	struct hosts *hosts = atomic_exchange(&current, NULL);

	for (size_t i = 0; i < sites.count; i++)
		site_end(sites.at[i], true);
	for (size_t i = 0; i < sites.gone_count; i++)
		site_free(sites.gone[i]);
	hosts_free(hosts);
	free(sites.at);
	free(sites.gone);
	sites.at = sites.gone = NULL;
	sites.count = sites.gone_count = 0;
}
