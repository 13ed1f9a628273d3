/*
 * wakes.h - tells the daemons of a site that something is wanted that one of them does (table
 * site_wake): "job:MODULE/NAME", or that there are messages to deliver. Where no other daemon uses
 * the database, there is nothing of this.
 */
#ifndef CORE_WORK_WAKES_H
#define CORE_WORK_WAKES_H

#include "call/call.h"

/* The site is about to be opened, and nothing knows it any more. */
void wakes_open(struct site *);
void wakes_close(struct site *);

/* Tells all daemons of the site that this is wanted, with the commit of the transaction. */
enum stet_status wakes_ask(struct stet_call *, struct stet_tx *, const char *what);
/* The same soon, for calls that do not write. */
void wakes_ask_soon(struct site *, const char *what);

/* Told on the site's thread (watch.h), also in the daemon that wanted it. */
struct wakes_listener {
	struct wakes_listener *next; /* wakes.c */
	void (*woken)(struct site *, const char *what);
};
/* Call it before the first site is opened. */
void wakes_listen(struct wakes_listener *);

#define WAKES_LISTENER_ADD(id)                                  \
	__attribute__((constructor)) static void id##_add(void) \
	{                                                       \
		wakes_listen(&(id));                            \
	}

#endif
