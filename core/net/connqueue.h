/* connqueue.h - the deadlines of a worker's connections, in queues. */
#ifndef CORE_NET_CONNQUEUE_H
#define CORE_NET_CONNQUEUE_H

#include "net/conn.h"

/* Adds a connection to its set, removes it, or sets the deadline of its state. */
void connqueue_enter(struct conn *);
void connqueue_leave(struct conn *);
void connqueue_settle(struct conn *);
/* Call it when the deadline of a body or of output has passed. Returns true if the peer has kept
 * the minimum rate since it was set and the response may take longer. */
bool connqueue_keeps_up(const struct conn *);
/* Returns the time span of the queue in milliseconds. */
int64_t connqueue_span(const struct connset *, enum conn_queue);
/* Has the set's timer run at `due` (clock_monotonic) at the latest. */
void connqueue_arm(struct connset *, int64_t now, int64_t due);

#endif
