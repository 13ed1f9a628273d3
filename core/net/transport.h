/* transport.h - how the bytes of a connection travel: by a socket, with TLS or without. */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include "net/conn.h"
#include <sys/uio.h>

/* Makes the bufferevent of an accepted socket (c->secure: with TLS). Returns false if that
 * failed; the socket is closed then. */
bool transport_open(struct conn *, evutil_socket_t);
/* After a failed TLS handshake: if the peer speaks plain HTTP, continues without TLS and returns
 * true. */
bool transport_bare(struct conn *);
/* Sends as many bytes as the kernel takes and queues the rest. Call it only if no output waits.
 * Returns how many were sent, or -1 if the connection is broken. `more`: further bytes follow. */
ssize_t transport_send(struct conn *, const struct iovec *, int count, bool more);
/* Queues bytes without copying them; `done` frees them when they have left. */
void transport_lend(struct conn *, const void *, size_t, evbuffer_ref_cleanup_cb done, void *arg);
/* Starts or stops reading, depending on how much input waits. Call it at the start and after each
 * step. */
bool transport_flow(struct conn *);
/* Returns true if the peer has closed its sending side while transport_flow has stopped reading. */
bool transport_left(const struct conn *);
/* Returns the length of the complete head at the front of the input, and sets *text. Returns 0 if
 * the head is incomplete, below 0 if it is malformed (*status). The input must not be empty. */
long transport_head(struct conn *, const char **text, int *status);
/* Closes the socket at once and drops queued output. */
void transport_close(struct conn *);
/* The peer has closed its sending side; queued output is still sent. */
void transport_half(struct conn *);
/* The reply is incomplete: ends the connection with a reset, so that the client notices. */
void transport_reset(struct conn *);
/* Closes our sending side. Input is still read. */
void transport_shut(struct conn *);
/* Call it when a connection is dropped between two requests: sends close_notify. */
void transport_goodbye(struct conn *);
/* Returns how many bytes of c->queued have left for the peer. Bytes in the kernel's buffer do not
 * count: it can hold megabytes, and takes more only when a good part of it is free. */
uint64_t transport_taken(const struct conn *);

#endif
