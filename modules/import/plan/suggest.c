/*
 * suggest.c - turns names of a source into collections, fields and their types, and checks whether
 * the collections of the site fit.
 */
#include "plan/suggest.h"
#include "plan/kind.h"
#include "read/label.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
in_list(const char *const *list, const char *name)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

bool
suggest_internal_type(const char *type)
{
	static const char *const types[] = { "revision", "nav_menu_item", "custom_css",
		"customize_changeset", "oembed_cache", "wp_global_styles", "wp_navigation",
		"wp_template", "wp_template_part", "attachment", "wp_block", NULL };

	return in_list(types, type);
}

bool
suggest_internal_field(const char *key)
{
	return *key == '_' && strcmp(key, "_thumbnail_id") != 0 &&
	       strncmp(key, "_yoast_", 7) != 0 && strncmp(key, "_rank_math_", 11) != 0;
}

bool
suggest_bookkeeping(const char *key, const char *value)
{
	static const char *const begins[] = { "_edit_", "_wp_", "_oembed_", "_menu_item_", "_stet",
		"_elementor_", "_et_", "_wpb_", "_pingme", "_encloseme", "_dp_original",
		"_transient", "_yoast_", "_rank_math_", "_thumbnail_id", "_jetpack_", "_publicize_",
		"_wpas_", "_icl_" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(key, begins[i], strlen(begins[i])) == 0)
			return true;
	/* The definition of a field of ACF. */
	return strncmp(value, "field_", 6) == 0;
}

bool
suggest_is_own(const char *slug)
{
	static const char *const own[] = { "title", "content", "excerpt", "featured_image",
		"parent", "menu_order", NULL };

	return in_list(own, slug);
}

char *
suggest_slug(struct stet_call *call, const char *name)
{
	const char *at = name;

	while (*at != '\0' && (unsigned char)*at < 0x80 && !isalpha((unsigned char)*at))
		at++;
	return label_name(call, at);
}

const char *
suggest_taxonomy(struct stet_call *call, const char *source)
{
	return stet_is_name(source) ? source : suggest_slug(call, source);
}

const char *
suggest_collection(struct stet_call *call, const char *type)
{
	static const char *const names[][2] = { { "post", "posts" }, { "page", "pages" },
		{ "attachment", "media" }, { "product", "products" }, { "portfolio", "portfolio" },
		{ "testimonial", "testimonials" }, { "team", "team" }, { "event", "events" },
		{ "faq", "faqs" } };
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], type) == 0)
			return names[i][1];
	slug = suggest_slug(call, type);
	return schema != NULL && schema->reserved != NULL && schema->reserved(slug)
		   ? stet_printf(call, "wp_%s", slug)
		   : slug;
}

const char *
suggest_known(const char *key)
{
	static const char *const names[][2] = { { "_yoast_wpseo_title", "seo_title" },
		{ "_rank_math_title", "seo_title" }, { "_yoast_wpseo_metadesc", "seo_description" },
		{ "_rank_math_description", "seo_description" }, { "rank_math_title", "seo_title" },
		{ "rank_math_description", "seo_description" },
		{ "_yoast_wpseo_canonical", "seo_canonical" },
		{ "rank_math_canonical_url", "seo_canonical" },
		{ "_yoast_wpseo_opengraph-image", "seo_image" },
		{ "rank_math_facebook_image", "seo_image" },
		{ "_yoast_wpseo_focuskw", "seo_keyword" },
		{ "rank_math_focus_keyword", "seo_keyword" },
		{ "_yoast_wpseo_meta-robots-noindex", "seo_no_index" },
		{ "_thumbnail_id", "featured_image" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], key) == 0)
			return names[i][1];
	return NULL;
}

const char *
suggest_field(struct stet_call *call, const char *key)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = suggest_known(key);

	if (slug != NULL)
		return slug;
	slug = label_name(call, key);
	return schema->field_reserved(slug) ? stet_printf(call, "field_%s", slug) : slug;
}

static bool
ends(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

const char *
suggest_type(const char *key, const char *value)
{
	if (ends(key, "_id"))
		return "string";
	if (ends(key, "_date") || ends(key, "_time"))
		return "date";
	if (ends(key, "_count") || ends(key, "_number"))
		return "number";
	if (strncmp(value, "a:", 2) == 0 || *value == '{' || *value == '[')
		return "json";
	if (kind_number(value))
		return "number";
	if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
		return "boolean";
	return "string";
}

const char *
suggest_media_type(const char *filename)
{
	static const char *const types[][2] = { { "jpg", "image/jpeg" }, { "jpeg", "image/jpeg" },
		{ "png", "image/png" }, { "gif", "image/gif" }, { "webp", "image/webp" },
		{ "avif", "image/avif" }, { "svg", "image/svg+xml" }, { "mp4", "video/mp4" },
		{ "webm", "video/webm" }, { "mov", "video/quicktime" }, { "mp3", "audio/mpeg" },
		{ "ogg", "audio/ogg" }, { "wav", "audio/wav" }, { "m4a", "audio/mp4" },
		{ "pdf", "application/pdf" }, { "zip", "application/zip" }, { "txt", "text/plain" },
		{ "csv", "text/csv" } };
	const char *dot = strrchr(filename, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcasecmp(dot + 1, types[i][0]) == 0)
			return types[i][1];
	return "";
}

/* ---- fields, and whether they fit ---- */

json_t *
suggest_fields(bool titled, bool pictures)
{
	json_t *out = json_pack("[{ss ss ss sb sb} {ss ss ss sb sb} {ss ss ss sb}]", "slug",
	    "title", "label", "Title", "type", "string", "required", 1, "searchable", 1, "slug",
	    "content", "label", "Content", "type", "portableText", "required", 0, "searchable", 1,
	    "slug", "excerpt", "label", "Excerpt", "type", "text", "required", 0);

	if (!titled)
		(void)json_array_remove(out, 0);
	if (pictures)
		(void)json_array_append_new(
		    out, json_pack("{ss ss ss sb}", "slug", "featured_image", "label",
			     "Featured Image", "type", "image", "required", 0));
	return out;
}

static bool
compatible(struct stet_call *call, const char *wanted, const struct stet_field_type *type)
{
	const char *is = type->name;
	struct stet_field_type like;

	static const char *const pairs[][2] = { { "string", "text" }, { "string", "slug" },
		{ "text", "string" }, { "portableText", "json" }, { "number", "integer" },
		{ "integer", "number" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (strcmp(pairs[i][0], wanted) == 0 && strcmp(pairs[i][1], is) == 0)
			return true;
	if (strcmp(wanted, is) == 0)
		return true;
	return type->owner != NULL && stet_field_type(call, wanted, &like) &&
	       type->owner != like.owner && type->storage == like.storage &&
	       type->holds == like.holds && type->json_text == like.json_text;
}

/* Adds the state of one field; returns false if it does not fit. */
static bool
put_field(struct stet_call *call, json_t *states, const struct stet_collection *c, const char *slug,
    const char *type)
{
	const struct stet_field *field = c != NULL ? stet_field(c, slug) : NULL;
	const char *is = field != NULL ? field->type->name : NULL;
	bool fits = is == NULL || compatible(call, type, field->type);

	(void)json_object_set_new(states, slug,
	    json_pack("{ss ss* ss}", "status",
		is == NULL ? "missing"
		: fits     ? "compatible"
			   : "type_mismatch",
		"existingType", is, "requiredType", type));
	return fits;
}

enum stet_status
suggest_find(struct stet_call *call, const char *slug, const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	enum stet_status status = schema->collection(call, slug, out);

	if (status == STET_OK || stet_error_status(call) != STET_COLLECTION_NOT_FOUND)
		return status;
	stet_error_clear(call);
	*out = NULL;
	return STET_OK;
}

enum stet_status
suggest_status(struct stet_call *call, const char *collection, const json_t *fields, json_t **out)
{
	const struct stet_collection *c;
	const json_t *field;
	json_t *states;
	const char *wrong = "";
	size_t i;

	STET_TRY(suggest_find(call, collection, &c));
	states = json_object();
	json_array_foreach(fields, i, field)
	{
		const char *slug = json_string_value(json_object_get(field, "slug"));
		const char *type = json_string_value(json_object_get(field, "type"));

		if (!put_field(call, states, c, slug, type))
			wrong =
			    stet_printf(call, "%s%s%s", wrong, *wrong == '\0' ? "" : ", ", slug);
	}
	*out = json_pack(
	    "{sb so sb}", "exists", c != NULL, "fieldStatus", states, "canImport", *wrong == '\0');
	if (*wrong != '\0')
		(void)json_object_set_new(*out, "reason",
		    json_string(stet_printf(call,
			"Incompatible field types: %s. Existing fields have different types than "
			"required for import.",
			wrong)));
	return STET_OK;
}
