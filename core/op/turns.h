/*
 * turns.h - who goes first on a worker: reads that took long the last time wait until no other
 * event of the worker's loop is left, one at a time. So a read that takes microseconds waits for at
 * most one that takes milliseconds, not for all that came before it. All functions are for the
 * worker's own thread.
 */
#ifndef CORE_OP_TURNS_H
#define CORE_OP_TURNS_H

#include "call/call.h"

/* Lets long reads of this thread wait. arm(arg) is called when one does; the thread then calls
 * turns_next as soon as it has nothing else to do, and at least each TURNS_MS as long as that
 * returns true. NULL: none may wait any more. */
void turns_share(void (*arm)(void *), void *arg);
#define TURNS_MS 5

/* Returns true if the like of a call in the read lane took long, so that it has to wait. */
bool turns_due(const struct stet_call *);
/* Takes such a call; run(call) comes later. */
void turns_wait(struct stet_call *, void (*run)(struct stet_call *));
/* Runs the first call of the client whose turn it is. Returns true if more wait. */
bool turns_next(void);
/* What a call that has run took, in microseconds. */
void turns_took(const struct stet_call *, int64_t us);

#endif
