/* refusals.h - the parts of refusals.t. */
#ifndef T_OAUTH_REFUSALS_H
#define T_OAUTH_REFUSALS_H

#include "flow.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ANN "ann@example.org"
#define AUTHORIZE "/_cms/oauth/authorize?"

/* The site of all tests, and a user of it, who is signed in. */
extern struct harness *h;
extern struct browser ann;

struct misuse {
	const char *name;
	CMUnitTestFunction fn;
};
#define MISUSES 28
extern const struct misuse misuses[MISUSES];

#endif
