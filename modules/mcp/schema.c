/*
 * schema.c - shapes as JSON Schema for assistants, who pay by the word. Arguments are said in full,
 * but for what only a wrong one learns: lengths and patterns, which the op checks and its answer
 * names. Of results some members that are always there; they are open, and read when they come.
 */
#include "mcp.h"
#include <string.h>

static const char *const type_name[] = {
	[STET_STRING] = "string",
	[STET_INTEGER] = "integer",
	[STET_NUMBER] = "number",
	[STET_BOOLEAN] = "boolean",
	[STET_TIME] = "string",
	[STET_OBJECT] = "object",
	[STET_ARRAY] = "array",
};

static void
put_type(struct stet_json *out, enum stet_type type, bool nullable)
{
	if (type == STET_ANY)
		return;
	if (!nullable) {
		stet_put_str(out, "type", type_name[type]);
		return;
	}
	stet_array(out, "type");
	stet_put_str(out, NULL, type_name[type]);
	stet_put_str(out, NULL, "null");
	stet_close(out);
}

static void
put_bounds(struct stet_json *out, const struct stet_member *m)
{
	bool number = m->type == STET_INTEGER || m->type == STET_NUMBER,
	     bounded = (m->flags & STET_BOUNDED) != 0;

	if (!number && m->type != STET_ARRAY)
		return;
	if (m->min != 0 || (bounded && number))
		stet_put_int(out, number ? "minimum" : "minItems", (int64_t)m->min);
	if ((m->max != 0 || bounded) && m->max < 1e5)
		stet_put_int(out, number ? "maximum" : "maxItems", (int64_t)m->max);
}

static void
put_choices(struct stet_json *out, const struct stet_member *m, bool nullable)
{
	if (m->choices == NULL)
		return;
	stet_array(out, "enum");
	for (int i = 0; m->choices[i] != NULL; i++)
		stet_put_str(out, NULL, m->choices[i]);
	if (nullable)
		stet_put_null(out, NULL);
	stet_close(out);
}

/* Echoes and headers are not for tools. */
static bool
shown(const struct stet_member *m)
{
	return (m->flags & STET_IGNORED) == 0;
}

/* The same in every tool, and said once: in the instructions of the server. */
static bool
known_by_name(const char *name)
{
	static const char *const names[] = { "_rev", "collection", "cursor", "dry_run", "fields",
		"limit", "locale", "markdown" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void put_in(struct stet_json *, const struct stet_member *, const struct stet_member *more);

static void
put_items(struct stet_json *out, const struct stet_member *m)
{
	if (m->of == NULL && m->item == STET_ANY)
		return;
	stet_object(out, "items");
	if (m->of != NULL) {
		stet_put_str(out, "type", "object");
		put_in(out, m->of, NULL);
	} else {
		put_type(out, m->item, false);
		put_choices(out, m, false);
	}
	stet_close(out);
}

static void
put_member(struct stet_json *out, const struct stet_member *m)
{
	bool nullable = (m->flags & STET_NULLABLE) != 0;

	stet_object(out, m->name);
	put_type(out, m->type, nullable);
	if (m->about != NULL && !known_by_name(m->name))
		stet_put_str(out, "description", m->about);
	if (m->type == STET_TIME)
		stet_put_str(out, "format", "date-time");
	put_bounds(out, m);
	if (m->type != STET_ARRAY)
		put_choices(out, m, nullable);
	if (m->fallback != NULL)
		stet_put_raw(out, "default", m->fallback, strlen(m->fallback));
	if (m->type == STET_ARRAY)
		put_items(out, m);
	else if (m->type == STET_OBJECT && m->of != NULL)
		put_in(out, m->of, NULL);
	stet_close(out);
}

static void
put_required(struct stet_json *out, const struct stet_member *list)
{
	bool any = false;

	for (const struct stet_member *m = list; m->name != NULL; m++) {
		if ((m->flags & STET_REQUIRED) == 0)
			continue;
		if (!any)
			stet_array(out, "required");
		any = true;
		stet_put_str(out, NULL, m->name);
	}
	if (any)
		stet_close(out);
}

/* Into the open schema of an object: what it takes; `more` is one more member, or NULL. */
static void
put_in(struct stet_json *out, const struct stet_member *list, const struct stet_member *more)
{
	stet_object(out, "properties");
	for (const struct stet_member *m = list; m->name != NULL; m++)
		if (shown(m))
			put_member(out, m);
	if (more != NULL)
		put_member(out, more);
	stet_close(out);
	put_required(out, list);
}

#define OUT_MEMBERS 4 /* of a result: the first ones say what it is */

/* A member of a result that is always there, or leads on. */
static bool
told(const struct stet_member *m)
{
	if (strcmp(m->name, "nextCursor") == 0)
		return true;
	return (m->flags & STET_REQUIRED) != 0 && (m->flags & STET_NULLABLE) == 0;
}

void
schema_put_in(struct stet_json *out, const char *key, const struct stet_op_info *tool)
{
	stet_object(out, key);
	stet_put_str(out, "type", "object");
	if (tool->op->in != NULL)
		put_in(out, tool->op->in, dry_offered(tool) ? &dry_member : NULL);
	stet_close(out);
}

static void
put_out(struct stet_json *out, const struct stet_member *list)
{
	int count = 0;

	stet_object(out, "properties");
	for (const struct stet_member *m = list; m->name != NULL && count < OUT_MEMBERS; m++) {
		if (!told(m))
			continue;
		count++;
		stet_object(out, m->name);
		put_type(out, m->type, false);
		stet_close(out);
	}
	stet_close(out);
}

void
schema_put_out(struct stet_json *out, const char *key, const struct stet_op *op)
{
	static const struct stet_member items[] = {
		{ "items", STET_ARRAY, STET_REQUIRED },
		{ 0 },
	};

	stet_object(out, key);
	stet_put_str(out, "type", "object");
	if ((op->flags & STET_OUT_LIST) != 0)
		put_out(out, items);
	else if (op->out != NULL)
		put_out(out, op->out);
	stet_close(out);
}
