/* values.c - values of fields as texts of custom fields, which import reads back to the same
 * values. */
#include "export/export.h"
#include "state/map.h"
#include <string.h>

static bool
is_type_of(const struct stet_field *f, const char *type)
{
	return strcmp(f->type->name, type) == 0;
}

/* Returns a file of this site as an external file, which other sites can fetch. */
static json_t *
file_outside(struct stet_call *call, const struct export *x, const json_t *value)
{
	static const char *const here[] = { "url", "previewUrl", "meta", "blurhash",
		"dominantColor" };
	const char *url = export_text(value, "url");
	json_t *out = stet_json_own(call, json_copy((json_t *)(uintptr_t)value));

	if (*url == '\0' || strcmp(export_text(value, "provider"), "external") == 0)
		return out;
	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
		(void)json_object_del(out, here[i]);
	(void)json_object_set_new(out, "id", json_string(""));
	(void)json_object_set_new(out, "provider", json_string("external"));
	(void)json_object_set_new(out, "src", json_string(export_address(call, x, url)));
	return out;
}

/* ---- references ---- */

static enum stet_status
reference_text(struct stet_call *call, const struct export *x, const struct stet_field *f,
    const json_t *id, const char **out)
{
	const char *collection = export_text(f->options, "collection"), *type;
	int64_t number = 0;

	*out = "";
	if (json_is_string(id) && *collection != '\0')
		STET_TRY(
		    number_of_item(call, x, collection, json_string_value(id), &number, &type));
	if (number != 0)
		*out = map_id(call, number);
	return STET_OK;
}

static enum stet_status
references_text(struct stet_call *call, const struct export *x, const struct stet_field *f,
    const json_t *ids, const char **out)
{
	json_t *list = stet_json_own(call, json_array());
	const json_t *id;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		STET_TRY(reference_text(call, x, f, id, out));
		if (**out != '\0')
			(void)json_array_append_new(list, json_string(*out));
	}
	*out = json_array_size(list) > 0 ? export_list(call, list) : "";
	return STET_OK;
}

/* ---- all ---- */

enum stet_status
value_text(struct stet_call *call, struct export *x, const struct stet_field *f,
    const json_t *value, const char **out)
{
	if (is_type_of(f, "reference") && json_is_array(value))
		return references_text(call, x, f, value, out);
	if (is_type_of(f, "reference"))
		return reference_text(call, x, f, value, out);
	if (is_type_of(f, "image") || is_type_of(f, "file"))
		value = file_outside(call, x, value);
	if (json_is_string(value))
		*out = json_string_value(value);
	else if (json_is_boolean(value))
		*out = json_is_true(value) ? "1" : "0";
	else if (json_is_array(value) && is_type_of(f, "multiSelect"))
		*out = export_list(call, value);
	else
		*out = export_json(call, value);
	return STET_OK;
}
