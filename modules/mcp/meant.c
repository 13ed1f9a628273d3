/*
 * meant.c - corrects arguments as common clients send them: objects, lists, numbers and booleans as
 * JSON texts, null or "" for an omitted argument, arguments for tools without any. A value is
 * changed only if the schema excludes it, and if only one other meaning is possible. Other values
 * are validated unchanged. A flag is a text whose only value is "1" (includeUsage): it is set by
 * all that means true, and left out for all that means false.
 */
#include "mcp.h"
#include <string.h>
#include <strings.h>

static const json_t *meant_object(
    struct stet_call *, const struct stet_member *, const json_t *, bool reads);

static bool
is_string(const struct stet_member *m)
{
	return m->type == STET_STRING || m->type == STET_TIME;
}

/* Returns true if "" is a valid value of the member. In tools that read, arguments are filters, and
 * "" filters nothing. */
static bool
takes_empty(struct stet_call *call, const struct stet_member *m, bool reads)
{
	const char *why;
	bool found = true;

	if (m->type == STET_ANY || (m->flags & STET_OR_TEXT) != 0)
		return true;
	if (m->type != STET_STRING || reads || m->min >= 1 || strcmp(m->name, "locale") == 0 ||
	    strcmp(m->name, "cursor") == 0 || strcmp(m->name, "status") == 0)
		return false;
	for (int i = 0; m->choices != NULL; i++)
		if (m->choices[i] == NULL || *m->choices[i] == '\0')
			return m->choices[i] != NULL;
	return m->pattern == NULL || stet_match(call, m->pattern, "", &found, &why) != STET_OK ||
	       found;
}

static bool
is_flag(const struct stet_member *m)
{
	return m->type == STET_STRING && m->choices != NULL && m->choices[0] != NULL &&
	       strcmp(m->choices[0], "1") == 0 && m->choices[1] == NULL;
}

/* Returns true or false for a value that means it, otherwise NULL. */
static const json_t *
truth_of(const json_t *v)
{
	const char *text = json_string_value(v);

	if (json_is_boolean(v))
		return v;
	if (json_is_integer(v) && (json_integer_value(v) == 0 || json_integer_value(v) == 1))
		return json_integer_value(v) == 1 ? json_true() : json_false();
	if (text != NULL && (strcmp(text, "1") == 0 || strcasecmp(text, "true") == 0))
		return json_true();
	return text != NULL && (strcmp(text, "0") == 0 || strcasecmp(text, "false") == 0)
		   ? json_false()
		   : NULL;
}

static bool
is_left_out(struct stet_call *call, const struct stet_member *m, const json_t *v, bool reads)
{
	if ((m->flags & STET_REQUIRED) != 0 || m->type == STET_ANY)
		return false;
	if (json_is_null(v))
		return (m->flags & STET_NULLABLE) == 0;
	if (is_flag(m) && json_is_false(truth_of(v)))
		return true;
	return json_is_string(v) && *json_string_value(v) == '\0' && !takes_empty(call, m, reads);
}

/* Returns true if the value has the member's type. */
static bool
fits(const struct stet_member *m, const json_t *v)
{
	switch (m->type) {
	case STET_BOOLEAN:
		return json_is_boolean(v);
	case STET_INTEGER:
	case STET_NUMBER:
		return json_is_number(v);
	case STET_OBJECT:
		return json_is_object(v);
	default:
		return m->type == STET_ARRAY && json_is_array(v);
	}
}

/* Parses a text as JSON. Returns the value if it has the member's type, otherwise the text. */
static const json_t *
from_text(struct stet_call *call, const struct stet_member *m, const json_t *v)
{
	const char *text = json_string_value(v), *why;
	const json_t *value = stet_json_parse(call, text, json_string_length(v), &why);

	return value != NULL && fits(m, value) ? value : v;
}

static const json_t *
meant_list(struct stet_call *call, const struct stet_member *m, const json_t *list, bool reads)
{
	const struct stet_member element = { .name = m->name,
		.type = m->of != NULL ? STET_OBJECT : m->item,
		.flags = STET_REQUIRED,
		.of = m->of };
	json_t *out = NULL, *v;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, v)
	{
		const json_t *is = v;

		if (element.type == STET_BOOLEAN && truth_of(v) != NULL)
			is = truth_of(v);
		else if (json_is_string(v) && !is_string(&element) && element.type != STET_ANY)
			is = from_text(call, &element, v);
		if (element.of != NULL && json_is_object(is))
			is = meant_object(call, element.of, is, reads);
		if (is != v && out == NULL)
			out = stet_json_own(call, json_copy((json_t *)(uintptr_t)list));
		if (is != v)
			(void)json_array_set(out, i, (json_t *)(uintptr_t)is);
	}
	return out != NULL ? out : list;
}

static const json_t *
meant_value(struct stet_call *call, const struct stet_member *m, const json_t *v, bool reads)
{
	if ((m->type == STET_BOOLEAN || is_flag(m)) && truth_of(v) != NULL)
		return is_flag(m) ? stet_json_own(call, json_string("1")) : truth_of(v);
	if (json_is_string(v) && !is_string(m) && m->type != STET_ANY &&
	    (m->flags & STET_OR_TEXT) == 0)
		v = from_text(call, m, v);
	if (m->of != NULL && json_is_object(v))
		return meant_object(call, m->of, v, reads);
	return json_is_array(v) && m->type == STET_ARRAY ? meant_list(call, m, v, reads) : v;
}

/* Returns the object, or a copy with corrected members. */
static const json_t *
meant_object(
    struct stet_call *call, const struct stet_member *shape, const json_t *object, bool reads)
{
	json_t *out = NULL;

	for (const struct stet_member *m = shape; m != NULL && m->name != NULL; m++) {
		const json_t *v = json_object_get(object, m->name), *is = v;

		if (v == NULL)
			continue;
		is = is_left_out(call, m, v, reads) ? NULL : meant_value(call, m, v, reads);
		if (is != v && out == NULL)
			out = stet_json_own(call, json_copy((json_t *)(uintptr_t)object));
		if (is == NULL)
			(void)json_object_del(out, m->name);
		else if (is != v)
			(void)json_object_set(out, m->name, (json_t *)(uintptr_t)is);
	}
	return out != NULL ? out : object;
}

/* Corrects the calls of a batch, each by the shape of its own tool. */
static const json_t *
meant_calls(struct stet_call *call, const json_t *args)
{
	json_t *calls = json_deep_copy(json_object_get(args, "calls")), *one;
	json_t *out = stet_json_own(call, json_copy((json_t *)(uintptr_t)args));
	size_t i;

	(void)json_object_set_new(out, "calls", calls);
	json_array_foreach(calls, i, one)
	{
		const char *name = json_string_value(json_object_get(one, "op"));
		const struct stet_op_info *tool = name != NULL ? compact_find(call, name) : NULL;
		const json_t *inner = json_object_get(one, "arguments");

		if (tool != NULL && inner != NULL)
			(void)json_object_set(one, "arguments",
			    (json_t *)(uintptr_t)meant_arguments(call, tool, inner));
	}
	return out;
}

/* For a tool without arguments: keeps only those of the tool server. */
static const json_t *
only(struct stet_call *call, const struct stet_member *shape, const json_t *args)
{
	json_t *out = stet_json_own(call, json_object());

	for (; shape->name != NULL; shape++)
		if (json_object_get(args, shape->name) != NULL)
			(void)json_object_set(out, shape->name, json_object_get(args, shape->name));
	return out;
}

const json_t *
meant_arguments(struct stet_call *call, const struct stet_op_info *tool, const json_t *args)
{
	const struct stet_member dry[] = { dry_member, { 0 } };
	const struct stet_member *fit = fit_all_members(call, tool);
	bool reads = tool->op->lane == STET_READ;

	if (!json_is_object(args))
		return args;
	if (tool->op->in == NULL && !dry_offered(tool))
		args = only(call, fit, args);
	args = meant_object(call, tool->op->in, args, reads);
	args = meant_object(call, fit, args, reads);
	if (dry_offered(tool))
		args = meant_object(call, dry, args, reads);
	if ((tool->op->flags & STET_BATCH) != 0 && json_is_array(json_object_get(args, "calls")))
		args = meant_calls(call, args);
	return args;
}
