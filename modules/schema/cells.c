/*
 * cells.c - values inside a value: the members of a repeater's row, and those of a block that the
 * site defines. A field describes each; it is not a field of a collection. Also what the
 * compilers of all fields share.
 */
#include "schema.h"
#include <string.h>

enum stet_status
check_missing(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	(void)value;
	*out = NULL;
	return REFUSE(call, path, "the field type \"%s\" is not available: its module is disabled",
	    field->type->name);
}

static bool
is_blank(const json_t *value)
{
	const char *s = json_string_value(value);

	return s != NULL && s[strspn(s, " \t\r\n")] == '\0';
}

enum stet_status
cell_check(struct stet_call *call, const struct stet_field *f, const char *holder_path,
    const json_t *given, json_t **holder, bool *good)
{
	const json_t *value = json_object_get(given, f->slug);
	bool missing = value == NULL || json_is_null(value);
	const char *path;
	json_t *normal;

	if (missing && !f->required)
		return STET_OK;
	path = stet_printf(call, "%s.%s", holder_path, f->slug);
	if (missing || (is_blank(value) && f->required)) {
		stet_issue(call, path, missing ? "is required" : "must not be blank");
		*good = false;
		return STET_OK;
	}
	STET_TRY(stet_field_check(call, f, path, value, &normal));
	if (normal == NULL)
		*good = false;
	else if (normal == value)
		json_decref(normal);
	else {
		if (*holder == NULL)
			*holder = json_copy((json_t *)(uintptr_t)given);
		json_object_set_new(*holder, f->slug, normal);
	}
	return STET_OK;
}

bool
reference_is_many(const struct stet_field *f)
{
	return f->type->holds == STET_HOLDS_ITEMS &&
	       json_is_true(json_object_get(f->options, "allowMultiple"));
}
