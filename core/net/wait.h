/*
 * wait.h - calls of the read lane that asked to be run again (stet_wait): parked on their worker,
 * without a thread or a transaction, until the site commits or their time comes.
 */
#ifndef CORE_WAIT_H
#define CORE_WAIT_H

#include "net/worker.h"

struct site;
struct stet_call;
struct wait;

/* Those of one worker; to be freed when no call of it is left, and nothing commits any more. */
struct waiters *waiters_new(struct worker *);
void waiters_free(struct waiters *);
/* Run each for the last time. */
void waiters_drain(struct waiters *);

/* From any thread, after a commit: look at who waits for this site. */
void wait_committed(struct site *);

/* On the worker, when its handler has returned: park the call if it asked for that. */
bool wait_park(struct stet_call *);
bool wait_parked(const struct stet_call *);
/* Is it parked? Then run it for the last time, now. */
bool wait_end(struct stet_call *);
/* Nobody waits for its answer any more: the caller may free it. False: it is not parked. */
bool wait_leave(struct stet_call *);

#endif
