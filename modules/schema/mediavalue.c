/*
 * mediavalue.c - the field types image and file. A value that refers to an item of the media
 * library is stored with a copy of the item's data, so that a page needs no second request. The
 * copy is not updated. Other values are stored unchanged.
 */
#include "schema.h"
#include <stet/media.h>
#include <string.h>

struct expected {
	const char *name;
	json_type type; /* JSON_REAL: any number */
	bool address; /* of what a page loads */
};
static const struct expected image_members[] = {
	{ "src", JSON_STRING, true },
	{ "url", JSON_STRING, true },
	{ "alt", JSON_STRING },
	{ "filename", JSON_STRING },
	{ "mimeType", JSON_STRING },
	{ "blurhash", JSON_STRING },
	{ "dominantColor", JSON_STRING },
	{ "provider", JSON_STRING },
	{ "previewUrl", JSON_STRING, true },
	{ "width", JSON_REAL },
	{ "height", JSON_REAL },
	{ "meta", JSON_OBJECT },
	{ NULL, JSON_NULL },
};
static const struct expected file_members[] = {
	{ "url", JSON_STRING, true },
	{ "src", JSON_STRING, true },
	{ "filename", JSON_STRING },
	{ "mimeType", JSON_STRING },
	{ "provider", JSON_STRING },
	{ "size", JSON_REAL },
	{ "meta", JSON_OBJECT },
	{ NULL, JSON_NULL },
};

static bool
is_good_address(const struct expected *e, const json_t *v)
{
	return !e->address || json_string_length(v) == 0 || stet_is_source(json_string_value(v));
}

/* Checks the listed members; other members stay unchanged. null means "unknown". */
static bool
check_members(
    struct stet_call *call, const struct expected *list, const char *path, const json_t *object)
{
	bool good = true;

	if (!json_is_string(json_object_get(object, "id"))) {
		stet_issue(call, stet_printf(call, "%s.id", path), "must be a string");
		good = false;
	}
	for (; list->name != NULL; list++) {
		const json_t *v = json_object_get(object, list->name);

		if (v == NULL || json_is_null(v) ||
		    (list->type == JSON_REAL
			    ? json_is_number(v)
			    : json_typeof(v) == list->type && is_good_address(list, v)))
			continue;
		stet_issue(call, stet_printf(call, "%s.%s", path, list->name), "must be %s",
		    list->address               ? "an address of http or https, or begin with /"
		    : list->type == JSON_STRING ? "a string"
		    : list->type == JSON_REAL   ? "a number"
						: "an object");
		good = false;
	}
	return good;
}

/* Finds an item of the library by its id or the URL of its file. item->id is NULL if there is none,
 * or no media module. */
static enum stet_status
look_up(struct stet_call *call, const char *ref, struct stet_media_item *item)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_table found;

	*item = (struct stet_media_item){ 0 };
	if (media == NULL || ref == NULL || *ref == '\0')
		return STET_OK;
	STET_TRY(media->find(call, &ref, 1, &found));
	stet_table_row(&found, 0, item, sizeof(*item));
	return STET_OK;
}

/* Converts a string to an object: the string is the id of a media item, or the URL of a file on
 * this or another site. Returns a new reference, or NULL if it is neither. */
static json_t *
from_text(const char *text, const struct stet_media_item *item)
{
	if (item->id != NULL || stet_is_id(text))
		return json_pack("{s:s}", "id", item->id != NULL ? item->id : text);
	if (is_url(text) && stet_is_source(text))
		return json_pack("{s:s, s:s, s:s}", "id", "", "provider", "external", "src", text);
	return NULL;
}

static bool
is_local(const json_t *value)
{
	const json_t *provider = json_object_get(value, "provider");

	return provider == NULL || json_is_null(provider) ||
	       (json_is_string(provider) && strcmp(json_string_value(provider), "local") == 0);
}

/* Sets a member to a text of the item, if it has one. With `yields`, the client's value wins. */
static void
fill(json_t *value, const char *name, const char *text, bool yields)
{
	const json_t *own = json_object_get(value, name);

	if (text != NULL && (!yields || own == NULL || json_is_null(own)))
		json_object_set_new(value, name, json_string(text));
}

/* Returns a copy of the value with the item's data from the library. */
static json_t *
filled(const json_t *value, const struct stet_media_item *item, bool is_image)
{
	json_t *out = json_copy((json_t *)(uintptr_t)value);
	const json_t *own = json_object_get(value, "meta");
	json_t *meta = json_is_object(own) ? json_copy((json_t *)(uintptr_t)own) : json_object();

	json_object_del(out, "src");
	fill(out, "provider", "local", false);
	fill(out, "url", item->url, false);
	fill(out, "filename", item->filename, false);
	fill(out, "mimeType", item->content_type, false);
	fill(meta, "storageKey", item->key, false);
	json_object_set_new(out, "meta", meta);
	if (!is_image) {
		json_object_set_new(out, "size", json_integer(item->size));
		return out;
	}
	fill(out, "alt", item->alt, true);
	fill(out, "blurhash", item->blurhash, true);
	fill(out, "dominantColor", item->dominant_color, true);
	if (item->width > 0 && item->height > 0) {
		json_object_set_new(out, "width", json_integer(item->width));
		json_object_set_new(out, "height", json_integer(item->height));
	}
	return out;
}

/* For a field with allowed media types: an item of the library must exist with one of them; an
 * external file must declare one. */
static enum stet_status
check_type(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, const struct stet_media_item *item)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	const json_t *allowed = rule(f, "allowedMimeTypes");
	const char *type = is_local(value) ? item->content_type
					   : json_string_value(json_object_get(value, "mimeType"));

	if (json_array_size(allowed) == 0 || media == NULL)
		return STET_OK;
	if (type == NULL)
		return stet_fail(call, stet_code(call, "INVALID_MIME_FOR_FIELD"), path,
		    is_local(value) ? "%s: there is no such media item"
				    : "%s: a file elsewhere needs its mimeType here",
		    path);
	if (!media->type_in(call, allowed, type))
		return stet_fail(call, stet_code(call, "INVALID_MIME_FOR_FIELD"), path,
		    "%s: files of the type %s are not allowed", path, type);
	return STET_OK;
}

/* Checks an object. Leaves *out NULL after an issue. */
static enum stet_status
check_object(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	bool is_image = strcmp(f->type->name, "image") == 0;
	struct stet_media_item item = { 0 };

	if (!json_is_object(value))
		return REFUSE(call, path, "must be an object with an id");
	if (!check_members(call, is_image ? image_members : file_members, path, value))
		return STET_OK;
	if (is_local(value))
		STET_TRY(look_up(call, json_string_value(json_object_get(value, "id")), &item));
	STET_TRY(check_type(call, f, path, value, &item));
	*out = item.id != NULL ? filled(value, &item, is_image) : keep(value);
	return STET_OK;
}

/* Checks an object, or a string that stands for one. */
static enum stet_status
check_media(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const char *text = json_string_value(value);
	struct stet_media_item item;
	json_t *object;

	*out = NULL;
	if (text == NULL)
		return check_object(call, f, path, value, out);
	STET_TRY(look_up(call, text, &item));
	if ((object = from_text(text, &item)) == NULL)
		return REFUSE(call, path, "must be an object with an id, a media id, or a URL");
	return check_object(call, f, path, stet_json_own(call, object), out);
}

enum stet_status
check_image(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const json_t *dark = json_object_get(value, "darkVariant");
	json_t *dark_out = NULL, *whole;

	STET_TRY(check_media(call, f, path, value, out));
	if (dark == NULL || json_is_null(dark))
		return STET_OK;
	STET_TRY(check_object(call, f, stet_printf(call, "%s.darkVariant", path), dark, &dark_out));
	if (*out != NULL && dark_out == dark) {
		json_decref(dark_out);
		return STET_OK;
	}
	whole = *out != NULL && dark_out != NULL ? json_copy(*out) : NULL;
	if (whole != NULL)
		json_object_set(whole, "darkVariant", dark_out);
	json_decref(*out);
	json_decref(dark_out);
	*out = whole;
	return STET_OK;
}

enum stet_status
check_file(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	return check_media(call, f, path, value, out);
}
