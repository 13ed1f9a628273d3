/* mailed.h - tests of mails that sign people in: a site with a mail server, and requests to it. */
#ifndef T_MAILED_H
#define T_MAILED_H

#include "harness.h"
#include "postbox.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ANN "ann@example.org"
#define BOB "bob@example.org"
#define SEND "POST /auth/magic-link/send"
#define USE "POST /auth/magic-link/verify"
#define INVITE "POST /auth/invite"
#define COMPLETE "POST /auth/invite/complete"
#define LINK "/_cms/signin/link"
#define INVITED "/_cms/invite"
#define WAITING "SELECT COUNT(*) FROM signin_ask"
#define QUEUED "SELECT COUNT(*) FROM mail WHERE dead_at IS NULL"

extern struct postbox server;

/* Set-up and tear-down: a site with the user ANN, an author. begin_without configures no mail
 * server; begin_in gives the site these locales. */
int begin(void **state);
int begin_without(void **state);
int begin_in(void **state, const char *const *locales);
int end(void **state);
/* Sets the clock to so many seconds after the start of the test. */
void later(struct harness *, int seconds);
/* Makes mails of the requests for links, and sends all due mails. */
void work(struct harness *);
/* Sends an anonymous request whose body has one member. */
struct outcome *post(struct harness *, const char *request, const char *member, const char *value);
/* Changes a setting of the module signin. */
void set(struct harness *, const char *setting, int value);

#endif
