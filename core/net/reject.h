/*
 * reject.h - connections that there is no room for: each is told so in bytes made beforehand, and
 * closed. All on the main thread. Nothing is allocated for one: a table of fixed size has those
 * that are not closed yet, since closing a socket with unread bytes resets it, and what was told
 * would be lost. Each stays there for a second at most; when the table is full, the oldest leaves.
 */
#ifndef CORE_REJECT_H
#define CORE_REJECT_H

#include <stdbool.h>

struct event_base;

void reject_open(struct event_base *);
/* Answer 503 on the accepted socket, which is closed. With TLS the peer gets an alert instead: a
 * handshake is what there is no room for. */
void reject(int fd, bool secure);
void reject_close(void);

#endif
