/*
 * routes.h - requests made from the tables of ops: every op with a route of a site that has the
 * collection posts, with the members that it requires.
 */
#ifndef T_MODULE_ROUTES_H
#define T_MODULE_ROUTES_H

#include "call/site.h"
#include "harness.h"
#include "site/site.h"

#define API "/_cms/api"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PEOPLE 6

/* The site of the running tests, and what is enabled on it. */
extern struct harness *h;
extern const struct generation *gen;
/* Nobody, and one of each role, upwards. */
extern const struct harness_user *const people[PEOPLE];

extern const char *const *routes_public_read; /* public-read of the site; NULL: none */
int routes_begin(void **state);
int routes_end(void **state);

#define EACH_ROUTE(op)                                                          \
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) \
		if (op->route != NULL)

/* The path of an op's route: posts for a collection, `id` for the other parameters. */
void path_of(const struct op *, const char *id, char *out, size_t size);
/* A body with every member that the op requires, as text to be freed. */
char *body_of(const struct op *);
/* Every member that an op requires. */
json_t *example_of(const struct op *);
/* A value for one member. To be released. */
json_t *example_value(const struct stet_member *);
/* A request of an op on a path. */
struct outcome *request(
    const struct op *, const struct harness_user *, const char *path, const char *headers);

bool is_public(const struct op *);
/* May this role pass the gate of this op? */
bool allowed(const struct op *, const struct harness_user *);
/* Scopes of tokens, also such as there are none; ends with NULL. */
extern const char *const scopes[];
/* Does a token with the one scope reach what needs the other? */
bool scope_opens(const char *have, const char *need);
/* Does the route name an item of a collection? */
bool on_items(const struct op *);

/* Published ones have a change that is staged. */
enum item_state { PUBLISHED, DRAFT, TRASHED, ITEM_STATES };
struct item {
	char id[27], rev[64], revision[27]; /* revision: the newest of its revisions */
};
/* An item of this author. Its title is Secret, of one that is published that of the change. */
void item_make(const struct harness_user *owner, enum item_state, struct item *);

#endif
