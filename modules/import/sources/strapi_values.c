/*
 * strapi_values.c - files and components of Strapi as values. Strapi 4 has an entity for each
 * component, and links to it; Strapi 5 has components inside of what contains them.
 */
#include "read/text.h"
#include "sources/rich.h"
#include "sources/strapi.h"
#include <string.h>

#define COMPONENTS_DEEP 10 /* levels of components inside each other */
/* Of the components of one entity: how many, and the bytes of their lines. */
#define TAKEN_MAX 10000
#define COPIED_MAX (16 << 20)

bool
strapi_is_component(const char *type)
{
	return *type != '\0' && strstr(type, "::") == NULL;
}

/* ---- files ---- */

/* The address of a file from that which it has in Strapi. */
const char *
strapi_file(void *arg, const char *url, const char **alt)
{
	const struct strapi *s = arg;

	(void)alt;
	if (*url != '/')
		return *url != '\0' ? url : NULL;
	return document_file(
	    s->all.source->call, s->root, stet_printf(s->all.source->call, "assets%s", url));
}

/* Returns the value for a file, and hands it on; *asset NULL: it is not in the export. */
static enum stet_status
take_file(struct strapi *s, const char *name, const char *row, json_t **asset)
{
	const json_t *file = json_object_get(s->files, row);
	const char *alt = text_in(file, "alt"), *url = strapi_file(s, text_in(file, "url"), &alt);

	*asset = NULL;
	if (url == NULL)
		return source_notice(s->all.source, name, true, "Its file is not in the export");
	*asset = stet_json_own(s->all.source->call, document_asset(url, alt));
	return documents_file(&s->all, url, text_in(file, "name"), alt);
}

/* Files of one field: one is a value of its own, several are a list. */
static enum stet_status
take_files(struct strapi *s, const char *name, const json_t *rows, json_t **out)
{
	json_t *list = stet_json_own(s->all.source->call, json_array()), *asset;
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		STET_TRY(take_file(s, name, json_string_value(row), &asset));
		if (asset != NULL)
			(void)json_array_append(list, asset);
	}
	*out = json_array_size(rows) == 1 ? json_array_get(list, 0) : list;
	return STET_OK;
}

enum stet_status
strapi_put_files(struct strapi *s, const char *name, const json_t *rows)
{
	const json_t *file = json_object_get(s->files, json_string_value(json_array_get(rows, 0)));
	json_t *value;

	STET_TRY(take_files(s, name, rows, &value));
	if (json_array_size(rows) > 1)
		document_value(s->item, name, value);
	else if (value != NULL)
		document_typed(s->item, name,
		    strncmp(text_in(file, "mime"), "image/", 6) == 0 ? "image" : "file",
		    json_incref(value));
	return STET_OK;
}

/* ---- components ---- */

static enum stet_status take_component(struct strapi *s, const char *row, int depth, json_t **out);

bool
strapi_is_many(const json_t *attribute, const json_t *rows)
{
	const char *relation = text_in(attribute, "relation");
	size_t len = strlen(relation);

	return json_array_size(rows) > 1 || (len > 4 && strcmp(relation + len - 4, "Many") == 0);
}

/* The definition of a member of a component, by its row. */
static const json_t *
attribute_of(const struct strapi *s, const char *row, const char *name)
{
	const char *colon = strrchr(row, ':');
	const char *uid = stet_strndup(s->all.source->call, row, (size_t)(colon - row));

	return json_object_get(json_object_get(s->schemas, uid), name);
}

/* Are its values a list, even if there is one alone? */
static bool
is_list(const json_t *attribute, const json_t *rows)
{
	return strapi_is_many(attribute, rows) ||
	       json_is_true(json_object_get(attribute, "repeatable")) ||
	       strcmp(text_in(attribute, "type"), "dynamiczone") == 0;
}

/* What a component refers to: files and other components are values, documents are references. */
static enum stet_status
take_link(struct strapi *s, const char *name, const json_t *attribute, const json_t *rows,
    int depth, json_t **out)
{
	const char *first = json_string_value(json_array_get(rows, 0)), *id;
	json_t *list = stet_json_own(s->all.source->call, json_array()), *one;
	const json_t *row;
	size_t i;

	if (strncmp(first, STRAPI_FILE ":", strlen(STRAPI_FILE) + 1) == 0)
		return take_files(s, name, rows, out);
	json_array_foreach(rows, i, row)
	{
		one = NULL;
		id = json_string_value(json_object_get(s->rows, json_string_value(row)));
		if (strapi_is_component(first))
			STET_TRY(take_component(s, json_string_value(row), depth + 1, &one));
		if (strapi_is_component(first) && one == NULL)
			STET_TRY(source_notice(s->all.source, json_string_value(row), true,
			    "A component is not in the export"));
		if (!strapi_is_component(first))
			one = stet_json_own(
			    s->all.source->call, document_reference(s->all.source->call,
						     id != NULL ? id : json_string_value(row)));
		(void)json_array_append(list, one != NULL ? one : (json_t *)(uintptr_t)row);
	}
	*out = is_list(attribute, rows) ? list : json_array_get(list, 0);
	return STET_OK;
}

/* Sets in a component of this row what it refers to, and what its own components do. */
static enum stet_status
fill_component(struct strapi *s, const char *row, json_t *component, int depth)
{
	const char *name;
	json_t *rows, *value;

	if (depth > COMPONENTS_DEEP)
		return source_notice(s->all.source, row, true,
		    "What is in components of more than 10 levels is left out");
	json_object_foreach(component, name, value)
	{
		STET_TRY(strapi_fill(s, attribute_of(s, row, name), value, depth + 1));
	}
	json_object_foreach(json_object_get(s->links, row), name, rows)
	{
		value = NULL;
		STET_TRY(take_link(s, name, attribute_of(s, row, name), rows, depth, &value));
		if (value != NULL)
			(void)json_object_set(component, name, value);
	}
	return STET_OK;
}

/* Says so once for each entity. */
static enum stet_status
too_many(struct strapi *s, const char *row)
{
	bool told = s->taken > 2 * TAKEN_MAX;

	s->taken = 2 * TAKEN_MAX + 1;
	return told ? STET_OK
		    : source_notice(s->all.source, row, true,
			  "An entity has so many components that some are left out");
}

/* Strapi 5 writes components inside of what contains them, and what they refer to as links of their
 * rows. */
enum stet_status
strapi_fill(struct strapi *s, const json_t *attribute, json_t *value, int depth)
{
	const char *own = text_in(value, "__component"), *uid;
	json_t *one;
	size_t i;

	if (strcmp(text_in(attribute, "type"), "component") != 0 &&
	    strcmp(text_in(attribute, "type"), "dynamiczone") != 0)
		return STET_OK;
	json_array_foreach(value, i, one) STET_TRY(strapi_fill(s, attribute, one, depth));
	uid = *own != '\0' ? own : text_in(attribute, "component");
	if (!json_is_object(value) || *uid == '\0')
		return STET_OK;
	if (++s->taken > TAKEN_MAX)
		return too_many(s, uid);
	return fill_component(s,
	    stet_printf(s->all.source->call, "%s:%lld", uid,
		(long long)json_integer_value(json_object_get(value, "id"))),
	    value, depth);
}

/* Returns the data of a component with what it refers to; *out NULL: it is not in the export. */
static enum stet_status
take_component(struct strapi *s, const char *row, int depth, json_t **out)
{
	const json_t *kept = json_object_get(s->components, row);
	const json_t *data = json_object_get(kept, "data");

	*out = NULL;
	if (data == NULL)
		return STET_OK;
	s->copied += json_integer_value(json_object_get(kept, "bytes"));
	if (++s->taken > TAKEN_MAX || s->copied > COPIED_MAX)
		return too_many(s, row);
	*out = stet_json_own(s->all.source->call, json_deep_copy((json_t *)(uintptr_t)data));
	return fill_component(s, row, *out, depth);
}

enum stet_status
strapi_put_components(
    struct strapi *s, const char *name, const json_t *attribute, const json_t *rows)
{
	bool zone = strcmp(text_in(attribute, "type"), "dynamiczone") == 0;
	json_t *list = stet_json_own(s->all.source->call, json_array()), *value;
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		STET_TRY(take_component(s, json_string_value(row), 0, &value));
		/* The components of a zone have different types. */
		if (value != NULL && zone)
			(void)json_object_set_new(value, "__component",
			    json_stringn(
				json_string_value(row), strcspn(json_string_value(row), ":")));
		if (value != NULL)
			(void)json_array_append(list, value);
	}
	if (json_array_size(list) < json_array_size(rows))
		STET_TRY(source_notice(
		    s->all.source, name, true, "Some of its components are not in the export"));
	document_value(s->item, name, is_list(attribute, rows) ? list : json_array_get(list, 0));
	return STET_OK;
}
