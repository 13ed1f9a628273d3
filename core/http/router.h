/* router.h - from a method and a path to an op. Immutable once built; shared by threads. */
#ifndef CORE_ROUTER_H
#define CORE_ROUTER_H

#include "http/http1.h"
#include <stddef.h>

struct op;
#define ROUTER_PARAMS_MAX 8

struct router;
struct router_param {
	const char *name; /* of the route */
	const char *value; /* a slice of the path, still percent-encoded */
	size_t len;
};
struct router_match {
	const struct op *op; /* NULL: no such path, or not with this method (allowed != 0) */
	unsigned allowed; /* bit set of enum http_method that the path knows */
	struct router_param param[ROUTER_PARAMS_MAX];
	size_t param_count;
};

struct router *router_new(void);
/* Why no route can have this path, in words, or NULL when one can. */
const char *router_check(const char *path);
/* path is absolute ("/_cms/api/menus/:name"). false when the same route is there already, be it
 * with other names for its parameters. */
bool router_add(struct router *, enum http_method, const char *path, const struct op *);
/* The op that stands in the way of adding this route, or NULL. */
const struct op *router_at(const struct router *, enum http_method, const char *path);
/* Literal segments win over parameters, segment by segment, with backtracking. HEAD finds GET. An
 * empty segment ("//", a trailing "/") matches nothing, but for the path "/". Segments are compared
 * as they were sent, percent-encoding and all. */
void router_find(const struct router *, enum http_method, const char *path, struct router_match *);
void router_free(struct router *);

#endif
