/* openapi.h - the pieces that make the description of a site's API. */
#ifndef MODULES_OPENAPI_H
#define MODULES_OPENAPI_H

#include <stet/module.h>
#include <string.h>

/* An op with a route that the caller may take. */
struct operation {
	const struct stet_op_info *info;
	const char *method; /* "get" */
	const char *path; /* "/menus/{name}", below the API or, at_root, below the site */
	bool at_root;
};

/* A list of members that the document says once, in its components. */
struct shape {
	const struct stet_member *list;
	const char *name;
	/* Where it was seen first: the path, and the member that has this shape; "": the reply. */
	const char *path, *member;
	unsigned uses;
	bool values; /* has a member with STET_VALUES: an item of a collection */
};

/* Request headers that stand in the components, when an operation takes them. */
enum header { IF_MATCH, IDEMPOTENCY_KEY, RANGE, X_CMS_REQUEST, HEADERS };

struct document {
	struct stet_call *call;
	struct stet_json *out;
	struct operation *op; /* by path, then method */
	size_t op_count;
	struct shape *shape;
	size_t shape_count, shape_room;
	/* Those whose fields the caller may know. */
	const struct stet_collection *const *collection;
	size_t collection_count;
	struct stet_schema_style style;
	bool used[HEADERS];
};

#define REF "#/components/schemas/"
#define API_ROOT "/_cms/api"

/* JSON text that stands here. */
static inline void
put_json(struct stet_json *out, const char *key, const char *json)
{
	stet_put_raw(out, key, json, strlen(json));
}

/* ---- shapes.c: which shapes are said once, and how they are called ---- */

void shapes_collect(struct document *);
/* All of them as members of the open object. */
void shapes_put(struct document *);
/* What the values of an item may be that are sent: those of any collection that the caller may
 * know. Owned by the call. */
json_t *shapes_values(struct document *, const char *about);

/* ---- paths.c ---- */

void paths_put(struct document *);
/* The headers that they refer to, into the components. */
void paths_put_headers(struct document *);

/* ---- answers.c: what is answered ---- */

/* The responses of an op, as a member of the open object. */
void answers_put(struct document *, const struct operation *);
/* Responses and schemas of failures, into the components. */
void answers_put_components(struct document *);
void answers_put_schemas(struct document *);

/* Is it asked for in the path, in the query, or else in the body? */
enum place { IN_PATH, IN_QUERY, IN_BODY };
enum place place_of(const struct operation *, const struct stet_member *);
/* Does it take a JSON body? */
bool has_body(const struct operation *);

#endif
