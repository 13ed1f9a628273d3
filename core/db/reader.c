/*
 * reader.c - the read connections of each thread: one per site, opened when first needed. A thread
 * keeps a bounded number; the least recently used is closed, and only a few keep their page cache.
 */
#include "db/reader.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/site.h"
#include "db/connpool.h"
#include "db/db.h"
#include "db/snapshot.h"
#include "db/stmt.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define READERS_MAX 64 /* per thread */
#define READERS_FEW 4 /* for a thread that waits most of the time */
#define WARM_MAX 8 /* connections that keep pages and statements in memory */

struct reader {
	uint64_t site; /* its id */
	uint64_t used;
	bool warm;
	struct db *db;
};

struct readers { /* the read connections of one thread */
	struct reader *reader;
	size_t max, count, last; /* last: index of the one used last */
	uint64_t tick;
	size_t retired; /* how many of the ids below this thread has handled */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local struct readers *mine;

static struct { /* ids of closed sites; few, and never reused */
	pthread_mutex_t lock;
	atomic_size_t count;
	uint64_t *id;
} retired = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
drop(struct readers *r, size_t i)
{
	snapshot_drop(r->reader[i].db);
	snapshot_forget(r->reader[i].db);
	db_close(r->reader[i].db);
	r->reader[i] = r->reader[--r->count];
	r->last = 0;
}

static void
thread_ends(void *arg)
{
	struct readers *r = arg;

	while (r->count > 0)
		drop(r, r->count - 1);
	free(r->reader);
	free(r);
	mine = NULL;
}

static void
make_key(void)
{
	stet_assert(pthread_key_create(&key, thread_ends) == 0);
}

static struct readers *
of_thread(void)
{
	if (mine != NULL)
		return mine;
	pthread_once(&once, make_key);
	mine = xcalloc(1, sizeof(*mine));
	mine->max = READERS_MAX;
	mine->reader = xcalloc(READERS_MAX, sizeof(*mine->reader));
	stet_assert(pthread_setspecific(key, mine) == 0);
	return mine;
}

static void
drop_site(struct readers *r, uint64_t id)
{
	for (size_t i = r->count; i-- > 0;)
		if (r->reader[i].site == id)
			drop(r, i);
}

static void
drop_retired(struct readers *r)
{
	if (r->retired == atomic_load_explicit(&retired.count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&retired.lock);
	for (; r->retired < atomic_load(&retired.count); r->retired++)
		drop_site(r, retired.id[r->retired]);
	pthread_mutex_unlock(&retired.lock);
}

/* The index of the least recently used connection that no call uses; count if there is none. */
static size_t
oldest(const struct readers *r, bool warm)
{
	size_t found = r->count;

	for (size_t i = 0; i < r->count; i++) {
		const struct reader *e = &r->reader[i];

		if (e->db->reading == NULL && e->db->busy == 0 && (!warm || e->warm) &&
		    (found == r->count || e->used < r->reader[found].used))
			found = i;
	}
	return found;
}

static void
release(struct reader *e)
{
	e->warm = false;
	db_release_memory(e->db);
}

/* Marks the connection as used. It becomes warm; if too many are, another releases its memory. */
static struct db *
touch(struct readers *r, struct reader *e)
{
	size_t warm = 0, i;

	e->used = ++r->tick;
	if (e->warm)
		return e->db;
	for (i = 0; i < r->count; i++)
		warm += r->reader[i].warm;
	if (warm >= WARM_MAX && (i = oldest(r, true)) < r->count)
		release(&r->reader[i]);
	e->warm = true;
	return e->db;
}

void
reader_rest(void)
{
	struct readers *r = of_thread();

	for (size_t i = 0; i < r->count; i++)
		release(&r->reader[i]);
}

static void
make_room(struct readers *r)
{
	size_t i = oldest(r, false);

	stet_assert(i < r->count);
	drop(r, i);
}

void
reader_keep_few(void)
{
	of_thread()->max = READERS_FEW;
}

static struct db *
of_thread_for(struct readers *r, struct site *site)
{
	struct db *db;

	if (r->last >= r->count || r->reader[r->last].site != site->id)
		for (r->last = 0; r->last < r->count; r->last++)
			if (r->reader[r->last].site == site->id)
				break;
	if (r->last < r->count)
		return touch(r, &r->reader[r->last]);
	if ((db = db_open(site->db_place, DB_READ)) == NULL)
		return NULL;
	if (r->count >= r->max)
		make_room(r);
	r->last = r->count++;
	r->reader[r->last] = (struct reader){ .site = site->id, .db = db };
	return touch(r, &r->reader[r->last]);
}

struct db *
reader_get(struct site *site)
{
	struct readers *r = of_thread();

	if (site->connections != NULL)
		return connpool_take(site->connections, r->max == READERS_FEW, 0);
	drop_retired(r);
	return of_thread_for(r, site);
}

void
reader_put(struct db *db)
{
	if (db->pool != NULL)
		connpool_give(db);
}

void
reader_close(struct site *site)
{
	if (mine == NULL)
		return;
	if (site != NULL) {
		drop_site(mine, site->id);
		return;
	}
	pthread_setspecific(key, NULL);
	thread_ends(mine);
}

void
reader_retire(struct site *site)
{
	size_t n;

	pthread_mutex_lock(&retired.lock);
	n = atomic_load(&retired.count);
	retired.id = xrealloc(retired.id, (n + 1) * sizeof(*retired.id));
	retired.id[n] = site->id;
	atomic_store(&retired.count, n + 1);
	pthread_mutex_unlock(&retired.lock);
	reader_close(site);
}
