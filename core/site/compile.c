/*
 * compile.c - compiles a generation of a site and makes it current: runs migrations, opens modules'
 * states, swaps.
 *
 * `compiling` is held from reading the database to the swap, so that two changes cannot overtake
 * each other. A module that conflicts with others or whose state cannot be opened is left out; if
 * it is an essential one, the old generation stays current. A failed migration makes the site
 * refuse writes.
 */
#include "site/compile.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/words.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "call/status.h"
#include "db/common.h"
#include "db/connpool.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/generation.h"
#include "module/module.h"
#include "op/slow.h"
#include "secrets/vault.h"
#include "site/absence.h"
#include "site/datadir.h"
#include "site/enabled.h"
#include "site/lack.h"
#include "site/migrate.h"
#include "site/own.h"
#include "site/site.h"
#include "work/jobs.h"
#include "work/watch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLLOW_WAIT_MS 5000 /* that a call waits while the site is compiled */

static void
set_broken(struct site *site, char *why)
{
	pthread_mutex_lock(&site->lock);
	free(site->broken);
	site->broken = why;
	pthread_mutex_unlock(&site->lock);
	if (why != NULL)
		log_line(STET_ERROR, "site %s does not accept writes: %s", site_name(site), why);
}

static char *
migrate_the_core(struct site *site)
{
	char *why = NULL;

	if (migrate_core(site, &why) == STET_OK) {
		free(why);
		return NULL;
	}
	return why != NULL ? why : xstrdup("the core's own migrations failed");
}

/* Migrates a module. Returns NULL, or why that failed, which the list of modules shows too. */
static const char *
migrate_one(struct site *site, const struct loaded *l)
{
	char *why = NULL;

	site->migrated[l->index] = migrate_module(site, l, &why) == STET_OK;
	if (!site->migrated[l->index] && why == NULL)
		why = words_format("the migrations of module %s failed", l->m.name);
	pthread_mutex_lock(&site->lock);
	free(site->unmigrated[l->index]);
	site->unmigrated[l->index] = why;
	pthread_mutex_unlock(&site->lock);
	return why;
}

/* Returns the first failure, or NULL. Each migration is a transaction of its own, so a module's
 * failure does not affect the others. */
static char *
migrate_modules(struct site *site, const struct site_wants *wants)
{
	char *first = NULL;

	for (size_t i = 0; i < modules_count(); i++) {
		const char *why;

		if (!wants->enabled[i] || wants->suspended[i] != NULL || wants->leaving[i] ||
		    site->migrated[i])
			continue;
		why = migrate_one(site, modules_at(i));
		if (why != NULL && first == NULL)
			first = xstrdup(why);
	}
	return first;
}

/* Reads what is enabled from the database; before there is one, from the configuration. */
static enum stet_status
read_wants(struct site *site, struct site_wants *wants, bool broken)
{
	struct stet_call *call = call_new();
	struct db_common common = { 0 };
	struct conf_site conf;
	enum stet_status status;

	call_enter(call, site);
	(void)common_seen(call, &common);
	status = enabled_read(call, wants);
	wants->common = common.generation;
	rows_end_call(call);
	call_free(call);
	if (status != STET_OK && broken) {
		enabled_release(wants);
		conf = site_conf(site);
		enabled_default(&conf, wants);
		status = STET_OK;
	}
	enabled_add_notes(site, wants);
	return status;
}

/* Stores a module's state, unless a call that enables the module has stored one meanwhile. */
static void
install(struct site *site, const struct loaded *l, void *state)
{
	bool late;

	pthread_mutex_lock(&site->lock);
	late = site->opened[l->index];
	if (!late) {
		site->state[l->index] = state;
		site->opened[l->index] = true;
	}
	pthread_mutex_unlock(&site->lock);
	if (!late)
		return;
	if (l->m.close != NULL)
		l->m.close(state);
	free(state);
}

static char *
open_one(struct site *site, struct generation *gen, const struct loaded *l)
{
	struct stet_call *call = call_new();
	enum stet_status status;
	char *why = NULL;
	void *state;

	call_enter(call, site);
	if (call->gen != NULL)
		generation_put(call->gen);
	call->gen = gen;
	atomic_fetch_add(&gen->refs, 1);
	status = enabled_open(call, l, &state);
	if (status == STET_OK)
		install(site, l, state);
	else
		why = words_format("it failed to open: %s",
		    call->error.text != NULL ? call->error.text : status_said(call, status));
	rows_end_call(call);
	call_free(call);
	return why;
}

/* Opens the modules' states. Returns the first module that fails, or NULL. */
static const struct loaded *
open_states(struct site *site, struct generation *gen, char **why)
{
	for (size_t i = 0; i < gen->module_count; i++) {
		const struct loaded *l = gen->module[i];

		if (!enabled_has_state(site, l) && (*why = open_one(site, gen, l)) != NULL)
			return l;
	}
	return NULL;
}

static struct generation *
make_generation(struct site *site, struct site_wants *wants)
{
	char *failed[MODULES_MAX] = { NULL }, *why = NULL;
	struct conf_site conf = site_conf(site);
	struct generation *gen = generation_new(site, &conf, wants);
	const struct loaded *bad;

	while ((bad = open_states(site, gen, &why)) != NULL) {
		failed[bad->index] = why;
		wants->enabled[bad->index] = false;
		generation_put(gen);
		gen = generation_new(site, &conf, wants);
	}
	for (size_t i = 0; i < MODULES_MAX; i++) {
		if (failed[i] != NULL)
			gen->refusal[i] = arena_strndup(gen->arena, failed[i], strlen(failed[i]));
		free(failed[i]);
	}
	return gen;
}

/* Logs modules that are newly left out. Returns false if one of them is essential. */
static bool
check_refusals(struct site *site, const struct generation *gen, char **why)
{
	const struct generation *old = site->current;
	bool good = true;

	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *l = modules_at(i);
		const char *said = old != NULL ? old->refusal[i] : NULL;

		if (gen->refusal[i] == NULL)
			continue;
		if (said == NULL || strcmp(said, gen->refusal[i]) != 0)
			log_line(STET_ERROR, "site %s: the module %s is left out: %s",
			    site_name(site), l->m.name, gen->refusal[i]);
		if (good && l->bundled && (l->m.flags & STET_ESSENTIAL) != 0 &&
		    site->broken == NULL) {
			good = false;
			*why = words_format(
			    "the module %s cannot be used: %s", l->m.name, gen->refusal[i]);
		}
	}
	return good;
}

static void
serve(void *arg)
{
	struct generation *gen = arg, *old;
	struct site *site = gen->site;

	pthread_mutex_lock(&site->lock);
	old = site->current;
	site->current = gen;
	pthread_mutex_unlock(&site->lock);
	if (old != NULL)
		generation_put(old);
}

/* Makes the generation current. If it adds a module, this happens between two batches of writes,
 * so that the module learns of every write committed from then on (adopt_current). If modules
 * only go, it happens at once: one of them may be blocking the writer. Only the holder of
 * `compiling` changes site->current. */
static void
swap(struct site *site, struct generation *gen)
{
	if (site->current != NULL && site->writer != NULL && !generation_covers(site->current, gen))
		writer_between(site->writer, serve, gen);
	else
		serve(gen);
	if (site->daemon)
		jobs_site(site, own_jobs);
}

static enum stet_status
build(struct site *site, struct site_wants *wants, char **why)
{
	bool wanted[MODULES_MAX];
	struct generation *gen;

	memcpy(wanted, wants->enabled, sizeof(wanted));
	gen = make_generation(site, wants);
	memcpy(gen->wanted, wanted, sizeof(wanted));
	atomic_init(&gen->common, wants->common);
	if (check_refusals(site, gen, why)) {
		absence_note(site, gen, wants);
		if (site->shared)
			lack_note(site, gen, wants);
		swap(site, gen);
		return STET_OK;
	}
	generation_put(gen);
	/* To try again would not help before something else changes. */
	if (site->current != NULL)
		atomic_store(&site->current->common, wants->common);
	return STET_FAULT;
}

static _Thread_local bool compiling; /* this thread has the lock of that name */

static enum stet_status
compile_locked(struct site *site, bool migrate, char **why)
{
	struct site_wants wants = { .enabled = { false } };
	enum stet_status status;
	char *broken;

	broken = migrate ? migrate_the_core(site) : NULL;
	if (migrate)
		vault_settle(site, broken != NULL);
	status = read_wants(site, &wants, broken != NULL);
	if (status == STET_OK && migrate) {
		if (broken == NULL)
			broken = migrate_modules(site, &wants);
		set_broken(site, broken);
	} else {
		free(broken);
	}
	if (status == STET_OK)
		status = build(site, &wants, why);
	else
		*why = words_format("the database cannot be read");
	enabled_release(&wants);
	return status;
}

/* Compiles. Migrations run in transactions of their own, which is impossible inside a write. */
static enum stet_status
compile(struct site *site, bool migrate, char **why)
{
	enum stet_status status = STET_OK;

	*why = NULL;
	pthread_mutex_lock(&site->compiling);
	compiling = true;
	connpool_beyond(true);
	if (!site->closing)
		status = compile_locked(site, migrate, why);
	connpool_beyond(false);
	compiling = false;
	pthread_mutex_unlock(&site->compiling);
	return status;
}

/* ---- changes since the last compilation ---- */

static int64_t
changed_at(const char *path, const char *suffix)
{
	char name[4096];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s%s", path, suffix);
	if (stat(name, &st) != 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec + st.st_size;
}

static struct site_trace
trace(const struct site *site)
{
	bool file = site->db_file != NULL;

	return (struct site_trace){ .database = file ? changed_at(site->db_file, "") : 0,
		.log = file ? changed_at(site->db_file, "-wal") : 0,
		.notes = changed_at(site->conf.data, "/" DATADIR_MODULES),
		.modules = modules_count() };
}

/* Returns true if the site has its key, accepts writes, and all its modules are in use. */
static bool
is_well(struct site *site)
{
	struct generation *gen = site_generation(site);
	char *keyless = vault_problem(site);
	bool well = gen != NULL && keyless == NULL;

	free(keyless);
	pthread_mutex_lock(&site->lock);
	well = well && site->broken == NULL;
	pthread_mutex_unlock(&site->lock);
	for (size_t i = 0; well && i < MODULES_MAX; i++)
		well = gen->refusal[i] == NULL;
	if (gen != NULL)
		generation_put(gen);
	return well;
}

bool
compile_touched(struct site *site)
{
	struct site_trace now = trace(site);

	/* Only a file shows from outside whether it has changed. */
	return site->db_file == NULL || now.database != site->trace.database ||
	       now.log != site->trace.log || now.notes != site->trace.notes ||
	       now.modules != site->trace.modules || !is_well(site);
}

static bool
wants_same(struct site *site)
{
	struct site_wants wants = { .enabled = { false } };
	struct generation *gen = site_generation(site);
	bool same = gen != NULL && read_wants(site, &wants, false) == STET_OK;

	for (size_t i = 0; same && i < modules_count(); i++)
		same = wants.enabled[i] == gen->wanted[i] &&
		       (wants.setting[i] == gen->setting[i] ||
			   json_equal(wants.setting[i], gen->setting[i]));
	if (same)
		atomic_store(&gen->common, wants.common);
	enabled_release(&wants);
	if (gen != NULL)
		generation_put(gen);
	return same;
}

enum stet_status
compile_site(struct site *site, char **why)
{
	site->trace = trace(site);
	return compile(site, true, why);
}

bool
compile_apart(struct site *site)
{
	bool writable;
	char *why;

	if (compile(site, true, &why) != STET_OK)
		log_line(STET_ERROR, "site %s: the enabled modules stay as they were: %s",
		    site_name(site), why);
	free(why);
	pthread_mutex_lock(&site->lock);
	writable = site->broken == NULL;
	pthread_mutex_unlock(&site->lock);
	return writable;
}

enum stet_status
compile_again(struct site *site, bool same_conf, char **why)
{
	struct site_trace now = trace(site);

	if (!same_conf || now.modules != site->trace.modules || now.notes != site->trace.notes ||
	    !is_well(site) || !wants_same(site))
		return compile_site(site, why);
	*why = NULL;
	site->trace = now;
	if (site->daemon)
		jobs_site(site, own_jobs);
	return STET_OK;
}

static void
compile_committed(struct stet_call *call, void *arg)
{
	char *why;

	(void)arg;
	if (compile(call->site, false, &why) != STET_OK)
		log_line(STET_ERROR, "site %s: the enabled modules stay as they were: %s",
		    site_name(call->site), why);
	free(why);
	datadir_tell_daemon(call->site);
}

enum stet_status
compile_later(struct stet_call *call, struct stet_tx *tx)
{
	call_on_commit(call, compile_committed, NULL);
	return common_renew(call, tx);
}

/* ---- changes by other processes ---- */

static void
follow(struct site *site)
{
	char *why = NULL;

	if (compile_locked(site, false, &why) != STET_OK)
		log_line(STET_ERROR, "site %s: the enabled modules stay as they were: %s",
		    site_name(site), why);
	free(why);
}

bool
compile_follow(struct site *site, int64_t common)
{
	if (compiling || !thread_lock_by(&site->compiling, clock_monotonic() + FOLLOW_WAIT_MS))
		return false;
	compiling = true;
	connpool_beyond(true);
	if (!site->closing && site->current != NULL &&
	    atomic_load(&site->current->common) != common)
		follow(site);
	connpool_beyond(false);
	compiling = false;
	pthread_mutex_unlock(&site->compiling);
	return true;
}

/* For a thread of the slow lane. The generation keeps the site open. */
static void
follow_all(void *arg)
{
	struct generation *gen = arg;
	struct site *site = gen->site;
	int64_t common;

	do {
		common = atomic_load(&site->follow_to);
		(void)compile_follow(site, common);
		atomic_store(&site->following, false);
	} while (
	    atomic_load(&site->follow_to) != common && !atomic_exchange(&site->following, true));
	generation_put(gen);
}

/* Calls need not wait then, and jobs of modules that were disabled end. The site's thread itself
 * must not wait so long, since it renews leases. */
static void
heard(struct site *site, const struct stamp *state)
{
	struct generation *gen = site_generation(site);
	struct db_common common;

	if (gen == NULL)
		return;
	if (common_of(site, state, &common) && common.generation != atomic_load(&gen->common)) {
		atomic_store(&site->follow_to, common.generation);
		if (!atomic_exchange(&site->following, true)) {
			if (slow_submit(follow_all, gen))
				return;
			atomic_store(&site->following, false); /* the next call compiles */
		}
	}
	generation_put(gen);
}

static struct watch_beat changes = { .heard = heard };

WATCH_BEAT_ADD(changes)
