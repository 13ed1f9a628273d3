/* tls.h - TLS for incoming connections: certificates, server names, session tickets. */
#ifndef CORE_TLS_H
#define CORE_TLS_H

#include <event2/bufferevent.h>
#include <stdbool.h>

struct conf;

/* Loads the configured certificates for new connections. If one cannot be used, logs that, keeps
 * the previous one and returns false. */
bool tls_configure(const struct conf *);
/* Returns true if there is a certificate. */
bool tls_ready(void);
/* Callback for the start of an incoming record. It must live as long as the connection. */
struct tls_watch {
	void (*on_record)(struct tls_watch *);
};
/* Makes the bufferevent of an accepted socket, which it owns. The bufferevent reports
 * BEV_EVENT_CONNECTED after the handshake. Returns NULL if there is no certificate or no memory. */
struct bufferevent *tls_accept(struct event_base *, evutil_socket_t, struct tls_watch *);
/* Returns true if part of a record has arrived but not reached the input yet. */
bool tls_pending(struct bufferevent *);
/* After a failed handshake: returns true if the peer spoke HTTP without TLS. Call it once. */
bool tls_spoke_http(struct bufferevent *);
/* Sends close_notify. Input is still read. */
void tls_goodbye(struct bufferevent *);
void tls_close(void);

#endif
