/* structured.c - field types whose values are choices, blocks or references. */
#include "blocktypes.h"
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
	json_t *changed;
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
	if (!blocks_check_addresses(call, path, value))
		good = false;
	STET_TRY(own_blocks_check(call, path, value, &changed, &good));
	if (good)
		*out = changed != NULL ? json_incref(changed) : keep(value);
	json_decref(changed);
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
