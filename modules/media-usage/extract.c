/*
 * extract.c - the media items that the values of fields refer to.
 *
 * A reference is the id of a media item in an image or a file (in a field, in a repeater, in a
 * block that the site defines, or as the dark variant of an image), or in an image block of
 * Portable Text or of a gallery in it. Assets of other providers than this library are no
 * references. Whether the item exists is not checked. urls.c finds the URLs of files. In rows of
 * other tables (holders.c), whose structure is not known, an id counts wherever it is.
 */
#include "media-usage.h"
#include <stdlib.h>
#include <string.h>

#define ID_MAX 64 /* bytes of the id of a media item */
#define BLANKS " \t\r\n\f\v"

/* ---- ids ---- */

/* Cuts blanks from both ends. */
static const char *
trim(const char *text, size_t *len)
{
	size_t blank = strspn(text, BLANKS);

	text += blank;
	*len -= blank;
	while (*len > 0 && strchr(BLANKS, text[*len - 1]) != NULL)
		(*len)--;
	return text;
}

/* Returns an id that may be one of the library; NULL: it is a URL, a path, or too long. */
static const char *
local_id(struct stet_call *call, const json_t *value)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);

	if (text == NULL)
		return NULL;
	text = trim(text, &len);
	if (len == 0 || len > ID_MAX || memchr(text, '/', len) != NULL ||
	    memchr(text, ':', len) != NULL)
		return NULL;
	return stet_strndup(call, text, len);
}

/* Returns true if the provider is this library: "local", blank or missing. */
static bool
is_local(const json_t *provider)
{
	size_t len = json_string_length(provider);
	const char *text;

	if (len == 0)
		return true;
	text = trim(json_string_value(provider), &len);
	return len == 0 || (len == 5 && memcmp(text, "local", 5) == 0);
}

/* ---- references ---- */

/* Adds the reference of a value: an id, or an object with `id` and maybe `provider`. */
static void
add_value(struct refs *refs, const char *field, const char *path, const char *type, const json_t *v)
{
	if (json_is_string(v))
		refs_add(refs, field, path, type, local_id(refs->call, v));
	else if (json_is_object(v) && is_local(json_object_get(v, "provider")))
		refs_add(refs, field, path, type, local_id(refs->call, json_object_get(v, "id")));
}

static void
add_image(struct refs *refs, const char *field, const char *path, const json_t *v)
{
	const json_t *dark = json_object_get(v, "darkVariant");

	add_value(refs, field, path, "image_field", v);
	if (dark != NULL)
		add_value(refs, field, stet_printf(refs->call, "%s.darkVariant", path),
		    "image_field", dark);
}

/* ---- repeaters ---- */

static const char *
sub_type(const json_t *sub)
{
	const char *type = json_string_value(json_object_get(sub, "type"));

	return type != NULL ? type : "";
}

static const json_t *
sub_fields(const struct stet_field *f)
{
	return json_object_get(f->validation, "subFields");
}

static void
add_rows(
    struct refs *refs, const char *field, const char *at, const json_t *rows, const json_t *sub)
{
	const char *name = json_string_value(json_object_get(sub, "slug"));
	bool image = strcmp(sub_type(sub), "image") == 0;
	size_t n = json_array_size(rows);

	if (name == NULL || (!image && strcmp(sub_type(sub), "file") != 0))
		return;
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_object_get(json_array_get(rows, i), name);
		const char *path;

		if (v == NULL || json_is_null(v))
			continue;
		path = stet_printf(refs->call, "%s[%zu].%s", at, i, name);
		if (image)
			add_image(refs, field, path, v);
		else
			add_value(refs, field, path, "file_field", v);
	}
}

/* `field` is the field of the collection, `at` the path of the value of f. */
static void
add_repeater(struct refs *refs, const struct stet_field *f, const char *field, const char *at,
    const json_t *rows)
{
	const json_t *subs = sub_fields(f);

	for (size_t i = 0; i < json_array_size(subs); i++)
		add_rows(refs, field, at, rows, json_array_get(subs, i));
}

static bool
holds(const struct stet_field *f, enum stet_holds what)
{
	return f->type->holds == what;
}

bool
field_has_media(const struct stet_field *f)
{
	return holds(f, STET_HOLDS_IMAGE) || holds(f, STET_HOLDS_FILE) || holds(f, STET_HOLDS_ROWS);
}

/* Adds the references of a value that is an image, a file or rows. */
static void
add_media(struct refs *refs, const struct stet_field *f, const char *field, const char *at,
    const json_t *value)
{
	if (holds(f, STET_HOLDS_IMAGE))
		add_image(refs, field, at, value);
	else if (holds(f, STET_HOLDS_FILE))
		add_value(refs, field, at, "file_field", value);
	else if (holds(f, STET_HOLDS_ROWS))
		add_repeater(refs, f, field, at, value);
}

/* ---- Portable Text ---- */

static bool
is_block(const json_t *block, const char *type)
{
	const char *is = json_string_value(json_object_get(block, "_type"));

	return is != NULL && strcmp(is, type) == 0;
}

/* Adds the reference of an image block, {asset: {_ref or id, provider}}. */
static void
add_asset(struct refs *refs, const char *field, const char *path, const json_t *block)
{
	const json_t *asset = json_object_get(block, "asset");
	const char *id, *member = "_ref";

	if (!json_is_object(asset) || !is_local(json_object_get(asset, "provider")))
		return;
	id = local_id(refs->call, json_object_get(asset, "_ref"));
	if (id == NULL) {
		member = "id";
		id = local_id(refs->call, json_object_get(asset, "id"));
	}
	if (id != NULL)
		refs_add(refs, field, stet_printf(refs->call, "%s.asset.%s", path, member),
		    "portable_text_image", id);
}

/* Adds the references of a block that the site defines. */
static void
add_own(struct refs *refs, const char *field, size_t i, const json_t *block)
{
	const struct stet_schema_1 *schema = stet_service(refs->call, STET_SCHEMA_1);
	const struct stet_block_type *type;

	if (schema->block(refs->call, block, &type) != STET_OK || type == NULL)
		return;
	for (size_t k = 0; k < type->field_count; k++) {
		const struct stet_field *f = type->fields[k];

		add_media(refs, f, field, stet_printf(refs->call, "%s[%zu].%s", field, i, f->slug),
		    json_object_get(block, f->slug));
	}
}

static void
add_block(struct refs *refs, const char *field, size_t i, const json_t *block)
{
	const json_t *images;

	if (is_block(block, "image")) {
		add_asset(refs, field, stet_printf(refs->call, "%s[%zu]", field, i), block);
		return;
	}
	if (!is_block(block, "gallery")) {
		add_own(refs, field, i, block);
		return;
	}
	images = json_object_get(block, "images");
	for (size_t k = 0; k < json_array_size(images); k++)
		add_asset(refs, field, stet_printf(refs->call, "%s[%zu].images[%zu]", field, i, k),
		    json_array_get(images, k));
}

/* ---- fields ---- */

static bool
is_seo(const struct stet_field *f)
{
	return strcmp(f->type->name, "seo") == 0;
}

size_t
part_count(const struct stet_collection *c)
{
	return c->field_count + c->has_seo;
}

const struct stet_field *
part_at(const struct stet_collection *c, size_t i)
{
	static const struct stet_field_type type = { .name = "seo" };
	static const struct stet_field seo = { .slug = "_seo", .type = &type };

	return i < c->field_count ? c->fields[i] : &seo;
}

bool
field_refers(const struct stet_field *f)
{
	const json_t *subs = sub_fields(f);

	if (holds(f, STET_HOLDS_IMAGE) || holds(f, STET_HOLDS_FILE) ||
	    holds(f, STET_HOLDS_BLOCKS) || is_seo(f))
		return true;
	if (!holds(f, STET_HOLDS_ROWS))
		return false;
	for (size_t i = 0; i < json_array_size(subs); i++) {
		const char *type = sub_type(json_array_get(subs, i));

		if (strcmp(type, "image") == 0 || strcmp(type, "file") == 0)
			return true;
	}
	return false;
}

bool
field_may_use(const struct stet_field *f)
{
	if (is_seo(f))
		return true;
	if (strcmp(f->type->name, "slug") == 0 || holds(f, STET_HOLDS_TIME) ||
	    holds(f, STET_HOLDS_ITEMS))
		return false;
	return f->json_text || f->type->storage == STET_STORE_TEXT ||
	       f->type->storage == STET_STORE_JSON;
}

/* The name of the field in an occurrence. */
static const char *
name_of(const struct stet_field *f)
{
	return is_seo(f) ? "seo" : f->slug;
}

static void
add_ids(struct refs *refs, const struct stet_field *f, const json_t *value)
{
	if (field_has_media(f))
		add_media(refs, f, f->slug, f->slug, value);
	else if (is_seo(f))
		refs_add(refs, "seo", "seo.image", "seo_image",
		    local_id(refs->call, json_object_get(value, "imageId")));
	else if (holds(f, STET_HOLDS_BLOCKS))
		for (size_t i = 0; i < json_array_size(value); i++)
			add_block(refs, f->slug, i, json_array_get(value, i));
}

void
extract(struct refs *refs, const struct stet_field *f, const json_t *value)
{
	if (value == NULL || json_is_null(value))
		return;
	add_ids(refs, f, value);
	urls_in(refs, name_of(f), value);
}

/* ---- stored text ---- */

/* Returns the end of the array element at p: the comma or bracket after it. */
static const char *
element_end(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\';
		} else if (*p == '[' || *p == '{') {
			depth++;
		} else if ((*p == ']' || *p == '}') && depth-- == 0) {
			return p;
		} else if (*p == ',' && depth == 0) {
			return p;
		}
	}
	return end;
}

/* Returns true if the site defines blocks, which may hold images and files. */
static bool
has_own_blocks(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *const *types;
	size_t count;

	return schema->blocks(call, &types, &count) == STET_OK && count > 0;
}

/* Returns the next place in a stored text that may be of an image: "asset", or (own) the "id" of an
 * image or file in a block that the site defines. */
static const char *
next_image(const char *text, bool own)
{
	const char *asset = strstr(text, "\"asset\""), *id = own ? strstr(text, "\"id\"") : NULL;

	return asset == NULL || (id != NULL && id < asset) ? id : asset;
}

/* Parses only blocks that may have an image: most texts have none, and most blocks are none. */
static void
extract_blocks(struct refs *refs, const struct stet_field *f, const char *text, size_t len)
{
	const bool own = has_own_blocks(refs->call);
	const char *end = text + len, *image = next_image(text, own), *at;
	const char *p = text + strspn(text, BLANKS);

	if (image == NULL || *p != '[')
		return;
	for (size_t i = 0; image != NULL && p < end && *p != ']'; i++, p = at) {
		json_t *block;

		at = element_end(++p, end);
		if (image >= at)
			continue;
		block = json_loadb(p, (size_t)(at - p), JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		add_block(refs, f->slug, i, block);
		json_decref(block);
		image = next_image(at, own);
	}
}

/* Returns true if the column holds JSON and not a plain string. */
static bool
holds_json(const struct stet_field *f)
{
	return f->json_text || is_seo(f) || f->type->storage == STET_STORE_JSON;
}

void
extract_ids(struct refs *refs, const struct stet_field *f, const char *text, size_t len)
{
	json_t *value;

	if (text == NULL)
		return;
	if (holds(f, STET_HOLDS_BLOCKS)) {
		extract_blocks(refs, f, text, len);
		return;
	}
	value = json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (value != NULL)
		add_ids(refs, f, value);
	json_decref(value);
}

void
extract_column(struct refs *refs, const struct stet_field *f, const char *text, size_t len)
{
	json_t *value;

	if (text == NULL)
		return;
	if (field_refers(f))
		extract_ids(refs, f, text, len);
	if (!urls_may_be_in(refs->call, text, len))
		return;
	value = holds_json(f) ? json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)
			      : json_stringn_nocheck(text, len);
	if (value != NULL)
		urls_in(refs, name_of(f), value);
	json_decref(value);
}

void
extract_any(struct refs *refs, const char *field, const char *text, size_t len)
{
	json_t *value = NULL;

	if (text == NULL)
		return;
	if (strchr("{[\"", *text) != NULL)
		value = json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (value == NULL)
		value = json_stringn_nocheck(text, len);
	refs->any_id = true;
	if (value != NULL)
		urls_in(refs, field, value);
	json_decref(value);
}
