/*
 * router.h - finds the op of a method and a path. A router is filled while a generation of the site
 * is built; after that it is immutable and may be used by all threads.
 */
#ifndef CORE_ROUTER_H
#define CORE_ROUTER_H

#include "http/http1.h"
#include <stddef.h>

struct op;
#define ROUTER_PARAMS_MAX 8

struct router;
struct router_param {
	const char *name; /* the parameter's name in the route; owned by the router */
	const char *value; /* slice of the path given to router_find, still percent-encoded */
	size_t len;
};
struct router_match {
	const struct op *op; /* NULL: no such path, or not with this method (then allowed != 0) */
	unsigned allowed; /* bit set of enum http_method: the methods that this path has, for the
			     header Allow */
	struct router_param param[ROUTER_PARAMS_MAX];
	size_t param_count;
};

struct router *router_new(void);
/* Returns NULL if a route can have this path, otherwise why not, as words that follow the op's
 * name. */
const char *router_check(const char *path);
/* Adds a route. path is absolute ("/_cms/api/menus/:name") and passes router_check. Returns false
 * if the route exists already; names of parameters make no difference. */
bool router_add(struct router *, enum http_method, const char *path, const struct op *);
/* Returns the op that already has this route, or NULL. */
const struct op *router_at(const struct router *, enum http_method, const char *path);
/* Finds the op for a path. At each segment a literal wins over a parameter; if the literal leads
 * nowhere, the search goes back and takes the parameter. HEAD finds GET. An empty segment
 * ("//") matches nothing. A trailing "/" matches only a route that ends with one: "/a/" is another
 * path than "/a". Segments are compared as they were sent, without decoding. */
void router_find(const struct router *, enum http_method, const char *path, struct router_match *);
void router_free(struct router *);

#endif
