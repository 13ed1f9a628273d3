/* issuer.h - a provider of OpenID Connect on loopback, for tests. It answers with the tokens that a
 * test sets. */
#ifndef T_OIDC_ISSUER_H
#define T_OIDC_ISSUER_H

#include "neighbour.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Set these before a request; the provider's thread reads them. */
extern struct issuer {
	const char *alg; /* alg in the header of ID tokens: ES256, RS256 ... */
	const char *kid; /* kid in that header; NULL: none */
	const char *signer; /* the kid of the key that signs, if it is not `kid` */
	const char *whole; /* the whole ID token; NULL: it is made from the other members */
	const char *nonce;
	const char *client; /* id of the client */
	const char *userinfo; /* answer of the userinfo endpoint; NULL: 404 */
	json_t *said; /* replaces claims of ID tokens; null removes one */
	json_t *metadata; /* replaces members of the metadata; null removes one */
	int64_t now; /* seconds since the epoch */
	int published; /* how many of the keys below are published; -1: requests fail
			*/
	int asked_metadata, asked_keys, asked_token;
	char token_request[8192]; /* the last request to the token endpoint */
	bool broken; /* one byte of the signature is wrong */
	bool denies; /* the token endpoint answers invalid_grant */
} issuer;

/* The provider's server, and its count of requests. The server's thread reads it all the time. */
extern struct neighbour issuer_server;

/* The provider's keys: "e1" (P-256), "r1" (RSA), "e2" (P-256), "e3" (P-384). */
#define ISSUER_KEYS 4

void issuer_open(void);
void issuer_close(void);
/* Sets all members back to their initial values. */
void issuer_reset(void);
const char *issuer_url(void);
/* Sets a claim of the ID tokens; value is JSON. */
void issuer_says(const char *claim, const char *value);

#endif
