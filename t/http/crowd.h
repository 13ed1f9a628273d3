/* crowd.h - the same request from sixteen clients at once, each with an address of its own. */
#ifndef T_HTTP_CROWD_H
#define T_HTTP_CROWD_H

#include "remote.h"

#define CROWD 16

struct crowd {
	int http[CROWD];
	bool cookie[CROWD]; /* the response sets the session cookie */
	char said[CROWD][400]; /* the beginnings of the responses */
};

/* Sends a request from each client. Client i gets the next of the bodies in turn; NULL: none.
 * `headers`: lines, each with its CRLF. The daemon must trust 127.0.0.1 as a proxy
 * (trusted-proxies): the clients' addresses are in the header of a proxy. */
void crowd_rush(struct crowd *, const struct daemon *, const char *method, const char *path,
    const char *const *bodies, int count, const char *headers);
/* Fails unless exactly one response has this status, and the others contain one of the two texts.
 * Returns the index of the one. */
int crowd_winner(const struct crowd *, int http, const char *text, const char *other);
/* Counts the responses that set a cookie; fails if a response is a failure of the daemon. */
int crowd_signed_in(const struct crowd *);

#endif
