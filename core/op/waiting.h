/*
 * waiting.h - how many calls wait in the lanes, by principal and by address of the client. One
 * client may have so many waiting and no more: what is behind them belongs to others, and what
 * waits holds memory. Any thread may call these functions.
 */
#ifndef CORE_WAITING_H
#define CORE_WAITING_H

#include "call/call.h"

/* From now on: how many calls of one principal, and of one address, may wait. */
void waiting_limit(unsigned most);
/* Before the call is queued. False: too many of its client wait; the call has its error. */
bool waiting_enter(struct stet_call *);
/* It waits no longer, and may be told twice. */
void waiting_leave(struct stet_call *);
/* The client for which the call waits: its principal, or its address; 0: the daemon itself. */
uint64_t waiting_key(const struct stet_call *);

#endif
