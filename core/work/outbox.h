/* outbox.h - the durable queue behind NOTIFY hooks (stet_notify). */
#ifndef CORE_OUTBOX_H
#define CORE_OUTBOX_H

#include "call/call.h"

#define OUTBOX_WAKE "outbox" /* for wakes_ask */
/* The name of the lease whose holder delivers to the module. */
const char *outbox_lease(struct stet_call *, const struct loaded *);

/*
 * Starts delivery: rounds on the slow pool deliver due messages in order, at the start and after
 * each commit that stored one. A message whose hook fails is retried after 1 s, 2 s, … 1 h, 12
 * times in all, then logged and kept as dead; until then it blocks later messages of the same
 * module about the same item. Needs the writer, the slow pool and jobs.
 */
void outbox_start(struct site *);
/* Stops delivery. Waits for a hook that runs. */
void outbox_stop(struct site *);
/* Call it before the first delivery after a start: messages whose delivery ended the daemon too
 * often become dead. */
void outbox_begin(struct site *);
/* Delivers due messages in this thread, for commands without a daemon and for tests, whoever has
 * the leases. Returns when the next message is due, or -1 if none is pending. */
int64_t outbox_deliver(struct site *);
/* Starts a round: another process may have stored messages. */
void outbox_wake(struct site *);
/* The number of pending messages after the last round; it stops counting at 10,000. */
uint64_t outbox_depth(struct site *);

#endif
