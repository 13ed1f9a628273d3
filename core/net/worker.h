/*
 * worker.h - a worker: a thread, an event_base, a mailbox. Nothing of a worker is touched by
 * another thread but its mailbox.
 */
#ifndef CORE_WORKER_H
#define CORE_WORKER_H

#include <event2/event.h>
#include <event2/util.h>
#include <stdbool.h>
#include <stdint.h>

struct conf;
struct waiters;
struct worker;

/* The thread starts at once. What it needs of the configuration is copied. */
struct worker *worker_new(int index, const struct conf *);
struct event_base *worker_base(struct worker *);
/* From any thread: run fn(arg) on the worker, soon, in the order of posting. */
void worker_post(struct worker *, void (*fn)(void *), void *arg);
/* Hand over an accepted socket. */
void worker_accept(struct worker *, evutil_socket_t, const struct sockaddr *, bool secure);
/* Other deadlines and trusted proxies, from now on. */
void worker_configure(struct worker *, const struct conf *);
/* File descriptors are short: close some connections that have been idle longest. */
void worker_shed(struct worker *);
/* Stop: finish calls, close idle connections, end the loop by the deadline (clock_monotonic). */
void worker_drain(struct worker *, int64_t deadline);
/* Its calls that wait; for its own thread. */
struct waiters *worker_waiters(struct worker *);
void worker_join(struct worker *);
/* After worker_join, and after every lane has stopped: what was still posted is run in this thread.
 */
void worker_free(struct worker *);

#endif
