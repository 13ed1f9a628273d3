/*
 * slow.h - the slow lane: a bounded pool of threads for work that waits or computes for long, such
 * as hashing passwords, images, outgoing requests and exports. crossing.c has the way from there
 * into the write lane.
 */
#ifndef CORE_SLOW_H
#define CORE_SLOW_H

#include <stdbool.h>
#include <stdint.h>

void slow_start(int threads, unsigned queue_max);
void slow_stop(void); /* runs what is queued, then joins the threads */
struct slow_stats {
	unsigned depth, max, threads, busy;
};
void slow_stats(struct slow_stats *);
/* Call them before and after a call on a thread of the pool waits for its client. Meanwhile another
 * thread may replace it. Returns false if too many wait to start another; the call should then not
 * wait for long. On other threads they do nothing. */
bool slow_wait_begins(void);
void slow_wait_ends(void);
/* Queues fn(arg) on the pool. Returns false if the queue is full or the pool is stopped. Any
 * thread. */
bool slow_submit(void (*fn)(void *), void *arg);
/* slow_submit on behalf of a client: clients take turns (base/fair.h). 0 is the daemon itself. */
bool slow_submit_fair(void (*fn)(void *), void *arg, uint64_t client);
/* slow_submit, but only if a thread of the pool is idle. */
bool slow_submit_idle(void (*fn)(void *), void *arg);

#endif
