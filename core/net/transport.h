/* transport.h - what the bytes of a connection travel by: a socket, with TLS or without. */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include "net/conn.h"
#include <sys/uio.h>

/* Make the bufferevent of an accepted socket (c->secure: with TLS). false: it could not be made,
 * and the socket is closed. */
bool transport_open(struct conn *, evutil_socket_t);
/* After TLS did not begin: is the peer one that speaks without? Then the conn does, too. */
bool transport_bare(struct conn *);
/* Give the kernel what it takes at once; call it when no output waits. Returns how much that was,
 * -1: the connection is broken. The rest goes to the output. more: bytes follow that are not in it
 * yet. */
ssize_t transport_send(struct conn *, const struct iovec *, int count, bool more);
/* Into the output without a copy; `done` frees it when it has left. */
void transport_lend(struct conn *, const void *, size_t, evbuffer_ref_cleanup_cb done, void *arg);
/* At the beginning and after each step: read on, unless enough waits to be used. */
bool transport_flow(struct conn *);
/* The socket with all that is to be sent, at once. */
void transport_close(struct conn *);
/* The peer sends no more, but output still leaves. */
void transport_half(struct conn *);
/* What was sent is not whole, and nobody is to think so: the end of the connection will be a reset.
 */
void transport_reset(struct conn *);
/* Nothing more will be sent: tell the peer, whose bytes are still read. */
void transport_shut(struct conn *);
/* The connection is dropped, between requests: tell the peer that this was its end. */
void transport_goodbye(struct conn *);
/* What the peer has taken of c->queued. The kernel's buffer does not count: it can hold megabytes,
 * and asks for more only when a good part of it is free. */
uint64_t transport_taken(const struct conn *);

#endif
