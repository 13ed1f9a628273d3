/* drupal_values.c - attributes and relationships of a node of Drupal. */
#include "read/text.h"
#include "sources/drupal.h"
#include <string.h>

#define DEPTH_MAX 10 /* paragraphs inside each other */

/* Attributes that are members of items, or notes of Drupal for its own use. */
static bool
is_own(struct stet_call *call, const char *name)
{
	static const char own[] = " langcode revision_timestamp revision_log status title created "
				  "changed promote default_langcode path body moderation_state "
				  "revision_translation_affected content_translation_source "
				  "content_translation_outdated metatag metatag_normalized comment "
				  "parent_id parent_type parent_field_name behavior_settings ";

	return strncmp(name, "drupal_internal__", 17) == 0 ||
	       strncmp(name, "revision_log", 12) == 0 ||
	       strstr(own, stet_printf(call, " %s ", name)) != NULL;
}

/* The name of a field without "field_". */
static const char *
field_name(const char *name)
{
	return strncmp(name, "field_", 6) == 0 && name[6] != '\0' ? name + 6 : name;
}

static bool
is_text(const json_t *value)
{
	return json_is_string(json_object_get(value, "value")) &&
	       json_object_get(value, "format") != NULL;
}

/* The HTML of a text: as Drupal shows it, or else as it is stored. */
static const char *
html_of(const json_t *value)
{
	const char *processed = drupal_text(value, "processed");

	return *processed != '\0' ? processed : drupal_text(value, "value");
}

/* ---- attributes ---- */

static enum stet_status
put_attribute(struct drupal *d, const char *name, const json_t *value)
{
	struct stet_call *call = d->all.source->call;
	const char *html;

	if (is_own(call, name) || json_is_null(value) ||
	    (json_is_array(value) && json_array_size(value) == 0) ||
	    (strcmp(name, "sticky") == 0 && !json_is_true(value)))
		return STET_OK;
	if (!is_text(value)) {
		document_value(d->item, field_name(name), value);
		return STET_OK;
	}
	STET_TRY(drupal_html(d, html_of(value), &html));
	document_html(call, d->item, field_name(name), html);
	return STET_OK;
}

static enum stet_status
put_body(struct drupal *d, const json_t *body)
{
	const char *html;

	if (*drupal_text(body, "summary") != '\0')
		(void)json_object_set_new(d->item, "excerpt",
		    json_string(text_plain(d->all.source->call, drupal_text(body, "summary"))));
	if (json_is_string(body))
		(void)json_object_set(d->item, "html", (json_t *)(uintptr_t)body);
	if (*html_of(body) == '\0')
		return STET_OK;
	STET_TRY(drupal_html(d, html_of(body), &html));
	(void)json_object_set_new(d->item, "html", json_string(html));
	return STET_OK;
}

/* Title and description for search engines, of the module metatag. */
static void
put_seo(struct drupal *d, const json_t *tags)
{
	const json_t *tag;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)tags, i, tag)
	{
		const json_t *of = json_object_get(tag, "attributes");
		const char *name = drupal_text(of, "name"), *text = drupal_text(of, "content");
		const char *field = strcmp(name, "description") == 0 ? "seo_description"
				    : strcmp(name, "title") == 0     ? "seo_title"
								     : NULL;

		if (field != NULL && *text != '\0')
			(void)json_object_set_new(
			    json_object_get(d->item, "fields"), field, json_string(text));
	}
}

/* ---- paragraphs: rows of values that only their node has ---- */

static json_t *paragraph(const struct drupal *, const json_t *resource, int depth);

/* What a relationship of a paragraph leads to: a paragraph, a node, a file, or the name of
 * something. */
static json_t *
target_value(const struct drupal *d, const json_t *reference, int depth)
{
	const json_t *target = drupal_resource(d, reference);
	const char *type, *url;

	if (drupal_is(reference, "paragraph--") && target != NULL && depth < DEPTH_MAX)
		return paragraph(d, target, depth + 1);
	if (drupal_is(reference, "node--"))
		return document_reference(d->all.source->call, drupal_text(reference, "id"));
	url = drupal_file(d, target, &type);
	if (*url != '\0')
		return document_asset(url, drupal_text(json_object_get(reference, "meta"), "alt"));
	return json_string(*drupal_attribute(target, "name") != '\0'
			       ? drupal_attribute(target, "name")
			       : drupal_text(reference, "id"));
}

static json_t *
paragraph(const struct drupal *d, const json_t *resource, int depth)
{
	const char *type = strstr(drupal_text(resource, "type"), "--"), *name;
	json_t *out = json_object(), *value, *one;
	size_t i;

	if (type != NULL)
		(void)json_object_set_new(out, "type", json_string(type + 2));
	json_object_foreach(json_object_get(resource, "attributes"), name, value)
	{
		if (is_own(d->all.source->call, name) || json_is_null(value))
			continue;
		if (is_text(value))
			(void)json_object_set_new(
			    out, field_name(name), json_string(html_of(value)));
		else
			(void)json_object_set(out, field_name(name), value);
	}
	json_object_foreach(json_object_get(resource, "relationships"), name, value)
	{
		json_t *data = json_object_get(value, "data"), *list = json_array();

		json_array_foreach(data, i, one)(void)
		    json_array_append_new(list, target_value(d, one, depth));
		if (json_is_object(data) && strncmp(name, "field_", 6) == 0)
			(void)json_object_set_new(
			    out, field_name(name), target_value(d, data, depth));
		else if (json_array_size(list) > 0)
			(void)json_object_set(out, field_name(name), list);
		json_decref(list);
	}
	return out;
}

/* ---- relationships ---- */

static enum stet_status
lacks(const struct drupal *d, const char *name)
{
	struct stet_call *call = d->all.source->call;

	return source_notice(d->all.source,
	    stet_printf(call, "%.100s, %.100s", drupal_text(d->item, "title"), field_name(name)),
	    true, "What it refers to is not in the export");
}

static enum stet_status
put_term(struct drupal *d, const char *name, const json_t *reference)
{
	struct stet_call *call = d->all.source->call;
	const json_t *term = drupal_resource(d, reference);
	const char *taxonomy = drupal_taxonomy(call, drupal_text(reference, "type"));
	json_t *terms = json_object_get(d->item, "terms"), *list = json_object_get(terms, taxonomy);

	if (term == NULL)
		return lacks(d, name);
	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(terms, taxonomy, list);
	}
	(void)json_array_append_new(list, json_pack("{ss ss}", "slug", drupal_term_slug(call, term),
					      "name", drupal_attribute(term, "name")));
	return STET_OK;
}

static enum stet_status
put_file(struct drupal *d, const char *name, const json_t *reference, json_t *list)
{
	const json_t *resource = drupal_resource(d, reference);
	const json_t *meta = json_object_get(reference, "meta");
	const char *type, *url = drupal_file(d, resource, &type), *video;
	json_t *asset;

	video = drupal_attribute(resource, "field_media_oembed_video");
	if (*url == '\0' && *video != '\0') {
		(void)json_array_append_new(list, json_string(video));
		return STET_OK;
	}
	if (*url == '\0')
		return lacks(d, name);
	asset = document_asset(url, drupal_text(meta, "alt"));
	(void)json_array_append_new(list, asset);
	document_typed(d->item, field_name(name),
	    strncmp(type, "image/", 6) == 0 ? "image" : "file", json_incref(asset));
	return document_put_file(
	    d->all.source, url, drupal_attribute(resource, "filename"), drupal_text(meta, "alt"));
}

static enum stet_status
put_target(struct drupal *d, const char *name, const json_t *reference, json_t *list)
{
	const json_t *resource = drupal_resource(d, reference);

	if (strcmp(drupal_text(reference, "id"), "virtual") == 0)
		return STET_OK;
	if (drupal_is(reference, "taxonomy_term--"))
		return put_term(d, name, reference);
	if (drupal_is(reference, "file--") || drupal_is(reference, "media--"))
		return put_file(d, name, reference, list);
	if (resource == NULL)
		return lacks(d, name);
	(void)json_array_append_new(list, target_value(d, reference, 0));
	return STET_OK;
}

static enum stet_status
put_nodes(struct drupal *d, const char *name, const json_t *data)
{
	json_t *ids = stet_json_own(d->all.source->call, json_array()), *one;
	size_t i;

	if (json_is_object(data))
		(void)json_array_append(ids, json_object_get(data, "id"));
	json_array_foreach((json_t *)(uintptr_t)data, i, one)(void)
	    json_array_append(ids, json_object_get(one, "id"));
	return document_references(&d->all, d->item, field_name(name), ids, json_is_array(data));
}

static enum stet_status
put_relationship(struct drupal *d, const char *name, const json_t *data)
{
	json_t *list = stet_json_own(d->all.source->call, json_array()), *one;
	bool many = json_is_array(data);
	const json_t *first = many ? json_array_get(data, 0) : data;
	size_t i;

	if (drupal_is(first, "node--"))
		return put_nodes(d, name, data);
	if (!many && json_is_object(data))
		STET_TRY(put_target(d, name, data, list));
	json_array_foreach((json_t *)(uintptr_t)data, i, one)
	    STET_TRY(put_target(d, name, one, list));
	if (json_array_size(list) > 1 || (many && json_array_size(list) == 1)) {
		(void)json_object_del(json_object_get(d->item, "types"), field_name(name));
		document_value(d->item, field_name(name), list);
	} else if (json_array_size(list) == 1 &&
		   json_object_get(json_object_get(d->item, "fields"), field_name(name)) == NULL)
		document_value(d->item, field_name(name), json_array_get(list, 0));
	return STET_OK;
}

enum stet_status
drupal_values(struct drupal *d, const json_t *node)
{
	const json_t *attributes = json_object_get(node, "attributes");
	const char *name;
	json_t *value;

	STET_TRY(put_body(d, json_object_get(attributes, "body")));
	put_seo(d, json_object_get(attributes, "metatag"));
	json_object_foreach((json_t *)(uintptr_t)attributes, name, value)
	    STET_TRY(put_attribute(d, name, value));
	json_object_foreach(json_object_get(node, "relationships"), name, value)
	{
		if (strcmp(name, "node_type") != 0 && strcmp(name, "revision_uid") != 0 &&
		    strcmp(name, "uid") != 0)
			STET_TRY(put_relationship(d, name, json_object_get(value, "data")));
	}
	return STET_OK;
}
