/* custom.c - custom fields of an export: which there are, and what fields they become. */
#include "stages.h"
#include "suggest.h"
#include <string.h>

#define KEYS_MAX 300 /* of one type of posts */
#define LONG_TEXT 200 /* bytes, from where a field is a text */

/* "rows_0_name": a part of a repeater. */
static bool
is_part(const char *key)
{
	for (const char *p = key; (p = strchr(p, '_')) != NULL;) {
		size_t digits = strspn(++p, "0123456789");

		if (digits > 0 && p[digits] == '_')
			return true;
	}
	return false;
}

/* Fields that are filled from elsewhere. */
static bool
is_taken(const char *key)
{
	static const char *const taken[] = { "_thumbnail_id", "footnotes", "title", "content",
		"excerpt", "featured_image", "parent", "menu_order" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (strcmp(taken[i], key) == 0)
			return true;
	return false;
}

/* The type of a field for this value and those before, of which `was` is the type, or NULL. */
static const char *
type_of(const char *key, const char *value, const char *was)
{
	const char *type = suggest_type(key, value);

	if (strcmp(type, "date") == 0)
		type = "datetime";
	if (strcmp(type, "string") == 0 &&
	    (strlen(value) > LONG_TEXT || strchr(value, '\n') != NULL))
		type = "text";
	if (was == NULL || strcmp(was, type) == 0)
		return type;
	if (strcmp(was, "json") == 0 || strcmp(type, "json") == 0)
		return "json";
	return strcmp(was, "text") == 0 || strcmp(type, "text") == 0 ? "text" : "string";
}

void
custom_note(json_t *type, const struct wxr_item *item)
{
	json_t *keys = json_object_get(type, "custom");

	for (size_t i = 0; i < item->meta_count; i++) {
		const char *key = item->meta[i].key, *value = item->meta[i].value, *was;

		if (*value == '\0' || strlen(key) > 63 || suggest_internal_field(key) ||
		    is_taken(key) || is_part(key))
			continue;
		if (keys == NULL) {
			keys = json_object();
			(void)json_object_set_new(type, "custom", keys);
		}
		was = json_string_value(json_object_get(keys, key));
		if (was != NULL || json_object_size(keys) < KEYS_MAX)
			(void)json_object_set_new(keys, key, json_string(type_of(key, value, was)));
	}
}

static bool
has(const json_t *fields, const char *slug)
{
	const json_t *field;
	size_t i;

	json_array_foreach(fields, i, field)
	{
		if (strcmp(json_string_value(json_object_get(field, "slug")), slug) == 0)
			return true;
	}
	return false;
}

enum stet_status
custom_fields(struct stet_call *call, const char *collection, const json_t *type, json_t *fields)
{
	const json_t *keys = json_object_get(type, "custom"), *is;
	const struct stet_collection *c;
	const char *key;

	STET_TRY(suggest_find(call, collection, &c));
	json_object_foreach((json_t *)(uintptr_t)keys, key, is)
	{
		const char *slug = suggest_field(call, key);

		if (is_taken(slug) || has(fields, slug) ||
		    (c != NULL && stet_field(c, slug) != NULL))
			continue;
		(void)json_array_append_new(fields, json_pack("{ss ss sO sb}", "slug", slug,
							"label", key, "type", is, "required", 0));
	}
	return STET_OK;
}

/* The names of fields that were left out, for people. */
static enum stet_status
tell(struct stages *s, const char *name, const json_t *type, const char *collection)
{
	json_t *fields = stet_json_own(s->call, json_array()), *field;
	const char *text = "";
	size_t i;

	STET_TRY(custom_fields(s->call, collection, type, fields));
	json_array_foreach(fields, i, field)
	{
		text = stet_printf(s->call, "%s%s%s", text, i > 0 ? ", " : "",
		    json_string_value(json_object_get(field, "label")));
	}
	if (json_array_size(fields) > 0)
		s->says(s, STAGE_ANALYZE, name,
		    stet_printf(
			s->call, "Custom fields that have no field here are left out: %s", text));
	return STET_OK;
}

enum stet_status
custom_tell(struct stages *s)
{
	const char *name;
	json_t *type;

	json_object_foreach(s->types, name, type)
	{
		const char *collection = json_string_value(json_object_get(type, "collection"));

		if (collection != NULL && !s->fields)
			STET_TRY(tell(s, name, type, collection));
	}
	return STET_OK;
}
