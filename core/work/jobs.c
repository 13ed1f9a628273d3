/*
 * jobs.c - timed jobs of modules: asks them when they are due, and runs them on the slow pool.
 *
 * A job alternates between two steps on the slow pool: `due` is asked, an alarm is set for the
 * answer, and then the job runs. A job that fails is tried again after a pause that doubles.
 * stet_job_wake asks again at once, after the commit of the caller's transaction.
 *
 * Of several daemons of a site, the one that holds the lease of a module does this for its jobs
 * (lease.h), so these may rely on the module's state. The others hear when the lease is theirs, and
 * write down that a job was woken for that one to hear. STET_JOB_EVERYWHERE needs no lease.
 */
#include "work/jobs.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/site.h"
#include "call/status.h"
#include "db/part.h"
#include "db/rows.h"
#include "module/running.h"
#include "op/slow.h"
#include "work/lease.h"
#include "work/wakes.h"
#include <stdlib.h>
#include <string.h>

#define STREAK 100 /* immediate runs in a row that wrote nothing: perhaps a loop, so pause */
#define RETRY_MIN_MS 1000 /* pause after the first failure; doubles */
#define RETRY_MAX_MS 300000
#define FULL_MS 1000 /* pause if the slow pool is full */

/* A job of a module on a site. It is in the site's list from jobs_site until it is removed. */
struct work {
	struct work *next;
	struct site *site;
	const struct loaded *owner;
	struct stet_job row;
	struct alarm alarm;
	char *lease; /* "module:NAME"; NULL: every daemon runs it */
	/* Guarded by works.lock. */
	bool active; /* on the slow pool, or queued there */
	bool wake; /* ask again after the current step */
	bool told; /* a call of this process has woken it */
	bool unasked; /* the thread that asks another job of the site asks this one, too */
	bool gone; /* free it after the current step */
	bool run; /* the next step is a run; otherwise `due` is asked */
	int64_t due; /* when to run; 0: not known yet, -1: never */
	int64_t pause; /* milliseconds, after failures */
	int streak; /* immediate runs in a row that wrote nothing */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change; /* signalled when a job becomes inactive */
	_Atomic bool draining; /* jobs end, and none begins */
} works = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

/* A call of the module. */
static struct stet_call *
job_call(const struct work *w, struct generation *gen)
{
	struct stet_call *call = call_own(w->site, gen);

	call->owner = w->owner;
	call->lane = STET_SLOW;
	if (w->lease != NULL)
		lease_guard(call, w->lease);
	return call;
}

/* *unsure: the database could not be asked, so "never" means nothing. */
static int64_t
ask(const struct work *w, struct generation *gen, bool *unsure)
{
	struct stet_call *call = job_call(w, gen);
	struct running running;
	int64_t due;

	running_enter(&running, call, w->owner, RUNNING_DUE, w->row.name);
	due = w->row.due(call);
	running_leave(&running);
	*unsure = due < 0 && call->error.status == STET_UNAVAILABLE;
	rows_end_call(call);
	call_free(call);
	return due;
}

/* Counts and logs that it failed, unless another daemon has taken over. Returns true if it has. */
static bool
say_failed(struct stet_call *call, const struct work *w, enum stet_status status)
{
	if (call_replaced(call)) {
		stet_log(call, STET_INFO, "job %s goes on in another daemon", w->row.name);
		return true;
	}
	metrics_label(FAMILY_JOB_FAILURES, w->owner->m.name, w->row.name);
	stet_log(call, status_level(status), "job %s failed: %s%s%s", w->row.name,
	    status_said(call, status), call->error.text != NULL ? ": " : "",
	    call->error.text != NULL ? call->error.text : "");
	return false;
}

/* Returns false if the job failed. *wrote: it changed rows, so it makes progress. */
static bool
run(const struct work *w, struct generation *gen, bool *wrote)
{
	struct stet_call *call = job_call(w, gen);
	struct running running;
	enum stet_status status;
	bool good;

	running_enter(&running, call, w->owner, RUNNING_JOB, w->row.name);
	status = w->row.run(call);
	running_leave(&running);
	rows_end_call(call);
	*wrote = db_part(call)->wrote;
	metrics_label(FAMILY_JOB_RUNS, w->owner->m.name, w->row.name);
	good = status == STET_OK || say_failed(call, w, status);
	call_free(call);
	return good;
}

static void
remove_work(struct work *w)
{
	struct work **link = &w->site->works;

	while (*link != w)
		link = &(*link)->next;
	*link = w->next;
	free(w->lease);
	free(w);
}

/* Decides the next step after a run or a question. The caller holds works.lock. */
static void
settle(struct work *w, int64_t due, int64_t floor)
{
	w->active = false;
	pthread_cond_broadcast(&works.change);
	if (w->gone) {
		remove_work(w);
		return;
	}
	if (works.draining)
		return;
	if (w->wake) {
		w->wake = false;
		w->run = false;
		alarm_set(&w->alarm, floor);
		return;
	}
	w->run = true;
	w->due = due;
	if (due >= 0)
		alarm_set(&w->alarm, due > floor ? due : floor);
}

static int64_t
longer(int64_t pause)
{
	return pause == 0 ? RETRY_MIN_MS : pause * 2 < RETRY_MAX_MS ? pause * 2 : RETRY_MAX_MS;
}

static bool
enabled(const struct generation *gen, const struct loaded *owner)
{
	for (size_t i = 0; gen != NULL && i < gen->module_count; i++)
		if (gen->module[i] == owner)
			return true;
	return false;
}

/* Returns the generation to run in, whose reference keeps the site open. NULL: the job is
 * removed. */
static struct generation *
begin(struct work *w, bool *runs, bool *told)
{
	struct generation *gen = NULL;

	pthread_mutex_lock(&works.lock);
	/* An alarm may ring although it was set to a later time meanwhile. */
	*runs = w->run && w->due <= clock_now();
	*told = w->told;
	w->wake = w->unasked = w->told = false;
	if (!w->gone) {
		gen = site_generation(w->site);
		if (gen != NULL && !enabled(gen, w->owner)) {
			generation_put(gen);
			gen = NULL;
		}
	}
	if (gen == NULL)
		settle(w, -1, 0);
	pthread_mutex_unlock(&works.lock);
	return gen;
}

/* Microseconds since `due`. */
static uint64_t
late(int64_t due)
{
	int64_t ms = clock_now() - due;

	return ms > 0 ? (uint64_t)ms * 1000 : 0;
}

/* Takes a job of the site that has not been asked yet and makes it active. The caller holds
 * works.lock. */
static struct work *
take_unasked(struct site *site)
{
	struct work *w = site->works;

	while (w != NULL && (!w->unasked || w->active || w->gone))
		w = w->next;
	if (w != NULL)
		w->active = true;
	return w;
}

static char *
told_name(const struct loaded *owner, const char *job)
{
	return words_format("job:%s/%s", owner->m.name, job);
}

/* A call of this daemon has woken the job, which believed to have it: tells the one that has. */
static void
pass_on(const struct work *w)
{
	char *name = told_name(w->owner, w->row.name);

	wakes_ask_soon(w->site, name);
	free(name);
}

/* Another daemon has the job. */
static struct work *
leave(struct work *w, bool told)
{
	struct work *next;

	if (told)
		pass_on(w);
	pthread_mutex_lock(&works.lock);
	next = take_unasked(w->site);
	settle(w, -1, 0);
	pthread_mutex_unlock(&works.lock);
	return next;
}

/* Before which time the job does not go on. */
static int64_t
earliest(const struct work *w, int64_t now, bool unsure)
{
	if (w->pause > 0)
		return now + w->pause;
	return w->streak >= STREAK || unsure ? now + RETRY_MIN_MS : 0;
}

/* Runs one step of the job. Returns another job that this thread is to ask; NULL: none. */
static struct work *
work_one(struct work *w)
{
	bool runs, told, unsure, good = true, wrote = false;
	struct generation *gen = begin(w, &runs, &told);
	int64_t due, now;
	struct work *next;

	if (gen == NULL)
		return NULL;
	if (w->lease != NULL && !lease_hold(w->site, w->lease)) {
		next = leave(w, told);
		generation_put(gen);
		return next;
	}
	if (runs) {
		if (w->due > 0)
			metrics_observe(HISTOGRAM_LATENESS, late(w->due));
		good = run(w, gen, &wrote);
	}
	due = ask(w, gen, &unsure);
	if (w->lease != NULL && !lease_held(w->site, w->lease)) /* it was lost meanwhile */
		pass_on(w);
	now = clock_now();
	pthread_mutex_lock(&works.lock);
	if (runs) {
		w->pause = good ? 0 : longer(w->pause);
		w->streak = due >= 0 && due <= now && !wrote ? w->streak + 1 : 0;
	}
	w->wake = w->wake || unsure; /* asks again */
	next = take_unasked(w->site); /* while the generation of this one keeps the site open */
	settle(w, due, earliest(w, now, unsure));
	pthread_mutex_unlock(&works.lock);
	generation_put(gen);
	return next;
}

/* Runs on the slow pool. */
static void
work(void *arg)
{
	struct work *w = arg;

	while (w != NULL)
		w = work_one(w);
}

static void
ring(void *arg)
{
	struct work *w = arg;

	pthread_mutex_lock(&works.lock);
	if (!w->active && !w->gone) {
		w->active = slow_submit(work, w);
		if (!w->active)
			alarm_set(&w->alarm, clock_now() + FULL_MS);
	}
	pthread_mutex_unlock(&works.lock);
}

/* Asks the job again when it is due. The caller holds works.lock. */
static void
wake(struct work *w)
{
	if (w->active) {
		w->wake = true;
		return;
	}
	w->run = false;
	alarm_set(&w->alarm, 0);
}

/* The same for a call of this daemon: if another has the job, that one is told. */
static void
wake_told(struct work *w)
{
	w->told = true;
	wake(w);
}

static struct work *
find(const struct site *site, const struct loaded *owner, const char *name)
{
	struct work *w = site->works;

	while (w != NULL && (w->owner != owner || w->gone || strcmp(w->row.name, name) != 0))
		w = w->next;
	return w;
}

static void
add(struct site *site, const struct loaded *owner, const struct stet_job *row)
{
	struct work *w = find(site, owner, row->name);

	if (w == NULL) {
		w = xcalloc(1, sizeof(*w));
		*w = (struct work){ .next = site->works,
			.site = site,
			.owner = owner,
			.row = *row,
			.lease = (row->flags & STET_JOB_EVERYWHERE) == 0
				     ? words_format(LEASE_MODULE "%s", owner->m.name)
				     : NULL,
			.alarm = { .ring = ring, .arg = w } };
		site->works = w;
	}
	if (w->active)
		w->wake = true;
	else {
		w->unasked = true;
		w->run = false;
	}
}

/* Asks all jobs of the site when they are due. One alarm is enough: the thread that asks the
 * first asks the others. */
static void
wake_all(struct site *site)
{
	struct work *w = site->works;

	while (w != NULL && !w->unasked)
		w = w->next;
	if (w != NULL)
		wake(w);
}

/* Removes the site's jobs that this generation does not have. The lock is released while an alarm
 * is unset, so the list is then searched from its start again. */
static void
prune(struct site *site, const struct generation *gen)
{
	struct work *w = site->works;

	while (w != NULL) {
		if (w->gone || enabled(gen, w->owner)) {
			w = w->next;
			continue;
		}
		w->gone = true;
		if (!w->active) { /* an active one is removed after its step */
			pthread_mutex_unlock(&works.lock);
			alarm_unset(&w->alarm);
			pthread_mutex_lock(&works.lock);
			remove_work(w);
		}
		w = site->works;
	}
}

void
jobs_site(struct site *site, const struct host_job *host)
{
	struct generation *gen = site_generation(site);
	struct stet_job row;

	pthread_mutex_lock(&works.lock);
	prune(site, gen);
	for (size_t i = 0; gen != NULL && i < gen->module_count; i++) {
		for (const struct host_job *h = host; h->job != NULL; h++)
			if (h->serves(gen->module[i]))
				add(site, gen->module[i], h->job);
		for (uint32_t k = 0; k < gen->module[i]->m.jobs.count; k++) {
			stet_table_row(&gen->module[i]->m.jobs, k, &row, sizeof(row));
			add(site, gen->module[i], &row);
		}
	}
	wake_all(site);
	pthread_mutex_unlock(&works.lock);
	if (gen != NULL)
		generation_put(gen);
}

void
jobs_forget(struct site *site)
{
	pthread_mutex_lock(&works.lock);
	prune(site, NULL);
	while (site->works != NULL)
		pthread_cond_wait(&works.change, &works.lock);
	pthread_mutex_unlock(&works.lock);
}

void
jobs_wake(struct site *site, const struct loaded *owner)
{
	pthread_mutex_lock(&works.lock);
	for (struct work *w = site->works; w != NULL; w = w->next)
		if (w->owner == owner && !w->gone)
			wake_told(w);
	pthread_mutex_unlock(&works.lock);
}

static void
wake_named(struct stet_call *call, void *arg)
{
	struct work *w;

	pthread_mutex_lock(&works.lock);
	/* The job of that name in the module whose code called stet_job_wake. */
	for (w = call->site->works; w != NULL; w = w->next)
		if (w->row.name == arg && !w->gone)
			wake_told(w);
	pthread_mutex_unlock(&works.lock);
}

/* Tells the other daemons, unless this one does all that is to be done. If that fails, so does the
 * transaction. */
static void
wake_others(struct stet_call *call, const char *name, bool known, bool everywhere)
{
	char *lease = words_format(LEASE_MODULE "%s", call->owner->m.name);
	char *told = told_name(call->owner, name);

	if (!known || everywhere || !lease_held(call->site, lease))
		(void)wakes_ask(call, &call->tx, told);
	free(told);
	free(lease);
}

void
stet_job_wake(struct stet_call *call, const char *name)
{
	const struct work *w;
	const char *wanted = name;
	bool everywhere;

	pthread_mutex_lock(&works.lock);
	w = find(call->site, call->owner, name);
	name = w != NULL ? w->row.name : NULL;
	everywhere = w != NULL && w->lease == NULL;
	pthread_mutex_unlock(&works.lock);
	if (call->site->shared && call->writing)
		wake_others(call, wanted, name != NULL, everywhere);
	/* No daemon runs, or this generation lacks the job. `due` is called anyway when the job
	 * comes to run in a daemon. */
	if (name == NULL)
		return;
	/* `due` cannot see what is not committed yet. */
	if (call->writing)
		call_on_commit(call, wake_named, (void *)(uintptr_t)name);
	else
		wake_named(call, (void *)(uintptr_t)name);
}

bool
stet_job_ends(struct stet_call *call)
{
	struct generation *now;
	bool changed;

	if (works.draining || call_replaced(call))
		return true;
	now = site_generation(call->site);
	changed = now != call->gen;
	if (now != NULL)
		generation_put(now);
	return changed;
}

/* ---- several daemons ---- */

static void
wake_gained(struct site *site, const char *lease)
{
	pthread_mutex_lock(&works.lock);
	for (struct work *w = site->works; w != NULL; w = w->next)
		if (w->lease != NULL && strcmp(w->lease, lease) == 0 && !w->gone)
			wake(w);
	pthread_mutex_unlock(&works.lock);
}

static bool
is_called(const struct work *w, const char *what)
{
	char *name = told_name(w->owner, w->row.name);
	bool same = strcmp(name, what) == 0;

	free(name);
	return same;
}

static void
wake_wanted(struct site *site, const char *what)
{
	pthread_mutex_lock(&works.lock);
	for (struct work *w = site->works; w != NULL; w = w->next)
		if (!w->gone && is_called(w, what) &&
		    (w->lease == NULL || lease_held(site, w->lease)))
			wake(w);
	pthread_mutex_unlock(&works.lock);
}

static struct lease_listener lease_listener = { .gained = wake_gained };
LEASE_LISTENER_ADD(lease_listener)
static struct wakes_listener wakes_listener = { .woken = wake_wanted };
WAKES_LISTENER_ADD(wakes_listener)

void
jobs_count(struct site *site, void *arg)
{
	struct jobs_stats *stats = arg;
	int64_t now = clock_now();

	pthread_mutex_lock(&works.lock);
	for (const struct work *w = site->works; w != NULL; w = w->next) {
		stats->count++;
		stats->active += w->active;
		stats->unasked += !w->run;
		if (w->run && w->due > 0 && now - w->due > stats->overdue)
			stats->overdue = now - w->due;
	}
	pthread_mutex_unlock(&works.lock);
}

void
jobs_start(void)
{
	works.draining = false;
	alarms_start();
}

void
jobs_drain(void)
{
	works.draining = true;
}

void
jobs_stop(void)
{
	alarms_stop();
}
