/*
 * routes.h - requests made from the declarations of ops: a request for each op with a route, with
 * its required members. The site has the collection posts.
 */
#ifndef T_MODULE_ROUTES_H
#define T_MODULE_ROUTES_H

#include "call/site.h"
#include "harness.h"
#include "site/site.h"

#define API "/_cms/api"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PEOPLE 6

/* The site of the running tests, and its current generation. */
extern struct harness *h;
extern const struct generation *gen;
/* An anonymous caller, and one of each role in ascending order. */
extern const struct harness_user *const people[PEOPLE];

extern const char *const *routes_public_read; /* public-read of the site; NULL: not set */
int routes_begin(void **state);
int routes_end(void **state);

#define EACH_ROUTE(op)                                                          \
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) \
		if (op->route != NULL)

/* Returns the path of an op's route: posts as the collection, `id` for each other parameter. */
void path_of(const struct op *, const char *id, char *out, size_t size);
/* Returns a body with every required member of the op; the caller frees it. */
char *body_of(const struct op *);
/* Returns an object with every required member of an op. */
json_t *example_of(const struct op *);
/* Returns a value for one member, as a new reference. */
json_t *example_value(const struct stet_member *);
/* Sends a request to an op by this path. */
struct outcome *request(
    const struct op *, const struct harness_user *, const char *path, const char *headers);

bool is_public(const struct op *);
/* Returns true if this caller may call this op. */
bool allowed(const struct op *, const struct harness_user *);
/* Scopes of tokens, and some that do not exist; ends with NULL. */
extern const char *const scopes[];
/* Returns true if a token with the scope `have` may use an op that requires `need`. */
bool scope_opens(const char *have, const char *need);
/* Returns the code with which a token with the scope `have` is refused by an op; "": it is not. */
const char *scope_refusal(const struct op *, const char *have);
/* Returns true if the route names an item of a collection. */
bool on_items(const struct op *);

/* PUBLISHED items also have a staged change. */
enum item_state { PUBLISHED, DRAFT, TRASHED, ITEM_STATES };
struct item {
	char id[27], rev[64], revision[27]; /* revision: its newest */
};
/* Creates an item of this author. The title of its unpublished text begins with Secret. */
void item_make(const struct harness_user *owner, enum item_state, struct item *);

#endif
