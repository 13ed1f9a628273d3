/* shut.c - see shut.h. Others go by a time, since a process that closes a site may die. */
#include "db/shut.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/thread.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/stmt.h"
#include <pthread.h>
#include <stdlib.h>

#define CLOSED_MS 30000
#define EACH_MS 8000 /* between two renewals */

struct shut {
	struct db *db;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool end, opened;
	int64_t until; /* clock_monotonic: it is closed until then, at least */
};

/* With `first`, another process must not have closed it. */
static bool
set(struct db *db, int64_t ms, bool first)
{
	struct db_common common;
	struct stamp state;

	if (db_begin(db, DB_WRITE) != STET_OK)
		return false;
	if (db->driver->locked(db, &state)) {
		db->driver->common(&state, &common);
		if ((!first || common.closed == 0) && db->driver->shut(db, ms) == DB_OK)
			return db_commit(db) == STET_OK;
	}
	db_rollback(db);
	return false;
}

static bool
renew(struct shut *s, bool first)
{
	int64_t until = clock_monotonic() + CLOSED_MS;
	bool good = set(s->db, CLOSED_MS, first);

	s->opened = s->opened || (!first && clock_monotonic() > s->until);
	if (good)
		s->until = until;
	return good;
}

static void *
keep(void *arg)
{
	struct shut *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->end) {
		int64_t next = clock_monotonic() + EACH_MS;
		const struct timespec at = { .tv_sec = next / 1000,
			.tv_nsec = next % 1000 * 1000000 };

		(void)pthread_cond_timedwait(&s->ended, &s->lock, &at);
		if (s->end)
			break;
		pthread_mutex_unlock(&s->lock);
		(void)renew(s, false);
		pthread_mutex_lock(&s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

struct shut *
shut_begin(const char *place, char **why)
{
	struct shut *s = xcalloc(1, sizeof(*s));
	pthread_condattr_t attr;

	if ((s->db = db_open(place, DB_WRITE)) == NULL || !renew(s, true)) {
		*why = xstrdup(s->db == NULL ? "the database of the site cannot be opened"
					     : "the site cannot be closed for others: another"
					       " command has closed it, or the log says why");
		db_close(s->db);
		free(s);
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->ended, &attr);
	pthread_condattr_destroy(&attr);
	thread_start(&s->thread, "stet-shut", keep, s);
	return s;
}

static void
stop(struct shut *s)
{
	if (s->end)
		return;
	pthread_mutex_lock(&s->lock);
	s->end = true;
	pthread_cond_signal(&s->ended);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
}

bool
shut_last(struct shut *s)
{
	if (s == NULL)
		return true;
	stop(s);
	return renew(s, false) && !s->opened;
}

void
shut_end(struct shut *s, bool open)
{
	if (s == NULL)
		return;
	stop(s);
	if (open)
		(void)set(s->db, 0, false);
	db_close(s->db);
	pthread_cond_destroy(&s->ended);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
