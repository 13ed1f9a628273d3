/*
 * lease.c - takes, renews and lets go of leases.
 *
 * The site's thread does this (watch.h): all leases of a daemon are renewed by one statement, and
 * those that are free are taken. Nobody waits for that; who wants to do something asks what is
 * known, and hears when it is his turn. The daemon counts its own time from before a statement was
 * sent, by a clock that goes on while the process is stopped: so it never believes in a lease
 * longer than the database does. What it writes for a lease is checked in the same transaction all
 * the same (lease_guard).
 */
#include "work/lease.h"
#include "base/arena.h"
#include "base/clock.h"
#include "db/driver.h"
#include "work/watch.h"
#include <stdlib.h>
#include <string.h>

#define BEAT_MS 250 /* until the site's thread hears of something new */
#define RENEW_MS 2000
#define RETRY_MS 500 /* the same after the database could not be asked */

struct lease {
	struct lease *next;
	char *name;
	bool held;
	int64_t until; /* clock_monotonic, if held: no longer than this */
	bool lapsed; /* see lease_lapsed */
	/* Of the site's thread. */
	enum { FREE, LAPSED, THEIRS, MINE } seen; /* as the database says */
};

struct leases {
	pthread_mutex_t lock; /* guards what follows; leases are freed with the site */
	struct lease *first; /* by name */
	bool fresh; /* there are leases that the database was not asked for */
	/* Of the site's thread. */
	int64_t due; /* clock_monotonic, when to renew */
};

static struct lease_listener *listeners;

void
lease_listen(struct lease_listener *l)
{
	l->next = listeners;
	listeners = l;
}

static const char *
clock_sql(const struct stet_call *call)
{
	return db_driver_of(call->site->db_place)->clock;
}

/* ---- what this process knows ---- */

/* Returns the lease of this name, or where it is to be inserted. The caller holds the lock. */
static struct lease **
place(struct leases *s, const char *name)
{
	struct lease **link = &s->first;

	while (*link != NULL && strcmp((*link)->name, name) < 0)
		link = &(*link)->next;
	return link;
}

static struct lease *
find(struct leases *s, const char *name)
{
	struct lease *l = *place(s, name);

	return l != NULL && strcmp(l->name, name) == 0 ? l : NULL;
}

static bool
is_mine(const struct lease *l)
{
	return l != NULL && l->held && clock_monotonic() < l->until;
}

bool
lease_held(struct site *site, const char *name)
{
	struct leases *s = site->leases;
	bool mine;

	if (s == NULL)
		return true;
	pthread_mutex_lock(&s->lock);
	mine = is_mine(find(s, name));
	pthread_mutex_unlock(&s->lock);
	return mine;
}

unsigned
lease_count(struct site *site)
{
	struct leases *s = site->leases;
	unsigned n = 0;

	if (s == NULL)
		return 0;
	pthread_mutex_lock(&s->lock);
	for (const struct lease *l = s->first; l != NULL; l = l->next)
		n += is_mine(l);
	pthread_mutex_unlock(&s->lock);
	return n;
}

bool
lease_lapsed(struct site *site, const char *name)
{
	struct leases *s = site->leases;
	struct lease *l;
	bool lapsed;

	if (s == NULL)
		return false;
	pthread_mutex_lock(&s->lock);
	l = find(s, name);
	lapsed = l != NULL && l->lapsed;
	if (lapsed)
		l->lapsed = false;
	pthread_mutex_unlock(&s->lock);
	return lapsed;
}

/* Adds a lease that is new. */
static struct lease *
want(struct leases *s, const char *name)
{
	struct lease **link = place(s, name), *l = xcalloc(1, sizeof(*l));

	*l = (struct lease){ .next = *link, .name = xstrdup(name) };
	*link = l;
	s->fresh = true;
	return l;
}

bool
lease_hold(struct site *site, const char *name)
{
	struct leases *s = site->leases;
	struct lease *l;
	bool mine;

	if (s == NULL)
		return true;
	pthread_mutex_lock(&s->lock);
	if ((l = find(s, name)) == NULL)
		l = want(s, name);
	mine = is_mine(l);
	pthread_mutex_unlock(&s->lock);
	return mine;
}

/* ---- renewing and taking ---- */

static enum stet_status
renew(struct stet_call *call)
{
	return stet_exec(call, stet_write_tx(call),
	    stet_printf(call,
		"UPDATE site_lease SET until = %s + ?2 WHERE holder = ?1 AND until > %s",
		clock_sql(call), clock_sql(call)),
	    STET_ARGS(watch_id(), LEASE_MS));
}

/* Leases are taken one by one, so that no daemon waits for another that waits for it. */
static enum stet_status
take(struct stet_call *call, const char *name, bool *taken)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    stet_printf(call,
		"INSERT INTO site_lease (name, holder, until) VALUES (?1, ?2, %s + ?3)"
		" ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until"
		" WHERE site_lease.until <= %s OR site_lease.until > %s + 2 * ?3"
		" OR site_lease.holder = excluded.holder",
		clock_sql(call), clock_sql(call), clock_sql(call)),
	    STET_ARGS(name, watch_id(), LEASE_MS)));
	*taken = stet_changes(call) > 0;
	return STET_OK;
}

/* Begins to ask the database about all leases that are wanted now. */
static void
forget_seen(struct leases *s)
{
	pthread_mutex_lock(&s->lock);
	for (struct lease *l = s->first; l != NULL; l = l->next)
		l->seen = FREE;
	s->fresh = false;
	pthread_mutex_unlock(&s->lock);
}

static struct lease *
known(struct leases *s, const char *name)
{
	struct lease *l;

	pthread_mutex_lock(&s->lock);
	l = find(s, name);
	pthread_mutex_unlock(&s->lock);
	return l;
}

/* A lease runs out then, if its holder does not renew it: it may have died. */
static void
note_end(struct leases *s, int64_t at)
{
	if (at < s->due)
		s->due = at;
}

/* Reads who has which lease. */
static enum stet_status
look(struct stet_call *call, struct leases *s)
{
	struct stet_rows rows;

	forget_seen(s);
	STET_TRY(stet_query(call, &rows,
	    stet_printf(
		call, "SELECT name, holder, until, until - %s FROM site_lease", clock_sql(call)),
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		struct lease *l = known(s, stet_col_str(&rows, 0));
		bool mine = strcmp(stet_col_str(&rows, 1), watch_id()) == 0;

		if (l == NULL)
			continue;
		/* Later than any lease lasts: the clock of the database was set back. */
		if (stet_col_int(&rows, 3) > 0 && stet_col_int(&rows, 3) <= 2 * LEASE_MS) {
			l->seen = mine ? MINE : THEIRS;
			note_end(s, clock_monotonic() + stet_col_int(&rows, 3));
		} else if (!mine && stet_col_int(&rows, 2) != 0)
			l->seen = LAPSED;
	}
	return stet_rows_end(&rows);
}

static void
tell_gained(struct site *site, const char *name)
{
	for (const struct lease_listener *l = listeners; l != NULL; l = l->next)
		if (l->gained != NULL)
			l->gained(site, name);
}

/* Notes whether this daemon has the lease, and until when. */
static void
note(struct site *site, struct lease *l, bool mine, int64_t until)
{
	bool gained;

	pthread_mutex_lock(&site->leases->lock);
	gained = mine && !is_mine(l);
	l->lapsed = mine && (l->lapsed || l->seen == LAPSED);
	l->held = mine;
	l->until = until;
	pthread_mutex_unlock(&site->leases->lock);
	if (gained)
		tell_gained(site, l->name);
}

/* The lease after this one; NULL: the first. */
static struct lease *
next(struct leases *s, const struct lease *l)
{
	struct lease *next;

	pthread_mutex_lock(&s->lock);
	next = l != NULL ? l->next : s->first;
	pthread_mutex_unlock(&s->lock);
	return next;
}

/* Renews all leases, and takes those that are free. */
static enum stet_status
renew_all(struct stet_call *call)
{
	struct leases *s = call->site->leases;
	int64_t until = clock_monotonic() + LEASE_MS;

	STET_TRY(renew(call));
	STET_TRY(look(call, s));
	for (struct lease *l = next(s, NULL); l != NULL; l = next(s, l)) {
		bool mine = l->seen == MINE;
		int64_t taken_until = clock_monotonic() + LEASE_MS;

		if (l->seen == FREE || l->seen == LAPSED) {
			STET_TRY(take(call, l->name, &mine));
			note(call->site, l, mine, taken_until);
		} else
			note(call->site, l, mine, until);
	}
	return STET_OK;
}

/* ---- the site's thread ---- */

static bool
is_due(struct leases *s)
{
	bool due;

	pthread_mutex_lock(&s->lock);
	due = s->fresh || clock_monotonic() >= s->due;
	pthread_mutex_unlock(&s->lock);
	return due;
}

static void
beat(struct site *site)
{
	struct leases *s = site->leases;
	struct stet_call *call;
	enum stet_status status = STET_UNAVAILABLE;

	if (s == NULL || !is_due(s))
		return;
	s->due = clock_monotonic() + RENEW_MS;
	if ((call = watch_begin(site)) != NULL) {
		status = renew_all(call);
		watch_end(call);
	}
	if (status != STET_OK)
		s->due = clock_monotonic() + RETRY_MS;
}

/* Lets go of all leases, so that others need not wait. */
static void
end(struct site *site)
{
	struct leases *s = site->leases;
	struct stet_call *call;

	if (s == NULL || (call = watch_begin(site)) == NULL)
		return;
	for (struct lease *l = next(s, NULL); l != NULL; l = next(s, l))
		note(site, l, false, 0);
	if (stet_exec(call, stet_write_tx(call),
		"UPDATE site_lease SET until = 0 WHERE holder = ?1",
		STET_ARGS(watch_id())) != STET_OK)
		stet_log(call, STET_WARN,
		    "others wait %d s until they go on with what this one did", LEASE_MS / 1000);
	watch_end(call);
}

static struct watch_beat lease_beat = { .every_ms = BEAT_MS, .beat = beat, .end = end };
WATCH_BEAT_ADD(lease_beat)

/* ---- acting ---- */

static bool
guard_held(struct stet_call *call)
{
	return lease_held(call->site, call->lease);
}

static enum stet_status
guard_check(struct stet_call *call)
{
	struct leases *s = call->site->leases;
	struct stet_rows rows;
	struct lease *l;
	bool mine;

	STET_TRY(stet_query(call, &rows,
	    stet_printf(call,
		"SELECT 1 FROM site_lease WHERE name = ?1 AND holder = ?2 AND until > %s",
		clock_sql(call)),
	    STET_ARGS(call->lease, watch_id())));
	mine = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (mine)
		return STET_OK;
	pthread_mutex_lock(&s->lock);
	if ((l = find(s, call->lease)) != NULL)
		l->held = false;
	pthread_mutex_unlock(&s->lock);
	return stet_fail(call, STET_UNAVAILABLE, NULL, "Another daemon does this now");
}

void
lease_guard(struct stet_call *call, const char *name)
{
	static const struct call_guard guard = { guard_held, guard_check };

	if (call->site->leases == NULL)
		return;
	call->guard = &guard;
	call->lease = name;
}

/* ---- a site ---- */

void
lease_open(struct site *site)
{
	if (!site->daemon || !site->shared)
		return;
	site->leases = xcalloc(1, sizeof(*site->leases));
	pthread_mutex_init(&site->leases->lock, NULL);
}

void
lease_close(struct site *site)
{
	struct leases *s = site->leases;

	if (s == NULL)
		return;
	for (struct lease *l = s->first, *after; l != NULL; l = after) {
		after = l->next;
		free(l->name);
		free(l);
	}
	pthread_mutex_destroy(&s->lock);
	free(s);
	site->leases = NULL;
}
