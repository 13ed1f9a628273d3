/* peers.h - how many connections are open, in all and of each client address, and how many may be.
 */
#ifndef CORE_NET_PEERS_H
#define CORE_NET_PEERS_H

#include "http/address.h"
#include <stdbool.h>

struct conf;

/* Sets the limits; addresses of trusted proxies have none of their own. peers_close frees them. On
 * the main thread, as peers_admit. */
void peers_limit(const struct conf *);
void peers_close(void);
/* Counts an accepted connection. Returns false if its address has too many. */
bool peers_admit(const struct address *);
/* An accepted connection has been closed. From any thread. */
void peers_forget(const struct address *);
/* Returns true if there are as many connections as there may be. */
bool peers_full(void);
/* Reads the number of connections and the limit. From any thread. */
void peers_count(unsigned *now, unsigned *most);

#endif
