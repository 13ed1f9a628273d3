/*
 * strapi.c - exports of Strapi 4 and 5, as `strapi export` writes them, unpacked: lines of JSON
 * with entities and, in other files, with the links between them, and the uploaded files. The first
 * pass notes what the second one needs: links, files, components, and which rows are one document.
 */
#include "sources/strapi.h"
#include "read/text.h"
#include "sources/rich.h"
#include <string.h>

#define ENDS " .jsonl "
#define CONTENT "api::"
#define COMPONENT_BYTES (64u << 20) /* of all components and schemas, as lines */
#define FIELD_LINKS_MAX 10000 /* of one field of a row */

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

/* The list of a field of a row; it is made if there is none. */
static json_t *
list_of(json_t *rows, const char *row, const char *field)
{
	json_t *fields = json_object_get(rows, row), *list;

	if (fields == NULL) {
		fields = json_object();
		(void)json_object_set_new(rows, row, fields);
	}
	list = json_object_get(fields, field);
	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(fields, field, list);
	}
	return list;
}

/* Notes the link of a row to another one. A file belongs to what it is used by. Links of a field
 * come in any order, and say their place. */
static void
know_link(struct strapi *s, struct stet_call *call, const json_t *link)
{
	const json_t *from = json_object_get(link, "left"), *to = json_object_get(link, "right"),
		     *swap = from;
	const char *field, *row;
	json_t *rows, *places;
	double place;
	size_t at;

	if (strcmp(text_in(from, "type"), STRAPI_FILE) == 0) {
		from = to;
		to = swap;
	}
	field = text_in(from, "field");
	row = row_of(call, from, "ref");
	place = json_number_value(json_object_get(from, "pos"));
	/* Translations are known by the id of the document that they share. */
	if (*field == '\0' || strcmp(field, "localizations") == 0 ||
	    (!is_content(text_in(from, "type")) && !strapi_is_component(text_in(from, "type"))))
		return;
	s->lost += json_object_size(s->links) >= KNOWN_MAX;
	if (json_object_size(s->links) >= KNOWN_MAX)
		return;
	rows = list_of(s->links, row, field);
	places = list_of(s->places, row, field);
	s->lost += json_array_size(rows) >= FIELD_LINKS_MAX;
	if (json_array_size(rows) >= FIELD_LINKS_MAX)
		return;
	for (at = json_array_size(places); at > 0; at--)
		if (json_number_value(json_array_get(places, at - 1)) <= place)
			break;
	(void)json_array_insert_new(rows, at, json_string(row_of(call, to, "ref")));
	(void)json_array_insert_new(places, at, json_real(place));
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

/* The directory of the export in the source. */
static const char *
root_of(struct stet_call *call, const struct line_read *line)
{
	const char *entities = strstr(line->name, "entities/");

	return entities != NULL ? stet_strndup(call, line->name, (size_t)(entities - line->name))
				: "";
}

static void
know_file(struct strapi *s, const char *row, const json_t *data, const char *root)
{
	const char *name;
	json_t *one;

	(void)json_object_set_new(s->files, row,
	    json_pack("{ss ss ss ss ss}", "url", text_in(data, "url"), "name",
		text_in(data, "name"), "root", root, "alt", text_in(data, "alternativeText"),
		"mime", text_in(data, "mime")));
	(void)json_object_set_new(s->uploads, text_in(data, "url"), json_string(row));
	json_object_foreach(json_object_get(data, "formats"), name, one)(void)
	    json_object_set_new(s->uploads, text_in(one, "url"), json_string(row));
}

static void
know_entity(struct strapi *s, struct stet_call *call, const struct line_read *line)
{
	const json_t *entity = line->object, *data = json_object_get(entity, "data");
	const char *type = text_in(entity, "type"), *row = row_of(call, entity, "id");

	if (is_content(type))
		know_content(s, call, entity);
	else if (strcmp(type, STRAPI_FILE) == 0 && json_object_size(s->files) < KNOWN_MAX)
		know_file(s, row, data, root_of(call, line));
	else if (strapi_is_component(type) && s->bytes + line->len <= COMPONENT_BYTES) {
		s->bytes += line->len;
		(void)json_object_set_new(s->components, row,
		    json_pack("{so sI}", "data", json_deep_copy((json_t *)(uintptr_t)data), "bytes",
			(json_int_t)line->len));
	} else
		s->lost += strapi_is_component(type);
}

static void
know_schema(struct strapi *s, const struct line_read *line, const json_t *attributes)
{
	s->lost += s->bytes + line->len > COMPONENT_BYTES;
	if (s->bytes + line->len > COMPONENT_BYTES)
		return;
	s->bytes += line->len;
	(void)json_object_set_new(s->schemas, text_in(line->object, "uid"),
	    json_deep_copy((json_t *)(uintptr_t)attributes));
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
		know_schema(s, line, attributes);
	else if (json_is_object(json_object_get(line->object, "data")))
		know_entity(s, call, line);
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

		if (strncmp(first, STRAPI_FILE ":", strlen(STRAPI_FILE) + 1) == 0)
			STET_TRY(strapi_put_files(s, name, rows));
		else if (is_content(first))
			STET_TRY(put_references(s, name, rows,
			    strapi_is_many(json_object_get(attributes, name), rows)));
		else if (strapi_is_component(first))
			STET_TRY(strapi_put_components(
			    s, name, json_object_get(attributes, name), rows));
	}
	return STET_OK;
}

/* A text in Markdown: that of the item, or a value as it is. */
static enum stet_status
put_markdown(struct strapi *s, const char *name, const json_t *value)
{
	const char *text = json_string_value(value);
	json_t *blocks;

	if (strcmp(name, "content") != 0 && strcmp(name, "body") != 0) {
		document_value(s->item, name, value);
		return strstr(text, "/uploads/") == NULL
			   ? STET_OK
			   : source_notice(s->all.source, name, true,
				 "Addresses of files inside its text are those of the source");
	}
	STET_TRY(strapi_markdown(s, text, &blocks));
	document_blocks(s->item, name, blocks);
	return STET_OK;
}

/* Components inside of the entity. A zone with texts is a text itself. */
static enum stet_status
put_inline(struct strapi *s, const char *name, const json_t *attribute, const json_t *value)
{
	json_t *filled =
	    stet_json_own(s->all.source->call, json_deep_copy((json_t *)(uintptr_t)value));
	json_t *blocks;

	STET_TRY(strapi_fill(s, attribute, filled, 0));
	if (!strapi_is_text(s, filled)) {
		document_value(s->item, name, filled);
		return STET_OK;
	}
	STET_TRY(strapi_zone(s, filled, &blocks));
	document_blocks(s->item, name, blocks);
	return STET_OK;
}

static enum stet_status
put_value(struct strapi *s, const char *name, const json_t *attribute, const json_t *value)
{
	struct stet_call *call = s->all.source->call;
	struct rich rich = { .asset = strapi_file, .arg = s };
	const char *type = text_in(attribute, "type");

	if (strcmp(type, "component") == 0 || strcmp(type, "dynamiczone") == 0)
		return put_inline(s, name, attribute, value);
	if (strcmp(type, "richtext") == 0 && json_is_string(value))
		return put_markdown(s, name, value);
	if (strcmp(type, "blocks") == 0 && json_is_array(value))
		document_html(call, s->item, name, rich_html(call, value, &rich));
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
			STET_TRY(put_value(s, name, json_object_get(attributes, name), value));
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
	const char *type = text_in(line->object, "type"), *id;
	bool newer;

	if (!json_is_object(data) || !is_content(type))
		return STET_OK;
	id = document_of(call, line->object);
	if (is_beside(s, data, id, &newer))
		return newer ? source_notice(s->all.source, id, true,
				   "The draft of a document that is published is left out")
			     : STET_OK;
	s->taken = s->copied = 0;
	attributes = json_object_get(s->schemas, type);
	s->root = root_of(call, line);
	s->item = document_new(call, id, type_name(type), *text_in(data, "publishedAt") != '\0');
	put_members(s, data);
	STET_TRY(put_values(s, data, attributes));
	STET_TRY(put_links(s, row_of(call, line->object, "id"), attributes));
	return stet_source_put(s->all.source, STET_SOURCE_ITEM, json_incref(s->item));
}

/* Hands on the files of the export, also those that no document shows. */
static enum stet_status
put_library(struct strapi *s)
{
	const char *row, *alt = "", *url;
	json_t *file;

	json_object_foreach(s->files, row, file)
	{
		s->root = text_in(file, "root");
		url = strapi_file(s, text_in(file, "url"), &alt);
		STET_TRY(url != NULL ? documents_file(&s->all, url, text_in(file, "name"),
					   text_in(file, "alt"))
				     : source_notice(s->all.source, text_in(file, "name"), true,
					   "The file has no address"));
	}
	return STET_OK;
}

enum stet_status
strapi_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct strapi s = { .bytes = 0 };
	json_t **maps[] = { &s.schemas, &s.rows, &s.public, &s.links, &s.places, &s.files,
		&s.uploads, &s.components };

	documents_begin(&s.all, source);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = stet_json_own(call, json_object());
	STET_TRY(tree_lines(&silent, ENDS, know, &s));
	if (s.lost > 0)
		STET_TRY(source_notice(source, "links", true,
		    "Some links, components or schemas are left out: there are too many"));
	STET_TRY(tree_lines(source, ENDS, take, &s));
	return put_library(&s);
}
