/*
 * waiting.h - counts the calls that wait in the lanes, by principal and by address of the client.
 * The number is limited for each client, because waiting calls hold memory and delay those of
 * others. Any thread may call these functions.
 */
#ifndef CORE_WAITING_H
#define CORE_WAITING_H

#include "call/call.h"

/* Sets how many calls of one principal, and of one address, may wait. */
void waiting_limit(unsigned most);
/* Call it before the call is queued. Returns false if too many calls of the client wait; the call
 * then has its error. */
bool waiting_enter(struct stet_call *);
/* The call no longer waits. A second call of this function does nothing. */
void waiting_leave(struct stet_call *);
/* Returns the key of the client: its principal or its address. 0: the daemon itself. */
uint64_t waiting_key(const struct stet_call *);

#endif
