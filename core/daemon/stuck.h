/*
 * stuck.h - a watchdog for handlers that do not return. Its thread looks at what all other threads
 * run (base/activity.h) and needs no lock that they hold.
 *
 * A call that runs for 10 seconds is logged, then again each time that its duration has doubled.
 * The daemon ends at once if a call blocks a worker for stuck-after, or a writer for stuck-after
 * past the call's deadline; for a job's write, which has no deadline, ten times stuck-after. The
 * service manager then starts the daemon again. Slow threads are only logged. During shutdown the
 * same thread ends the daemon shortly after drain-timeout.
 */
#ifndef CORE_DAEMON_STUCK_H
#define CORE_DAEMON_STUCK_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

void stuck_start(int64_t after_ms); /* stuck-after; 0 or less: it never ends the daemon */
void stuck_configure(int64_t after_ms);
/* Shutdown: the daemon must have ended by this time (clock_monotonic). Only the first call
 * counts. */
void stuck_drain(int64_t deadline);
void stuck_stop(void);

/* Appends a line for each call that was logged. Returns true if one of them blocks a worker or a
 * writer. */
bool stuck_told(struct buf *);
/* Writes how many steps each lane runs, how many of them were logged, and the longest. */
void stuck_scrape(struct buf *);

#endif
