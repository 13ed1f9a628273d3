/*
 * loop.h - the event loop of a worker, and its mailbox, through which other threads give it work.
 * Other threads touch nothing of a loop but its mailbox.
 */
#ifndef CORE_NET_LOOP_H
#define CORE_NET_LOOP_H

#include <event2/event.h>
#include <pthread.h>

struct mail;
struct waiters;

struct loop {
	struct event_base *base;
	struct waiters *waiters; /* calls of this loop that are parked (wait.c) */
	struct event *wake; /* for the mailbox */
	int bell; /* an eventfd that is written when the mailbox stops being empty */

	pthread_mutex_t lock; /* guards the mailbox */
	struct mail *first, **last;
};

/* Makes the loop; its events have this number of priorities. */
void loop_open(struct loop *, int priorities);
/* Queues fn(arg) for the thread of the loop, which runs them in this order. From any thread. */
void loop_post(struct loop *, void (*fn)(void *), void *arg);
/* Runs what was posted, in this thread. */
void loop_read(struct loop *);
void loop_close(struct loop *);

#endif
