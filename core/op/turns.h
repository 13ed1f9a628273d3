/*
 * turns.h - the order of reads on a worker. A read that recently took long waits until no other
 * event of the worker's loop is left; such reads run one at a time. So a short read waits for at
 * most one that takes a fraction of a millisecond. Reads that take longer run on reader threads
 * (readpool.h). All functions but turns_measure and turns_spent are for the worker's own thread.
 */
#ifndef CORE_OP_TURNS_H
#define CORE_OP_TURNS_H

#include "call/call.h"

/* Lets long reads of this thread wait. arm(arg) is called when a read begins to wait. The thread
 * then calls turns_next when it is idle, and at least every TURNS_MS, until that returns false.
 * NULL: no read may wait any more. */
void turns_share(void (*arm)(void *), void *arg);
#define TURNS_MS 5

/* Expected cost of a call in the read lane, from the times of similar calls. TURNS_LONG (more than
 * 150 us) waits for its turn; TURNS_DEAR (more than a millisecond) goes to a reader thread. */
enum turns_cost { TURNS_SHORT, TURNS_LONG, TURNS_DEAR };
enum turns_cost turns_cost(const struct stet_call *);
/* Returns true if a call is expected to take more than 20 ms, with its round trips. */
bool turns_far_long(const struct stet_call *);
/* Queues a call; run(call) is called later. */
void turns_wait(struct stet_call *, void (*run)(struct stet_call *));
/* Runs the first call of the client whose turn it is. Returns true if more wait. */
bool turns_next(void);
/* Records how many microseconds a call took. */
void turns_took(const struct stet_call *, int64_t us);

/* Time used by the calling thread so far. */
struct turns_effort {
	int64_t wall, cpu; /* microseconds */
	long waits;
};
void turns_measure(struct turns_effort *);
/* Returns the microseconds spent since: processor time, so that time of other threads does not
 * count. If the thread has waited, for example for a disk, returns the elapsed time. */
int64_t turns_spent(const struct turns_effort *since);

#endif
