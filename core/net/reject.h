/*
 * reject.h - connections that are refused because there are too many: each is sent an answer
 * that was made beforehand, and closed. All functions run on the main thread. Nothing is
 * allocated for a refused connection. A table of fixed size holds the sockets that are not
 * closed yet, because closing a socket with unread bytes resets the connection, and the client
 * would lose the answer. A socket stays in it for a second at most; if the table is full, the
 * oldest is closed.
 */
#ifndef CORE_REJECT_H
#define CORE_REJECT_H

#include <stdbool.h>

struct event_base;

void reject_open(struct event_base *);
/* Sends 503 on an accepted socket and closes it later. With TLS it sends an alert instead, because
 * a handshake would cost too much. */
void reject(int fd, bool secure);
void reject_close(void);

#endif
