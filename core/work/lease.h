/*
 * lease.h - which daemon of a site does what only one may do at a time (table site_lease,
 * adr/0090). What it is about has a name; who holds the lease of that name does it. It runs out
 * LEASE_MS after it was last renewed, by the clock of the database, and then another may take it.
 *
 * Where no other daemon uses the database, every lease is held, and nothing is asked or locked.
 */
#ifndef CORE_WORK_LEASE_H
#define CORE_WORK_LEASE_H

#include "call/call.h"

#define LEASE_MS 6000
/* Before the name of a module: its jobs, and the messages for its NOTIFY hooks. */
#define LEASE_MODULE "module:"

/* The site is about to be opened, and nothing knows it any more. */
void lease_open(struct site *);
void lease_close(struct site *);

/* Returns true if this daemon holds the lease, as far as it knows; waits for nothing. From the
 * first time on it is taken when it is free, and the listeners are told. Any thread. */
bool lease_hold(struct site *, const char *name);
/* The same without taking it. */
bool lease_held(struct site *, const char *name);
/* Returns how many this daemon holds. */
unsigned lease_count(struct site *);
/* Returns true once if the daemon that had it before has not let it go: it died, or was cut off. */
bool lease_lapsed(struct site *, const char *name);

/* From now on the writes of the call fail, and it makes no requests, unless this daemon holds the
 * lease. The name must outlive the call. */
void lease_guard(struct stet_call *, const char *name);

/* Told on the site's thread (watch.h). */
struct lease_listener {
	struct lease_listener *next; /* lease.c */
	void (*gained)(struct site *, const char *name);
};
/* Call it before the first site is opened. */
void lease_listen(struct lease_listener *);

#define LEASE_LISTENER_ADD(id)                                  \
	__attribute__((constructor)) static void id##_add(void) \
	{                                                       \
		lease_listen(&(id));                            \
	}

#endif
