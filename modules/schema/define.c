/*
 * define.c - validates the definition of a field: its rules, its options and its default value.
 */
#include "schema.h"
#include <string.h>

/* ---- validation: members that all built-in types share ---- */

static char *
at(struct stet_call *call, const char *path, const char *name)
{
	return stet_printf(call, "%s.%s", path, name);
}

/* Reads a count: an integer of at least `least`. */
static const json_t *
count_of(struct stet_call *call, const json_t *rules, const char *path, const char *name,
    json_int_t least)
{
	const json_t *v = json_object_get(rules, name);

	if (v == NULL)
		return NULL;
	if (json_is_integer(v) && json_integer_value(v) >= least)
		return v;
	stet_issue(call, at(call, path, name), "must be a whole number of at least %d", (int)least);
	return NULL;
}

static void
check_counts(struct stet_call *call, const json_t *rules, const char *path, const char *min_name,
    const char *max_name, json_int_t least_max)
{
	const json_t *min = count_of(call, rules, path, min_name, 0);
	const json_t *max = count_of(call, rules, path, max_name, least_max);

	if (min != NULL && max != NULL && json_integer_value(min) > json_integer_value(max))
		stet_issue(call, at(call, path, max_name), "must not be less than %s", min_name);
}

static const json_t *
number_of(struct stet_call *call, const json_t *rules, const char *path, const char *name)
{
	const json_t *v = json_object_get(rules, name);

	if (v == NULL || json_is_number(v))
		return v;
	stet_issue(call, at(call, path, name), "must be a number");
	return NULL;
}

static void
check_numbers(struct stet_call *call, const json_t *rules, const char *path)
{
	const json_t *min = number_of(call, rules, path, "min");
	const json_t *max = number_of(call, rules, path, "max");

	if (min != NULL && max != NULL && json_number_value(min) > json_number_value(max))
		stet_issue(call, at(call, path, "max"), "must not be less than min");
}

static bool
time_of(
    struct stet_call *call, const json_t *rules, const char *path, const char *name, int64_t *ms)
{
	const json_t *v = json_object_get(rules, name);

	if (v == NULL)
		return false;
	if (json_is_string(v) && stet_time_parse(json_string_value(v), ms))
		return true;
	stet_issue(
	    call, at(call, path, name), "must be an ISO 8601 date or date and time, as text");
	return false;
}

static void
check_times(struct stet_call *call, const json_t *rules, const char *path)
{
	int64_t min, max;
	bool has_min = time_of(call, rules, path, "min", &min);
	bool has_max = time_of(call, rules, path, "max", &max);

	if (has_min && has_max &&
	    min > stet_time_last(json_string_value(json_object_get(rules, "max")), max))
		stet_issue(call, at(call, path, "max"), "must not be before min");
}

static void
check_pattern(struct stet_call *call, const json_t *rules, const char *path)
{
	const json_t *v = json_object_get(rules, "pattern");
	const char *why = NULL;
	bool found;

	if (v == NULL)
		return;
	if (!json_is_string(v) || json_string_length(v) > 1000)
		stet_issue(call, at(call, path, "pattern"),
		    "must be a regular expression of at most 1000 bytes");
	else if (stet_match(call, json_string_value(v), "", &found, &why) != STET_OK)
		stet_issue(call, at(call, path, "pattern"), "is not a regular expression: %s",
		    why != NULL ? why : "it does not compile");
}

/* Checks a list of texts: none is empty, none occurs twice. */
static void
check_texts(struct stet_call *call, const json_t *list, const char *path)
{
	size_t n = json_array_size(list);

	if (!json_is_array(list)) {
		stet_issue(call, path, "must be an array of strings");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_array_get(list, i);
		char *here = stet_printf(call, "%s[%zu]", path, i);

		if (!json_is_string(v) || json_string_length(v) == 0)
			stet_issue(call, here, "must be a string that is not empty");
		for (size_t k = 0; json_is_string(v) && k < i; k++)
			if (json_equal(json_array_get(list, k), v)) {
				stet_issue(call, here, "is listed twice");
				break;
			}
	}
}

static void
check_mime_types(struct stet_call *call, const json_t *rules, const char *path)
{
	const json_t *list = json_object_get(rules, "allowedMimeTypes");
	char *here = at(call, path, "allowedMimeTypes");
	size_t n = json_array_size(list);

	if (list == NULL)
		return;
	if (n < 1 || n > 64)
		stet_issue(call, here, "must be an array of 1 to 64 media types");
	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(list, i));

		if (s == NULL || strchr(s, '/') == NULL || *s == '/')
			stet_issue(call, stet_printf(call, "%s[%zu]", here, i),
			    "must be like image/png, or image/ for all of a kind");
	}
}

/* Checks the rules, which have the same members in `validation` and in a sub-field of a
 * repeater. */
static void
check_rules(struct stet_call *call, const json_t *rules, const char *path, const char *type)
{
	if (strcmp(type, "datetime") == 0)
		check_times(call, rules, path);
	else
		check_numbers(call, rules, path);
	check_counts(call, rules, path, "minLength", "maxLength", 0);
	check_counts(call, rules, path, "minItems", "maxItems", 1);
	check_pattern(call, rules, path);
	check_mime_types(call, rules, path);
}

/* Key of a slot of the call (its address identifies the slot). The slot is not NULL while
 * definitions are imported. */
static char slot_key;

void
define_as_stored(struct stet_call *call, bool is)
{
	*stet_call_slot(call, &slot_key) = is ? &slot_key : NULL;
}

static bool
as_stored(struct stet_call *call)
{
	return *stet_call_slot(call, &slot_key) != NULL;
}

/* Key of a slot of the call: not NULL while fields of a type of blocks are checked. */
static char listed_key;

void
define_listed(struct stet_call *call, bool is)
{
	*stet_call_slot(call, &listed_key) = is ? &listed_key : NULL;
}

/* Returns true if the request has this member of a field: as an argument, or in the list of fields
 * of a type of blocks. */
static bool
is_given(struct stet_call *call, const char *member)
{
	return *stet_call_slot(call, &listed_key) != NULL || stet_has(call, member);
}

static const struct options {
	const char *type, *name[2];
} options_of[] = { { "text", { "rows" } }, { "boolean", { "text" } },
	{ "image", { "showPreview", "darkVariant" } },
	{ "reference", { "collection", "allowMultiple" } }, { "repeater", { "itemLabel" } } };

/* Every type has the option help. */
static bool
has_option(const struct options *of, const char *name)
{
	for (int i = 0; i < 2 && of->name[i] != NULL; i++)
		if (strcmp(of->name[i], name) == 0)
			return true;
	return strcmp(name, "help") == 0;
}

/* Refuses unknown options, since a misspelt one would do nothing. A custom widget may have any
 * options. Unknown options of older definitions may stay. */
static void
check_options(struct stet_call *call, const struct stet_field *f)
{
	struct options of = { 0 };
	const char *name;
	json_t *option;

	if (as_stored(call) || f->widget != NULL ||
	    (!is_given(call, "options") && !stet_has(call, "widget")))
		return;
	for (size_t i = 0; i < sizeof(options_of) / sizeof(options_of[0]); i++)
		if (strcmp(options_of[i].type, f->type->name) == 0)
			of = options_of[i];
	json_object_foreach((json_t *)(uintptr_t)f->options, name, option)
	{
		if (!has_option(&of, name))
			stet_issue(call, stet_printf(call, "options.%s", name),
			    "is no option of fields of the type \"%s\"%s%s%s%s", f->type->name,
			    of.name[0] != NULL ? ", which has " : "",
			    of.name[0] != NULL ? of.name[0] : "", of.name[1] != NULL ? " and " : "",
			    of.name[1] != NULL ? of.name[1] : "");
	}
}

/* Refuses unknown rules, since a misspelt one would not be checked. Unknown rules of older
 * definitions may stay. */
static void
check_names(struct stet_call *call, const struct stet_field *f)
{
	static const char *const known[] = { "required", "min", "max", "minLength", "maxLength",
		"minItems", "maxItems", "pattern", "options", "subFields", "allowedMimeTypes" };
	const char *name;
	json_t *value;

	if (as_stored(call) || !is_given(call, "validation"))
		return;
	json_object_foreach((json_t *)(uintptr_t)f->validation, name, value)
	{
		bool is_known = false;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			is_known = is_known || strcmp(known[i], name) == 0;
		if (!is_known)
			stet_issue(call, stet_printf(call, "validation.%s", name),
			    "is no rule: there are required, min, max, minLength, maxLength, "
			    "minItems, maxItems, pattern, options, subFields and "
			    "allowedMimeTypes");
	}
}

enum stet_status
define_common(struct stet_call *call, const struct stet_field *f)
{
	check_options(call, f);
	check_names(call, f);
	if (f->validation != NULL)
		check_rules(call, f->validation, "validation", f->type->name);
	return STET_OK;
}

/* ---- types with options of their own ---- */

enum stet_status
define_choice(struct stet_call *call, const struct stet_field *f)
{
	const json_t *options = rule(f, "options");

	STET_TRY(define_common(call, f));
	if (options == NULL || (json_is_array(options) && json_array_size(options) == 0))
		stet_issue(call, "validation.options",
		    "is required: the array of values that may be chosen");
	else
		check_texts(call, options, "validation.options");
	return STET_OK;
}

/* The target collection need not exist yet: two collections can refer to each other. */
enum stet_status
define_reference(struct stet_call *call, const struct stet_field *f)
{
	const json_t *collection = json_object_get(f->options, "collection");
	const json_t *many = json_object_get(f->options, "allowMultiple");

	STET_TRY(define_common(call, f));
	if (collection == NULL)
		stet_issue(call, "options.collection",
		    "is required: the slug of the collection whose items are referred to");
	else if (!json_is_string(collection) || !stet_is_name(json_string_value(collection)))
		stet_issue(call, "options.collection", "must be the slug of a collection");
	if (many != NULL && !json_is_boolean(many))
		stet_issue(call, "options.allowMultiple", "must be true or false");
	return STET_OK;
}

static void
define_sub_slug(struct stet_call *call, const json_t *subs, size_t i, const char *path)
{
	const json_t *slug = json_object_get(json_array_get(subs, i), "slug");

	if (!json_is_string(slug) || !stet_is_name(json_string_value(slug)))
		stet_issue(call, at(call, path, "slug"),
		    "must be 1 to 63 lower-case letters, digits and underscores, a letter first");
	for (size_t k = 0; slug != NULL && k < i; k++)
		if (json_equal(json_object_get(json_array_get(subs, k), "slug"), slug))
			stet_issue(call, at(call, path, "slug"), "is listed twice");
}

const char *const sub_types[] = { "string", "text", "url", "number", "integer", "boolean",
	"datetime", "select", "image", NULL };

bool
is_sub_type(const char *name)
{
	for (size_t i = 0; name != NULL && sub_types[i] != NULL; i++)
		if (strcmp(sub_types[i], name) == 0)
			return true;
	return false;
}

static void
define_sub(struct stet_call *call, const json_t *subs, size_t i)
{
	char *path = stet_printf(call, "validation.subFields[%zu]", i);
	const json_t *sub = json_array_get(subs, i), *required = json_object_get(sub, "required");
	const char *type = json_string_value(json_object_get(sub, "type"));
	const json_t *options = json_object_get(sub, "options");

	if (!json_is_object(sub)) {
		stet_issue(call, path, "must be an object");
		return;
	}
	define_sub_slug(call, subs, i, path);
	if (json_string_length(json_object_get(sub, "label")) == 0)
		stet_issue(call, at(call, path, "label"), "must be a string that is not empty");
	if (required != NULL && !json_is_boolean(required))
		stet_issue(call, at(call, path, "required"), "must be true or false");
	if (!is_sub_type(type)) {
		stet_issue(call, at(call, path, "type"),
		    "must be one of: string, text, url, number, integer, boolean, datetime, "
		    "select, image");
		return;
	}
	if (options != NULL || strcmp(type, "select") == 0)
		check_texts(call, options, at(call, path, "options"));
	check_rules(call, sub, path, type);
}

enum stet_status
define_repeater(struct stet_call *call, const struct stet_field *f)
{
	const json_t *subs = rule(f, "subFields");
	size_t n = json_array_size(subs);

	STET_TRY(define_common(call, f));
	if (subs == NULL)
		return STET_OK; /* without sub-fields, rows are objects with any members */
	if (n < 1 || n > 100)
		stet_issue(call, "validation.subFields", "must be an array of 1 to 100 fields");
	for (size_t i = 0; i < n && i < 100; i++)
		define_sub(call, subs, i);
	return STET_OK;
}

/* ---- the whole field ---- */

static enum stet_status
check_default(struct stet_call *call, const struct stet_field *f, const json_t **normal)
{
	json_t *value = NULL;
	enum stet_status status =
	    stet_field_check(call, f, "defaultValue", f->default_value, &value);

	*normal = stet_json_own(call, value);
	if (status == STET_OK)
		status = stet_issues(call);
	if (status == STET_OK || status == STET_FAULT || !as_stored(call))
		return status;
	stet_error_clear(call); /* its target may be imported later, or was deleted */
	*normal = f->default_value;
	return STET_OK;
}

enum stet_status
define_check(struct stet_call *call, const struct stet_field *f, const json_t **normal)
{
	*normal = NULL;
	STET_TRY(stet_field_define(call, f));
	if (f->unique && f->json_text)
		stet_issue(
		    call, "unique", "a field of type \"%s\" cannot be unique", f->type->name);
	STET_TRY(stet_issues(
	    call)); /* the default is validated by the rules, so these must be valid first */
	return f->default_value != NULL ? check_default(call, f, normal) : STET_OK;
}
