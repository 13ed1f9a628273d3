/*
 * router.c - a trie of path segments. Each node has its literal children, sorted for binary search,
 * and at most one child for a parameter. A search visits each node at most once, so no path of a
 * client can make it slow.
 */
#include "http/router.h"

#include "base/arena.h"
#include "base/log.h"
#include "http/http1.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct route {
	const struct op *op;
	size_t param_count;
	const char *param[ROUTER_PARAMS_MAX]; /* names, in the order of the path */
};

struct node {
	const char *text; /* the segment; "" for the root and for parameters */
	size_t len;
	struct node **literal; /* children, sorted by length, then bytes */
	size_t literal_count;
	struct node *param;
	unsigned allowed;
	struct route *route[HTTP_OTHER]; /* by method; HEAD uses the route of GET */
};

struct router {
	struct arena arena;
	struct node root;
};

/* What stays the same during one search. */
struct walk {
	enum http_method method;
	struct router_match *match;
};

struct router *
router_new(void)
{
	struct router *router = xcalloc(1, sizeof(*router));

	router->root.text = "";
	return router;
}

static void
node_free(struct node *node)
{
	for (size_t i = 0; i < node->literal_count; i++)
		node_free(node->literal[i]);
	if (node->param != NULL)
		node_free(node->param);
	free(node->literal);
}

void
router_free(struct router *router)
{
	if (router == NULL)
		return;
	node_free(&router->root);
	arena_free(&router->arena);
	free(router);
}

static size_t
segment_length(const char *text)
{
	return (size_t)(strchrnul(text, '/') - text);
}

static int
segment_compare(const struct node *node, const char *text, size_t len)
{
	if (node->len != len)
		return node->len < len ? -1 : 1;
	return memcmp(node->text, text, len);
}

/* Returns true if a segment begins at this slash. The one at the end of "/a/" begins an empty
 * segment; the path "/" has none. */
static bool
segment_begins(const char *path, const char *at)
{
	return at[0] != '\0' && (at[1] != '\0' || at != path);
}

/* The index of the literal among the children, or, if *found is false, the index to insert it
 * at. */
static size_t
literal_place(const struct node *node, const char *text, size_t len, bool *found)
{
	size_t low = 0, high = node->literal_count;

	*found = false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = segment_compare(node->literal[middle], text, len);

		if (order == 0) {
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *
param_check(const char *text, size_t len)
{
	if (len < 2)
		return "a parameter of its path has no name";
	for (size_t i = 1; i < len; i++)
		if (memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			text[i], 63) == NULL)
			return "a parameter of its path has a bad name";
	return NULL;
}

static const char *
literal_check(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~' || strchr("%?#:*\"<>\\", text[i]) != NULL)
			return "its path has a character that paths cannot have";
	if ((len == 1 && text[0] == '.') || (len == 2 && memcmp(text, "..", 2) == 0))
		return "its path has a dot segment";
	return NULL;
}

/* Returns true if the path has a parameter of the same name before `text`. */
static bool
param_repeats(const char *path, const char *text, size_t len)
{
	for (const char *at = path; at + 1 < text; at += segment_length(at + 1) + 1)
		if (segment_length(at + 1) == len && memcmp(at + 1, text, len) == 0)
			return true;
	return false;
}

const char *
router_check(const char *path)
{
	size_t params = 0;

	if (path[0] != '/')
		return "its path does not begin with a slash";
	if (path[1] == '\0')
		return NULL;
	for (const char *at = path; *at != '\0'; at += segment_length(at + 1) + 1) {
		size_t len = segment_length(at + 1);
		bool param = at[1] == ':';
		const char *why;

		if (len == 0 && at[1] != '\0')
			return "its path has an empty segment";
		why = param ? param_check(at + 1, len) : literal_check(at + 1, len);
		if (why != NULL)
			return why;
		if (param && ++params > ROUTER_PARAMS_MAX)
			return "its path has too many parameters";
		if (param && param_repeats(path, at + 1, len))
			return "its path names a parameter twice";
	}
	return NULL;
}

static struct node *
literal_add(struct router *router, struct node *node, const char *text, size_t len)
{
	bool found;
	size_t place = literal_place(node, text, len, &found);
	struct node *child;

	if (found)
		return node->literal[place];
	child = arena_alloc(&router->arena, sizeof(*child));
	child->text = arena_strndup(&router->arena, text, len);
	child->len = len;
	node->literal = xrealloc(node->literal, (node->literal_count + 1) * sizeof(struct node *));
	memmove(&node->literal[place + 1], &node->literal[place],
	    (node->literal_count - place) * sizeof(struct node *));
	node->literal[place] = child;
	node->literal_count++;
	return child;
}

bool
router_add(struct router *router, enum http_method method, const char *path, const struct op *op)
{
	struct node *node = &router->root;
	struct route *route = arena_alloc(&router->arena, sizeof(*route));

	stet_assert(router_check(path) == NULL && method < HTTP_OTHER && method != HTTP_HEAD);
	route->op = op;
	for (const char *at = path; segment_begins(path, at);) {
		size_t len = segment_length(at + 1);

		if (at[1] == ':') {
			route->param[route->param_count++] =
			    arena_strndup(&router->arena, at + 2, len - 1);
			if (node->param == NULL) {
				node->param = arena_alloc(&router->arena, sizeof(*node));
				node->param->text = "";
			}
			node = node->param;
		} else {
			node = literal_add(router, node, at + 1, len);
		}
		at += len + 1;
	}
	if (node->route[method] != NULL)
		return false;
	node->route[method] = route;
	node->allowed |= 1U << method;
	if (method == HTTP_GET)
		node->allowed |= 1U << HTTP_HEAD;
	return true;
}

const struct op *
router_at(const struct router *router, enum http_method method, const char *path)
{
	const struct node *node = &router->root;

	stet_assert(router_check(path) == NULL && method < HTTP_OTHER);
	for (const char *at = path; node != NULL && segment_begins(path, at);) {
		size_t len = segment_length(at + 1);
		bool found = false;

		if (at[1] == ':') {
			node = node->param;
		} else {
			size_t place = literal_place(node, at + 1, len, &found);

			node = found ? node->literal[place] : NULL;
		}
		at += len + 1;
	}
	return node != NULL && node->route[method] != NULL ? node->route[method]->op : NULL;
}

/* Finds the route for `rest`, the path below `node`; `params` values were taken on the way. If
 * the literal child has no route for this method, the parameter child is tried. */
static const struct route *
walk(struct walk *w, const struct node *node, const char *rest, size_t params)
{
	const struct route *route = NULL;
	size_t len, place;
	bool found;

	if (*rest == '\0') {
		w->match->allowed |= node->allowed;
		return node->route[w->method];
	}
	len = segment_length(++rest);
	if (len == 0 && *rest != '\0')
		return NULL;
	place = literal_place(node, rest, len, &found);
	if (found)
		route = walk(w, node->literal[place], rest + len, params);
	if (route != NULL || len == 0 || node->param == NULL || params == ROUTER_PARAMS_MAX)
		return route;
	w->match->param[params].value = rest;
	w->match->param[params].len = len;
	return walk(w, node->param, rest + len, params + 1);
}

void
router_find(const struct router *router, enum http_method method, const char *path,
    struct router_match *match)
{
	struct walk w = { .match = match };
	struct route none = { 0 };
	const struct route *route;

	match->op = NULL;
	match->allowed = 0;
	match->param_count = 0;
	if (path[0] != '/')
		return;
	w.method = method == HTTP_HEAD ? HTTP_GET : method;
	if (w.method >= HTTP_OTHER)
		w.method = HTTP_HEAD; /* HTTP_HEAD is an index that no route uses: such a method
					 finds no op, only `allowed` */
	route = walk(&w, &router->root, path[1] == '\0' ? "" : path, 0);
	if (route == NULL)
		route = &none;
	match->op = route->op;
	match->param_count = route->param_count;
	for (size_t i = 0; i < route->param_count; i++)
		match->param[i].name = route->param[i];
}
