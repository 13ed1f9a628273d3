/* outbox.h - the durable queue behind NOTIFY hooks (stet_notify). */
#ifndef CORE_OUTBOX_H
#define CORE_OUTBOX_H

#include "call/site.h"

/*
 * Deliver what is due, in order, on the slow pool; again after each commit that left something. A
 * hook that fails is tried again with growing pauses (1 s, 2 s, … 1 h; 12 times), then kept as dead
 * and logged; meanwhile what follows for the same module waits. Needs writer, slow pool and jobs.
 */
void outbox_start(struct site *);
void outbox_stop(struct site *); /* waits for a hook that runs */
/* Before the first delivery after a start: give up what took the daemon down too often. */
void outbox_begin(struct site *);
/* Deliver in this thread what is due now (commands without a daemon, tests). The earliest time when
 * something else will be due, or -1. */
int64_t outbox_deliver(struct site *);
/* Look again: another process may have left something. */
void outbox_wake(struct site *);
/* How many letters waited after the last round, counted up to a bound. */
uint64_t outbox_depth(struct site *);

#endif
