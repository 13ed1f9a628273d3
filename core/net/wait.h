/*
 * wait.h - parked calls. A handler of the read lane that has nothing to return yet calls stet_wait:
 * the worker then keeps its call, without a thread or a transaction, and runs the handler again
 * after the next commit of the site or when the call's time is up.
 */
#ifndef CORE_WAIT_H
#define CORE_WAIT_H

#include "net/loop.h"
#include <stdbool.h>

struct site;
struct stet_call;
struct wait;

/* The parked calls of one worker. Free it after the worker's last call has ended and the writers
 * have stopped. */
struct waiters *waiters_new(struct loop *);
void waiters_free(struct waiters *);
/* The worker shuts down: runs each parked call for the last time. */
void waiters_drain(struct waiters *);

/* After a commit: has each worker run the parked calls of this site again. From any thread. */
void wait_committed(struct site *);

/* Parks the call if its handler asked for that; returns true if it did. Call it on the worker after
 * the handler has returned. */
bool wait_park(struct stet_call *);
/* Returns true if the call is parked. */
bool wait_parked(const struct stet_call *);
/* Runs a parked call for the last time, now. Returns false if it is not parked. */
bool wait_end(struct stet_call *);
/* The client is gone: removes the call, so that the caller may free it. Returns false if it is not
 * parked. */
bool wait_leave(struct stet_call *);

#endif
