/*
 * unsent.h - the memory of answers that their clients have not taken yet: counted for the daemon
 * and for the address of each client, and bounded. A client that reads slowly, or not at all, keeps
 * its answer in memory; so a new call is refused while too much of that waits, before its handler
 * runs. What one call adds is not known then: the bounds are exceeded by at most one answer for
 * each thread that runs handlers. From any thread.
 */
#ifndef CORE_UNSENT_H
#define CORE_UNSENT_H

#include "http/address.h"
#include <stdint.h>

/* Answers below this size are not counted while a connection has nothing larger to send: so little
 * is part of what a connection costs. */
#define UNSENT_LEAST 16384

/* From now on: how many bytes all may take together, and those for one address. */
void unsent_limits(uint64_t most, uint64_t most_of_address);
/* Returns true if a call of this client may be answered. The last quarter of the memory is for
 * callers who have shown who they are (`known`): readers without a name cannot lock those out. */
bool unsent_room(const struct address *client, bool known);

/* Count memory that holds answers, and take that back. */
void unsent_hold(uint64_t bytes);
void unsent_release(uint64_t bytes);
/* Count bytes that are on their way to a client, and take that back. */
void unsent_owe(const struct address *client, uint64_t bytes);
void unsent_settle(const struct address *client, uint64_t bytes);

/* What is held now, and the bound. */
void unsent_stats(uint64_t *held, uint64_t *most);

#endif
