/* browser.h - tests of signing in: users who sign in with links, and requests that carry their
 * session cookies. */
#ifndef T_BROWSER_H
#define T_BROWSER_H

#include "harness.h"

/* A browser with a session. */
struct browser {
	char user[27]; /* id */
	char cookie[80]; /* "stet=…" */
};

/* Adds a user. */
void browser_user(struct harness *, const char *email, const char *role, char id[27]);
/* Makes a link with `stet user recover`, and returns its token. */
void browser_link(struct harness *, const char *email, char token[64]);
/* Signs an existing user in with a link from `stet user recover`. */
void browser_sign_in(struct harness *, const char *email, struct browser *);
/* Adds a user and signs them in. */
struct browser browser_make(struct harness *, const char *email, const char *role);
/* Sends a request with this Cookie header (NULL: none) and X-CMS-Request: 1. */
struct outcome *browser_send(
    struct harness *, const char *cookie, const char *request, const char *body);
/* Sends a request with the browser's cookie and X-CMS-Request: 1. */
struct outcome *browser_ask(
    struct harness *, const struct browser *, const char *request, const char *body);

#endif
