/* worker.h - a worker: a thread with an event loop, and the connections that it serves. */
#ifndef CORE_WORKER_H
#define CORE_WORKER_H

#include <event2/event.h>
#include <event2/util.h>
#include <stdbool.h>
#include <stdint.h>

struct conf;
struct loop;
struct worker;

/* Makes the worker and starts its thread. What it needs of the configuration is copied. */
struct worker *worker_new(int index, const struct conf *);
/* The worker's loop, to which any thread may post. */
struct loop *worker_loop(struct worker *);
/* Gives an accepted socket to the worker. */
void worker_accept(struct worker *, evutil_socket_t, const struct sockaddr *, bool secure);
/* Sets other deadlines and trusted proxies. */
void worker_configure(struct worker *, const struct conf *);
/* There are too many connections: has the worker close some of those that have been idle
 * longest. */
void worker_shed(struct worker *);
/* Stops the worker: it ends its calls, closes idle connections, and leaves the loop at the
 * deadline (clock_monotonic) at the latest. */
void worker_drain(struct worker *, int64_t deadline);
void worker_join(struct worker *);
/* Runs, in this thread, functions that were posted too late. Call it after worker_join, when every
 * lane has stopped. */
void worker_free(struct worker *);

#endif
