/* oprow.c - checks and compiles the row of an op. */
#include "module/oprow.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/json.h"
#include "call/shape.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct stet_member *
oprow_member(const struct stet_member *in, const char *name, size_t len)
{
	for (; in != NULL && in->name != NULL; in++)
		if (strncmp(in->name, name, len) == 0 && in->name[len] == '\0')
			return in;
	return NULL;
}

static bool
known_method(const char *route)
{
	static const char *const methods[] = { "GET /", "POST /", "PUT /", "PATCH /", "DELETE /" };

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strncmp(route, methods[i], strlen(methods[i])) == 0)
			return true;
	return false;
}

static const char *
check_route(const struct stet_op *row)
{
	if (row->route == NULL)
		return NULL;
	if (!known_method(row->route))
		return "has a route that is not \"METHOD /path\"";
	for (const char *p = strchr(row->route, ':'); p != NULL; p = strchr(p + 1, ':')) {
		const struct stet_member *m = oprow_member(row->in, p + 1, strcspn(p + 1, "/"));

		if (m == NULL || (m->type != STET_STRING && m->type != STET_INTEGER))
			return "has a route parameter that is not a string or integer member of its input";
	}
	return NULL;
}

static bool
is_pattern(const char *pattern)
{
	bool found;

	return stet_match(NULL, pattern, "", &found, NULL) == STET_OK;
}

/* Returns true if a request could contain this value for the member. */
static bool
takes(const struct stet_member *m, const json_t *value)
{
	struct stet_call *call = call_new();
	bool good;

	shape_check(call, m, m->name, value);
	good = call->error.issues == NULL;
	call_free(call);
	return good;
}

/* Checks what a member declares about its values, apart from their type. */
static const char *
check_values(const struct stet_member *m)
{
	if (m->choices != NULL && m->choices[0] == NULL)
		return "has a member with an empty list of choices";
	if (m->pattern != NULL && !is_pattern(m->pattern))
		return "has a member whose pattern is no regular expression";
	return NULL;
}

/* Checks a member's default value. Must run last, since it uses all other declarations of the
 * member. */
static const char *
check_fallback(const struct stet_member *m)
{
	const char *why;
	size_t position;
	json_t *fallback;
	bool good;

	if (m->fallback == NULL)
		return NULL;
	fallback = json_parse(m->fallback, strlen(m->fallback), &why, &position);
	if (fallback == NULL)
		return "has a fallback that is not JSON";
	good = takes(m, fallback);
	json_decref(fallback);
	return good ? NULL : "has a fallback that its member refuses";
}

static const char *
check_names(const struct stet_member *list)
{
	for (const struct stet_member *m = list; m != NULL && m->name != NULL; m++) {
		if (*m->name == '\0')
			return "has a member of an empty name";
		for (const struct stet_member *other = list; other < m; other++)
			if (strcmp(other->name, m->name) == 0)
				return "has two members of one name";
	}
	return NULL;
}

static const char *
check_shape(const struct stet_member *m, int depth)
{
	const char *why;

	if (depth > 16)
		return "has a shape that is too deep";
	if ((why = check_names(m)) != NULL)
		return why;
	for (; m != NULL && m->name != NULL; m++) {
		if (m->type > STET_ARRAY || m->item > STET_ARRAY)
			return "has a member of an unknown type";
		if ((why = check_values(m)) != NULL)
			return why;
		if (m->of != NULL && (why = check_shape(m->of, depth + 1)) != NULL)
			return why;
		if ((why = check_fallback(m)) != NULL)
			return why;
	}
	return NULL;
}

static bool
good_name(const char *name)
{
	return name != NULL && islower((unsigned char)name[0]) && strlen(name) <= 64 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static const char *
check_flags(const struct stet_op *row)
{
	uint32_t flags = row->flags;

	if ((flags & STET_STREAM) != 0 && (row->lane == STET_WRITE || row->choose != NULL))
		return "streams in the write lane";
	if ((flags & STET_RAW) != 0 && (flags & (STET_SPOOL | STET_MULTIPART)) != 0)
		return "takes its body in two ways";
	if ((flags & STET_OR_JSON) != 0 && (flags & STET_MULTIPART) == 0)
		return "takes JSON in place of a form that it does not take";
	if ((row->more & STET_MORE_MENDS) != 0 && (row->lane != STET_WRITE || row->choose != NULL))
		return "mends a site that cannot write, but is not of the write lane";
	if ((flags & STET_TOOL) != 0 && (row->title == NULL || row->about == NULL))
		return "is a tool without title or description";
	return NULL;
}

/* Checks that the flags about access fit each other, the permission and the lane. */
static const char *
check_admission(const struct stet_op *row)
{
	bool public = (row->flags & STET_PUBLIC) != 0;

	if (public && row->permission != NULL)
		return "is public and asks for a permission";
	if (!public && (row->flags & STET_FOR_ALL) != 0)
		return "is for everybody alike, but not public";
	if ((row->flags & STET_ANONYMOUS) != 0 &&
	    (public || row->lane != STET_READ || row->choose != NULL))
		return "admits nobody in particular, but is public or no read";
	if (row->open != NULL && (public || row->lane == STET_WRITE || row->choose != NULL ||
				     (row->flags & (STET_SECRET | STET_FILE)) != 0))
		return "may be public, but is so always, is no read, or answers a secret or a file";
	return NULL;
}

static const char *
check_file(const struct stet_op *row)
{
	if ((row->flags & STET_FILE) == 0)
		return NULL;
	if ((row->flags & (STET_TOOL | STET_STREAM | STET_CREATED)) != 0 || row->out != NULL)
		return "answers with a file, and with something else";
	if (row->lane == STET_WRITE || row->route == NULL || strncmp(row->route, "GET ", 4) != 0)
		return "answers with a file, but writes, or is no GET";
	return NULL;
}

const char *
oprow_check(const struct stet_op *row, const struct stet_module *m)
{
	const char *why;

	(void)m;
	if (!good_name(row->name))
		return "has a name that is not [a-z][a-z0-9_]*";
	if (row->run == NULL)
		return "has no handler";
	if (row->lane > STET_SLOW)
		return "names an unknown lane";
	if (row->fault != NULL && row->error != STET_OK)
		return "names two statuses for its faults";
	if ((why = check_flags(row)) != NULL || (why = check_admission(row)) != NULL ||
	    (why = check_file(row)) != NULL || (why = check_route(row)) != NULL)
		return why;
	if ((why = check_shape(row->in, 0)) != NULL)
		return why;
	return check_shape(row->out, 0);
}

bool
oprow_ignores(const struct op *op, const char *name)
{
	if (oprow_member(op->row.in, name, strlen(name)) != NULL)
		return false;
	return name[0] == '_' || strncmp(name, "utm_", 4) == 0 ||
	       (op->row.flags & (STET_ANY_QUERY | STET_AT_ROOT | STET_FILE)) != 0;
}

void
oprow_compile(struct op *op)
{
	op->in_count = shape_count(op->row.in);
	op->keeps = op->row.cached && op->row.lane == STET_READ && op->row.choose == NULL &&
		    (op->row.flags & (STET_STREAM | STET_RAW | STET_SECRET | STET_FILE)) == 0;
	for (int i = 0; i < op->in_count; i++)
		op->keeps = op->keeps && (op->row.in[i].flags & STET_HEADER) == 0;
}

/* Returns true if a route of these ops has the parameter /:name. */
static bool
is_parameter(const struct op *op, size_t count, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < count; i++)
		for (const char *at = op[i].row.route;
		     at != NULL && (at = strstr(at, "/:")) != NULL; at++)
			if (strncmp(at + 2, name, len) == 0 &&
			    (at[2 + len] == '/' || at[2 + len] == '\0'))
				return true;
	return false;
}

void
oprow_names(struct arena *arena, struct op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct stet_member *in = op[i].row.in;
		const char **name =
		    arena_alloc(arena, ((size_t)op[i].in_count + 1) * sizeof(*name));

		op[i].names = name;
		for (int k = 0; k < op[i].in_count; k++)
			if (in[k].type == STET_STRING && is_parameter(op, count, in[k].name))
				*name++ = in[k].name;
	}
}
