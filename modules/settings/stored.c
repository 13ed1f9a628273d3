/* stored.c - settings in the database: a row for each, with its value as JSON text. */
#include "settings.h"
#include <stdlib.h>
#include <stet/changes.h>
#include <string.h>

enum stet_status
stored_read(struct stet_call *call, const json_t **out)
{
	json_t *all = stet_json_own(call, json_object());
	struct stet_rows rows;

	*out = all;
	STET_TRY(stet_query(
	    call, &rows, "SELECT name, value FROM site_setting ORDER BY name", STET_NO_ARGS));
	while (stet_row(&rows)) {
		size_t len;
		const char *text = stet_col_text(&rows, 1, &len);
		json_t *value = json_loadb(text, len, JSON_DECODE_ANY, NULL);

		if (value == NULL || json_object_set_new(all, stet_col_str(&rows, 0), value) != 0)
			return stet_fault(
			    call, "the setting %s is not JSON", stet_col_str(&rows, 0));
	}
	return stet_rows_end(&rows);
}

static bool
is_empty(const json_t *value)
{
	return json_is_string(value) ? json_string_length(value) == 0
				     : json_is_object(value) && json_object_size(value) == 0;
}

static bool
is_media(const char *name)
{
	for (const char *const *m = settings_media; *m != NULL; m++)
		if (strcmp(*m, name) == 0)
			return true;
	return false;
}

/* The part of a value that is stored: without empty members, and of a media reference only the
 * id and alt. A new reference. */
static json_t *
trimmed(const char *name, const json_t *value)
{
	json_t *in = (json_t *)(uintptr_t)value, *out, *member, *kept;
	const char *key;

	if (!json_is_object(value))
		return json_incref(in);
	out = json_object();
	if (is_media(name) && is_empty(json_object_get(value, "mediaId")))
		return out;
	json_object_foreach(in, key, member)
	{
		if (is_media(name) && strcmp(key, "mediaId") != 0 && strcmp(key, "alt") != 0)
			continue;
		kept = trimmed(key, member);
		if (is_empty(kept))
			json_decref(kept);
		else if (json_object_set_new(out, key, kept) != 0)
			abort();
	}
	return out;
}

static enum stet_status
write_one(struct stet_call *call, struct stet_tx *tx, const char *name, const json_t *value)
{
	char *text;
	enum stet_status status;

	if (is_empty(value))
		return stet_exec(
		    call, tx, "DELETE FROM site_setting WHERE name = ?1", STET_ARGS(name));
	if ((text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)) == NULL)
		return stet_fault(call, "the setting %s cannot be written as JSON", name);
	status = stet_exec(call, tx,
	    "INSERT INTO site_setting (name, value) VALUES (?1, ?2)"
	    " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
	    STET_ARGS(name, text));
	free(text);
	return status;
}

enum stet_status
stored_write(struct stet_call *call, struct stet_tx *tx, const json_t *values)
{
	json_t *all = (json_t *)(uintptr_t)values, *value;
	const char *name;

	json_object_foreach(all, name, value)
	{
		STET_TRY(write_one(call, tx, name, stet_json_own(call, trimmed(name, value))));
		STET_TRY(stet_run_media_holder_changed(call, tx, "site_setting", name));
	}
	return json_object_size(values) > 0 ? stet_note(call, tx, "settings", NULL, "update")
					    : STET_OK;
}
