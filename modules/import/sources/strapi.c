/*
 * strapi.c - exports of Strapi 4 and 5, as `strapi export` writes them, unpacked: lines of JSON
 * with entities and, in other files, with the links between them, and the uploaded files. The first
 * pass notes what the second one needs: links, files, components, and which rows are one document.
 */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/rich.h"
#include <string.h>

#define ENDS " .jsonl "
#define FILE_TYPE "plugin::upload.file"
#define CONTENT "api::"
#define COMPONENTS_DEEP 10 /* levels of components inside each other */
#define COMPONENT_BYTES (64u << 20) /* of all components, as lines */

struct strapi {
	struct documents all; /* by id of the document: its type */
	json_t *schemas; /* {type: attributes} */
	json_t *rows; /* {row: id of its document} */
	json_t *public; /* {id of a document: when its published row was changed} */
	json_t *links; /* {row: {field: [row]}} */
	json_t *files; /* {row: {url, name, alt}} */
	json_t *components; /* {row: data} */
	size_t bytes; /* of components */
	int64_t lost; /* links and components that are too many */
	int64_t taken; /* components so far, each time that they are referred to */
	/* Of the present entity. */
	json_t *item;
	const char *root; /* of the export, in the source */
};

/* The name of a row, "TYPE:NUMBER". */
static const char *
row_of(struct stet_call *call, const json_t *object, const char *number)
{
	return stet_printf(call, "%s:%lld", text_in(object, "type"),
	    (long long)json_integer_value(json_object_get(object, number)));
}

static bool
is_content(const char *type)
{
	return strncmp(type, CONTENT, strlen(CONTENT)) == 0;
}

static bool
is_component(const char *type)
{
	return *type != '\0' && strstr(type, "::") == NULL;
}

/* The id of the document of a row. Strapi 5 has a row for the draft, and one for what is published.
 */
static const char *
document_of(struct stet_call *call, const json_t *entity)
{
	const json_t *data = json_object_get(entity, "data");
	const char *id = text_in(data, "documentId"), *locale = text_in(data, "locale");

	return *id != '\0' ? stet_printf(call, "%s:%s:%s", text_in(entity, "type"), id, locale)
			   : row_of(call, entity, "id");
}

/* "article" of "api::article.article". */
static const char *
type_name(const char *type)
{
	const char *dot = strrchr(type, '.');

	return dot != NULL ? dot + 1 : type;
}

/* ---- the first pass ---- */

/* Notes the link of a row to another one. A file belongs to what it is used by. */
static void
know_link(struct strapi *s, struct stet_call *call, const json_t *link)
{
	const json_t *from = json_object_get(link, "left"), *to = json_object_get(link, "right"),
		     *swap = from;
	const char *field, *row;
	json_t *fields, *list;

	if (strcmp(text_in(from, "type"), FILE_TYPE) == 0) {
		from = to;
		to = swap;
	}
	field = text_in(from, "field");
	row = row_of(call, from, "ref");
	if (*field == '\0' ||
	    (!is_content(text_in(from, "type")) && !is_component(text_in(from, "type"))))
		return;
	s->lost += json_object_size(s->links) >= KNOWN_MAX;
	if (json_object_size(s->links) >= KNOWN_MAX)
		return;
	fields = json_object_get(s->links, row);
	if (fields == NULL) {
		fields = json_object();
		(void)json_object_set_new(s->links, row, fields);
	}
	list = json_object_get(fields, field);
	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(fields, field, list);
	}
	(void)json_array_append_new(list, json_string(row_of(call, to, "ref")));
}

static void
know_content(struct strapi *s, struct stet_call *call, const json_t *entity)
{
	const json_t *data = json_object_get(entity, "data");
	const char *id = document_of(call, entity);

	documents_know(&s->all, id, type_name(text_in(entity, "type")));
	if (json_object_size(s->rows) < KNOWN_MAX)
		(void)json_object_set_new(s->rows, row_of(call, entity, "id"), json_string(id));
	if (*text_in(data, "publishedAt") != '\0' && json_object_size(s->public) < KNOWN_MAX)
		(void)json_object_set_new(s->public, id, json_string(text_in(data, "updatedAt")));
}

static void
know_entity(struct strapi *s, struct stet_call *call, const struct line_read *line)
{
	const json_t *entity = line->object, *data = json_object_get(entity, "data");
	const char *type = text_in(entity, "type"), *row = row_of(call, entity, "id");

	if (is_content(type))
		know_content(s, call, entity);
	else if (strcmp(type, FILE_TYPE) == 0 && json_object_size(s->files) < KNOWN_MAX)
		(void)json_object_set_new(s->files, row,
		    json_pack("{ss ss ss ss}", "url", text_in(data, "url"), "name",
			text_in(data, "name"), "alt", text_in(data, "alternativeText"), "mime",
			text_in(data, "mime")));
	else if (is_component(type) && s->bytes + line->len <= COMPONENT_BYTES) {
		s->bytes += line->len;
		(void)json_object_set_new(
		    s->components, row, json_deep_copy((json_t *)(uintptr_t)data));
	} else
		s->lost += is_component(type);
}

static enum stet_status
know(void *arg, const struct line_read *line)
{
	struct strapi *s = arg;
	struct stet_call *call = s->all.source->call;
	const json_t *attributes = json_object_get(line->object, "attributes");

	if (json_is_object(json_object_get(line->object, "left")))
		know_link(s, call, line->object);
	else if (json_is_object(attributes) && *text_in(line->object, "uid") != '\0')
		(void)json_object_set_new(s->schemas, text_in(line->object, "uid"),
		    json_deep_copy((json_t *)(uintptr_t)attributes));
	else if (json_is_object(json_object_get(line->object, "data")))
		know_entity(s, call, line);
	return STET_OK;
}

/* ---- values ---- */

/* The address of a file from that which it has in Strapi. */
static const char *
file_url(void *arg, const char *url, const char **alt)
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
	const char *alt = text_in(file, "alt"), *url = file_url(s, text_in(file, "url"), &alt);

	*asset = NULL;
	if (url == NULL)
		return source_notice(s->all.source, name, true, "Its file is not in the export");
	*asset = stet_json_own(s->all.source->call, document_asset(url, alt));
	return document_put_file(s->all.source, url, text_in(file, "name"), alt);
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

static enum stet_status
put_files(struct strapi *s, const char *name, const json_t *rows)
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

/* Is it a relation to several documents? */
static bool
is_many(const json_t *attribute, const json_t *rows)
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
	return is_many(attribute, rows) || json_is_true(json_object_get(attribute, "repeatable")) ||
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

	if (strncmp(first, FILE_TYPE ":", strlen(FILE_TYPE) + 1) == 0)
		return take_files(s, name, rows, out);
	json_array_foreach(rows, i, row)
	{
		one = NULL;
		id = json_string_value(json_object_get(s->rows, json_string_value(row)));
		if (is_component(first))
			STET_TRY(take_component(s, json_string_value(row), depth + 1, &one));
		if (is_component(first) && one == NULL)
			STET_TRY(source_notice(s->all.source, json_string_value(row), true,
			    "A component is not in the export"));
		if (!is_component(first))
			one = stet_json_own(
			    s->all.source->call, document_reference(s->all.source->call,
						     id != NULL ? id : json_string_value(row)));
		(void)json_array_append(list, one != NULL ? one : (json_t *)(uintptr_t)row);
	}
	*out = is_list(attribute, rows) ? list : json_array_get(list, 0);
	return STET_OK;
}

/* Returns the data of a component with what it refers to; *out NULL: it is not in the export. */
static enum stet_status
take_component(struct strapi *s, const char *row, int depth, json_t **out)
{
	const json_t *data = json_object_get(s->components, row);
	const char *name;
	json_t *rows, *value;

	*out = NULL;
	if (data == NULL || ++s->taken > KNOWN_MAX)
		return STET_OK;
	*out = stet_json_own(s->all.source->call, json_copy((json_t *)(uintptr_t)data));
	if (depth > COMPONENTS_DEEP)
		return source_notice(s->all.source, row, true,
		    "What is in components of more than 10 levels is left out");
	json_object_foreach(json_object_get(s->links, row), name, rows)
	{
		value = NULL;
		STET_TRY(take_link(s, name, attribute_of(s, row, name), rows, depth, &value));
		if (value != NULL)
			(void)json_object_set(*out, name, value);
	}
	return STET_OK;
}

static enum stet_status
put_components(struct strapi *s, const char *name, const json_t *attribute, const json_t *rows)
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

static enum stet_status
put_references(const struct strapi *s, const char *name, const json_t *rows, bool many)
{
	json_t *ids = stet_json_own(s->all.source->call, json_array());
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		json_t *id = json_object_get(s->rows, json_string_value(row));

		(void)json_array_append(ids, id != NULL ? id : (json_t *)(uintptr_t)row);
	}
	return document_references(&s->all, s->item, name, ids, many);
}

static enum stet_status
put_links(struct strapi *s, const char *row, const json_t *attributes)
{
	const char *name;
	json_t *rows;

	json_object_foreach(json_object_get(s->links, row), name, rows)
	{
		const char *first = json_string_value(json_array_get(rows, 0));

		if (strncmp(first, FILE_TYPE ":", strlen(FILE_TYPE) + 1) == 0)
			STET_TRY(put_files(s, name, rows));
		else if (is_content(first))
			STET_TRY(put_references(
			    s, name, rows, is_many(json_object_get(attributes, name), rows)));
		else if (is_component(first))
			STET_TRY(put_components(s, name, json_object_get(attributes, name), rows));
	}
	return STET_OK;
}

static enum stet_status
put_value(struct strapi *s, const char *name, const char *type, const json_t *value)
{
	struct stet_call *call = s->all.source->call;
	struct rich rich = { .asset = file_url, .arg = s };
	bool text = strcmp(name, "content") == 0 || strcmp(name, "body") == 0;

	if (strcmp(type, "blocks") == 0 && json_is_array(value))
		document_html(call, s->item, name, rich_html(call, value, &rich));
	else if (strcmp(type, "richtext") == 0 && text && json_is_string(value))
		(void)json_object_set(s->item, "markdown", (json_t *)(uintptr_t)value);
	else if (strcmp(type, "datetime") == 0 && json_is_string(value))
		document_typed(s->item, name, "datetime", json_incref((json_t *)(uintptr_t)value));
	else
		document_value(s->item, name, value);
	return rich.left == 0 ? STET_OK
			      : source_notice(s->all.source, name, true,
				    "What has no place in a text is left out");
}

static enum stet_status
put_values(struct strapi *s, const json_t *data, const json_t *attributes)
{
	static const char own[] = " id documentId createdAt updatedAt publishedAt locale title "
				  "slug ";
	const char *name, *title = text_in(data, "title");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)data, name, value)
	{
		if (strstr(own, stet_printf(s->all.source->call, " %s ", name)) == NULL)
			STET_TRY(put_value(
			    s, name, text_in(json_object_get(attributes, name), "type"), value));
	}
	if (*title == '\0')
		title = text_in(data, "name");
	(void)json_object_set_new(s->item, "title", json_string(title));
	(void)json_object_set(s->item, "slug", json_object_get(data, "slug"));
	return STET_OK;
}

/* ---- the second pass ---- */

static void
put_members(struct strapi *s, const json_t *data)
{
	(void)json_object_set(s->item, "created", json_object_get(data, "createdAt"));
	(void)json_object_set(s->item, "published", json_object_get(data, "publishedAt"));
	(void)json_object_set(s->item, "updated", json_object_get(data, "updatedAt"));
	if (*text_in(data, "locale") == '\0')
		return;
	(void)json_object_set(s->item, "locale", json_object_get(data, "locale"));
	(void)json_object_set(s->item, "group", json_object_get(data, "documentId"));
}

/* A draft whose document is published is left out; it is told if it was changed since. */
static bool
is_beside(const struct strapi *s, const json_t *data, const char *id, bool *newer)
{
	const char *public = json_string_value(json_object_get(s->public, id));
	bool beside = *text_in(data, "publishedAt") == '\0' && public != NULL;

	*newer = beside && strcmp(text_in(data, "updatedAt"), public) > 0;
	return beside;
}

static enum stet_status
take(void *arg, const struct line_read *line)
{
	struct strapi *s = arg;
	struct stet_call *call = s->all.source->call;
	const json_t *data = json_object_get(line->object, "data"), *attributes;
	const char *type = text_in(line->object, "type"), *entities, *id;
	bool newer;

	if (!json_is_object(data) || !is_content(type))
		return STET_OK;
	id = document_of(call, line->object);
	if (is_beside(s, data, id, &newer))
		return newer ? source_notice(s->all.source, id, true,
				   "The draft of a document that is published is left out")
			     : STET_OK;
	attributes = json_object_get(s->schemas, type);
	entities = strstr(line->name, "entities/");
	s->root =
	    entities != NULL ? stet_strndup(call, line->name, (size_t)(entities - line->name)) : "";
	s->item = document_new(call, id, type_name(type), *text_in(data, "publishedAt") != '\0');
	put_members(s, data);
	STET_TRY(put_values(s, data, attributes));
	STET_TRY(put_links(s, row_of(call, line->object, "id"), attributes));
	return stet_source_put(s->all.source, STET_SOURCE_ITEM, json_incref(s->item));
}

enum stet_status
strapi_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct strapi s = { .bytes = 0 };
	json_t **maps[] = { &s.schemas, &s.rows, &s.public, &s.links, &s.files, &s.components };

	documents_begin(&s.all, source);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = stet_json_own(call, json_object());
	STET_TRY(tree_lines(&silent, ENDS, know, &s));
	if (s.lost > 0)
		STET_TRY(source_notice(source, "links", true,
		    "Some links or components are left out: there are too many"));
	return tree_lines(source, ENDS, take, &s);
}
