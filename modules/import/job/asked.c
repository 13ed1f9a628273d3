/*
 * asked.c - options of the command about fields, and the fields of the plan: the types are guessed,
 * so they are shown before anything is written, and may be set.
 */
#include "job/asked.h"
#include "plan/suggest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
asked_pair_at(json_t *to, const char *text, const char *equals)
{
	char *name;

	if (equals == NULL || equals == text)
		return false;
	name = strndup(text, (size_t)(equals - text));
	if (name == NULL)
		stet_out_of_memory();
	(void)json_object_set_new(to, name, json_string(equals + 1));
	free(name);
	return true;
}

bool
asked_pair(json_t *to, const char *text)
{
	return asked_pair_at(to, text, strchr(text, '='));
}

bool
asked_refuse(const char *option, const char *value, const char *why)
{
	fprintf(stderr, "stet: --%s %s: %s\n", option, value, why);
	return false;
}

static json_t *
member(json_t *options, const char *name)
{
	json_t *value = json_object_get(options, name);

	if (value != NULL)
		return value;
	value = json_object();
	(void)json_object_set_new(options, name, value);
	return value;
}

bool
asked_type(struct stet_call *call, json_t *options, const char *text)
{
	const char *equals = strrchr(text, '='), *name = equals != NULL ? equals + 1 : "";
	struct stet_field_type type;

	/* Fields of these types need definitions. */
	if (strcmp(name, "reference") == 0 || strcmp(name, "multiSelect") == 0 ||
	    strcmp(name, "repeater") == 0)
		return asked_refuse(
		    "type", text, "a column cannot become that; --relation makes references");
	if (!asked_pair(member(options, "types"), text) ||
	    (strcmp(name, "date") != 0 && !stet_field_type(call, name, &type)))
		return asked_refuse(
		    "type", text, "must be COLUMN=TYPE with the type of a field, or date");
	return true;
}

bool
asked_relation(json_t *options, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!asked_pair(member(options, "relations"), text) || equals[1] == '\0' ||
	    equals[1] == '.')
		return asked_refuse(
		    "relation", text, "must be COLUMN=FILE.COLUMN, as posts.author_id=authors.id");
	return true;
}

/* The choices of a select are not those of another type. */
static void
set_type(json_t *field, json_t *type)
{
	if (strcmp(json_string_value(json_object_get(field, "type")), "select") == 0)
		(void)json_object_del(field, "validation");
	(void)json_object_set_new(field, "type", type);
}

void
asked_fields(struct stet_call *call, const json_t *types, json_t *fields)
{
	json_t *field;
	size_t i;

	json_array_foreach(fields, i, field)
	{
		json_t *asked =
		    json_object_get(types, json_string_value(json_object_get(field, "label")));
		struct stet_field_type type;

		if (asked == NULL)
			asked = json_object_get(
			    types, json_string_value(json_object_get(field, "slug")));

		if (strcmp(asked != NULL ? json_string_value(asked) : "", "date") == 0)
			set_type(field, json_string("datetime"));
		else if (asked != NULL && stet_field_type(call, json_string_value(asked), &type) &&
			 strcmp(type.name, "select") != 0)
			set_type(field, json_incref(asked));
	}
}

enum stet_status
asked_show(struct stages *s)
{
	const json_t *type, *field;
	size_t i, k;

	/* Without --fields, an export of WordPress gets the same few fields each time. */
	if (s->run.from == NULL && !s->fields)
		return STET_OK;
	json_array_foreach(s->prepare, i, type)
	{
		const char *slug = json_string_value(json_object_get(type, "collection"));
		const struct stet_collection *c;

		STET_TRY(suggest_find(s->call, slug, &c));
		json_array_foreach(json_object_get(type, "fields"), k, field)
		{
			const char *name = json_string_value(json_object_get(field, "slug"));
			const char *to = json_string_value(
			    json_object_get(json_object_get(field, "options"), "collection"));

			if (c == NULL || stet_field(c, name) == NULL)
				printf("field\t%s.%s\t%s%s%s\n", slug, name,
				    json_string_value(json_object_get(field, "type")),
				    to != NULL ? " to " : "", to != NULL ? to : "");
		}
	}
	return STET_OK;
}
