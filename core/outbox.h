/* outbox.h - the durable queue behind NOTIFY hooks (stet_notify). */
#ifndef CORE_OUTBOX_H
#define CORE_OUTBOX_H

#include "site.h"

/* Deliver what is due, in order, on the slow pool; again after each commit that left something. A
 * hook that fails is tried again with growing pauses (1 s, 2 s, … 1 h; 12 times), then kept as dead
 * and logged. */
void outbox_start(struct site *);
void outbox_stop(struct site *);

#endif
