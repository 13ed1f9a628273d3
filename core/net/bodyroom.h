/*
 * bodyroom.h - counts the memory of request bodies of all connections: what of them is kept in
 * memory, and what they become there, until their calls end. Any thread may call these functions.
 */
#ifndef CORE_BODYROOM_H
#define CORE_BODYROOM_H

#include "call/call.h"

/* From now on: how many bytes they may take together. */
void bodyroom_limit(uint64_t most);
uint64_t bodyroom_most(void);
/* Counts so many bytes more, or fails with UNAVAILABLE. */
STET_MUST enum stet_status bodyroom_take(struct stet_call *, uint64_t bytes);
void bodyroom_give(uint64_t bytes);
/* How many bytes less they take than at their most since this was asked before. */
uint64_t bodyroom_fell(void);

#endif
