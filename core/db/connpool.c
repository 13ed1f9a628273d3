/*
 * connpool.c - read connections that threads of a process borrow.
 *
 * Threads of the slow lane may hold a connection for as long as a client takes to read an export,
 * so they get at most half of them together: reads of others go on.
 */
#include "db/connpool.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/dbstats.h"
#include "db/snapshot.h"
#include "db/stmt.h"
#include <pthread.h>
#include <stdlib.h>

struct connpool {
	pthread_mutex_t lock;
	pthread_cond_t given;
	char *place;
	const struct db_stats *stats;
	int64_t patience;
	unsigned most, open, few; /* few: how many such threads have borrowed */
	struct db *idle; /* by next_idle, the one used last first */
};

/* What this thread has borrowed, of any pool. */
static _Thread_local struct db *mine;
static _Thread_local bool beyond; /* see connpool_beyond */

void
connpool_beyond(bool begins)
{
	beyond = begins;
}

static bool
has_room(const struct connpool *p, bool few)
{
	if (few && !beyond && p->few >= (p->most + 1) / 2)
		return false;
	return p->idle != NULL || p->open < p->most + beyond;
}

/* Waits for a connection, or for the right to open one: then *db is NULL. */
static bool
await(struct connpool *p, bool few, int64_t by, struct db **db)
{
	const struct timespec until = { .tv_sec = by / 1000, .tv_nsec = by % 1000 * 1000000 };
	bool room;

	pthread_mutex_lock(&p->lock);
	while (!(room = has_room(p, few)))
		if (pthread_cond_timedwait(&p->given, &p->lock, &until) != 0)
			break;
	room = room || has_room(p, few);
	*db = NULL;
	if (room) {
		if ((*db = p->idle) != NULL)
			p->idle = (*db)->next_lent;
		else
			p->open++;
		p->few += few;
	}
	pthread_mutex_unlock(&p->lock);
	return room;
}

/* `db`, if there is one, can be borrowed again, unless it is one too many; otherwise there is room
 * for another one. */
static void
give_back(struct connpool *p, struct db *db, bool few)
{
	struct db *surplus = NULL;

	pthread_mutex_lock(&p->lock);
	if (db != NULL && p->open > p->most) {
		surplus = db;
		db = NULL;
	}
	if (db != NULL) {
		db->next_lent = p->idle;
		p->idle = db;
	} else
		p->open--;
	p->few -= few;
	/* Those that wait have different rights. */
	pthread_cond_broadcast(&p->given);
	pthread_mutex_unlock(&p->lock);
	if (surplus == NULL)
		return;
	snapshot_forget(surplus);
	db_close(surplus);
}

struct db *
connpool_take(struct connpool *p, bool few, int64_t by)
{
	static struct log_gate gate;
	struct db *db = mine;

	while (db != NULL && db->pool != p)
		db = db->next_lent;
	if (db != NULL) {
		db->users++;
		return db;
	}
	if (by == 0)
		by = clock_monotonic() + p->patience;
	if (!await(p, few, by, &db)) {
		log_seldom(
		    &gate, STET_WARN, "%u connections to the database are all in use", p->most);
		return NULL;
	}
	if (db == NULL && (db = db_open_by(p->place, DB_READ, by)) == NULL) {
		give_back(p, NULL, few);
		return NULL;
	}
	db->pool = p;
	db->few = few;
	db->users = 1;
	db->next_lent = mine;
	mine = db;
	return db;
}

void
connpool_give(struct db *db)
{
	struct db **link = &mine;

	stet_assert(db->users > 0);
	if (--db->users > 0)
		return;
	snapshot_drop(db);
	while (*link != db)
		link = &(*link)->next_lent;
	*link = db->next_lent;
	give_back(db->pool, db, db->few);
}

struct connpool *
connpool_new(const char *place, unsigned most, int64_t patience)
{
	struct connpool *p = xcalloc(1, sizeof(*p));
	pthread_condattr_t attr;

	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->given, &attr);
	pthread_condattr_destroy(&attr);
	p->place = xstrdup(place);
	p->stats = dbstats_of(place, true);
	p->most = most;
	p->patience = patience;
	return p;
}

bool
connpool_near(const struct connpool *p)
{
	return dbstats_near(p->stats);
}

void
connpool_free(struct connpool *p)
{
	struct db *db;

	if (p == NULL)
		return;
	while ((db = p->idle) != NULL) {
		p->idle = db->next_lent;
		snapshot_forget(db);
		db_close(db);
		p->open--;
	}
	stet_assert(p->open == 0);
	pthread_cond_destroy(&p->given);
	pthread_mutex_destroy(&p->lock);
	free(p->place);
	free(p);
}
