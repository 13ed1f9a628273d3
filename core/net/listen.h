/* listen.h - listening sockets: accepts connections, and deals them out to the workers. */
#ifndef CORE_LISTEN_H
#define CORE_LISTEN_H

#include "net/worker.h"

struct conf;

/* Binds addresses that are new in the configuration and closes those that it no longer has.
 * Connections wait in the kernel until listen_start. Returns -1 and logs the reason if an address
 * could not be bound. The old listeners then stay open, except those whose port was needed. */
int listen_open(struct event_base *, const struct conf *);
/* Begins to accept connections, and deals them out to these workers in turn. Logs the addresses. */
void listen_start(struct worker *const *, unsigned count);
/* The port of the first listener, with TLS or without; 0 if there is none. */
unsigned listen_port(bool secure);
/* Returns a bound socket for an address as the configuration writes it; -1: errno says why. */
int listen_bind(const char *text);
void listen_close(void);

#endif
