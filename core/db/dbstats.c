/* dbstats.c - see dbstats.h. */
#include "db/dbstats.h"
#include "base/arena.h"
#include "base/clock.h"
#include "db/stmt.h"
#include <pthread.h>
#include <string.h>

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
