/*
 * jsonschema.c - writes shapes as JSON Schema (draft 2020-12): in full, or briefly for assistants
 * (MCP tools), for which each word costs context.
 */
#include "base/arena.h"
#include "call/call.h"
#include "call/shape.h"
#include "call/widen.h"
#include <stet/table.h>
#include <string.h>

/* The schema being written. */
struct writing {
	struct stet_json *j;
	const struct stet_schema_style *style;
	/* Widens lists; functions of the style get the original ones. */
	const struct widening *wide;
	bool listed; /* in the objects of a list: there null means the same as no member */
};

static void
put_type(struct stet_json *j, enum stet_type type, bool nullable)
{
	static const char *const names[] = {
		[STET_STRING] = "string",
		[STET_INTEGER] = "integer",
		[STET_NUMBER] = "number",
		[STET_BOOLEAN] = "boolean",
		[STET_TIME] = "string",
		[STET_OBJECT] = "object",
		[STET_ARRAY] = "array",
	};

	if (type == STET_ANY)
		return;
	if (nullable) {
		stet_array(j, "type");
		stet_put_str(j, NULL, names[type]);
		stet_put_str(j, NULL, "null");
		stet_close(j);
	} else
		stet_put_str(j, "type", names[type]);
	if (type == STET_TIME)
		stet_put_str(j, "format", "date-time");
}

/* Any JSON value but a string, as a list of types: some MCP hosts refuse a schema that has no type,
 * and Gemini an object without properties. */
#define ANY_OBJECT "{\"type\":\"object\",\"properties\":{\"_type\":{\"type\":\"string\"}}}"
static const char *const any_other[] = { "{\"type\":\"number\"}", "{\"type\":\"boolean\"}",
	ANY_OBJECT,
	"{\"type\":\"array\",\"items\":{\"anyOf\":[{\"type\":\"string\"}," ANY_OBJECT "]}}",
	"{\"type\":\"null\"}" };

#define BRIEF_MOST 1e5

/* Brief schemas omit great bounds: they tell an assistant nothing. */
static bool
says_most(const struct writing *w, const struct stet_member *m)
{
	return shape_has_max(m) && (!w->style->brief || m->max < BRIEF_MOST);
}

/* Returns true if the lower bound is written. Brief schemas omit 0 and 1, which are where one
 * expects them. */
static bool
says_least(const struct writing *w, const struct stet_member *m)
{
	bool number = m->type == STET_INTEGER || m->type == STET_NUMBER;

	if (w->style->brief && m->min <= -BRIEF_MOST)
		return false;
	if (w->style->brief && (m->min == 0 || m->min == 1))
		return false;
	return m->min != 0 || number;
}

static void
put_bounds(const struct writing *w, const struct stet_member *m)
{
	static const char *const least[] = { [STET_STRING] = "minLength",
		[STET_INTEGER] = "minimum",
		[STET_NUMBER] = "minimum",
		[STET_ARRAY] = "minItems" };
	static const char *const most[] = { [STET_STRING] = "maxLength",
		[STET_INTEGER] = "maximum",
		[STET_NUMBER] = "maximum",
		[STET_ARRAY] = "maxItems" };

	if ((m->min == 0 && !shape_has_max(m)) || m->type > STET_ARRAY || least[m->type] == NULL)
		return;
	if (w->style->brief && (m->type == STET_STRING || m->type == STET_ARRAY))
		return;
	if (says_least(w, m))
		stet_put_real(w->j, least[m->type], m->min);
	if (says_most(w, m))
		stet_put_real(w->j, most[m->type], m->max);
}

static void
put_choices(const struct writing *w, const struct stet_member *m, bool nullable)
{
	if (m->choices != NULL) {
		stet_array(w->j, "enum");
		for (int i = 0; m->choices[i] != NULL; i++)
			stet_put_str(w->j, NULL, m->choices[i]);
		if (nullable)
			stet_put_null(w->j, NULL);
		stet_close(w->j);
	}
	if (m->pattern != NULL && !w->style->brief)
		stet_put_str(w->j, "pattern", m->pattern);
}

static void put_object(const struct writing *, const struct stet_member *);

/* Refers to a list that the document defines elsewhere, by its name. Returns false if it has
 * none. */
static bool
put_ref(const struct writing *w, const struct stet_member *of, bool nullable)
{
	const char *ref = w->style->ref != NULL && of != NULL
			      ? w->style->ref(w->style->arg, widened_from(w->wide, of))
			      : NULL;

	if (ref == NULL)
		return false;
	if (nullable) {
		stet_array(w->j, "anyOf");
		stet_object(w->j, NULL);
	}
	stet_put_str(w->j, "$ref", ref);
	if (nullable) {
		stet_close(w->j);
		stet_object(w->j, NULL);
		stet_put_str(w->j, "type", "null");
		stet_close(w->j);
		stet_close(w->j);
	}
	return true;
}

static void
put_about(const struct writing *w, const char *about)
{
	if (about != NULL)
		stet_put_str(w->j, "description", about);
}

/* Any value. `about` (NULL: none) is written into the first schema. */
static void
put_any(const struct writing *w, const char *about)
{
	stet_array(w->j, "anyOf");
	stet_object(w->j, NULL);
	put_type(w->j, STET_STRING, false);
	put_about(w, about);
	stet_close(w->j);
	for (size_t i = 0; i < sizeof(any_other) / sizeof(any_other[0]); i++)
		stet_put_raw(w->j, NULL, any_other[i], strlen(any_other[i]));
	stet_close(w->j);
}

/* Properties that an object may have, if its shape does not list them. */
static void
put_inside(const struct writing *w, const struct stet_member *m)
{
	const char *inside = w->style->inside != NULL
				 ? w->style->inside(w->style->arg, widened_from(w->wide, m))
				 : NULL;

	if (inside != NULL)
		stet_put_raw(w->j, "properties", inside, strlen(inside));
}

static void
put_items(const struct writing *w, const struct stet_member *m)
{
	const struct writing inner = { w->j, w->style, w->wide, w->style->brief };

	if (m->of == NULL && m->item == STET_ANY && !w->style->brief)
		return;
	stet_object(w->j, "items");
	if (m->of == NULL && m->item == STET_ANY) {
		put_any(w, NULL);
	} else if (m->of == NULL) {
		put_type(w->j, m->item, false);
		put_choices(w, m, false);
		if (m->item == STET_OBJECT)
			put_inside(w, m);
	} else if (!put_ref(w, m->of, false)) {
		put_type(w->j, STET_OBJECT, false);
		put_object(&inner, m->of);
	}
	stet_close(w->j);
}

/* Writes the type of a value. */
static void
put_kind(const struct writing *w, const struct stet_member *m, bool nullable)
{
	bool object = m->type == STET_OBJECT;

	if (object && put_ref(w, m->of, nullable))
		return;
	if (w->style->brief && (m->flags & STET_JSON_TEXT) != 0)
		put_type(w->j, STET_OBJECT, nullable);
	else
		put_type(w->j, m->type, nullable);
	if (object && m->of != NULL)
		put_object(w, m->of);
	else if (object || (m->flags & STET_JSON_TEXT) != 0)
		put_inside(w, m);
	if (object && m->of == NULL && !w->style->brief)
		stet_put_bool(w->j, "additionalProperties", true);
}

static void
put_values(const struct writing *w, const struct stet_member *m, bool nullable)
{
	if (m->type == STET_ARRAY)
		put_items(w, m);
	else
		put_choices(w, m, nullable);
}

static void
put_branch(const struct writing *w, const char *type)
{
	stet_object(w->j, NULL);
	stet_put_str(w->j, "type", type);
	stet_close(w->j);
}

/* A value, a string or null: one schema for each, since some hosts read only one type in a
 * schema. `about` (NULL: none) is written into the first, since Gemini refuses members beside
 * anyOf. */
static void
put_either(const struct writing *w, const struct stet_member *m, const char *about)
{
	stet_array(w->j, "anyOf");
	stet_object(w->j, NULL);
	put_kind(w, m, false);
	put_about(w, about);
	put_bounds(w, m);
	put_values(w, m, false);
	stet_close(w->j);
	if ((m->flags & STET_OR_TEXT) != 0)
		put_branch(w, "string");
	if ((m->flags & STET_NULLABLE) != 0 && !w->listed)
		put_branch(w, "null");
	stet_close(w->j);
}

static void
put_default(const struct writing *w, const struct stet_member *m)
{
	if (m->fallback != NULL && !(w->style->brief && strcmp(m->fallback, "false") == 0))
		stet_put_raw(w->j, "default", m->fallback, strlen(m->fallback));
}

/* Writes the value of a member, its description and default. */
static void
put_value(const struct writing *w, const struct stet_member *m, const char *about)
{
	bool brief = w->style->brief, nullable = (m->flags & STET_NULLABLE) != 0 && !w->listed;

	if (brief && m->type == STET_ANY) {
		put_any(w, about);
	} else if ((m->flags & STET_OR_TEXT) != 0 || (brief && nullable)) {
		put_either(w, m, brief ? about : NULL);
		if (!brief)
			put_about(w, about);
	} else {
		put_kind(w, m, nullable);
		put_about(w, about);
		put_bounds(w, m);
		put_default(w, m);
		put_values(w, m, nullable);
		return;
	}
	put_default(w, m);
}

static void
put_member(const struct writing *w, const struct stet_member *m)
{
	const char *about = w->style->about != NULL
				? w->style->about(w->style->arg, widened_from(w->wide, m))
				: m->about;

	stet_object(w->j, m->name);
	put_value(w, m, about);
	stet_close(w->j);
}

static void
put_object(const struct writing *w, const struct stet_member *of)
{
	bool required = false;

	if (w->style->brief && (of == NULL || of->name == NULL))
		return;
	stet_object(w->j, "properties");
	for (const struct stet_member *m = of; m != NULL && m->name != NULL; m++) {
		if ((m->flags & STET_IGNORED) != 0)
			continue;
		put_member(w, m);
		required |= (m->flags & STET_REQUIRED) != 0;
	}
	stet_close(w->j);
	if (required) {
		stet_array(w->j, "required");
		for (const struct stet_member *m = of; m->name != NULL; m++)
			if ((m->flags & STET_REQUIRED) != 0)
				stet_put_str(w->j, NULL, m->name);
		stet_close(w->j);
	}
	if (!w->style->brief)
		stet_put_bool(w->j, "additionalProperties", false);
}

static struct stet_schema_style
style_of(const struct stet_schema_style *theirs, size_t size)
{
	struct stet_schema_style ours;

	stet_extend(&ours, sizeof(ours), theirs, size);
	return ours;
}

void
stet_put_schema_as_sized(struct stet_json *j, const char *key, const struct stet_member *shape,
    size_t size, const struct stet_schema_style *style, size_t style_size)
{
	struct widening wide = { .from = size, .to = sizeof(*shape) };
	const struct stet_schema_style ours = style_of(style, style_size);
	const struct writing w = { j, &ours, &wide, false };

	stet_object(j, key);
	stet_put_str(j, "type", "object");
	put_object(&w, widen(&wide, shape));
	stet_close(j);
	arena_free(&wide.arena);
}

void
stet_put_schema_sized(
    struct stet_json *j, const char *key, const struct stet_member *shape, size_t size)
{
	static const struct stet_schema_style full = { 0 };

	stet_put_schema_as_sized(j, key, shape, size, &full, sizeof(full));
}

void
stet_put_member_schema_as_sized(struct stet_json *j, const char *key, const struct stet_member *m,
    size_t size, const struct stet_schema_style *style, size_t style_size)
{
	struct widening wide = { .from = size, .to = sizeof(*m) };
	const struct stet_schema_style ours = style_of(style, style_size);
	struct stet_member one;
	const struct writing w = { j, &ours, &wide, false };

	memcpy(&one, widen(&wide, m), sizeof(one));
	one.name = key;
	one.about = NULL;
	put_member(&w, &one);
	arena_free(&wide.arena);
}
