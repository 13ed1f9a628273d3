/* told.h - tests of webhooks: two target servers, the jobs that send, the requests received. */
#ifndef T_MODULE_TOLD_H
#define T_MODULE_TOLD_H

#include "inside.h"
#include "neighbour.h"
#include "posts.h"

#define HOOKS "/admin/webhooks"

/* Set-up and tear-down: a site with posts and two servers. Its configuration does not allow fetches
 * from them in told_begin_closed. */
extern struct neighbour here, there;
int told_begin(void **state);
int told_begin_closed(void **state);
int told_end(void **state);
/* The first reverts migration 3; the second closes the site and opens it again. */
void told_older(struct harness *);
struct harness *told_again(void **state);

struct hook {
	char id[27], secret[64];
};
/* Creates a webhook; `more`: further members, for example ",'events':[...]". */
void hook(struct harness *, const struct neighbour *, const char *more, struct hook *);
/* Requests the webhook, as the list shows it. */
struct outcome *look(struct harness *, const struct hook *);

/* Runs a job of the module, by its number, if it is due now. Returns false if it is not. */
bool run_due(struct harness *, uint32_t number);
/* Sends what is due. Returns the number of requests. */
int sent(struct harness *);
/* Deletes old deliveries. */
void sweep(struct harness *);

/* Return the number of deliveries in this state in the log ("": in any), and a member of the
 * newest. */
int64_t logged(struct harness *, const struct hook *, const char *state);
const char *newest(struct harness *, const struct hook *, const char *member);

/* Properties of the last request: a header, the body (a new reference), and whether it is signed
 * with the secret. */
const char *heard_header(const struct neighbour *, const char *name);
json_t *heard_body(const struct neighbour *);
bool signed_with(const struct neighbour *, const char *secret);

#endif
