/* structured.c - field types whose values are choices, blocks, lists or references. */
#include "schema.h"
#include <string.h>

/* ---- choices ---- */

static bool
is_option(const struct stet_field *f, const char *text)
{
	const json_t *options = rule(f, "options");
	size_t n = json_array_size(options);

	for (size_t i = 0; i < n; i++) {
		const char *option = json_string_value(json_array_get(options, i));

		if (option != NULL && strcmp(option, text) == 0)
			return true;
	}
	return false;
}

static const char *
options_text(struct stet_call *call, const struct stet_field *f)
{
	const json_t *options = rule(f, "options");
	size_t n = json_array_size(options), shown = n < 20 ? n : 20;
	const char *text = "";

	for (size_t i = 0; i < shown; i++)
		text = stet_printf(call, "%s%s%s", text, i > 0 ? ", " : "",
		    json_string_value(json_array_get(options, i)));
	return shown < n ? stet_printf(call, "%s, ...", text) : text;
}

enum stet_status
check_select(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	*out = NULL;
	if (!json_is_string(value) || !is_option(f, json_string_value(value)))
		return REFUSE(call, path, "must be one of: %s", options_text(call, f));
	*out = keep(value);
	return STET_OK;
}

enum stet_status
check_multi_select(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	size_t n = json_array_size(value);
	bool good = true;

	*out = NULL;
	if (!json_is_array(value))
		return REFUSE(call, path, "must be an array of choices");
	for (size_t i = 0; i < n; i++) {
		const char *text = json_string_value(json_array_get(value, i));

		if (text != NULL && is_option(f, text))
			continue;
		stet_issue(call, stet_printf(call, "%s[%zu]", path, i), "must be one of: %s",
		    options_text(call, f));
		good = false;
	}
	if (good)
		*out = keep(value);
	return STET_OK;
}

/* ---- free forms ---- */

enum stet_status
check_portable_text(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	size_t n = json_array_size(value);
	bool good = true;

	(void)f;
	*out = NULL;
	if (!json_is_array(value))
		return REFUSE(call, path, "must be an array of Portable Text blocks");
	for (size_t i = 0; i < n; i++) {
		const json_t *block = json_array_get(value, i);

		if (json_is_object(block) && json_is_string(json_object_get(block, "_type")))
			continue;
		stet_issue(call, stet_printf(call, "%s[%zu]", path, i),
		    "must be an object with a string _type");
		good = false;
	}
	if (good)
		*out = keep(value);
	return STET_OK;
}

enum stet_status
check_json(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	(void)call;
	(void)f;
	(void)path;
	*out = keep(value);
	return STET_OK;
}

/* ---- references ---- */

bool
reference_is_many(const struct stet_field *f)
{
	return strcmp(f->type->name, "reference") == 0 &&
	       json_is_true(json_object_get(f->options, "allowMultiple"));
}

/* Marks in `found` which ids exist outside the trash. Fills the list up to a power of two with
 * its last id, so that there are ten different statements to prepare, not five hundred. */
static enum stet_status
look_up(struct stet_call *call, const char *collection, const json_t *ids, bool *found)
{
	struct stet_sql *sql = stet_sql_new(call);
	size_t n = json_array_size(ids), places = 1;
	struct stet_rows rows;

	while (places < n)
		places *= 2;
	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id IN (");
	for (size_t i = 0; i < places; i++) {
		const json_t *id = json_array_get(ids, i < n ? i : n - 1);

		if (i > 0)
			stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_strn(json_string_value(id), json_string_length(id)));
	}
	stet_sql_add(sql, ") AND deleted_at IS NULL");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *id = stet_col_str(&rows, 0);

		for (size_t i = 0; i < n; i++)
			found[i] |= strcmp(id, json_string_value(json_array_get(ids, i))) == 0;
	}
	return stet_rows_end(&rows);
}

/* `ids` are strings. */
static enum stet_status
check_targets(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *ids, bool *good)
{
	const char *name = json_string_value(json_object_get(f->options, "collection"));
	const struct snapshot *schema;
	size_t n = json_array_size(ids);
	bool *found = stet_alloc(call, n + 1);

	STET_TRY(snapshot_get(call, &schema));
	if (name == NULL || snapshot_find(schema, name) == NULL) {
		stet_issue(call, path, "collection '%s' does not exist", name != NULL ? name : "");
		*good = false;
		return STET_OK;
	}
	if (n > 0)
		STET_TRY(look_up(call, name, ids, found));
	for (size_t i = 0; i < n; i++) {
		if (found[i])
			continue;
		stet_issue(call,
		    reference_is_many(f) ? stet_printf(call, "%s[%zu]", path, i) : path,
		    "target '%s' not found in collection '%s'",
		    json_string_value(json_array_get(ids, i)), name);
		*good = false;
	}
	return STET_OK;
}

static bool
are_ids(struct stet_call *call, const char *path, const json_t *ids)
{
	size_t n = json_array_size(ids);
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		const json_t *id = json_array_get(ids, i);

		if (json_is_string(id) && json_string_length(id) > 0)
			continue;
		stet_issue(
		    call, stet_printf(call, "%s[%zu]", path, i), "must be the id of an item");
		good = false;
	}
	return good;
}

/* With allowMultiple the stored value is always an array, even if a single id was sent. */
enum stet_status
check_reference(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	bool many = reference_is_many(f), good = true;
	const json_t *ids = value;

	*out = NULL;
	if (json_is_string(value) && json_string_length(value) > 0)
		ids = stet_json_own(call, json_pack("[O]", value));
	else if (!many || !json_is_array(value))
		return REFUSE(
		    call, path, many ? "must be an array of ids" : "must be the id of an item");
	if (json_array_size(ids) > STET_REFERENCES_MAX)
		return REFUSE(call, path, "must have at most %d ids", STET_REFERENCES_MAX);
	if (!are_ids(call, path, ids))
		return STET_OK;
	STET_TRY(check_targets(call, f, path, ids, &good));
	if (good)
		*out = keep(many ? ids : value);
	return STET_OK;
}

/* ---- repeaters ---- */

static bool
is_blank(const json_t *value)
{
	const char *s = json_string_value(value);

	return s != NULL && s[strspn(s, " \t\r\n")] == '\0';
}

/* Checks one member of a row. If the type changes the value, stores it in *row, which is copied
 * before the first change. */
static enum stet_status
check_cell(struct stet_call *call, const json_t *sub, const char *row_path, const json_t *given,
    json_t **row, bool *good)
{
	const char *name = json_string_value(json_object_get(sub, "slug"));
	const struct stet_field field = { .slug = name,
		.type = sub_type(json_string_value(json_object_get(sub, "type"))),
		.validation = sub };
	const json_t *value = name != NULL ? json_object_get(given, name) : NULL;
	bool missing = value == NULL || json_is_null(value);
	const char *path;
	json_t *normal;

	if (field.type == NULL || (missing && !json_is_true(json_object_get(sub, "required"))))
		return STET_OK;
	path = stet_printf(call, "%s.%s", row_path, name);
	if (missing || (is_blank(value) && json_is_true(json_object_get(sub, "required")))) {
		stet_issue(call, path, missing ? "is required" : "must not be blank");
		*good = false;
		return STET_OK;
	}
	STET_TRY(field.type->check(call, &field, path, value, &normal));
	if (normal == NULL)
		*good = false;
	else if (normal == value)
		json_decref(normal);
	else {
		if (*row == NULL)
			*row = json_copy((json_t *)(uintptr_t)given);
		json_object_set_new(*row, name, normal);
	}
	return STET_OK;
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

enum stet_status
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
