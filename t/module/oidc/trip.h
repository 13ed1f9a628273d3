/* trip.h - tests of signing in by a provider: its entry here, and people who go there and come
 * back. */
#ifndef T_OIDC_TRIP_H
#define T_OIDC_TRIP_H

#include "browser.h"
#include <stdint.h>

#define ANN "ann@example.org"
#define MINUTE 60
#define TRUSTED ",\"domains\":[\"example.org\"]"

/* Set-up: a harness in *state and the provider as it was opened. Each test has a day of its own:
 * limits count what the tests of a process ask. */
int trip_begin(void **state);
/* So many seconds after noon, here and at the provider. */
void it_is(struct harness *, int64_t seconds);
/* Enters the provider as "corp", with these members more. */
void provider(struct harness *, const char *more);
/* A user whose address is verified. */
void known(struct harness *, const char *email);

/* A sign-in that has begun: in a browser with this cookie. */
struct trip {
	char cookie[400], state[400], nonce[64], challenge[64], url[2000];
};
void read_trip(const char *url, const char *set_cookie, struct trip *);
void depart(struct harness *, const char *next, struct trip *);
struct outcome *come_back(
    struct harness *, const struct trip *, const char *cookie, const char *more);
/* There and back with this browser. */
struct outcome *travel(struct harness *);
void assert_refused(struct outcome *, const char *word);
/* The address of who is signed in by the answer's cookie; static buffer. */
const char *who(struct harness *, struct outcome *);

#endif
