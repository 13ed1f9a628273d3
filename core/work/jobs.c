/* jobs.c - modules' timed work: asked when it is due, run on the slow pool. */
#include "work/jobs.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/site.h"
#include "db/rows.h"
#include "module/running.h"
#include "op/slow.h"
#include "work/mail.h"
#include "work/store.h"
#include "work/storecheck.h"
#include <stdlib.h>
#include <string.h>

#define STREAK 100 /* runs one behind the other, before a pause: it may be stuck */
#define STREAK_MS 1000
#define RETRY_MIN_MS 1000 /* after a failure, doubling */
#define RETRY_MAX_MS 300000
#define FULL_MS 1000 /* when the slow pool has no room */

/* A job of a module on a site. It is on the site's list from jobs_site until nobody needs it. */
struct work {
	struct work *next;
	struct site *site;
	const struct loaded *owner;
	struct stet_job row;
	struct alarm alarm;
	/* Under works.lock. */
	bool active; /* on the slow pool, or on its way there */
	bool wake; /* ask again when it has run */
	bool unasked; /* to be asked by who asks another of the site: one connection for all */
	bool gone; /* free it when it has run */
	bool run; /* what is due is the run, else the question when it is due */
	int64_t due; /* of the run; 0: it is not known yet, -1: none */
	int64_t pause; /* after failures */
	int streak; /* runs that were due at once */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change; /* one is not active any more */
} works = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

/* A call by nobody, as the module. */
static struct stet_call *
job_call(const struct work *w, struct generation *gen)
{
	struct stet_call *call = call_new();

	call->site = w->site;
	call->gen = gen;
	atomic_fetch_add(&gen->refs, 1);
	call->owner = w->owner;
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	return call;
}

static int64_t
ask(const struct work *w, struct generation *gen)
{
	struct stet_call *call = job_call(w, gen);
	struct running running;
	int64_t due;

	running_enter(&running, call, w->owner, RUNNING_DUE, w->row.name);
	due = w->row.due(call);
	running_leave(&running);
	rows_end_call(call);
	call_free(call);
	return due;
}

/* false: it failed. */
static bool
run(const struct work *w, struct generation *gen)
{
	struct stet_call *call = job_call(w, gen);
	struct running running;
	enum stet_status status;

	running_enter(&running, call, w->owner, RUNNING_JOB, w->row.name);
	status = w->row.run(call);
	running_leave(&running);
	rows_end_call(call);
	metrics_label(FAMILY_JOB_RUNS, w->owner->m.name, w->row.name);
	if (status != STET_OK)
		metrics_label(FAMILY_JOB_FAILURES, w->owner->m.name, w->row.name);
	if (status != STET_OK)
		stet_log(call, STET_ERROR, "job %s failed: %s%s%s", w->row.name,
		    stet_status_name(status), call->error.text != NULL ? ": " : "",
		    call->error.text != NULL ? call->error.text : "");
	call_free(call);
	return status == STET_OK;
}

static void
remove_work(struct work *w)
{
	struct work **link = &w->site->works;

	while (*link != w)
		link = &(*link)->next;
	*link = w->next;
	free(w);
}

/* What comes after a run or a question. With works.lock held. */
static void
settle(struct work *w, int64_t due, int64_t floor)
{
	w->active = false;
	pthread_cond_broadcast(&works.change);
	if (w->gone) {
		remove_work(w);
		return;
	}
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
	if (pause == 0)
		return RETRY_MIN_MS;
	return pause * 2 < RETRY_MAX_MS ? pause * 2 : RETRY_MAX_MS;
}

static bool
enabled(const struct generation *gen, const struct loaded *owner)
{
	for (size_t i = 0; gen != NULL && i < gen->module_count; i++)
		if (gen->module[i] == owner)
			return true;
	return false;
}

/* The generation to run in, which keeps the site open; NULL: the job is not wanted any more. */
static struct generation *
begin(struct work *w, bool *runs)
{
	struct generation *gen = NULL;

	pthread_mutex_lock(&works.lock);
	/* An alarm may ring late, when it has been set anew. */
	*runs = w->run && w->due <= clock_now();
	w->wake = w->unasked = false;
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

/* Microseconds since then. */
static uint64_t
late(int64_t due)
{
	int64_t now = clock_now();

	return now > due ? (uint64_t)(now - due) * 1000 : 0;
}

/* One that nobody has asked yet; it is active then. With works.lock held. */
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

/* Returns one that is to be asked by the same thread; NULL: there is none. */
static struct work *
work_one(struct work *w)
{
	bool runs, good = true;
	struct generation *gen = begin(w, &runs);
	int64_t due, now, floor = 0;
	struct work *next;

	if (gen == NULL)
		return NULL;
	if (runs) {
		if (w->due > 0)
			metrics_observe(HISTOGRAM_LATENESS, late(w->due));
		good = run(w, gen);
	}
	due = ask(w, gen);
	now = clock_now();
	pthread_mutex_lock(&works.lock);
	if (runs) {
		w->pause = good ? 0 : longer(w->pause);
		w->streak = due >= 0 && due <= now ? w->streak + 1 : 0;
	}
	if (w->pause > 0)
		floor = now + w->pause;
	else if (w->streak >= STREAK)
		floor = now + STREAK_MS;
	next = take_unasked(w->site); /* while this one keeps the site */
	settle(w, due, floor);
	pthread_mutex_unlock(&works.lock);
	generation_put(gen);
	return next;
}

/* On the slow pool. */
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

/* Ask it when it is due, now. With works.lock held. */
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

/* Ask all of them when they are due. One alarm is enough: who asks that one asks the others. */
static void
wake_all(struct site *site)
{
	struct work *w = site->works;

	while (w != NULL && !w->unasked)
		w = w->next;
	if (w != NULL)
		wake(w);
}

/* Let go of the site's jobs that this generation does not have. The lock is dropped while an alarm
 * rings, so the list is looked at from its start again. */
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
		if (!w->active) { /* else it goes when it has run */
			pthread_mutex_unlock(&works.lock);
			alarm_unset(&w->alarm);
			pthread_mutex_lock(&works.lock);
			remove_work(w);
		}
		w = site->works;
	}
}

void
jobs_site(struct site *site)
{
	struct generation *gen = site_generation(site);
	struct stet_job row;

	pthread_mutex_lock(&works.lock);
	prune(site, gen);
	for (size_t i = 0; gen != NULL && i < gen->module_count; i++) {
		if (gen->module[i]->m.files.count > 0)
			add(site, gen->module[i], &storecheck_job);
		if (gen->module[i]->m.mails.count > 0)
			add(site, gen->module[i], &mail_job);
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

static void
wake_named(struct stet_call *call, void *arg)
{
	struct work *w;

	pthread_mutex_lock(&works.lock);
	/* The one that is called so in the module whose code ran stet_job_wake. */
	for (w = call->site->works; w != NULL; w = w->next)
		if (w->row.name == arg && !w->gone)
			wake(w);
	pthread_mutex_unlock(&works.lock);
}

void
stet_job_wake(struct stet_call *call, const char *name)
{
	struct work *w;

	pthread_mutex_lock(&works.lock);
	w = find(call->site, call->owner, name);
	name = w != NULL ? w->row.name : NULL;
	pthread_mutex_unlock(&works.lock);
	if (name == NULL) /* no daemon, or not this generation: it is asked when it starts */
		return;
	/* What is not committed yet cannot be seen by who is asked. */
	if (call->writing)
		call_on_commit(call, wake_named, (void *)(uintptr_t)name);
	else
		wake_named(call, (void *)(uintptr_t)name);
}

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
	alarms_start();
}

void
jobs_stop(void)
{
	alarms_stop();
}

int64_t
stet_cleaning_due(struct stet_call *call, _Atomic int64_t *next, int64_t period_ms,
    enum stet_status (*look)(struct stet_call *, bool *found))
{
	int64_t now = stet_now(call), due = *next;
	bool found = false;

	/* A clock that was set back must not hold it up. */
	if (due > now && due <= now + period_ms)
		return due;
	if (look(call, &found) != STET_OK)
		stet_log(call, STET_ERROR, "%s: %s", call->owner->m.name, stet_error_text(call));
	if (found)
		return now;
	*next = now + period_ms;
	return now + period_ms;
}
