/* issuer.h - a provider of OpenID Connect on loopback, for tests: it answers with tokens as a test
 * wants them. */
#ifndef T_OIDC_ISSUER_H
#define T_OIDC_ISSUER_H

#include "neighbour.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Set these before a request; the provider's thread reads them. */
extern struct issuer {
	const char *alg; /* in the header of ID tokens: ES256, RS256 ... */
	const char *kid; /* the same; NULL: none */
	const char *signer; /* the kid of the key that signs, if it is not `kid` */
	const char *whole; /* the ID token itself; NULL: it is made */
	const char *nonce;
	const char *client; /* id of the client */
	const char *userinfo; /* its answer; NULL: 404 */
	json_t *said; /* over the claims of ID tokens; null removes one */
	json_t *metadata; /* the same over the metadata */
	int64_t now; /* seconds since the epoch */
	int published; /* how many keys are known to others, of those below; -1: none can be asked
			  for */
	int asked_metadata, asked_keys, asked_token;
	char token_request[8192]; /* the last one */
	bool broken; /* a byte of the signature is another one */
	bool denies; /* the token endpoint answers invalid_grant */
} issuer;

/* The provider's server, and its count of requests. Its thread reads it all the time. */
extern struct neighbour issuer_server;

/* Its keys: "e1" (P-256), "r1" (RSA), "e2" (P-256), "e3" (P-384). */
#define ISSUER_KEYS 4

void issuer_open(void);
void issuer_close(void);
/* As it was when it was opened. */
void issuer_reset(void);
const char *issuer_url(void);
/* The claim of the ID tokens; value is JSON. */
void issuer_says(const char *claim, const char *value);

#endif
