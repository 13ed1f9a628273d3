/* exporter_make.c - creates taxonomies and fields that the content of an exporter needs. */
#include "item/terms.h"
#include "plan/suggest.h"
#include "read/text.h"
#include "remote/exporter.h"
#include "state/ops.h"
#include <stet/taxonomies.h>
#include <string.h>

static const char *
collection_of(const struct exporter_site *s, const char *type)
{
	const json_t *mapping =
	    json_object_get(json_object_get(s->config, "postTypeMappings"), type);

	return json_is_true(json_object_get(mapping, "enabled"))
		   ? json_string_value(json_object_get(mapping, "collection"))
		   : NULL;
}

/* Returns the collections for the post types of a taxonomy, or for all types if the exporter names
 * none. */
static json_t *
collections_of(const struct exporter_site *s, const json_t *taxonomy)
{
	const json_t *types = json_object_get(taxonomy, "object_types");
	json_t *set = json_object(), *list = json_array(), *v;
	const char *name;

	if (!json_is_array(types))
		types = json_object_get(taxonomy, "post_types");
	if (!json_is_array(types))
		types = s->types;
	for (size_t i = 0; i < json_array_size(types); i++) {
		const char *type = json_string_value(json_array_get(types, i));
		const char *slug = type != NULL ? collection_of(s, type) : NULL;

		if (slug != NULL)
			(void)json_object_set_new(set, slug, json_true());
	}
	json_object_foreach(set, name, v)(void) json_array_append_new(list, json_string(name));
	json_decref(set);
	return list;
}

static enum stet_status
define(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	json_t *reply;

	(void)tx;
	return stet_invoke_json(call, "taxonomy_create", json_incref(arg), &reply);
}

static bool
is_own(const char *name)
{
	static const char *const own[] = { "category", "post_tag", "nav_menu", "post_format",
		"link_category", "wp_theme", "wp_template_part_area", "wp_pattern_category" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return terms_taxonomy(name) == NULL;
}

/* Creates a taxonomy that has terms and collections. A refusal (it exists, for example) is ignored:
 * the import of its terms reports a taxonomy that is missing. */
static enum stet_status
define_one(struct exporter_site *s, const json_t *taxonomy)
{
	struct stet_call *call = s->call;
	const char *source = text_member(call, taxonomy, "name"), *label;
	const char *name = suggest_taxonomy(call, source);
	json_t *collections = collections_of(s, taxonomy);
	enum stet_status status;

	if (is_own(source) || json_array_size(json_object_get(taxonomy, "terms")) == 0 ||
	    json_array_size(collections) == 0) {
		json_decref(collections);
		return STET_OK;
	}
	label = text_member(call, taxonomy, "label");
	status = stet_write_lane(call, define,
	    stet_json_own(
		call, json_pack("{ss ss sb so}", "name", name, "label",
			  text_cut(call, *label != '\0' ? label : name, 200), "hierarchical",
			  json_is_true(json_object_get(taxonomy, "hierarchical")), "collections",
			  collections)));
	if (status == STET_OK)
		(void)json_array_append_new(s->definitions, json_string(name));
	else if (stet_status_http(status) >= 500)
		return status;
	else
		stet_error_clear(call);
	return STET_OK;
}

enum stet_status
exporter_taxonomies(struct exporter_site *s)
{
	static const struct remote_export ask = { "taxonomies", NULL, EXPORTER_LIST_MS, REMOTE_LIST,
		true };
	const json_t *one;
	size_t i;

	STET_TRY(remote_export(s->call, &s->remote, &ask, &s->page.taxonomies));
	STET_TRY(exporter_check(s->call, &s->page));
	if (stet_service(s->call, STET_TAXONOMIES_1) == NULL)
		return STET_OK;
	json_array_foreach(s->page.taxonomies, i, one) STET_TRY(define_one(s, one));
	return STET_OK;
}

static json_t *
field(const char *slug, const char *label, const char *type)
{
	return json_pack(
	    "{ss ss ss sb}", "slug", slug, "label", label, "type", type, "required", 0);
}

enum stet_status
exporter_fields(struct exporter_site *s, const char *type)
{
	const struct stet_schema_1 *schema = stet_service(s->call, STET_SCHEMA_1);
	const char *slug = collection_of(s, type);
	const struct stet_collection *c;
	bool pictures = false, seo = false;
	const json_t *item;
	json_t *fields, *reply;
	size_t i;

	if (slug == NULL || schema->collection(s->call, slug, &c) != STET_OK) {
		stet_error_clear(s->call);
		return STET_OK;
	}
	json_array_foreach(s->page.items, i, item)
	{
		pictures |= source_number(json_object_get(item, "featured_image"), "id") > 0;
		seo |= json_object_size(json_object_get(item, "yoast")) > 0 ||
		       json_object_size(json_object_get(item, "rankmath")) > 0;
	}
	fields = suggest_fields(true, pictures);
	if (seo && s->page.seo) {
		(void)json_array_append_new(fields, field("seo_title", "SEO Title", "string"));
		(void)json_array_append_new(
		    fields, field("seo_description", "SEO Description", "text"));
	}
	return stet_invoke_json(s->call, "import_prepare",
	    json_pack("{s:[{ss ss so}]}", "postTypes", "name", type, "collection", slug, "fields",
		fields),
	    &reply);
}
