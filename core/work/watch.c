/* watch.c - the thread of a site whose database has other users, and what it does. */
#include "work/watch.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/thread.h"
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include <sodium.h>
#include <stdlib.h>

#define BEATS_MAX 16
#define ID_BYTES 8

struct watch {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool stop;
	struct db *db;
	int64_t due[BEATS_MAX]; /* of each beat, by clock_monotonic */
};

static struct watch_beat *beats;

void
watch_add(struct watch_beat *beat)
{
	beat->next = beats;
	beats = beat;
}

static char id[2 * ID_BYTES + 1];

static void
make_id(void)
{
	unsigned char bytes[ID_BYTES];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(id, sizeof(id), bytes, sizeof(bytes));
}

const char *
watch_id(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_id);
	return id;
}

struct stet_call *
watch_begin(struct site *site)
{
	struct watch *w = site->watch;
	struct stet_call *call;

	if (w->db == NULL && (w->db = db_open(site->db_place, DB_ASIDE)) == NULL)
		return NULL;
	call = call_new();
	call_enter(call, site);
	call->deadline = clock_monotonic() + 5000;
	call->writing = true;
	db_part(call)->db = w->db;
	return call;
}

void
watch_end(struct stet_call *call)
{
	rows_end_call(call);
	call->writing = false;
	db_part(call)->db = NULL;
	call_free(call);
}

/* Does what is due. Returns when to do so again. */
static int64_t
beat_all(struct site *site)
{
	int64_t next = INT64_MAX;
	int i = 0;

	for (struct watch_beat *b = beats; b != NULL && i < BEATS_MAX; b = b->next, i++) {
		int64_t *due = &site->watch->due[i];

		if (*due <= clock_monotonic()) {
			b->beat(site);
			*due = clock_monotonic() + b->every_ms;
		}
		next = *due < next ? *due : next;
	}
	return next;
}

/* Returns true if the thread is to end. */
static bool
sleep_until(struct watch *w, int64_t until)
{
	struct timespec at = { until / 1000, until % 1000 * 1000000 };
	bool stop;

	pthread_mutex_lock(&w->lock);
	while (!w->stop && clock_monotonic() < until)
		(void)pthread_cond_timedwait(&w->change, &w->lock, &at);
	stop = w->stop;
	pthread_mutex_unlock(&w->lock);
	return stop;
}

static void *
watch(void *arg)
{
	struct site *site = arg;

	reader_keep_few();
	while (!sleep_until(site->watch, beat_all(site)))
		continue;
	for (struct watch_beat *b = beats; b != NULL; b = b->next)
		if (b->end != NULL)
			b->end(site);
	db_close(site->watch->db);
	reader_close(NULL);
	return NULL;
}

void
watch_start(struct site *site)
{
	const struct db_driver *driver = db_driver_of(site->db_place);
	struct watch *w;
	pthread_condattr_t attr;

	if (beats == NULL || driver == NULL || !driver->shared)
		return;
	w = site->watch = xcalloc(1, sizeof(*w));
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->change, &attr);
	pthread_condattr_destroy(&attr);
	thread_start(&w->thread, "stet-watch", watch, site);
}

void
watch_stop(struct site *site)
{
	struct watch *w = site->watch;

	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->change);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->change);
	pthread_mutex_destroy(&w->lock);
	free(w);
	site->watch = NULL;
}
