/*
 * fields.c - converts custom fields, which are texts in an export, to values of the field types
 * here. A text that cannot be converted is left out with a notice; the item is imported all the
 * same.
 */
#include "item/fields.h"
#include "read/dates.h"
#include "read/php.h"
#include "read/text.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static json_t *
number_of(const char *text, bool whole)
{
	char *end;
	double d;
	long long n;

	errno = 0;
	n = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0)
		return json_integer(n);
	d = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(d) || (whole && d != floor(d)))
		return NULL;
	return whole ? (fabs(d) < 9e15 ? json_integer((json_int_t)d) : NULL) : json_real(d);
}

static json_t *
boolean_of(const char *text)
{
	static const char *const yes[] = { "1", "true", "yes", "on" };
	static const char *const no[] = { "0", "", "false", "no", "off" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (strcasecmp(text, yes[i]) == 0)
			return json_true();
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (strcasecmp(text, no[i]) == 0)
			return json_false();
	return NULL;
}

static json_t *
time_of(struct stet_call *call, const char *text)
{
	const char *time = dates_read(call, text, DATES_ANY);

	return time != NULL ? json_string(time) : NULL;
}

static json_t *
list_of(struct stet_call *call, const char *text)
{
	json_t *list;

	if (php_is(text))
		return json_incref(text_serialized(call, text, false));
	list = json_array();
	if (*text != '\0')
		(void)json_array_append_new(list, json_string(text));
	return list;
}

static json_t *
json_of(struct stet_call *call, const char *text)
{
	const char *why;
	json_t *v = NULL;

	if (php_is(text))
		v = php_read(text, strlen(text));
	else if (*text == '{' || *text == '[')
		v = json_incref(stet_json_parse(call, text, strlen(text), &why));
	return v != NULL ? v : json_string(text);
}

bool
field_refers(const struct stet_field *f)
{
	return f->type->holds == STET_HOLDS_ITEMS || field_is_file(f);
}

bool
field_is_file(const struct stet_field *f)
{
	return f->type->holds == STET_HOLDS_IMAGE || f->type->holds == STET_HOLDS_FILE;
}

/* Returns true if a text that is no JSON is a value of the type as well. */
static bool
holds_any(const struct stet_field_type *type)
{
	return type->storage == STET_STORE_JSON && type->holds == STET_HOLDS_VALUE;
}

json_t *
field_value(struct stet_call *call, const struct stet_field *field, const char *text)
{
	const struct stet_field_type *type = field->type;

	if (type->storage == STET_STORE_REAL || type->storage == STET_STORE_INTEGER)
		return number_of(text, type->storage == STET_STORE_INTEGER);
	if (type->storage == STET_STORE_BOOLEAN)
		return boolean_of(text);
	if (*text == '\0')
		return NULL;
	if (type->holds == STET_HOLDS_TIME)
		return time_of(call, text);
	if (type->holds == STET_HOLDS_TEXTS)
		return list_of(call, text);
	if (holds_any(type) || (field->json_text && (*text == '{' || *text == '[' || php_is(text))))
		return json_of(call, text);
	return json_string(text);
}

/* ---- fields that hold others ---- */

static void
set_cell(struct stet_call *call, const struct stet_field *f, const json_t *sub, json_t *row,
    json_t *notices)
{
	const char *name = json_string_value(json_object_get(sub, "slug"));
	const char *type = json_string_value(json_object_get(sub, "type"));
	const char *text = json_string_value(json_object_get(row, name));
	struct stet_field_type is = { .name = type };
	const struct stet_field field = { .slug = name, .type = &is, .validation = sub };
	json_t *value;

	if (text == NULL || type == NULL)
		return;
	(void)stet_field_type(call, type, &is);
	value = field_is_file(&field) ? NULL : field_value(call, &field, text);
	if (value == NULL && *text != '\0')
		(void)json_array_append_new(
		    notices, json_string(stet_printf(call, "\"%.80s\" of %s.%s does not fit (%s)",
				 text, f->slug, name, type)));
	if (value != NULL)
		(void)json_object_set_new(row, name, value);
	else
		(void)json_object_del(row, name);
}

json_t *
field_rows(struct stet_call *call, const struct stet_field *f, const json_t *value, json_t *notices)
{
	const json_t *subs = json_object_get(f->validation, "subFields"), *sub;
	json_t *rows = json_deep_copy(value), *row;
	size_t i, k;

	if (f->type->holds != STET_HOLDS_ROWS)
		return rows;
	if (!json_is_array(rows))
		rows = json_pack("[o]", rows);
	json_array_foreach(rows, i, row) json_array_foreach(subs, k, sub)
	    set_cell(call, f, sub, row, notices);
	return rows;
}

enum stet_status
field_takes(
    struct stet_call *call, const struct stet_field *field, const json_t *value, const char **why)
{
	enum stet_status status;
	json_t *stored = NULL;

	*why = NULL;
	STET_TRY(stet_field_check(call, field, field->slug, value, &stored));
	stet_json_own(call, stored);
	status = stet_issues(call);
	if (status == STET_VALIDATION_ERROR) {
		*why = stet_error_text(call);
		stet_error_clear(call);
		status = STET_OK;
	}
	return status;
}

enum stet_status
field_put(struct stet_call *call, struct import_item *entry, json_t *data, const char *slug,
    json_t *value)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const struct stet_field *f;
	const char *why = NULL;

	stet_json_own(call, value);
	STET_TRY(schema->collection(call, entry->collection, &c));
	if ((f = stet_field(c, slug)) == NULL)
		return STET_OK;
	STET_TRY(field_takes(call, f, value, &why));
	if (why == NULL)
		(void)json_object_set(data, slug, value);
	else
		item_notice(entry, why);
	return STET_OK;
}
