/*
 * guess.c - for a collection that an importer makes: which fields its items need, and of which
 * types, from their values and from what the importer says of them.
 */
#include "plan/given.h"
#include "plan/suggest.h"
#include "read/text.h"
#include <string.h>

#define FIELDS_MAX 200 /* that a new collection gets */
#define LABEL_MOST 200 /* characters of the label of a field */
#define LONG_TEXT 200 /* bytes; the field of a longer value is a text */

static const char *
type_of(const json_t *value)
{
	const char *text = json_string_value(value);

	if (text != NULL)
		return strchr(text, '\n') != NULL || strlen(text) > LONG_TEXT ? "text" : "string";
	return json_is_integer(value)   ? "integer"
	       : json_is_real(value)    ? "number"
	       : json_is_boolean(value) ? "boolean"
					: "json";
}

static bool
is_reference(const char *type)
{
	return strncmp(type, "reference", 9) == 0 && strchr(type, ' ') != NULL;
}

static bool
is_select(const char *type)
{
	return strncmp(type, "select ", 7) == 0;
}

static bool
is_plain(const char *type)
{
	static const char *const plain[] = { "string", "text", "integer", "number", "boolean",
		"json", "url", "datetime" };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strcmp(plain[i], type) == 0)
			return true;
	return is_select(type);
}

/* Returns the noted type for two of which one is not that of a plain value. */
static const char *
type_of_both(const char *was, const char *type)
{
	if (!is_reference(was) || !is_reference(type) ||
	    strcmp(strchr(was, ' '), strchr(type, ' ')) != 0)
		return "json";
	return strlen(was) > strlen(type) ? was : type; /* that for many is longer */
}

/* Returns the field type that fits a value and all earlier ones. `was`: the type for those, or
 * NULL. `told`: what the importer says, or NULL. */
static const char *
type_for(const json_t *value, const char *was, const char *told)
{
	static const char *const numbers[] = { "integer", "number" };
	static const char *const widest[] = { "json", "text" };
	const char *type = told != NULL ? told : type_of(value);
	size_t numeric = 0;

	if (was == NULL || strcmp(was, type) == 0)
		return type;
	if (!is_plain(was) || !is_plain(type))
		return type_of_both(was, type);
	for (size_t i = 0; i < 2; i++)
		numeric += (size_t)(strcmp(was, numbers[i]) == 0) +
			   (size_t)(strcmp(type, numbers[i]) == 0);
	if (numeric == 2)
		return "number";
	for (size_t i = 0; i < 2; i++)
		if (strcmp(was, widest[i]) == 0 || strcmp(type, widest[i]) == 0)
			return widest[i];
	return "string";
}

static void
note(json_t *fields, const char *slug, const char *type)
{
	(void)json_object_set_new(fields, slug, json_string(type));
}

void
given_fields(json_t *type, const struct wxr_item *item)
{
	json_t *fields = json_object_get(type, "fields"), *value;
	const json_t *told = json_object_get(item->own, "types");
	const char *slug;

	if (fields == NULL) {
		fields = json_object();
		(void)json_object_set_new(type, "fields", fields);
	}
	if (*item->title != '\0')
		note(fields, "title", "string");
	if (*item->excerpt != '\0')
		note(fields, "excerpt", "text");
	if (*item->content != '\0')
		note(fields, "content", "portableText");
	if (json_object_get(item->own, "parent") != NULL)
		note(fields, "parent", json_string_value(json_object_get(item->own, "parent")));
	for (size_t i = 0; i < 2; i++)
		json_object_foreach(
		    json_object_get(item->own, i == 0 ? "fields" : "exact"), slug, value)
		{
			const char *was = json_string_value(json_object_get(fields, slug));

			if (!json_is_null(value) && strlen(slug) <= 63 &&
			    (was != NULL || json_object_size(fields) < FIELDS_MAX))
				note(fields, slug,
				    type_for(value, was,
					json_string_value(json_object_get(told, slug))));
		}
}

/* The definition of a field of a new collection, a new reference. */
static json_t *
definition(struct stet_call *call, struct names *names, const char *slug, const char *label,
    const char *type)
{
	const char *to =
	    is_reference(type) ? names_collection(call, names, strchr(type, ' ') + 1) : "";
	bool many = strncmp(type, "references ", 11) == 0;
	const char *choices = is_select(type) ? strchr(type, ' ') : NULL;
	json_t *out, *options;

	if (to == NULL)
		type = "json"; /* of the ids that the source has */
	else if (*to != '\0')
		type = "reference";
	else if (choices != NULL)
		type = "select";
	out = json_pack("{ss ss ss sb}", "slug", slug, "label", text_cut(call, label, LABEL_MOST),
	    "type", type, "required", 0);
	if (choices != NULL)
		(void)json_object_set_new(
		    out, "validation", json_pack("{so}", "options", json_loads(choices, 0, NULL)));
	if (to == NULL || *to == '\0')
		return out;
	options = json_pack("{ss}", "collection", to);
	if (many)
		(void)json_object_set_new(options, "allowMultiple", json_true());
	(void)json_object_set_new(out, "options", options);
	return out;
}

enum stet_status
given_suggest(struct stet_call *call, const char *collection, const char *name, const json_t *type,
    struct names *names, json_t *fields)
{
	const json_t *has = json_object_get(type, "fields"), *value;
	json_t *status;
	const char *slug;
	bool is_new;

	for (size_t i = json_array_size(fields); i-- > 0;) {
		slug = json_string_value(json_object_get(json_array_get(fields, i), "slug"));
		if (strcmp(slug, "featured_image") != 0 && json_object_get(has, slug) == NULL)
			(void)json_array_remove(fields, i);
	}
	STET_TRY(suggest_status(call, collection, fields, &status));
	is_new = !json_is_true(json_object_get(status, "exists"));
	json_decref(status);
	json_object_foreach((json_t *)(uintptr_t)has, slug, value)
	{
		bool known = false;

		for (size_t i = 0; i < json_array_size(fields); i++)
			known |= strcmp(slug, json_string_value(json_object_get(
						  json_array_get(fields, i), "slug"))) == 0;
		if (is_new && !known && stet_is_name(slug))
			(void)json_array_append_new(fields,
			    definition(call, names, slug, names_label(call, names, name, slug),
				json_string_value(value)));
	}
	return STET_OK;
}
