/* trip.h - for tests of signing in with a provider: configures it, and lets users go there and come
 * back. */
#ifndef T_OIDC_TRIP_H
#define T_OIDC_TRIP_H

#include "browser.h"
#include <stdint.h>

#define ANN "ann@example.org"
#define MINUTE 60
#define TRUSTED ",\"domains\":[\"example.org\"]"

/* Set-up: puts a harness into *state and resets the provider. Each test has a day of its own, since
 * rate limits count the requests of all tests of a process. */
int trip_begin(void **state);
/* Sets the clocks here and at the provider to this many seconds after noon. */
void it_is(struct harness *, int64_t seconds);
/* Configures the provider as "corp", with these additional members. */
void provider(struct harness *, const char *more);
/* Creates a user whose address is verified. */
void known(struct harness *, const char *email);

/* A sign-in that has begun, in a browser with this cookie. */
struct trip {
	char cookie[400], state[400], nonce[64], challenge[64], url[2000];
};
void read_trip(const char *url, const char *set_cookie, struct trip *);
void depart(struct harness *, const char *next, struct trip *);
struct outcome *come_back(
    struct harness *, const struct trip *, const char *cookie, const char *more);
/* Signs in: goes to the provider and comes back, in this browser. */
struct outcome *travel(struct harness *);
void assert_refused(struct outcome *, const char *word);
/* Returns the address of the user who is signed in by the response's cookie; static buffer. */
const char *who(struct harness *, struct outcome *);

#endif
