/*
 * held.h - the memory that a call of a client holds for its answer. It is counted (call/unsent.h)
 * while the answer is made, in steps of HELD_STEP, and until the call ends. A call for which there
 * is no memory is refused before its handler runs, or its next statement fails.
 */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include "call/call.h"

/* What a call holds beyond its last count without being asked again. */
#define HELD_STEP ((size_t)128 << 10)

/* From here on the call is a client's; and, once it is known, its principal's, if there is one.
 * Before anything of it is counted. */
void held_by(struct stet_call *, const struct address *);
struct caller held_by_principal(struct stet_call *);
/* Returns true if there is memory for an answer of this call; else the call has its error. */
bool held_room(struct stet_call *);

size_t held_now(const struct stet_call *);
/* Counts what the call holds, or fails. */
STET_MUST enum stet_status held_grow(struct stet_call *, size_t now);

/* The call goes on, and may hold more than before: fails if that is too much. */
static inline enum stet_status
held_check(struct stet_call *call)
{
	size_t now;

	if (!call->counts)
		return STET_OK;
	now = held_now(call);
	return now <= call->held + HELD_STEP ? STET_OK : held_grow(call, now);
}

/* The call has freed some, and holds no more than this now. */
void held_shrink(struct stet_call *, size_t now);

#endif
