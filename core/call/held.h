/*
 * held.h - the memory that a call holds for its response. It is counted (call/unsent.h) while the
 * response is made, in steps of HELD_STEP, and until the call ends. If there is no memory, a call
 * is refused before its handler runs, or its next statement fails.
 */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include "call/call.h"

/* Bytes that a call may allocate beyond the last count before it is counted again. */
#define HELD_STEP ((size_t)128 << 10)

/* Assigns the call to a client address and, once authenticated, to its principal. Call it before
 * any memory of the call is counted. */
void held_by(struct stet_call *, const struct address *);
struct caller held_by_principal(struct stet_call *);
/* Returns true if there is memory for the response of this call; otherwise the call has its
 * error. */
bool held_room(struct stet_call *);

size_t held_now(const struct stet_call *);
/* Counts the memory that the call holds now, or fails. */
STET_MUST enum stet_status held_grow(struct stet_call *, size_t now);

/* Counts the call's memory if it has grown by a step; fails if it is too much. */
static inline enum stet_status
held_check(struct stet_call *call)
{
	size_t now;

	if (!call->held.counts)
		return STET_OK;
	now = held_now(call);
	return now <= call->held.bytes + HELD_STEP ? STET_OK : held_grow(call, now);
}

/* The call has freed memory and holds at most `now` bytes. */
void held_shrink(struct stet_call *, size_t now);

#endif
