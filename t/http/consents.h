/*
 * consents.h - a site with a signed-in user and a client of OAuth. Sends the requests of the
 * browser and of the client over real sockets.
 */
#ifndef T_HTTP_CONSENTS_H
#define T_HTTP_CONSENTS_H

#include "remote.h"

#define ANN "ann@example.org"
#define BACK "https://client.example/back"
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" /* RFC 7636, appendix B */
#define HOUSE "http://localhost" /* the base URL */

struct consents {
	struct daemon *d;
	char *token; /* token of Ann, an administrator; freed at the end */
	char cookie[100]; /* cookie of her session */
};
/* A daemon that trusts 127.0.0.1 as a proxy, Ann, her session, and the client "client". */
void consents_start(struct consents *);
void consents_end(struct consents *);
/* A response of the authorization endpoint. `more`: header lines, each with its CRLF; `query`: more
 * parameters, each with its "&". */
void consents_authorize(const struct consents *, struct answer *, const char *method,
    const char *query, const char *more, const char *body);
/* Returns the code that the client gets when Ann grants it a scope. */
void consents_code(const struct consents *, const char *query, const char *scope, char code[64]);
/* Returns the body that exchanges a code for tokens. */
void consents_exchange(const char *code, char body[400]);
/* Returns the value of a string member of a JSON response. */
void consents_member(const char *said, const char *name, char out[64]);

#endif
