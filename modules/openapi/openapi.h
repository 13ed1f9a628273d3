/* openapi.h - what the files of the openapi module share. */
#ifndef MODULES_OPENAPI_H
#define MODULES_OPENAPI_H

#include <stet/module.h>
#include <string.h>

/* An op with a route that the caller may call. */
struct operation {
	const struct stet_op_info *info;
	const char *method; /* "get" */
	const char
	    *path; /* "/menus/{name}", below the root of the API; with at_root, of the site */
	bool at_root;
};

/* A list of members that the document describes once, as a component. */
struct shape {
	const struct stet_member *list;
	const char *name;
	/* Where it was found first: the path, and the member that has this shape; "": the whole
	 * reply. */
	const char *path, *member;
	unsigned uses;
	bool values; /* it has a member with STET_VALUES, so it is an item of a collection */
};

/* Request headers that are components, if an operation uses them. */
enum header { IF_MATCH, IDEMPOTENCY_KEY, RANGE, X_CMS_REQUEST, HEADERS };

struct document {
	struct stet_call *call;
	struct stet_json *out;
	struct operation *op; /* ordered by path, then method */
	size_t op_count;
	struct shape *shape;
	size_t shape_count, shape_room;
	/* The collections whose fields the caller may see. */
	const struct stet_collection *const *collection;
	size_t collection_count;
	struct stet_schema_style style;
	bool used[HEADERS];
};

#define REF "#/components/schemas/"
#define API_ROOT "/_cms/api"

/* Writes JSON text from this source code. */
static inline void
put_json(struct stet_json *out, const char *key, const char *json)
{
	stet_put_raw(out, key, json, strlen(json));
}

/* ---- place.c: where arguments come from ---- */

enum place { IN_PATH, IN_QUERY, IN_BODY };
enum place place_of(const struct operation *, const struct stet_member *);
/* Returns true if the route has a parameter of this name; *index counts those before it. */
bool place_in_path(const char *route, const char *name, int *index);
/* The number of arguments that come from the body. */
size_t place_body_count(const struct operation *);
/* Returns true if the operation takes a body. */
bool place_has_body(const struct operation *);

/* ---- shapes.c: shapes that are components, and their names ---- */

void shapes_collect(struct document *);
/* Writes all of them as members of the open object. */
void shapes_put(struct document *);
/* The schema of an item's values in a request: those of any collection that the caller may see.
 * Owned by the call. */
json_t *shapes_values(struct document *, const char *about);

/* ---- paths.c ---- */

void paths_put(struct document *);
/* Writes the headers that they refer to, among the components. */
void paths_put_headers(struct document *);

/* ---- answers.c: replies ---- */

/* Writes the responses of an op as a member of the open object. */
void answers_put(struct document *, const struct operation *);
/* Write the responses and schemas of errors, among the components. */
void answers_put_components(struct document *);
void answers_put_schemas(struct document *);

#endif
