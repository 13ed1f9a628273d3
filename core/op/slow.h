/*
 * slow.h - the bounded pool for work that waits: hashing, images, outgoing requests, long exports;
 * and the way from there into the write lane (stet_write_lane).
 */
#ifndef CORE_SLOW_H
#define CORE_SLOW_H

#include <stdbool.h>

void slow_start(int threads, unsigned queue_max);
void slow_stop(void); /* finish what is queued, join */
struct slow_stats {
	unsigned depth, max, threads, busy;
};
void slow_stats(struct slow_stats *);
/* Run fn(arg) on the pool. false: the queue is full, or the pool does not run. */
bool slow_submit(void (*fn)(void *), void *arg);
/* The same if a thread of it has nothing to do. */
bool slow_submit_idle(void (*fn)(void *), void *arg);

#endif
