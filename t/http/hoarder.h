/* hoarder.h - a client that reads little, over TLS or without, and never blocks. */
#ifndef T_HTTP_HOARDER_H
#define T_HTTP_HOARDER_H

#include "remote.h"

struct hoarder {
	struct client client;
	struct ssl_st *ssl; /* NULL: without TLS */
};

/* tls: the port for TLS, or 0. Returns false if the connection is refused; close it in either
 * case. */
bool hoarder_open(struct hoarder *, const struct daemon *, int tls);
void hoarder_close(struct hoarder *);
void hoarder_send(struct hoarder *, const char *text, size_t len);
/* Sends as much as the daemon accepts at once. Returns how many bytes are left. */
size_t hoarder_push(struct hoarder *, const char *text, size_t left);
/* Returns true if the bytes received begin with a response with status 200. */
bool hoarder_served(struct hoarder *);
/* The TLS port of the daemon that was started last. */
int hoarder_tls_port(struct daemon *);

#endif
