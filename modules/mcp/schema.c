/*
 * schema.c - shapes as JSON Schema for assistants, who pay by the word: arguments in full, results
 * the members of results. What these hold is not said: it is open, and read when it comes.
 */
#include "mcp.h"
#include <string.h>

#define OUT_DEPTH 0 /* levels of a result below the first that name their members */

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
	static const char *const least[] = { [STET_STRING] = "minLength",
		[STET_INTEGER] = "minimum",
		[STET_NUMBER] = "minimum",
		[STET_ARRAY] = "minItems" };
	static const char *const most[] = { [STET_STRING] = "maxLength",
		[STET_INTEGER] = "maximum",
		[STET_NUMBER] = "maximum",
		[STET_ARRAY] = "maxItems" };

	if ((m->min == 0 && m->max == 0) || m->type > STET_ARRAY || least[m->type] == NULL)
		return;
	if (m->min != 0 || (m->flags & STET_BOUNDED) != 0)
		stet_put_int(out, least[m->type], (int64_t)m->min);
	if (m->max != 0 || (m->flags & STET_BOUNDED) != 0)
		stet_put_int(out, most[m->type], (int64_t)m->max);
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

static void put_members(struct stet_json *, const struct stet_member *, int depth, bool in);

static void
put_items(struct stet_json *out, const struct stet_member *m, int depth, bool in)
{
	stet_object(out, "items");
	if (m->of != NULL) {
		stet_put_str(out, "type", "object");
		if (depth > 0)
			put_members(out, m->of, depth - 1, in);
	} else
		put_type(out, m->item, false);
	stet_close(out);
}

static void
put_member(struct stet_json *out, const struct stet_member *m, int depth, bool in)
{
	bool nullable = (m->flags & STET_NULLABLE) != 0;

	stet_object(out, m->name);
	put_type(out, m->type, nullable);
	if (in) {
		if (m->about != NULL)
			stet_put_str(out, "description", m->about);
		if (m->type == STET_TIME)
			stet_put_str(out, "format", "date-time");
		put_bounds(out, m);
		put_choices(out, m, nullable);
		if (m->pattern != NULL)
			stet_put_str(out, "pattern", m->pattern);
		if (m->fallback != NULL)
			stet_put_raw(out, "default", m->fallback, strlen(m->fallback));
	}
	if (m->type == STET_ARRAY)
		put_items(out, m, depth, in);
	else if (m->type == STET_OBJECT && m->of != NULL && depth > 0)
		put_members(out, m->of, depth - 1, in);
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

/* Into the open schema of an object. */
static void
put_members(struct stet_json *out, const struct stet_member *list, int depth, bool in)
{
	stet_object(out, "properties");
	for (const struct stet_member *m = list; m->name != NULL; m++)
		if (shown(m))
			put_member(out, m, depth, in);
	stet_close(out);
	if (in)
		put_required(out, list);
}

void
schema_put_in(struct stet_json *out, const char *key, const struct stet_op *op)
{
	stet_object(out, key);
	stet_put_str(out, "type", "object");
	if (op->in != NULL)
		put_members(out, op->in, 16, true);
	stet_put_bool(out, "additionalProperties", false);
	stet_close(out);
}

void
schema_put_out(struct stet_json *out, const char *key, const struct stet_op *op)
{
	const struct stet_member list[] = {
		{ .name = "items", .type = STET_ARRAY, .of = op->out },
		{ 0 },
	};

	stet_object(out, key);
	stet_put_str(out, "type", "object");
	if ((op->flags & STET_OUT_LIST) != 0)
		put_members(out, list, OUT_DEPTH, false);
	else if (op->out != NULL)
		put_members(out, op->out, OUT_DEPTH, false);
	stet_close(out);
}
