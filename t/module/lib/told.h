/* told.h - targets of webhooks for tests: two neighbours, the jobs that send, what was heard. */
#ifndef T_MODULE_TOLD_H
#define T_MODULE_TOLD_H

#include "inside.h"
#include "neighbour.h"
#include "posts.h"

#define HOOKS "/admin/webhooks"

/* A site with posts, and two neighbours that may be asked; or may not (closed). */
extern struct neighbour here, there;
int told_begin(void **state);
int told_begin_closed(void **state);
int told_end(void **state);
/* The tables as they were before migration 3; a site that is closed and opened again. */
void told_older(struct harness *);
struct harness *told_again(void **state);

struct hook {
	char id[27], secret[64];
};
/* A target that hears what `more` says (",'events':[...]"). */
void hook(struct harness *, const struct neighbour *, const char *more, struct hook *);
/* It, as the list shows it. */
struct outcome *look(struct harness *, const struct hook *);

/* Run a job of the module, by its number, that is due now; false: it is not. */
bool run_due(struct harness *, uint32_t number);
/* Send what is due; how many requests that were. */
int sent(struct harness *);
/* Delete what is old. */
void sweep(struct harness *);

/* How many deliveries of a state are in the log ("": of any); a member of the newest. */
int64_t logged(struct harness *, const struct hook *, const char *state);
const char *newest(struct harness *, const struct hook *, const char *member);

/* Of the last request: a header, the body (to be released), and whether the secret has signed it.
 */
const char *heard_header(const struct neighbour *, const char *name);
json_t *heard_body(const struct neighbour *);
bool signed_with(const struct neighbour *, const char *secret);

#endif
