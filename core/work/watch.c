/*
 * watch.c - the thread of a site whose database has other users, and what it does.
 *
 * It has one connection, in mode DB_ASIDE. Commits of this process are told there, at most once in
 * RING_MS. Those of others are heard there. Since one may be missed (its daemon was killed before
 * it told it, or a pooler stands between), the thread also asks for the state: every WAITED_MS
 * while a call waits for a commit, otherwise every QUIET_MS.
 */
#include "work/watch.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/stamp.h"
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BEATS_MAX 16
#define ID_BYTES 8
#define RING_MS 10
#define WAITED_MS 250
#define QUIET_MS 2000
#define DIAL_MS 1000 /* between two attempts to reach a database that is away */
#define CALL_MS 5000 /* for the statements of one call */

struct watch {
	pthread_t thread;
	const struct db_driver *driver;
	int bell; /* wakes the thread */
	atomic_bool stop, rings; /* rings: there is something to tell */
	/* The rest is the thread's. */
	struct db *db; /* NULL: not open yet */
	bool up; /* the last question was answered */
	struct stamp state; /* which it was then */
	bool known;
	int64_t rang, looked; /* clock_monotonic: the last time */
	int64_t due[BEATS_MAX]; /* of each beat */
};

static struct watch_beat *beats;
static void (*listener)(struct site *);

void
watch_add(struct watch_beat *beat)
{
	beat->next = beats;
	beats = beat;
}

void
watch_listen(void (*told)(struct site *))
{
	listener = told;
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

/* ---- calls aside ---- */

struct stet_call *
watch_begin(struct site *site)
{
	struct watch *w = site->watch;
	struct stet_call *call;

	if (!w->up)
		return NULL;
	call = call_new();
	call_enter(call, site);
	call->deadline = clock_monotonic() + CALL_MS;
	call->writing = true;
	db_part(call)->db = w->db;
	return call;
}

void
watch_end(struct stet_call *call)
{
	struct watch *w = call->site->watch;

	rows_end_call(call);
	call->writing = false;
	db_part(call)->db = NULL;
	call_free(call);
	w->up = w->driver->socket(w->db) >= 0;
}

/* ---- what others commit ---- */

static void
tell(struct site *site)
{
	atomic_fetch_add(&site->commits, 1);
	if (listener != NULL)
		listener(site);
}

void
watch_told(struct site *site)
{
	tell(site);
}

/* Asks for the state. */
static void
look(struct site *site)
{
	struct watch *w = site->watch;
	struct stamp now;
	bool news;

	w->looked = clock_monotonic();
	if (w->db == NULL)
		w->db = db_open(site->db_place, DB_ASIDE);
	w->up = w->db != NULL && stamp_read(w->db, &now);
	atomic_store(&site->db_lost, !w->up);
	if (!w->up)
		return;
	news = !w->known || !stamp_same(&now, &w->state);
	w->state = now;
	w->known = true;
	if (!news)
		return;
	tell(site);
	for (struct watch_beat *b = beats; b != NULL; b = b->next)
		if (b->heard != NULL)
			b->heard(site, &now);
}

/* Takes what others have told. Returns false if that was nothing. Answers to other questions may
 * have brought it, so this comes before the thread sleeps. */
static bool
hear(struct site *site)
{
	struct watch *w = site->watch;

	if (w->db == NULL || !w->driver->heard(w->db))
		return false;
	tell(site);
	look(site);
	return true;
}

static int64_t
look_due(const struct site *site)
{
	const struct watch *w = site->watch;
	int64_t every = atomic_load(&site->waiting) > 0 ? WAITED_MS : QUIET_MS;

	return w->looked + (w->up ? every : DIAL_MS);
}

/* ---- what this process commits ---- */

static void
ring(struct watch *w)
{
	if (!w->up || w->rang + RING_MS > clock_monotonic() || !atomic_exchange(&w->rings, false))
		return;
	w->rang = clock_monotonic();
	w->up = w->driver->ring(w->db) == DB_OK;
}

static void
wake(struct watch *w)
{
	(void)eventfd_write(w->bell, 1);
}

void
watch_ring(struct site *site)
{
	if (site->watch != NULL && !atomic_exchange(&site->watch->rings, true))
		wake(site->watch);
}

void
watch_wait(struct site *site)
{
	if (site->watch != NULL)
		wake(site->watch);
}

/* ---- beats ---- */

/* Does what is due. Returns when to do so again. */
static int64_t
beat_all(struct site *site)
{
	int64_t next = INT64_MAX;
	int i = 0;

	for (struct watch_beat *b = beats; b != NULL; b = b->next, i++) {
		int64_t *due = &site->watch->due[i];

		stet_assert(i < BEATS_MAX);
		if (b->beat == NULL)
			continue;
		if (*due <= clock_monotonic() && !atomic_load(&site->watch->stop)) {
			b->beat(site);
			*due = clock_monotonic() + b->every_ms;
		}
		next = *due < next ? *due : next;
	}
	return next;
}

static void
end_all(struct site *site)
{
	for (struct watch_beat *b = beats; b != NULL; b = b->next)
		if (b->end != NULL)
			b->end(site);
}

/* ---- the thread ---- */

/* Sleeps until somebody has something to tell, or until then. */
static void
doze(struct watch *w, int64_t until)
{
	struct pollfd fds[] = { { .fd = w->bell, .events = POLLIN },
		{ .fd = w->up ? w->driver->socket(w->db) : -1, .events = POLLIN } };
	int64_t left = until - clock_monotonic();
	eventfd_t count;

	if (poll(fds, 2, left > 0 ? (int)left : 0) > 0 && fds[0].revents != 0)
		(void)eventfd_read(w->bell, &count);
}

static void *
watch(void *arg)
{
	struct site *site = arg;
	struct watch *w = site->watch;

	reader_keep_few();
	while (!atomic_load(&w->stop)) {
		int64_t until;

		if (look_due(site) <= clock_monotonic())
			look(site);
		until = beat_all(site);
		ring(w);
		if (look_due(site) < until)
			until = look_due(site);
		if (w->up && atomic_load(&w->rings) && w->rang + RING_MS < until)
			until = w->rang + RING_MS;
		doze(w, hear(site) ? 0 : until);
	}
	end_all(site);
	db_close(w->db);
	reader_close(NULL);
	return NULL;
}

void
watch_start(struct site *site)
{
	struct watch *w;

	if (beats == NULL || !site->shared)
		return;
	w = xcalloc(1, sizeof(*w));
	w->driver = db_driver_of(site->db_place);
	w->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	stet_assert(w->bell >= 0);
	w->looked = INT64_MIN / 2;
	site->watch = w;
	thread_start(&w->thread, "stet-watch", watch, site);
}

void
watch_stop(struct site *site)
{
	struct watch *w = site->watch;

	if (w == NULL)
		return;
	atomic_store(&w->stop, true);
	wake(w);
	pthread_join(w->thread, NULL);
}

void
watch_free(struct site *site)
{
	if (site->watch == NULL)
		return;
	close(site->watch->bell);
	free(site->watch);
	site->watch = NULL;
}
