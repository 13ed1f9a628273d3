/*
 * unsent.h - bounds the memory of responses that clients have not read yet, for the daemon and for
 * each client's address. A client that reads slowly, or never, keeps its response in memory. So a
 * new call is refused before its handler runs while too much is waiting. The size of the new
 * response is not known then: the bounds are exceeded by at most one response for each thread that
 * runs handlers. Any thread may call these functions.
 */
#ifndef CORE_UNSENT_H
#define CORE_UNSENT_H

#include "http/address.h"
#include <stdint.h>

/* Smaller responses are not counted while a connection has nothing larger to send: they are part
 * of the cost of a connection. */
#define UNSENT_LEAST 16384

/* From now on: how many bytes all may take together, and those for one address. */
void unsent_limits(uint64_t most, uint64_t most_of_address);
/* Returns true if a call of this client may be answered. The last quarter of the memory is
 * reserved for authenticated callers (`known`), so that anonymous readers cannot lock them out. */
bool unsent_room(const struct address *client, bool known);

/* Counts memory that holds responses; release takes it back. */
void unsent_hold(uint64_t bytes);
void unsent_release(uint64_t bytes);
/* Counts bytes that are being sent to a client; settle takes them back. */
void unsent_owe(const struct address *client, uint64_t bytes);
void unsent_settle(const struct address *client, uint64_t bytes);

/* The bytes held now, and the bound. */
void unsent_stats(uint64_t *held, uint64_t *most);

#endif
