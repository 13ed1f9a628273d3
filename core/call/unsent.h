/*
 * unsent.h - bounds the memory of responses, from where they are made until their clients have read
 * them: for the daemon, and for each client. A client is counted by its address, and by who it is
 * if it is signed in: neither many addresses nor many tokens of one user get more. A client that
 * reads slowly, or never, keeps its response in memory. So a new call is refused before its handler
 * runs while too much is held, and again while its response grows (call/held.h). Any thread may
 * call these functions.
 */
#ifndef CORE_UNSENT_H
#define CORE_UNSENT_H

#include "call/caller.h"
#include <stdbool.h>

/* Smaller responses are not counted while a connection has nothing larger to send: they are part
 * of the cost of a connection. */
#define UNSENT_LEAST 16384

/* From now on: how many bytes all may take together, and those for one client. */
void unsent_limits(uint64_t most, uint64_t most_of_client);
/* Returns true if a call of this client may be answered. The last quarter of the memory is
 * reserved for authenticated callers (`known`), so that anonymous readers cannot lock them out. An
 * eighth of what there is remains for responses that are being made. */
bool unsent_room(const struct caller *, bool known);
/* The same for a call that was admitted before and waits (stet_wait): it may use half of that
 * eighth. Calls that wait hold memory themselves, which new ones must not take from them. */
bool unsent_room_again(const struct caller *);
/* Returns true if no call of anybody may be answered now. */
bool unsent_full(void);
/* Returns true if half of the memory is in use: idle connections had better go. */
bool unsent_half(void);
/* A response that is being made holds `more` bytes beside the `mine` that are counted. Counts them
 * for the daemon and the client, or returns false if there is no memory for them: too much is held,
 * or other responses of this client hold all that one may. */
bool unsent_grow(const struct caller *, uint64_t mine, uint64_t more);

/* Counts memory that holds responses; release takes it back. */
void unsent_hold(uint64_t bytes);
void unsent_release(uint64_t bytes);
/* Counts bytes that are being made for a client, or sent to it; settle takes them back. */
void unsent_owe(const struct caller *, uint64_t bytes);
void unsent_settle(const struct caller *, uint64_t bytes);

/* How many bytes less are held than at their most since this was asked before. */
uint64_t unsent_fell(void);
/* The bytes held now, and the bound. */
void unsent_stats(uint64_t *held, uint64_t *most);

#endif
