/* values.c - values of fields as texts of custom fields, which import reads back to the same
 * values. */
#include "export.h"
#include <string.h>

json_t *
value_outside(struct stet_call *call, const json_t *value, const char *address)
{
	static const char *const here[] = { "url", "previewUrl", "meta", "blurhash",
		"dominantColor" };
	json_t *out = stet_json_own(call, json_copy((json_t *)(uintptr_t)value));

	if (*address == '\0' || strcmp(export_text(value, "provider"), "external") == 0)
		return out;
	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
		(void)json_object_del(out, here[i]);
	(void)json_object_set_new(out, "id", json_string(""));
	(void)json_object_set_new(out, "provider", json_string("external"));
	(void)json_object_set_new(out, "src", json_string(address));
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
		*out = export_id(call, number);
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
	const enum stet_holds holds = f->type->holds;

	if (holds == STET_HOLDS_ITEMS && json_is_array(value))
		return references_text(call, x, f, value, out);
	if (holds == STET_HOLDS_ITEMS)
		return reference_text(call, x, f, value, out);
	if (holds == STET_HOLDS_IMAGE || holds == STET_HOLDS_FILE)
		value =
		    value_outside(call, value, export_address(call, x, export_text(value, "url")));
	if (json_is_string(value))
		*out = json_string_value(value);
	else if (json_is_boolean(value))
		*out = json_is_true(value) ? "1" : "0";
	else if (json_is_array(value) && holds == STET_HOLDS_TEXTS)
		*out = export_list(call, value);
	else
		*out = export_json(call, value);
	return STET_OK;
}

/* ---- what a text says ---- */

bool
value_refers(const struct stet_field *f)
{
	const enum stet_holds holds = f->type->holds;

	return holds == STET_HOLDS_ITEMS || holds == STET_HOLDS_IMAGE || holds == STET_HOLDS_FILE;
}

#define LIST_MAX 10000 /* a longer one could be too long to be read */

/* Is it a time as import writes it? */
static bool
is_time(struct stet_call *call, const char *text)
{
	int64_t ms;

	return strncmp(text, "0000", 4) != 0 && stet_time_parse(text, &ms) &&
	       strcmp(stet_time_text(call, ms), text) == 0;
}

static bool
are_texts(const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) if (!json_is_string(one)) return false;
	return json_is_array(list) && json_array_size(list) <= LIST_MAX;
}

/* Could the text be read as JSON, or as serialized PHP? */
static bool
is_read_as_more(const char *text)
{
	return *text == '{' || *text == '[' || ((*text == 'a' || *text == 'O') && text[1] == ':');
}

bool
value_is_told(
    struct stet_call *call, const struct stet_field *f, const json_t *value, const char *text)
{
	if (*text == '\0' || !export_keeps(text))
		return false;
	if (f->type->holds == STET_HOLDS_TIME)
		return json_is_string(value) && is_time(call, text);
	if (f->type->holds == STET_HOLDS_TEXTS)
		return are_texts(value);
	switch (f->type->storage) {
	case STET_STORE_REAL:
		return json_is_number(value);
	case STET_STORE_INTEGER:
		return json_is_integer(value);
	case STET_STORE_BOOLEAN:
		return json_is_boolean(value);
	case STET_STORE_TEXT:
	case STET_STORE_JSON:
		break;
	}
	if (f->type->storage == STET_STORE_TEXT && !f->json_text)
		return json_is_string(value);
	return json_is_object(value) || json_is_array(value) ||
	       (json_is_string(value) && !is_read_as_more(text));
}
