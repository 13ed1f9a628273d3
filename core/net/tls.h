/* tls.h - TLS for those who connect to us: certificates, names, tickets. */
#ifndef CORE_TLS_H
#define CORE_TLS_H

#include <event2/bufferevent.h>
#include <stdbool.h>

struct conf;

/* Read the certificates that the configuration names, for connections from now on. What is wrong
 * with one is logged; then the one that was there before stays. false: one was wrong. */
bool tls_configure(const struct conf *);
/* Is there a certificate? */
bool tls_ready(void);
/* Of an accepted socket, which it closes when it is freed. It tells BEV_EVENT_CONNECTED when the
 * handshake is done. NULL: there is no certificate, or no memory. */
struct bufferevent *tls_accept(struct event_base *, evutil_socket_t);
/* After the handshake has failed: did the peer speak HTTP without TLS? Only once. */
bool tls_spoke_http(struct bufferevent *);
/* Tell the peer that nothing more will come; what it sends is still read. */
void tls_goodbye(struct bufferevent *);
void tls_close(void);

#endif
