/* types.c - field types whose values are scalars, and the table of all built-in types. */
#include "schema.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *
keep(const json_t *value)
{
	return json_incref((json_t *)(uintptr_t)value);
}

const json_t *
rule(const struct stet_field *f, const char *name)
{
	return f->validation != NULL ? json_object_get(f->validation, name) : NULL;
}

/* ---- text ---- */

static enum stet_status
check_length(struct stet_call *call, const struct stet_field *f, const char *path, const char *text,
    bool *good)
{
	const json_t *min = rule(f, "minLength"), *max = rule(f, "maxLength");
	int64_t n;

	if (min == NULL && max == NULL)
		return STET_OK;
	n = stet_utf8_length(text);
	if (min != NULL && n < json_integer_value(min)) {
		stet_issue(call, path, "must have at least %lld characters",
		    (long long)json_integer_value(min));
		*good = false;
	}
	if (max != NULL && n > json_integer_value(max)) {
		stet_issue(call, path, "must have at most %lld characters",
		    (long long)json_integer_value(max));
		*good = false;
	}
	return STET_OK;
}

static enum stet_status
check_text_rules(struct stet_call *call, const struct stet_field *f, const char *path,
    const char *text, bool *good)
{
	const char *pattern, *why = NULL;
	bool found = false;

	*good = true;
	if (f->validation == NULL)
		return STET_OK;
	STET_TRY(check_length(call, f, path, text, good));
	pattern = json_string_value(rule(f, "pattern"));
	if (pattern != NULL &&
	    (stet_match(call, pattern, text, &found, &why) != STET_OK || !found)) {
		stet_issue(call, path, "must match %s", pattern);
		*good = false;
	}
	return STET_OK;
}

enum stet_status
check_string(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	bool good;

	*out = NULL;
	if (!json_is_string(value))
		return REFUSE(call, path, "must be a string");
	STET_TRY(check_text_rules(call, f, path, json_string_value(value), &good));
	if (good)
		*out = keep(value);
	return STET_OK;
}

static enum stet_status
check_slug(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const char *slug;
	bool good;

	*out = NULL;
	if (!json_is_string(value))
		return REFUSE(call, path, "must be a string");
	slug = stet_slugify(call, json_string_value(value));
	if (*slug == '\0' && json_string_length(value) > 0)
		return REFUSE(call, path, "must have letters or digits");
	STET_TRY(check_text_rules(call, f, path, slug, &good));
	if (good)
		*out = json_string(slug);
	return STET_OK;
}

/* ---- links ---- */

static bool
has_scheme(const char *url, const char *scheme, size_t *len)
{
	size_t n = strlen(scheme);

	for (size_t i = 0; i < n; i++)
		if ((url[i] >= 'A' && url[i] <= 'Z' ? url[i] + 32 : url[i]) != scheme[i])
			return false;
	*len = n;
	return true;
}

static bool
is_clean(const char *url)
{
	for (; *url != '\0'; url++)
		if ((unsigned char)*url <= ' ' || *url == 0x7f || *url == '\\')
			return false;
	return true;
}

bool
is_link(const char *url)
{
	size_t n;

	if (!is_clean(url))
		return false;
	if (url[0] == '/')
		return url[1] != '/'; /* "//host" leads to another site */
	if (has_scheme(url, "http://", &n) || has_scheme(url, "https://", &n))
		return url[n] != '\0' && strchr("/?#:@", url[n]) == NULL;
	if (has_scheme(url, "mailto:", &n) || has_scheme(url, "tel:", &n))
		return url[n] != '\0';
	return false;
}

static enum stet_status
check_url(struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value,
    json_t **out)
{
	static const char blanks[] = " \t\r\n";
	const char *text = json_string_value(value);
	size_t len;

	(void)f;
	*out = NULL;
	if (text == NULL)
		return REFUSE(call, path, "must be a string");
	text += strspn(text, blanks);
	len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]) != NULL)
		len--;
	text = stet_strndup(call, text, len);
	if (!is_link(text))
		return REFUSE(call, path,
		    "must be an http, https, mailto or tel URL, or a path from the root");
	*out = json_string(text);
	return STET_OK;
}

/* ---- numbers ---- */

static bool
check_range(
    struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value)
{
	const json_t *min = rule(f, "min"), *max = rule(f, "max");
	double x = json_number_value(value);

	if (json_is_number(min) && x < json_number_value(min)) {
		stet_issue(call, path, "must be at least %.15g", json_number_value(min));
		return false;
	}
	if (json_is_number(max) && x > json_number_value(max)) {
		stet_issue(call, path, "must be at most %.15g", json_number_value(max));
		return false;
	}
	return true;
}

static enum stet_status
check_number(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	json_int_t n = json_integer_value(value); /* 0: it is a real number */

	*out = NULL;
	if (!json_is_number(value) || !isfinite(json_number_value(value)))
		return REFUSE(call, path, "must be a number");
	if (!check_range(call, f, path, value))
		return STET_OK;
	if (n > SAFE_INTEGER || n < -SAFE_INTEGER)
		*out = json_real(json_number_value(value)); /* the column stores a double */
	else
		*out = keep(value);
	return STET_OK;
}

static enum stet_status
check_integer(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	double x = json_number_value(value);
	int64_t i;

	*out = NULL;
	if (!json_is_number(value) || (json_is_real(value) && floor(x) != x))
		return REFUSE(call, path, "must be a whole number");
	if (fabs(x) > (double)SAFE_INTEGER)
		return REFUSE(call, path, "must be within -9007199254740991 and 9007199254740991");
	i = json_is_integer(value) ? json_integer_value(value) : (int64_t)x;
	if (i > SAFE_INTEGER || i < -SAFE_INTEGER)
		return REFUSE(call, path, "must be within -9007199254740991 and 9007199254740991");
	if (check_range(call, f, path, value))
		*out = json_is_integer(value) ? keep(value) : json_integer(i);
	return STET_OK;
}

static enum stet_status
check_boolean(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	double x = json_number_value(value);

	(void)f;
	*out = NULL;
	if (json_is_boolean(value))
		*out = keep(value);
	else if (json_is_number(value) && (x == 0 || x == 1))
		*out = json_boolean(x == 1);
	else
		return REFUSE(call, path, "must be true or false");
	return STET_OK;
}

/* ---- time ---- */

static enum stet_status
check_datetime(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const char *text = json_string_value(value), *bound;
	int64_t ms, limit;

	*out = NULL;
	if (text == NULL || !stet_time_parse(text, &ms))
		return REFUSE(call, path, "must be an ISO 8601 date or date and time");
	bound = json_string_value(rule(f, "min"));
	if (bound != NULL && stet_time_parse(bound, &limit) && ms < limit)
		return REFUSE(call, path, "must not be before %s", bound);
	bound = json_string_value(rule(f, "max"));
	if (bound != NULL && stet_time_parse(bound, &limit) && ms > limit)
		return REFUSE(call, path, "must not be after %s", bound);
	*out = json_string(stet_time_text(call, ms));
	return STET_OK;
}

/* ---- choices ---- */

/* Strings as TypeScript literals: JSON strings are valid ones. */
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
/* Blocks, or Markdown for readers who ask for it. */
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

/* ---- the table ---- */

#define TS_IMAGE                                                                                  \
	"id: string; src?: string; url?: string; alt?: string; width?: number; height?: number; " \
	"filename?: string; mimeType?: string; blurhash?: string; dominantColor?: string; "       \
	"provider?: string; previewUrl?: string; meta?: Record<string, unknown>"
#define TS_FILE                                                                            \
	"{ id: string; url?: string; src?: string; filename?: string; mimeType?: string; " \
	"size?: number; provider?: string; meta?: Record<string, unknown> }"

const struct stet_field_type schema_types[SCHEMA_TYPES] = {
	{ .name = "string",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_string,
	    .schema = JSON_STRING },
	{ .name = "text",
	    .storage = STET_STORE_TEXT,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_string,
	    .schema = JSON_STRING },
	{ .name = "url",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_url,
	    .schema = JSON_STRING },
	{ .name = "number",
	    .storage = STET_STORE_REAL,
	    .flags = STET_INDEXABLE,
	    .type_name = "number",
	    .define = define_common,
	    .check = check_number,
	    .schema = "{\"type\":\"number\"}" },
	{ .name = "integer",
	    .storage = STET_STORE_INTEGER,
	    .flags = STET_INDEXABLE,
	    .type_name = "number",
	    .define = define_common,
	    .check = check_integer,
	    .schema = "{\"type\":\"integer\"}" },
	{ .name = "boolean",
	    .storage = STET_STORE_BOOLEAN,
	    .flags = STET_INDEXABLE,
	    .type_name = "boolean",
	    .define = define_common,
	    .check = check_boolean,
	    .schema = "{\"type\":\"boolean\"}" },
	{ .name = "datetime",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_datetime,
	    .schema = "{\"type\":\"string\",\"format\":\"date-time\"}" },
	{ .name = "select",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_choice,
	    .check = check_select,
	    .typescript = ts_select,
	    .field_schema = json_select },
	{ .name = "multiSelect",
	    .storage = STET_STORE_JSON,
	    .flags = STET_INDEXABLE,
	    .type_name = "string[]",
	    .json_text = true,
	    .define = define_choice,
	    .check = check_multi_select,
	    .typescript = ts_multi_select,
	    .field_schema = json_multi_select },
	{ .name = "portableText",
	    .storage = STET_STORE_JSON,
	    .type_name = "PortableTextBlock[]",
	    .json_text = true,
	    .define = define_common,
	    .check = check_portable_text,
	    .schema = JSON_BLOCKS },
	{ .name = "image",
	    .storage = STET_STORE_TEXT,
	    .type_name = "{ " TS_IMAGE "; darkVariant?: { " TS_IMAGE " } }",
	    .json_text = true,
	    .define = define_common,
	    .check = check_image,
	    .schema = JSON_MEDIA },
	{ .name = "file",
	    .storage = STET_STORE_TEXT,
	    .type_name = TS_FILE,
	    .json_text = true,
	    .define = define_common,
	    .check = check_file,
	    .schema = JSON_MEDIA },
	/* One id is stored as plain text, several as JSON: see json_text of the field. */
	{ .name = "reference",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_reference,
	    .check = check_reference,
	    .typescript = ts_reference,
	    .field_schema = json_reference },
	{ .name = "json",
	    .storage = STET_STORE_JSON,
	    .type_name = "unknown",
	    .json_text = true,
	    .define = define_common,
	    .check = check_json,
	    .schema = "{}" },
	{ .name = "slug",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_common,
	    .check = check_slug,
	    .schema = JSON_STRING },
	{ .name = "repeater",
	    .storage = STET_STORE_JSON,
	    .type_name = "unknown",
	    .json_text = true,
	    .define = define_repeater,
	    .check = check_repeater,
	    .typescript = ts_repeater,
	    .field_schema = json_repeater },
};

const struct stet_field_type *
sub_type(const char *name)
{
	static const char *const allowed[] = { "string", "text", "url", "number", "integer",
		"boolean", "datetime", "select", "image", NULL };
	bool is = false;

	for (int i = 0; name != NULL && allowed[i] != NULL; i++)
		is |= strcmp(allowed[i], name) == 0;
	for (int i = 0; is && i < SCHEMA_TYPES; i++)
		if (strcmp(schema_types[i].name, name) == 0)
			return &schema_types[i];
	return NULL;
}
