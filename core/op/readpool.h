/*
 * readpool.h - reader threads, for reads that recently took more than a millisecond. Each thread
 * has its own connections and snapshots, so that no worker waits for such a read. The queue is
 * bounded, and clients take turns in it (base/fair.h). Consecutive calls of a thread share a
 * snapshot (db/snapshot.h) if nothing was committed between them.
 */
#ifndef CORE_OP_READPOOL_H
#define CORE_OP_READPOOL_H

#include "call/call.h"

/* Starts the threads. At most queue_max calls wait for them. */
void readpool_start(unsigned threads, unsigned queue_max);
/* Runs the calls that wait, then joins the threads. */
void readpool_stop(void);
/* Queues run(call) for the client with this key (waiting_key). Returns false if the queue is full
 * or the pool does not run. Any thread. */
bool readpool_submit(struct stet_call *, uint64_t key, void (*run)(struct stet_call *));
struct readpool_stats {
	unsigned depth, max, threads, busy;
};
void readpool_stats(struct readpool_stats *);

#endif
