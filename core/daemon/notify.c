/* notify.c - notifications to systemd through libsystemd, or empty functions without it. */
#include "config.h"

#include "daemon/notify.h"

#ifdef HAVE_SYSTEMD
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "net/loop.h"
#include "net/worker.h"
#include "site/upgrade.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#define LOOK_S 1 /* seconds between two checks of the progress */
#define EXTENSION_US 30000000LL
#define BEATS 3 /* keep-alive messages per watchdog period */

/* A worker answers from its event loop and is asked again after that. */
struct pulse {
	struct worker *worker;
	atomic_bool asked;
	bool missed; /* it has missed one, which was logged */
};

static struct {
	struct event *timer;
	struct pulse *pulse;
	unsigned count;
} watch;

/* While sites are opened or changed. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	pthread_t thread;
	bool runs, done, said;
} work = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

void
notify(const char *state)
{
	(void)sd_notify(0, state);
}

void
notify_reloading(void)
{
	(void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)clock_monotonic_us());
}

/* ---- long work ---- */

static void
give_time(void)
{
	struct buf text = { 0 };

	if (upgrade_told(&text)) {
		work.said = true;
		text.data[strcspn(text.data, "\n")] = '\0'; /* systemd shows one line */
		(void)sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%lld\nSTATUS=%s", EXTENSION_US, text.data);
	}
	buf_free(&text);
}

static void *
work_thread(void *arg)
{
	struct timespec until;

	(void)arg;
	pthread_mutex_lock(&work.lock);
	while (!work.done) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += LOOK_S;
		(void)pthread_cond_timedwait(&work.change, &work.lock, &until);
		if (!work.done)
			give_time();
	}
	pthread_mutex_unlock(&work.lock);
	return NULL;
}

void
notify_begin_work(void)
{
	work.runs = getenv("NOTIFY_SOCKET") != NULL;
	work.done = work.said = false;
	if (work.runs)
		thread_start(&work.thread, "stet-notify", work_thread, NULL);
}

void
notify_end_work(void)
{
	if (!work.runs)
		return;
	pthread_mutex_lock(&work.lock);
	work.done = true;
	pthread_cond_broadcast(&work.change);
	pthread_mutex_unlock(&work.lock);
	pthread_join(work.thread, NULL);
	work.runs = false;
	if (work.said)
		notify("STATUS=");
}

/* ---- keep-alive messages ---- */

static void
answer(void *arg)
{
	struct pulse *p = arg;

	atomic_store(&p->asked, false);
}

static bool
alive(struct pulse *p, unsigned index)
{
	if (atomic_load(&p->asked)) {
		if (!p->missed)
			log_line(STET_ERROR, "worker %u does not respond", index);
		p->missed = true;
		return false;
	}
	p->missed = false;
	atomic_store(&p->asked, true);
	loop_post(worker_loop(p->worker), answer, p);
	return true;
}

static void
on_beat(evutil_socket_t fd, short what, void *arg)
{
	bool all = true;

	(void)fd;
	(void)what;
	(void)arg;
	for (unsigned i = 0; i < watch.count; i++)
		all &= alive(&watch.pulse[i], i);
	if (all)
		notify("WATCHDOG=1");
}

void
notify_watch(struct event_base *base, struct worker *const *workers, unsigned count)
{
	struct timeval tv;
	uint64_t usec;

	if (sd_watchdog_enabled(0, &usec) <= 0)
		return;
	usec /= BEATS;
	tv = (struct timeval){ .tv_sec = (time_t)(usec / 1000000),
		.tv_usec = (suseconds_t)(usec % 1000000) };
	watch.count = count;
	watch.pulse = xcalloc(count, sizeof(*watch.pulse));
	for (unsigned i = 0; i < count; i++)
		watch.pulse[i].worker = workers[i];
	watch.timer = event_new(base, -1, EV_PERSIST, on_beat, NULL);
	stet_assert(watch.timer != NULL && event_add(watch.timer, &tv) == 0);
}

void
notify_end(void)
{
	if (watch.timer != NULL)
		event_free(watch.timer);
	free(watch.pulse);
}

#else

void
notify(const char *state)
{
	(void)state;
}

void
notify_reloading(void)
{
}

void
notify_begin_work(void)
{
}

void
notify_end_work(void)
{
}

void
notify_watch(struct event_base *base, struct worker *const *workers, unsigned count)
{
	(void)base;
	(void)workers;
	(void)count;
}

void
notify_end(void)
{
}

#endif
