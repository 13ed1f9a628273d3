/* dbstats.c - see dbstats.h. */
#include "db/dbstats.h"
#include "base/arena.h"
#include "base/clock.h"
#include "db/stmt.h"
#include <pthread.h>
#include <string.h>

#define NEAR_US 200
#define FORGETS 1024 /* questions after which a shortest time is mostly forgotten */

static struct {
	pthread_mutex_t lock;
	struct db_stats *first;
} places = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct db_stats *
dbstats_of(const char *place, bool made)
{
	struct db_stats *s;

	pthread_mutex_lock(&places.lock);
	for (s = places.first; s != NULL && strcmp(s->place, place) != 0;)
		s = s->next;
	if (s == NULL && made) {
		s = xcalloc(1, sizeof(*s));
		s->place = xstrdup(place);
		s->next = places.first;
		places.first = s;
	}
	pthread_mutex_unlock(&places.lock);
	return s;
}

void
dbstats_add(struct db *db, enum db_stat which, int64_t n)
{
	if (db->stats != NULL)
		atomic_fetch_add_explicit(
		    &db->stats->n[which], (uint_fast64_t)n, memory_order_relaxed);
}

int64_t
dbstats_now(const struct db *db)
{
	return db->stats != NULL ? clock_monotonic_us() : 0;
}

void
dbstats_since(struct db *db, enum db_stat which, int64_t then)
{
	if (db->stats == NULL || then == 0)
		return;
	dbstats_add(db, which, 1);
	dbstats_add(db, which + 1, clock_monotonic_us() - then);
}

/* Threads may overwrite each other's number, which is as good. */
void
dbstats_state(struct db *db, int64_t then)
{
	int64_t took, shortest;

	if (db->stats == NULL || then == 0)
		return;
	dbstats_since(db, DBSTAT_STATES, then);
	took = clock_monotonic_us() - then;
	shortest = atomic_load_explicit(&db->stats->shortest, memory_order_relaxed);
	if (shortest == 0 || took < shortest)
		shortest = took > 0 ? took : 1;
	else
		shortest += (took - shortest + FORGETS - 1) / FORGETS;
	atomic_store_explicit(&db->stats->shortest, shortest, memory_order_relaxed);
}

bool
dbstats_near(const struct db_stats *s)
{
	int64_t shortest = atomic_load_explicit(&s->shortest, memory_order_relaxed);

	return shortest != 0 && shortest < NEAR_US;
}
