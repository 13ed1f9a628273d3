/* hoarder.h - a client of a test that takes little, over TLS or without, and never waits. */
#ifndef T_HTTP_HOARDER_H
#define T_HTTP_HOARDER_H

#include "remote.h"

struct hoarder {
	struct client client;
	struct ssl_st *ssl; /* NULL: without TLS */
};

/* tls: the port that speaks it, or 0. false: it was refused; to be closed all the same. */
bool hoarder_open(struct hoarder *, const struct daemon *, int tls);
void hoarder_close(struct hoarder *);
void hoarder_send(struct hoarder *, const char *text, size_t len);
/* Send as much as the daemon takes at once. Returns how many bytes are left. */
size_t hoarder_push(struct hoarder *, const char *text, size_t left);
/* Is the beginning of what came an answer with 200? */
bool hoarder_served(struct hoarder *);
/* The port of the daemon's last start that speaks TLS. */
int hoarder_tls_port(struct daemon *);

#endif
