/* tls.h - TLS for incoming connections: certificates, server names, session tickets. */
#ifndef CORE_TLS_H
#define CORE_TLS_H

#include <event2/bufferevent.h>
#include <stdbool.h>

struct conf;

/* Reads the certificates that the configuration names, for new connections. If one cannot be
 * used, that is logged and the previous one stays. Returns false if one could not be used. */
bool tls_configure(const struct conf *);
/* Returns true if there is a certificate. */
bool tls_ready(void);
/* Is told when a record begins to come. It lives as long as the connection. */
struct tls_watch {
	void (*on_record)(struct tls_watch *);
};
/* Makes the bufferevent of an accepted socket, and closes the socket when it is freed. It
 * reports BEV_EVENT_CONNECTED when the handshake is done. NULL: no certificate, or no memory. */
struct bufferevent *tls_accept(struct event_base *, evutil_socket_t, struct tls_watch *);
/* Returns true if part of a record has come that was not given to the input. */
bool tls_pending(struct bufferevent *);
/* After a failed handshake: returns true if the peer spoke HTTP without TLS. Call it once. */
bool tls_spoke_http(struct bufferevent *);
/* Sends close_notify. What the peer sends is still read. */
void tls_goodbye(struct bufferevent *);
void tls_close(void);

#endif
