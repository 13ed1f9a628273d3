/* listen.h - listening sockets: accept, caps, dealing out to the workers. */
#ifndef CORE_LISTEN_H
#define CORE_LISTEN_H

#include "http/address.h"
#include "net/worker.h"

struct conf;

/* Bind what the configuration says and is not bound yet, close what it no longer says. Connections
 * wait in the kernel until listen_start. -1: what could not be bound was logged. */
int listen_open(struct event_base *, const struct conf *);
/* Begin to accept, and deal out to these workers in turn. Logs where we listen. */
void listen_start(struct worker *const *, unsigned count);
/* Of the first listener, or the first one with TLS, or 0. */
unsigned listen_port(bool secure);
/* A socket of an address as the configuration has it; -1 and errno. */
int listen_bind(const char *text);
void listen_close(void);
/* From any thread: connections now, and how many there may be. */
void listen_count(unsigned *now, unsigned *most);
/* From any thread: a connection that was accepted is closed. */
void listen_forget(const struct address *);

#endif
