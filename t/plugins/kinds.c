/*
 * kinds - a plugin for tests of imports and exports: a field type for each storage and each kind of
 * contents (STET_HOLDS_*). The types accept every value of the right JSON type and change none, so
 * tests see exactly the values that the import made.
 */
#include <stet/module.h>
#include <string.h>

static enum stet_status
define(struct stet_call *call, const struct stet_field *field)
{
	(void)call;
	(void)field;
	return STET_OK;
}

static bool
is_good(const struct stet_field *field, const json_t *value)
{
	switch (field->type->storage) {
	case STET_STORE_REAL:
		return json_is_number(value);
	case STET_STORE_INTEGER:
		return json_is_integer(value);
	case STET_STORE_BOOLEAN:
		return json_is_boolean(value);
	case STET_STORE_JSON:
		return json_is_array(value) || json_is_object(value);
	case STET_STORE_TEXT:
		break;
	}
	return field->json_text ? json_is_array(value) : json_is_string(value);
}

static enum stet_status
check(struct stet_call *call, const struct stet_field *field, const char *path, const json_t *value,
    json_t **out)
{
	*out = NULL;
	if (is_good(field, value))
		*out = json_incref((json_t *)(uintptr_t)value);
	else
		stet_issue(call, path, "is no value of %s", field->type->name);
	return STET_OK;
}

#define TYPE(name_, storage_, ...)                                                            \
	{                                                                                     \
		.name = name_, .storage = storage_, .type_name = "unknown",                   \
		.json_text = (storage_) == STET_STORE_JSON, .define = define, .check = check, \
		__VA_ARGS__                                                                   \
	}
static const struct stet_field_type types[] = {
	TYPE("kindReal", STET_STORE_REAL, .flags = 0),
	TYPE("kindWhole", STET_STORE_INTEGER, .flags = 0),
	TYPE("kindYes", STET_STORE_BOOLEAN, .flags = 0),
	TYPE("kindText", STET_STORE_TEXT, .flags = 0),
	TYPE("kindJson", STET_STORE_JSON, .flags = 0),
	TYPE("kindTime", STET_STORE_TEXT, .holds = STET_HOLDS_TIME),
	TYPE("kindItems", STET_STORE_TEXT, .holds = STET_HOLDS_ITEMS),
	TYPE("kindTexts", STET_STORE_JSON, .holds = STET_HOLDS_TEXTS),
	TYPE("kindBlocks", STET_STORE_JSON, .holds = STET_HOLDS_BLOCKS),
	TYPE("kindFile", STET_STORE_JSON, .holds = STET_HOLDS_FILE),
};
static const char *const needs[] = { "schema", NULL };

STET_MODULE(kinds) = {
	STET_MODULE_HEAD(kinds),
	.version = "1.0",
	.summary = "Field types that hold all that fields can",
	.license = "MIT",
	.needs = needs,
	.field_types = STET_TABLE(types),
};
