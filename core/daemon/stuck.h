/*
 * stuck.h - handlers that do not return. A thread of its own looks at what all others run
 * (base/activity.h), whatever is configured, and needs nothing that they hold.
 *
 * What runs for 10 seconds is told in the log: then, and each time that it has run twice as long.
 * If it holds a worker for stuck-after, or a writer for stuck-after past the deadline of its call,
 * or for ten times stuck-after in a job's write, which has no deadline, the daemon ends at once, so
 * that the service manager starts it again. Slow threads are only told of. When the daemon is to
 * stop, the same thread ends it if it is still there a moment after drain-timeout.
 */
#ifndef CORE_DAEMON_STUCK_H
#define CORE_DAEMON_STUCK_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

void stuck_start(int64_t after_ms); /* stuck-after; 0 or less: it never ends the daemon */
void stuck_configure(int64_t after_ms);
/* The daemon is to be gone by then (clock_monotonic). The first call counts. */
void stuck_drain(int64_t deadline);
void stuck_stop(void);

/* A line for each call that is told of. true: a worker or a writer is among them. */
bool stuck_told(struct buf *);
/* How many steps each lane runs, how many of them are told of, and the longest. */
void stuck_scrape(struct buf *);

#endif
