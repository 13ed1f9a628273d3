/*
 * definition.c - definitions of collections, fields and taxonomies in exports of stet
 * (modules/export). Anybody can write them into a file: only known members are taken, and the
 * module schema checks them like those of a request.
 */
#include "plan/definition.h"
#include "plan/suggest.h"
#include <string.h>

#define DEFINITIONS_MAX 1000 /* of one kind */

static const char *const first_members[] = { "label", "labelSingular", "description", "icon",
	"supports", "urlPattern", "routable", "hasSeo", "hidden", "sortOrder", "publicRead",
	"requiredOn", "admin", "source", NULL };
static const char *const later_members[] = { "titleField", "dateField", "urlPatterns", "indexes",
	"commentsEnabled", "commentsModeration", "commentsClosedAfterDays",
	"commentsAutoApproveUsers", NULL };
static const char *const field_members[] = { "slug", "label", "type", "required", "unique",
	"defaultValue", "validation", "widget", "options", "sortOrder", "searchable", "indexed",
	"translatable", NULL };
static const char *const plain_members[] = { "slug", "label", "required", "sortOrder",
	"translatable", NULL };

static const char *
text_at(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

const char *
definition_take(json_t *definitions, const char *kind, const char *text)
{
	json_t *definition = json_loads(text, 0, NULL), *all = json_object_get(definitions, kind);
	const char *name = text_at(definition, strcmp(kind, "taxonomy") == 0 ? "name" : "type");

	if (all == NULL) {
		all = json_object();
		(void)json_object_set_new(definitions, kind, all);
	}
	if (*name == '\0' || suggest_internal_type(name) ||
	    json_object_size(all) >= DEFINITIONS_MAX || json_object_set(all, name, definition) != 0)
		name = NULL;
	/* `all` has the definition, and so the name. */
	json_decref(definition);
	return name;
}

const json_t *
definition_of(const json_t *definitions, const char *kind, const char *name)
{
	return json_object_get(json_object_get(definitions, kind), name);
}

static void
copy(json_t *to, const json_t *from, const char *const *names)
{
	for (; *names != NULL; names++) {
		json_t *value = json_object_get(from, *names);

		if (value != NULL && !json_is_null(value))
			(void)json_object_set(to, *names, value);
	}
}

void
definition_copy(json_t *to, const json_t *definition, bool later)
{
	copy(to, definition, later ? later_members : first_members);
}

static bool
has(const json_t *fields, const char *slug)
{
	const json_t *field;
	size_t i;

	json_array_foreach(fields, i, field)
	{
		if (strcmp(text_at(field, "slug"), slug) == 0)
			return true;
	}
	return false;
}

/* The definition of a field, a new reference. A type that only a plugin of the other site has
 * becomes json, which holds every value. */
static json_t *
field_of(struct stet_call *call, const json_t *from, const char **replaced)
{
	json_t *field = json_object();
	struct stet_field_type type;

	if (stet_field_type(call, text_at(from, "type"), &type)) {
		copy(field, from, field_members);
		return field;
	}
	copy(field, from, plain_members);
	(void)json_object_set_new(field, "type", json_string("json"));
	*replaced = stet_printf(call, "%s%s%.63s (%.63s)", *replaced,
	    **replaced != '\0' ? ", " : "", text_at(from, "slug"), text_at(from, "type"));
	return field;
}

enum stet_status
definition_fields(struct stet_call *call, const char *collection, const json_t *definition,
    bool wanted, json_t *fields, const char **replaced)
{
	const struct stet_collection *c;
	const json_t *from;
	size_t i;

	*replaced = "";
	STET_TRY(suggest_find(call, collection, &c));
	if (c == NULL)
		(void)json_array_clear(fields);
	json_array_foreach(json_object_get(definition, "fields"), i, from)
	{
		const char *slug = text_at(from, "slug");

		if (*slug == '\0' || has(fields, slug) ||
		    (c != NULL && (!wanted || stet_field(c, slug) != NULL)))
			continue;
		(void)json_array_append_new(fields, field_of(call, from, replaced));
	}
	return STET_OK;
}
