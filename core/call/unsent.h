/*
 * unsent.h - bounds the memory of responses, from where they are made until their clients have read
 * them, in total and for each client. A client is counted by its address and, if signed in, by its
 * principal, so that neither many addresses nor many tokens of one user get more. A slow client
 * keeps its response in memory, so a new call is refused before its handler runs while too much is
 * held, and again while its response grows (call/held.h). Any thread may call these functions.
 */
#ifndef CORE_UNSENT_H
#define CORE_UNSENT_H

#include "call/caller.h"
#include <stdbool.h>

/* Smaller responses are not counted while a connection has nothing larger to send: they are part
 * of the cost of a connection. */
#define UNSENT_LEAST 16384

/* Sets the limits in bytes: for all clients together, and for one client. */
void unsent_limits(uint64_t most, uint64_t most_of_client);
/* Returns true if there is room for the response to a call of this client. The last quarter of the
 * memory is reserved for authenticated callers (`known`), so that anonymous readers cannot lock
 * them out. An eighth of the memory is reserved for responses already being made. */
bool unsent_room(const struct caller *, bool known);
/* Like unsent_room, for a call that was admitted before and waits (stet_wait): it may use half of
 * that eighth. Waiting calls hold memory themselves, so new calls must not starve them. */
bool unsent_room_again(const struct caller *);
/* Returns true if there is no room for any response now. */
bool unsent_full(void);
/* Returns true if half of the memory is in use, so that idle connections should be closed. */
bool unsent_half(void);
/* Counts `more` bytes for a response that is being made, beside the `mine` already counted. Returns
 * false if there is no room: too much is held in total, or by other responses of this client. */
bool unsent_grow(const struct caller *, uint64_t mine, uint64_t more);

/* Counts memory of responses; release subtracts it. */
void unsent_hold(uint64_t bytes);
void unsent_release(uint64_t bytes);
/* Counts bytes being made for a client or sent to it; settle subtracts them. */
void unsent_owe(const struct caller *, uint64_t bytes);
void unsent_settle(const struct caller *, uint64_t bytes);

/* Returns how far the memory in use has fallen below its peak since the last call of this
 * function. */
uint64_t unsent_fell(void);
/* Returns the bytes in use and the limit. */
void unsent_stats(uint64_t *held, uint64_t *most);

#endif
