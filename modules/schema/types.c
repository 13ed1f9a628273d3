/*
 * types.c - the table of all built-in field types, with their values as TypeScript and JSON Schema.
 * The type repeater is here, too: its sub-fields are of types of this table.
 */
#include "schema.h"
#include <string.h>

/* ---- types of values in TypeScript ---- */

/* Returns the options as TypeScript literals: JSON strings are valid ones. */
static const char *
literals(struct stet_call *call, const struct stet_field *f)
{
	const json_t *options = rule(f, "options");
	size_t n = json_array_size(options);
	const char *text = NULL;

	for (size_t i = 0; i < n; i++) {
		const char *option = json_text(call, json_array_get(options, i));

		text = text == NULL ? option : stet_printf(call, "%s | %s", text, option);
	}
	return text;
}

static char *
ts_select(struct stet_call *call, const struct stet_field *f)
{
	const char *text = literals(call, f);

	return stet_strdup(call, text != NULL ? text : "string");
}

static char *
ts_multi_select(struct stet_call *call, const struct stet_field *f)
{
	const char *text = literals(call, f);

	return text != NULL ? stet_printf(call, "(%s)[]", text) : stet_strdup(call, "string[]");
}

static char *
ts_reference(struct stet_call *call, const struct stet_field *f)
{
	return stet_strdup(call, reference_is_many(f) ? "string[]" : "string");
}

/* The type for a sub-field of a repeater, or NULL if it is not allowed there. */
static const struct stet_field_type *
sub_type(const char *name)
{
	if (is_sub_type(name))
		for (int i = 0; i < SCHEMA_TYPES; i++)
			if (strcmp(schema_types[i].name, name) == 0)
				return &schema_types[i];
	return NULL;
}

const char *
value_type(struct stet_call *call, const struct stet_field *f)
{
	return f->type->typescript != NULL  ? f->type->typescript(call, f)
	       : f->type->type_name != NULL ? f->type->type_name
					    : "unknown";
}

/* Writes a sub-field; its slug is a JSON string. */
typedef const char *sub_writer(struct stet_call *, const char *slug, const struct stet_field *);

/* Writes the sub-fields of a repeater in one language; "": there are none. */
static const char *
write_subs(
    struct stet_call *call, const struct stet_field *f, const char *between, sub_writer *write)
{
	const json_t *subs = rule(f, "subFields");
	size_t n = json_array_size(subs);
	const char *text = "";

	for (size_t i = 0; i < n; i++) {
		const json_t *sub = json_array_get(subs, i);
		const char *slug = json_text(call, json_object_get(sub, "slug"));
		const struct stet_field field = {
			.type = sub_type(json_string_value(json_object_get(sub, "type"))),
			.validation = sub,
			.required = json_is_true(json_object_get(sub, "required")),
		};

		if (field.type != NULL)
			text = stet_printf(call, "%s%s%s", text, *text != '\0' ? between : "",
			    write(call, slug, &field));
	}
	return text;
}

static const char *
ts_sub(struct stet_call *call, const char *slug, const struct stet_field *f)
{
	return stet_printf(
	    call, f->required ? " %s: %s;" : " %s?: %s | null;", slug, value_type(call, f));
}

static char *
ts_repeater(struct stet_call *call, const struct stet_field *f)
{
	const char *text = write_subs(call, f, "", ts_sub);

	if (*text == '\0')
		return stet_strdup(call, "unknown");
	return stet_printf(call, "{%s }[]", text);
}

/* ---- JSON Schema of values ---- */

#define JSON_STRING "{\"type\":\"string\"}"
#define JSON_STRINGS "{\"type\":\"array\",\"items\":" JSON_STRING "}"
/* Blocks, or Markdown if the reader asks for it. */
#define JSON_BLOCKS                                                                                 \
	"{\"type\":[\"array\",\"string\"],\"items\":{\"type\":\"object\",\"required\":[\"_type\"]," \
	"\"properties\":{\"_type\":" JSON_STRING "}}}"
#define JSON_MEDIA                                                                           \
	"{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":" JSON_STRING "," \
	"\"src\":" JSON_STRING ",\"url\":" JSON_STRING ",\"alt\":" JSON_STRING ","           \
	"\"filename\":" JSON_STRING ",\"mimeType\":" JSON_STRING ","                         \
	"\"width\":{\"type\":\"number\"},\"height\":{\"type\":\"number\"}}}"

static char *
json_select(struct stet_call *call, const struct stet_field *f)
{
	const json_t *options = rule(f, "options");

	if (json_array_size(options) == 0)
		return stet_strdup(call, JSON_STRING);
	return stet_printf(call, "{\"enum\":%s}", json_text(call, options));
}

static char *
json_multi_select(struct stet_call *call, const struct stet_field *f)
{
	return stet_printf(call, "{\"type\":\"array\",\"items\":%s}", json_select(call, f));
}

static char *
json_reference(struct stet_call *call, const struct stet_field *f)
{
	return stet_strdup(call, reference_is_many(f) ? JSON_STRINGS : JSON_STRING);
}

static const char *
json_sub(struct stet_call *call, const char *slug, const struct stet_field *f)
{
	const char *is =
	    f->type->field_schema != NULL ? f->type->field_schema(call, f) : f->type->schema;

	return stet_printf(
	    call, f->required ? "%s:%s" : "%s:{\"anyOf\":[%s,{\"type\":\"null\"}]}", slug, is);
}

static char *
json_repeater(struct stet_call *call, const struct stet_field *f)
{
	return stet_printf(call,
	    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{%s}}}",
	    write_subs(call, f, ",", json_sub));
}

/* ---- repeaters ---- */

/* Checks one member of a row. If the type changes the value, stores it in *row, which is copied
 * before the first change. */
static enum stet_status
check_cell(struct stet_call *call, const json_t *sub, const char *row_path, const json_t *given,
    json_t **row, bool *good)
{
	const char *name = json_string_value(json_object_get(sub, "slug"));
	const struct stet_field field = { .slug = name,
		.type = sub_type(json_string_value(json_object_get(sub, "type"))),
		.validation = sub,
		.required = json_is_true(json_object_get(sub, "required")) };

	if (field.type == NULL || name == NULL)
		return STET_OK;
	return cell_check(call, &field, row_path, given, row, good);
}

static enum stet_status
check_row(struct stet_call *call, const struct stet_field *f, const char *path, size_t i,
    const json_t *given, json_t **rows, const json_t *all, bool *good)
{
	const json_t *subs = rule(f, "subFields");
	size_t n = json_array_size(subs);
	char *row_path = stet_printf(call, "%s[%zu]", path, i);
	enum stet_status status = STET_OK;
	json_t *row = NULL;

	if (!json_is_object(given)) {
		stet_issue(call, row_path, "must be an object");
		*good = false;
		return STET_OK;
	}
	for (size_t s = 0; s < n && status == STET_OK; s++)
		status = check_cell(call, json_array_get(subs, s), row_path, given, &row, good);
	if (row == NULL)
		return status;
	if (*rows == NULL)
		*rows = json_copy((json_t *)(uintptr_t)all);
	json_array_set_new(*rows, i, row);
	return status;
}

static enum stet_status
check_repeater(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const json_t *min = rule(f, "minItems"), *max = rule(f, "maxItems");
	size_t n = json_array_size(value);
	enum stet_status status = STET_OK;
	json_t *rows = NULL; /* a copy, made when the first value is changed */
	bool good = true;

	*out = NULL;
	if (!json_is_array(value))
		return REFUSE(call, path, "must be an array of objects");
	if (min != NULL && (json_int_t)n < json_integer_value(min))
		return REFUSE(call, path, "must have at least %lld items",
		    (long long)json_integer_value(min));
	if (max != NULL && (json_int_t)n > json_integer_value(max))
		return REFUSE(
		    call, path, "must have at most %lld items", (long long)json_integer_value(max));
	for (size_t i = 0; i < n && status == STET_OK; i++)
		status = check_row(call, f, path, i, json_array_get(value, i), &rows, value, &good);
	if (status == STET_OK && good)
		*out = rows != NULL ? json_incref(rows) : keep(value);
	json_decref(rows);
	return status;
}

/* ---- forms: the rules and options that define.c validates ---- */

static const struct stet_member text_rules[] = {
	{ "minLength", STET_INTEGER, .about = "Fewest characters", STET_RANGE(0, SAFE_INTEGER) },
	{ "maxLength", STET_INTEGER, .about = "Most characters", STET_RANGE(0, SAFE_INTEGER) },
	{ "pattern", STET_STRING, .about = "A regular expression that values match", .max = 1000 },
	{ 0 },
};
static const struct stet_member number_rules[] = {
	{ "min", STET_NUMBER },
	{ "max", STET_NUMBER },
	{ 0 },
};
static const struct stet_member integer_rules[] = {
	{ "min", STET_INTEGER },
	{ "max", STET_INTEGER },
	{ 0 },
};
static const struct stet_member time_rules[] = {
	{ "min", STET_STRING, .about = "A date or a time of ISO 8601, like 2026-01-31" },
	{ "max", STET_STRING, .about = "A date or a time of ISO 8601, like 2026-01-31" },
	{ 0 },
};
static const struct stet_member select_rules[] = {
	{ "options", STET_ARRAY, STET_REQUIRED, "Values that may be chosen", .item = STET_STRING },
	{ 0 },
};
static const struct stet_member multi_select_rules[] = {
	{ "options", STET_ARRAY, STET_REQUIRED, "Values that may be chosen", .item = STET_STRING },
	{ "minItems", STET_INTEGER, STET_RANGE(0, SAFE_INTEGER) },
	{ "maxItems", STET_INTEGER, STET_RANGE(1, SAFE_INTEGER) },
	{ 0 },
};
static const struct stet_member media_rules[] = {
	{ "allowedMimeTypes", STET_ARRAY,
	    .about = "Media types: image/png, or image/ for all images", .item = STET_STRING },
	{ 0 },
};
static const struct stet_member sub_field[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED, .choices = sub_types },
	{ "required", STET_BOOLEAN },
	{ "options", STET_ARRAY, .about = "Of a select: values that may be chosen",
	    .item = STET_STRING },
	{ 0 },
};
static const struct stet_member repeater_rules[] = {
	{ "subFields", STET_ARRAY, .about = "The members of an entry", .of = sub_field },
	{ "minItems", STET_INTEGER, STET_RANGE(0, SAFE_INTEGER) },
	{ "maxItems", STET_INTEGER, STET_RANGE(1, SAFE_INTEGER) },
	{ 0 },
};
static const struct stet_member reference_options[] = {
	{ "collection", STET_STRING, STET_REQUIRED, "Slug of the collection that is referred to" },
	{ "allowMultiple", STET_BOOLEAN, .about = "Values are lists of ids" },
	{ 0 },
};

/* ---- the table ---- */

#define TS_IMAGE                                                                                  \
	"id: string; src?: string; url?: string; alt?: string; width?: number; height?: number; " \
	"filename?: string; mimeType?: string; blurhash?: string; dominantColor?: string; "       \
	"provider?: string; previewUrl?: string; meta?: Record<string, unknown>"
#define TS_FILE                                                                            \
	"{ id: string; url?: string; src?: string; filename?: string; mimeType?: string; " \
	"size?: number; provider?: string; meta?: Record<string, unknown> }"

/* Listed in the order in which the admin pages offer them. */
const struct stet_field_type schema_types[SCHEMA_TYPES] = {
	{ .name = "string",
	    .label = "Short text",
	    .validation = text_rules,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE | STET_SEARCHABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_string,
	    .schema = JSON_STRING },
	{ .name = "text",
	    .label = "Long text",
	    .validation = text_rules,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_SEARCHABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_string,
	    .schema = JSON_STRING },
	{ .name = "portableText",
	    .label = "Rich text",
	    .storage = STET_STORE_JSON,
	    .flags = STET_SEARCHABLE,
	    .holds = STET_HOLDS_BLOCKS,
	    .type_name = "PortableTextBlock[]",
	    .json_text = true,
	    .define = define_common,
	    .check = check_portable_text,
	    .schema = JSON_BLOCKS },
	{ .name = "slug",
	    .label = "Slug",
	    .validation = text_rules,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_slug,
	    .schema = JSON_STRING },
	{ .name = "url",
	    .label = "Link",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .holds = STET_HOLDS_LINK,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_url,
	    .schema = JSON_STRING },
	{ .name = "number",
	    .label = "Number",
	    .validation = number_rules,
	    .storage = STET_STORE_REAL,
	    .flags = STET_INDEXABLE,
	    .type_name = "number",
	    .define = define_common,
	    .check = check_number,
	    .schema = "{\"type\":\"number\"}" },
	{ .name = "integer",
	    .label = "Whole number",
	    .validation = integer_rules,
	    .storage = STET_STORE_INTEGER,
	    .flags = STET_INDEXABLE,
	    .type_name = "number",
	    .define = define_common,
	    .check = check_integer,
	    .schema = "{\"type\":\"integer\"}" },
	{ .name = "boolean",
	    .label = "Yes or no",
	    .storage = STET_STORE_BOOLEAN,
	    .flags = STET_INDEXABLE,
	    .type_name = "boolean",
	    .define = define_common,
	    .check = check_boolean,
	    .schema = "{\"type\":\"boolean\"}" },
	{ .name = "datetime",
	    .label = "Date and time",
	    .validation = time_rules,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .holds = STET_HOLDS_TIME,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_datetime,
	    .schema = "{\"type\":\"string\",\"format\":\"date-time\"}" },
	{ .name = "select",
	    .label = "Choice",
	    .validation = select_rules,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_choice,
	    .check = check_select,
	    .typescript = ts_select,
	    .field_schema = json_select },
	{ .name = "multiSelect",
	    .label = "Multiple choice",
	    .validation = multi_select_rules,
	    .storage = STET_STORE_JSON,
	    .flags = STET_INDEXABLE,
	    .holds = STET_HOLDS_TEXTS,
	    .type_name = "string[]",
	    .json_text = true,
	    .define = define_choice,
	    .check = check_multi_select,
	    .typescript = ts_multi_select,
	    .field_schema = json_multi_select },
	{ .name = "image",
	    .label = "Picture",
	    .validation = media_rules,
	    .storage = STET_STORE_TEXT,
	    .holds = STET_HOLDS_IMAGE,
	    .type_name = "{ " TS_IMAGE "; darkVariant?: { " TS_IMAGE " } }",
	    .json_text = true,
	    .define = define_common,
	    .check = check_image,
	    .schema = JSON_MEDIA },
	{ .name = "file",
	    .label = "File",
	    .validation = media_rules,
	    .storage = STET_STORE_TEXT,
	    .holds = STET_HOLDS_FILE,
	    .type_name = TS_FILE,
	    .json_text = true,
	    .define = define_common,
	    .check = check_file,
	    .schema = JSON_MEDIA },
	/* A single id is stored as plain text, several as a JSON array (json_text of the field). */
	{ .name = "reference",
	    .label = "Reference",
	    .options = reference_options,
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .holds = STET_HOLDS_ITEMS,
	    .type_name = "string",
	    .define = define_reference,
	    .check = check_reference,
	    .typescript = ts_reference,
	    .field_schema = json_reference },
	{ .name = "repeater",
	    .label = "Repeater",
	    .validation = repeater_rules,
	    .storage = STET_STORE_JSON,
	    .holds = STET_HOLDS_ROWS,
	    .type_name = "unknown",
	    .json_text = true,
	    .define = define_repeater,
	    .check = check_repeater,
	    .typescript = ts_repeater,
	    .field_schema = json_repeater },
	{ .name = "json",
	    .label = "JSON",
	    .storage = STET_STORE_JSON,
	    .type_name = "unknown",
	    .json_text = true,
	    .define = define_common,
	    .check = check_json,
	    .schema = "{}" },
};
