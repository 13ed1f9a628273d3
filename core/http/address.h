/*
 * address.h - network addresses and blocks of addresses, IPv4 and IPv6, and which client a request
 * comes from when there are proxies in between. Nothing here resolves names or opens sockets.
 */
#ifndef CORE_ADDRESS_H
#define CORE_ADDRESS_H

#include "http/http1.h"
#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#define ADDRESS_TEXT_SIZE INET6_ADDRSTRLEN

/* An address in 16 bytes, network order. An IPv4 address is kept as ::ffff:a.b.c.d (RFC 4291,
 * 2.5.5.2), so that each address has exactly one form and two can be compared with memcmp. */
struct address {
	unsigned char ip[16];
};
struct address_block {
	struct address base;
	int bits; /* prefix length, of 128; an IPv4 /8 is kept as 104 */
};

/* Reads an IPv4 or IPv6 address in text, without port or brackets. Returns false if it is none. */
bool address_parse(const char *text, struct address *);
/* The address of a socket. Returns false if its family is neither AF_INET nor AF_INET6. */
bool address_from(const struct sockaddr *, struct address *);
void address_text(const struct address *, char out[ADDRESS_TEXT_SIZE]);
/* The key under which limits per client count: an IPv4 address itself, or the /64 of an IPv6
 * address, since one customer of a provider usually has a whole /64. */
void address_client_key(const struct address *, struct address *key);

bool address_is_local(const struct address *); /* loopback: 127.0.0.0/8 or ::1 */

/* Reads "10.0.0.0/8", "fd00::/8" or a single address. Returns false if it is malformed. */
bool address_block_parse(const char *text, struct address_block *);
/* Returns true if the address is in one of the blocks. */
bool address_in(const struct address *, const struct address_block *, size_t count);

/* Reads an address to listen on: "127.0.0.1:8080" or "[::1]:8080". The port is required. Returns
 * false if it is malformed. */
bool address_listen(const char *text, struct sockaddr_storage *, socklen_t *len);
/* Writes "http://127.0.0.1:8080", with brackets around an IPv6 address. */
void address_url(const char *scheme, const struct sockaddr *, char *out, size_t size);

/* Finds the client behind trusted proxies. If the peer is not trusted, it is the client.
 * Otherwise the client is the last hop in X-Forwarded-For that is not trusted, since hops before
 * it may be forged. A hop that is not an address ends the search: the client is then the hop
 * after it. */
void address_forwarded(const struct http1_head *, const struct address *peer,
    const struct address_block *trusted, size_t count, struct address *client);

#endif
