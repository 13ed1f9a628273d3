/* address.h - network addresses: IPv4 and IPv6 alike, blocks of them, and who the client is. */
#ifndef CORE_ADDRESS_H
#define CORE_ADDRESS_H

#include "http/http1.h"
#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#define ADDRESS_TEXT_SIZE INET6_ADDRSTRLEN

/* IPv4 addresses are kept as ::ffff:a.b.c.d, so that each address has one form. */
struct address {
	unsigned char ip[16];
};
struct address_block {
	struct address base;
	int bits; /* of 128 */
};

bool address_parse(const char *text, struct address *);
bool address_from(const struct sockaddr *, struct address *);
void address_text(const struct address *, char out[ADDRESS_TEXT_SIZE]);
/* What caps count as one client: an IPv4 address, or the /64 of an IPv6 one. */
void address_client_key(const struct address *, struct address *key);

bool address_is_local(const struct address *); /* of this machine itself */

/* "10.0.0.0/8", "fd00::/8", or one address. */
bool address_block_parse(const char *text, struct address_block *);
bool address_in(const struct address *, const struct address_block *, size_t count);

/* "127.0.0.1:8080", "[::1]:8080": what to listen on. */
bool address_listen(const char *text, struct sockaddr_storage *, socklen_t *len);
/* "http://127.0.0.1:8080" */
void address_url(const char *scheme, const struct sockaddr *, char *out, size_t size);

/* The client behind trusted proxies: the last hop of X-Forwarded-For that is not one of them. What
 * cannot be read ends the search: the hop after it is the client. */
void address_forwarded(const struct http1_head *, const struct address *peer,
    const struct address_block *trusted, size_t count, struct address *client);

#endif
