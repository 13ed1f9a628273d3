/* transport.h - how the bytes of a connection travel: by a socket, with TLS or without. */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include "net/conn.h"
#include <sys/uio.h>

/* Makes the bufferevent of an accepted socket (c->secure: with TLS). Returns false if that
 * failed; the socket is closed then. */
bool transport_open(struct conn *, evutil_socket_t);
/* After a failed TLS handshake: if the peer speaks HTTP without TLS, goes on without it and
 * returns true. */
bool transport_bare(struct conn *);
/* Gives the kernel as many bytes as it takes; call it only if no output waits. Returns how many,
 * or -1 if the connection is broken. The rest goes to the output. `more`: further bytes follow. */
ssize_t transport_send(struct conn *, const struct iovec *, int count, bool more);
/* Queues bytes without copying them; `done` frees them when they have left. */
void transport_lend(struct conn *, const void *, size_t, evbuffer_ref_cleanup_cb done, void *arg);
/* Starts or stops reading, by how much input waits. Call it at the start and after each step. */
bool transport_flow(struct conn *);
/* Returns true if the peer has closed its sending side while the connection is not read, which
 * transport_flow decides. */
bool transport_left(const struct conn *);
/* Returns the length of the complete head at the front of the input, in *text; 0: none yet; below
 * 0: it is malformed, with *status. The input must not be empty. */
long transport_head(struct conn *, const char **text, int *status);
/* Closes the socket at once; output that waits is dropped. */
void transport_close(struct conn *);
/* The peer sends no more, but output still leaves. */
void transport_half(struct conn *);
/* The reply was cut off: the connection will end with a reset, so that nobody takes it for
 * whole. */
void transport_reset(struct conn *);
/* We send no more: closes our side. What the peer sends is still read. */
void transport_shut(struct conn *);
/* The connection is dropped between two requests: tells the peer that this was its end. */
void transport_goodbye(struct conn *);
/* The number of bytes of c->queued that the peer has taken. Bytes in the kernel's buffer do not
 * count: it can hold megabytes, and takes more only when a good part of it is free. */
uint64_t transport_taken(const struct conn *);

#endif
