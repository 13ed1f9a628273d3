/*
 * readpool.h - reader threads. One pool is for reads of all sites in files that recently took more
 * than a millisecond, so that no worker waits for them. Sites whose database is elsewhere have a
 * pool each, for all their reads (far.h). The queues are bounded, and clients take turns in them
 * (base/fair.h). A thread takes several calls at once and serves them one after the other.
 */
#ifndef CORE_OP_READPOOL_H
#define CORE_OP_READPOOL_H

#include "call/call.h"

/* The queues of a pool. A thread takes as many calls of the first as it may, and of the others its
 * share, if more threads are idle. */
enum readpool_lane { READPOOL_ALIKE, READPOOL_SHORT, READPOOL_LONG, READPOOL_LANES };

struct readpool;

struct readpool_rules {
	const char *name; /* of the threads */
	unsigned threads, queue_max; /* calls that wait, of all queues */
	/* For each queue: how many threads may serve it at a time, and how many calls one takes at
	 * once; 0: no call comes to it. */
	struct {
		unsigned threads, calls;
		unsigned few; /* instead of `threads` while `near`; 0: no difference */
	} lane[READPOOL_LANES];
	/* Returns true if reads wait for nothing but processors, of which more threads make no
	 * more. Must not block; may be NULL. */
	bool (*near)(void *arg);
	void (*enter)(void); /* each thread begins with it; may be NULL */
	void (*serve)(struct stet_call **, unsigned count, void *arg);
	void (*rest)(void); /* the thread is about to wait; may be NULL */
	void *arg;
};

/* Makes a pool. Its threads start when there are calls for them. */
struct readpool *readpool_new(const struct readpool_rules *);
/* Serves the calls that wait, joins the threads, and frees it. NULL: nothing to do. */
void readpool_free(struct readpool *);
/* Queues a call for the client with this key (waiting_key). Returns false if the queues are full,
 * the pool has stopped, or no thread can be started. Any thread. */
bool readpool_add(struct readpool *, enum readpool_lane, struct stet_call *, uint64_t key);
/* Returns true if more than half of the calls wait that may. */
bool readpool_crowded(struct readpool *);

/* The pool for sites in files: starts and stops it. At most queue_max calls wait. Stopping stops
 * all other pools, too, which take no call from then on. */
void readpool_start(unsigned threads, unsigned queue_max);
void readpool_stop(void);
/* Queues run(call) in it. Returns false if the queue is full or the pool does not run. */
bool readpool_submit(struct stet_call *, uint64_t key, void (*run)(struct stet_call *));

/* Of all pools. */
struct readpool_stats {
	unsigned depth, max, threads, busy;
};
void readpool_stats(struct readpool_stats *);

#endif
