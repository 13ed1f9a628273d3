/*
 * bodyroom.h - counts the memory of the request bodies of all connections: raw bytes and parsed
 * values, until their calls end. Any thread may call these functions.
 */
#ifndef CORE_BODYROOM_H
#define CORE_BODYROOM_H

#include "call/call.h"

/* Sets how many bytes all request bodies may take together. */
void bodyroom_limit(uint64_t most);
uint64_t bodyroom_most(void);
/* Reserves `bytes`, or fails with UNAVAILABLE. */
STET_MUST enum stet_status bodyroom_take(struct stet_call *, uint64_t bytes);
void bodyroom_give(uint64_t bytes);
/* Returns how far the memory in use has fallen below its peak since the last call of this
 * function. */
uint64_t bodyroom_fell(void);

#endif
