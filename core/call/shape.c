/* shape.c - checks JSON values against shapes, and writes rows of the database by a shape. */
#include "call/shape.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/widen.h"
#include <math.h>
#include <string.h>

bool
shape_has_max(const struct stet_member *m)
{
	return m->max != 0 || (m->flags & STET_BOUNDED) != 0;
}

int
shape_count(const struct stet_member *list)
{
	int n = 0;

	while (list != NULL && list[n].name != NULL)
		n++;
	return n;
}

static const char *
type_name(enum stet_type type)
{
	static const char *const names[] = {
		[STET_ANY] = "any value",
		[STET_STRING] = "a string",
		[STET_INTEGER] = "an integer",
		[STET_NUMBER] = "a number",
		[STET_BOOLEAN] = "a boolean",
		[STET_TIME] = "an ISO 8601 date and time",
		[STET_OBJECT] = "an object",
		[STET_ARRAY] = "an array",
	};

	return names[type];
}

static bool
has_type(enum stet_type type, const json_t *value)
{
	int64_t ms;

	switch (type) {
	case STET_ANY:
		return true;
	case STET_STRING:
		return json_is_string(value);
	case STET_INTEGER:
		return json_is_integer(value) ||
		       (json_is_real(value) && fabs(json_real_value(value)) < 9007199254740992.0 &&
			   floor(json_real_value(value)) == json_real_value(value));
	case STET_NUMBER:
		return json_is_number(value);
	case STET_BOOLEAN:
		return json_is_boolean(value) ||
		       (json_is_integer(value) && (uint64_t)json_integer_value(value) <= 1);
	case STET_TIME:
		return json_is_string(value) && stet_time_parse(json_string_value(value), &ms);
	case STET_OBJECT:
		return json_is_object(value);
	case STET_ARRAY:
		return json_is_array(value);
	}
	return false;
}

static char *
choices_text(struct stet_call *call, const char *const *choices)
{
	char *text = stet_strdup(call, choices[0]);

	for (int i = 1; choices[i] != NULL; i++)
		text = stet_printf(call, "%s, %s", text, choices[i]);
	return text;
}

#define PATTERN_SHOWN 40 /* characters; a longer pattern is not shown */

static void
say_pattern(struct stet_call *call, const struct stet_member *m, const char *path)
{
	if (strlen(m->pattern) <= PATTERN_SHOWN)
		stet_issue(call, path, "must match %s", m->pattern);
	else
		stet_issue(call, path, "is not a valid %s", m->name);
}

static void
check_string(struct stet_call *call, const struct stet_member *m, const char *path, const char *s)
{
	const char *why = NULL;
	bool found = false;

	if (m->choices != NULL) {
		for (int i = 0; m->choices[i] != NULL; i++)
			if (strcmp(m->choices[i], s) == 0)
				return;
		stet_issue(call, path, "must be one of: %s", choices_text(call, m->choices));
		return;
	}
	if (m->pattern == NULL)
		return;
	if (stet_match(call, m->pattern, s, &found, &why) != STET_OK || !found)
		say_pattern(call, m, path);
}

/* Returns the quantity that min and max limit: the value of a number, the length of a string or
 * array. */
static double
measure(const json_t *value)
{
	if (json_is_string(value))
		return (double)stet_utf8_length(json_string_value(value));
	if (json_is_array(value))
		return (double)json_array_size(value);
	return json_number_value(value);
}

static const char *
unit(const json_t *value)
{
	return json_is_string(value) ? " characters" : json_is_array(value) ? " elements" : "";
}

/* Returns false if the value is too large, or too small. */
static bool
check_range(
    struct stet_call *call, const struct stet_member *m, const char *path, const json_t *value)
{
	double x;

	if (m->min == 0 && !shape_has_max(m))
		return true;
	x = measure(value);
	if (x < m->min)
		stet_issue(call, path, "must be at least %g%s", m->min, unit(value));
	else if (x > m->max && shape_has_max(m))
		stet_issue(call, path, "must be at most %.16g%s", m->max, unit(value));
	else
		return true;
	return false;
}

static char *
join(struct stet_call *call, const char *path, const char *name)
{
	return *path != '\0' ? stet_printf(call, "%s.%s", path, name) : stet_strdup(call, name);
}

void
shape_missing(struct stet_call *call, const struct stet_member *m, const char *path)
{
	/* The description usually says where the value comes from. */
	stet_issue(call, path, "is required%s%s", m->about != NULL ? ": " : "",
	    m->about != NULL ? m->about : "");
}

static void
check_members(
    struct stet_call *call, const struct stet_member *of, const char *path, const json_t *object)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *value;
	const char *key;

	for (const struct stet_member *m = of; m->name != NULL; m++) {
		const json_t *v = json_object_get(object, m->name);

		if (v != NULL)
			shape_check(call, m, join(call, path, m->name), v);
		else if ((m->flags & STET_REQUIRED) != 0)
			shape_missing(call, m, join(call, path, m->name));
	}
	json_object_foreach(mutable, key, value)
	{
		const struct stet_member *m = of;

		while (m->name != NULL && strcmp(m->name, key) != 0)
			m++;
		if (m->name == NULL)
			stet_issue(call, join(call, path, key), "unknown member");
	}
}

static void
check_elements(
    struct stet_call *call, const struct stet_member *m, const char *path, const json_t *array)
{
	const struct stet_member element = {
		.name = m->name,
		.type = m->of != NULL ? STET_OBJECT : m->item,
		.of = m->of,
		.choices = m->choices,
		.pattern = m->pattern,
	};
	size_t count = json_array_size(array);

	if (m->of == NULL && m->item == STET_ANY)
		return;
	/* Stop at ISSUES_MAX: further issues are not listed. */
	for (size_t i = 0; i < count && call->error.issue_count <= ISSUES_MAX; i++)
		shape_check(call, &element, stet_printf(call, "%s[%zu]", path, i),
		    json_array_get(array, i));
}

void
shape_check(
    struct stet_call *call, const struct stet_member *m, const char *path, const json_t *value)
{
	if (json_is_null(value) && m->type != STET_ANY) {
		if ((m->flags & STET_NULLABLE) == 0)
			stet_issue(call, path, "must not be null");
		return;
	}
	if ((m->flags & STET_OR_TEXT) != 0 && json_is_string(value))
		return;
	if (!has_type(m->type, value)) {
		stet_issue(call, path, "must be %s%s", type_name(m->type),
		    (m->flags & STET_OR_TEXT) != 0 ? " or a string" : "");
		return;
	}
	if (m->type == STET_STRING)
		check_string(call, m, path, json_string_value(value));
	if (m->type != STET_ANY && m->type != STET_TIME && !check_range(call, m, path, value))
		return;
	if (m->type == STET_OBJECT && m->of != NULL)
		check_members(call, m->of, path, value);
	if (m->type == STET_ARRAY)
		check_elements(call, m, path, value);
}

void
stet_check_shape_sized(struct stet_call *call, const char *path, const struct stet_member *shape,
    const json_t *object, size_t size)
{
	struct widening w = { .from = size, .to = sizeof(*shape) };

	check_members(call, widen(&w, shape), path, object);
	arena_free(&w.arena);
}

/* ---- rows ---- */
