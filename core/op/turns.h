/*
 * turns.h - who goes first on a worker: reads that took long the last time wait until no other
 * event of the worker's loop is left, one at a time. So a read that takes microseconds waits for at
 * most one that takes a fraction of a millisecond, not for all that came before it. Reads that take
 * longer are for reader threads (readpool.h). All functions but turns_measure and turns_spent are
 * for the worker's own thread.
 */
#ifndef CORE_OP_TURNS_H
#define CORE_OP_TURNS_H

#include "call/call.h"

/* Lets long reads of this thread wait. arm(arg) is called when one does; the thread then calls
 * turns_next as soon as it has nothing else to do, and at least each TURNS_MS as long as that
 * returns true. NULL: none may wait any more. */
void turns_share(void (*arm)(void *), void *arg);
#define TURNS_MS 5

/* What a call in the read lane costs, by what such calls took before: TURNS_LONG, more than 150 us,
 * waits for its turn; TURNS_DEAR, more than a millisecond, is for a reader thread. */
enum turns_cost { TURNS_SHORT, TURNS_LONG, TURNS_DEAR };
enum turns_cost turns_cost(const struct stet_call *);
/* Takes a call that has to wait; run(call) comes later. */
void turns_wait(struct stet_call *, void (*run)(struct stet_call *));
/* Runs the first call of the client whose turn it is. Returns true if more wait. */
bool turns_next(void);
/* What a call that has run took, in microseconds. */
void turns_took(const struct stet_call *, int64_t us);

/* What the calling thread has done so far. */
struct turns_effort {
	int64_t wall, cpu; /* microseconds */
	long waits;
};
void turns_measure(struct turns_effort *);
/* Returns how many microseconds it has spent since: of processor time, so that other threads which
 * took the processor do not count; but if it has waited for something, such as a disk, the time
 * that has passed. */
int64_t turns_spent(const struct turns_effort *since);

#endif
