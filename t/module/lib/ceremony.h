/* ceremony.h - tests of passkeys through the API: ceremonies, and a user who has a passkey. */
#ifndef T_CEREMONY_H
#define T_CEREMONY_H

#include "authenticator.h"
#include "browser.h"

#define ANN "ann@example.org"
#define ORIGIN "http://localhost"
#define REFUSED "Authentication failed"

struct scene {
	struct harness *h;
	struct browser ann;
	struct authenticator a; /* of ann, registered */
	char id[27]; /* id of her passkey */
};

/* Moves the clock on by a minute, so that no rate limit is reached. */
void next_minute(struct harness *);
/* Requests the options by POST path, as this browser or (NULL) anonymously; owned by the caller. */
json_t *options(struct harness *h, const struct browser *b, const char *path);
/* Sends a credential, as the member `credential` if wrapped. Takes the reference to it. */
struct outcome *post(
    struct harness *h, const struct browser *b, const char *path, json_t *credential, bool wrapped);
/* Registers a passkey. */
struct outcome *enrol(struct harness *h, const struct browser *b, struct authenticator *a);
/* Make an assertion for new options; send one to the site. verify takes the reference. */
json_t *assertion(struct harness *h, struct authenticator *a);
struct outcome *verify(struct harness *h, json_t *credential);
/* Makes and verifies an assertion, a minute later. */
struct outcome *sign_in(struct harness *h, struct authenticator *a);
void assert_refused(struct outcome *o);
/* Set-up and tear-down: a struct scene in *state. */
int setup(void **state);
int teardown(void **state);

#endif
