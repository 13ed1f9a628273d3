/*
 * contentful.c - exports of Contentful, as `contentful space export` writes them: one object of
 * JSON, with the files beside it if they were downloaded. An entry becomes an item in each locale
 * that it has.
 */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/rich.h"
#include <string.h>

#define DEPTH_MAX 40 /* levels of a value */

struct contentful {
	struct documents all;
	const char *name; /* of the document */
	const char *locale; /* the default one */
	json_t *assets, *types, *tags, *entries; /* {id: object} */
	bool many; /* there are several locales */
	/* Of the present entry. */
	json_t *item;
	const char *at; /* its locale */
	json_t *files; /* [id], of assets that it has */
};

/* An entry in one locale. */
struct variant {
	struct contentful *all;
	const json_t *entry;
	const char *locale;
};

static const json_t *
sys_of(const json_t *object)
{
	return json_object_get(object, "sys");
}

/* The value of a field in the present locale; one that is not translated is that of the default
 * locale. */
static const json_t *
in_locale(const struct contentful *c, const json_t *values)
{
	const json_t *value = json_object_get(values, c->at);

	return value != NULL ? value : json_object_get(values, c->locale);
}

/* Has the entry a value of its own in this locale? */
static bool
has_locale(const json_t *entry, const char *locale)
{
	const char *name;
	json_t *values;

	json_object_foreach(json_object_get(entry, "fields"), name, values)
	{
		if (json_object_get(values, locale) != NULL)
			return true;
	}
	return false;
}

/* The id of the item that an entry becomes in a locale. */
static const char *
id_in(const struct contentful *c, const char *id, const char *locale)
{
	return strcmp(locale, c->locale) == 0
		   ? id
		   : stet_printf(c->all.source->call, "%s:%s", id, locale);
}

/* The id of the item to which a link to an entry leads: its translation, if it has one. */
static const char *
target_of(const struct contentful *c, const char *id)
{
	return has_locale(json_object_get(c->entries, id), c->at) ? id_in(c, id, c->at) : id;
}

static json_t *
by_id(const struct contentful *c, const json_t *list)
{
	json_t *out = stet_json_own(c->all.source->call, json_object());
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (*text_in(sys_of(one), "id") != '\0')
			(void)json_object_set(
			    out, text_in(sys_of(one), "id"), (json_t *)(uintptr_t)one);
	}
	return out;
}

/* ---- assets ---- */

static const char *
asset_part(const struct contentful *c, const char *id, const char *name)
{
	const json_t *fields = json_object_get(json_object_get(c->assets, id), "fields");
	const char *text = json_string_value(in_locale(c, json_object_get(fields, name)));

	return text != NULL ? text : "";
}

/* In a directory or a zip file, the files are below the name of their host. */
static const char *
asset_url(void *arg, const char *id, const char **alt)
{
	struct contentful *c = arg;
	struct stet_call *call = c->all.source->call;
	const json_t *fields = json_object_get(json_object_get(c->assets, id), "fields");
	const char *url = text_in(in_locale(c, json_object_get(fields, "file")), "url");

	if (*url == '\0')
		return NULL;
	(void)json_array_append_new(c->files, json_string(id));
	*alt = asset_part(c, id, "description");
	if (strncmp(url, "//", 2) != 0)
		return url;
	return *c->name != '\0' ? document_file(call, c->name, url + 2)
				: stet_printf(call, "https:%s", url);
}

static json_t *
asset_value(struct contentful *c, const char *id)
{
	const char *alt = "", *url = asset_url(c, id, &alt);

	return url != NULL ? document_asset(url, alt) : NULL;
}

static enum stet_status
put_files(struct contentful *c)
{
	json_t *ids = json_copy(c->files), *id;
	enum stet_status status = STET_OK;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		const char *alt = "", *url = asset_url(c, json_string_value(id), &alt);

		if (status == STET_OK)
			status = documents_file(
			    &c->all, url, asset_part(c, json_string_value(id), "title"), alt);
	}
	json_decref(ids);
	return status;
}

/* ---- values ---- */

static bool
is_link(const json_t *value, const char *to)
{
	const json_t *sys = sys_of(value);

	return strcmp(text_in(sys, "type"), "Link") == 0 &&
	       strcmp(text_in(sys, "linkType"), to) == 0;
}

static bool
are_links(const json_t *list, const char *to)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (!is_link(one, to))
			return false;
	}
	return json_array_size(list) > 0;
}

static enum stet_status
put_references(const struct contentful *c, const char *name, const json_t *value)
{
	json_t *ids = stet_json_own(c->all.source->call, json_array());
	const json_t *one;
	size_t i;

	if (json_is_object(value))
		(void)json_array_append_new(
		    ids, json_string(target_of(c, text_in(sys_of(value), "id"))));
	json_array_foreach(value, i, one)(void)
	    json_array_append_new(ids, json_string(target_of(c, text_in(sys_of(one), "id"))));
	return document_references(&c->all, c->item, name, ids, json_is_array(value));
}

static enum stet_status
lacks(const struct contentful *c, const char *name, const char *text)
{
	struct stet_call *call = c->all.source->call;

	return source_notice(c->all.source,
	    stet_printf(call, "%.100s, %.100s", text_in(c->item, "id"), name), true, text);
}

static enum stet_status
put_asset(struct contentful *c, const char *name, const json_t *value)
{
	const char *id = text_in(sys_of(value), "id");
	const json_t *fields = json_object_get(json_object_get(c->assets, id), "fields");
	const char *type = text_in(in_locale(c, json_object_get(fields, "file")), "contentType");
	json_t *asset = asset_value(c, id);

	if (asset == NULL)
		return lacks(c, name, "Its file is not in the export");
	document_typed(c->item, name, strncmp(type, "image/", 6) == 0 ? "image" : "file", asset);
	return STET_OK;
}

static enum stet_status
put_assets(struct contentful *c, const char *name, const json_t *list)
{
	json_t *out = stet_json_own(c->all.source->call, json_array());
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		json_t *asset = asset_value(c, text_in(sys_of(one), "id"));

		if (asset != NULL)
			(void)json_array_append_new(out, asset);
	}
	if (json_array_size(out) < json_array_size(list))
		STET_TRY(lacks(c, name, "Some of its files are not in the export"));
	document_value(c->item, name, out);
	return STET_OK;
}

/* The address of the entry to which a link of a text leads. */
static const char *
entry_url(void *arg, const json_t *target)
{
	const struct contentful *c = arg;
	const char *id = text_in(sys_of(target), "id");

	return is_link(target, "Entry") && documents_type(&c->all, id) != NULL
		   ? document_item(c->all.source->call, target_of(c, id))
		   : NULL;
}

/* The title of an entry; "": it has none. */
static const char *
title_of(const struct contentful *c, const char *id)
{
	const json_t *entry = json_object_get(c->entries, id);
	const char *type = text_in(sys_of(json_object_get(sys_of(entry), "contentType")), "id");
	const char *field = text_in(json_object_get(c->types, type), "displayField");
	const json_t *values =
	    json_object_get(json_object_get(entry, "fields"), *field != '\0' ? field : "title");
	const char *title = json_string_value(in_locale(c, values));

	return title != NULL ? title : "";
}

/* An entry that a text shows: a block, or a link within a paragraph. */
static const char *
embed(void *arg, const json_t *node, bool whole)
{
	const struct contentful *c = arg;
	struct stet_call *call = c->all.source->call;
	const json_t *target = json_object_get(json_object_get(node, "data"), "target");
	const char *id = text_in(sys_of(target), "id");

	if (!is_link(target, "Entry") || (!whole && entry_url(arg, target) == NULL))
		return NULL;
	return whole ? document_embed(call, target_of(c, id), title_of(c, id))
		     : document_anchor(call, target_of(c, id), title_of(c, id));
}

/* Copies a value of JSON: links to entries become references, links to files values of these; a new
 * reference. *lost: files that are not in the export, levels that are too many. */
static json_t *
map_value(struct contentful *c, const json_t *value, int depth, int *lost)
{
	const char *name, *id = text_in(sys_of(value), "id");
	json_t *out, *one;
	size_t i;

	if (is_link(value, "Entry"))
		return document_reference(c->all.source->call, target_of(c, id));
	if (is_link(value, "Asset") && (out = asset_value(c, id)) != NULL)
		return out;
	*lost += is_link(value, "Asset") || depth == DEPTH_MAX;
	if (depth == DEPTH_MAX || (!json_is_object(value) && !json_is_array(value)))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_is_array(value) ? json_array() : json_object();
	json_array_foreach((json_t *)(uintptr_t)value, i, one)(void)
	    json_array_append_new(out, map_value(c, one, depth + 1, lost));
	json_object_foreach((json_t *)(uintptr_t)value, name, one)(void)
	    json_object_set_new(out, name, map_value(c, one, depth + 1, lost));
	return out;
}

static enum stet_status
put_text(struct contentful *c, const char *name, const json_t *value)
{
	struct stet_call *call = c->all.source->call;
	struct rich rich = { .asset = asset_url, .item = entry_url, .embed = embed, .arg = c };

	document_html(call, c->item, name, rich_html(call, value, &rich));
	return rich.left == 0
		   ? STET_OK
		   : lacks(c, name,
			 stet_printf(
			     call, "%d entries or files inside the text are left out", rich.left));
}

static enum stet_status
put_value(struct contentful *c, const char *name, const char *type, const json_t *value)
{
	int lost = 0;

	if (is_link(value, "Asset"))
		return put_asset(c, name, value);
	if (are_links(value, "Asset"))
		return put_assets(c, name, value);
	if (is_link(value, "Entry") || are_links(value, "Entry"))
		return put_references(c, name, value);
	if (strcmp(text_in(value, "nodeType"), "document") == 0)
		return put_text(c, name, value);
	if (strcmp(type, "Date") == 0 && json_is_string(value))
		document_typed(c->item, name, "datetime", json_incref((json_t *)(uintptr_t)value));
	else
		document_value(c->item, name,
		    stet_json_own(c->all.source->call, map_value(c, value, 0, &lost)));
	return lost == 0 ? STET_OK
			 : lacks(c, name,
			       "Files inside values are not in the export, or deeper "
			       "than 40 levels");
}

/* ---- entries ---- */

static const char *
type_of_field(const json_t *type, const char *name)
{
	const json_t *field;
	size_t i;

	json_array_foreach(json_object_get(type, "fields"), i, field)
	{
		if (strcmp(text_in(field, "id"), name) == 0)
			return text_in(field, "type");
	}
	return "";
}

static enum stet_status
put_values(struct contentful *c, const json_t *type, const json_t *fields)
{
	const char *title = text_in(type, "displayField"), *name;
	const json_t *value;
	json_t *values;

	if (*title == '\0')
		title = "title";
	json_object_foreach((json_t *)(uintptr_t)fields, name, values)
	{
		value = in_locale(c, values);
		if (strcmp(name, "slug") == 0 && json_is_string(value))
			(void)json_object_set(c->item, "slug", (json_t *)(uintptr_t)value);
		else if (strcmp(name, title) == 0 && json_is_string(value))
			(void)json_object_set(c->item, "title", (json_t *)(uintptr_t)value);
		else if (value != NULL && !json_is_null(value))
			STET_TRY(put_value(c, name, type_of_field(type, name), value));
	}
	return STET_OK;
}

static void
put_tags(const struct contentful *c, const json_t *entry)
{
	json_t *list = json_array(), *one;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(entry, "metadata"), "tags"), i, one)
	{
		const char *id = text_in(sys_of(one), "id");
		const char *name = text_in(json_object_get(c->tags, id), "name");

		if (*id != '\0')
			(void)json_array_append_new(list,
			    json_pack("{ss ss}", "slug", id, "name", *name != '\0' ? name : id));
	}
	(void)json_object_set_new(c->item, "terms", json_pack("{so}", "tag", list));
}

static enum stet_status
put_variant(struct stet_call *call, void *arg)
{
	const struct variant *v = arg;
	struct contentful *c = v->all;
	const json_t *sys = sys_of(v->entry);
	const char *id = text_in(sys, "id"),
		   *type = text_in(sys_of(json_object_get(sys, "contentType")), "id");
	bool public = json_object_get(sys, "archivedAt") == NULL &&
		      (json_object_get(sys, "publishedAt") != NULL ||
			  json_object_get(sys, "publishedVersion") != NULL);

	c->at = v->locale;
	c->files = stet_json_own(call, json_array());
	c->item = document_new(call, id_in(c, id, v->locale), type, public);
	(void)json_object_set(c->item, "created", json_object_get(sys, "createdAt"));
	(void)json_object_set(c->item, "published", json_object_get(sys, "firstPublishedAt"));
	(void)json_object_set(c->item, "updated", json_object_get(sys, "updatedAt"));
	if (c->many) {
		(void)json_object_set_new(c->item, "locale", json_string(v->locale));
		(void)json_object_set_new(c->item, "group", json_string(id));
	}
	put_tags(c, v->entry);
	STET_TRY(
	    put_values(c, json_object_get(c->types, type), json_object_get(v->entry, "fields")));
	STET_TRY(put_files(c));
	return stet_source_put(c->all.source, STET_SOURCE_ITEM, json_incref(c->item));
}

static enum stet_status
put_entry(struct contentful *c, const json_t *entry, const json_t *locales)
{
	struct variant v = { c, entry, c->locale };
	const json_t *one;
	size_t i;

	STET_TRY(stet_scope(c->all.source->call, put_variant, &v));
	json_array_foreach(locales, i, one)
	{
		v.locale = text_in(one, "code");
		if (strcmp(v.locale, c->locale) != 0 && has_locale(entry, v.locale))
			STET_TRY(stet_scope(c->all.source->call, put_variant, &v));
	}
	return STET_OK;
}

/* ---- the export ---- */

static const char *
default_locale(const json_t *locales)
{
	const json_t *one;
	size_t i;

	json_array_foreach(locales, i, one)
	{
		if (json_is_true(json_object_get(one, "default")))
			return text_in(one, "code");
	}
	return json_array_size(locales) > 0 ? text_in(json_array_get(locales, 0), "code") : "en-US";
}

static void
know(struct contentful *c, const json_t *entry, const json_t *locales)
{
	const char *id = text_in(sys_of(entry), "id"), *code,
		   *type = text_in(sys_of(json_object_get(sys_of(entry), "contentType")), "id");
	const json_t *one;
	size_t i;

	documents_know(&c->all, id, type);
	json_array_foreach(locales, i, one)
	{
		code = text_in(one, "code");
		if (has_locale(entry, code))
			documents_know(&c->all, id_in(c, id, code), type);
	}
}

/* Hands on the files of the export, also those that no entry shows. */
static enum stet_status
put_library(struct contentful *c)
{
	const char *id;
	json_t *asset;

	c->at = c->locale;
	c->files = stet_json_own(c->all.source->call, json_array());
	json_object_foreach(c->assets, id, asset)
	{
		const char *alt = "", *url = asset_url(c, id, &alt);

		STET_TRY(url != NULL
			     ? documents_file(&c->all, url, asset_part(c, id, "title"), alt)
			     : source_notice(c->all.source, id, true, "The asset has no file"));
	}
	return STET_OK;
}

static enum stet_status
take_export(void *arg, const char *name, const json_t *export)
{
	struct contentful *c = arg;
	const json_t *entries = json_object_get(export, "entries"), *entry,
		     *locales = json_object_get(export, "locales");
	size_t i;

	if (!json_is_array(entries))
		return stet_fail(c->all.source->call, STET_VALIDATION_ERROR, "file",
		    "The file is no export of Contentful: it has no entries");
	documents_begin(&c->all, c->all.source);
	c->name = name;
	c->locale = default_locale(locales);
	c->many = json_array_size(locales) > 1;
	c->assets = by_id(c, json_object_get(export, "assets"));
	c->types = by_id(c, json_object_get(export, "contentTypes"));
	c->tags = by_id(c, json_object_get(export, "tags"));
	c->entries = by_id(c, entries);
	json_array_foreach(entries, i, entry) know(c, entry, locales);
	json_array_foreach(entries, i, entry) STET_TRY(put_entry(c, entry, locales));
	return put_library(c);
}

enum stet_status
contentful_source(struct stet_call *call, struct stet_source *source)
{
	struct contentful c = { .all = { .source = source } };

	(void)call;
	return tree_objects(source, " .json ", take_export, &c);
}
