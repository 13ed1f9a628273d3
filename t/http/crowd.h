/* crowd.h - one request by sixteen clients at once, each from an address of its own. */
#ifndef T_HTTP_CROWD_H
#define T_HTTP_CROWD_H

#include "remote.h"

#define CROWD 16

struct crowd {
	int http[CROWD];
	bool cookie[CROWD]; /* the answer has a session's cookie */
	char said[CROWD][400]; /* the beginnings of the answers */
};

/* The bodies in turn; one NULL: none. `headers`: lines, each with its end. The daemon has to trust
 * 127.0.0.1 as a proxy (trusted-proxies), whose word the addresses are. */
void crowd_rush(struct crowd *, const struct daemon *, const char *method, const char *path,
    const char *const *bodies, int count, const char *headers);
/* Fails unless one has this status, and the others an answer with one of two texts; returns the
 * one. */
int crowd_winner(const struct crowd *, int http, const char *text, const char *other);
/* How many answers have a cookie; fails if one is a failure of the daemon. */
int crowd_signed_in(const struct crowd *);

#endif
