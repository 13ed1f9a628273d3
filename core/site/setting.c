/* setting.c - settings of modules, made by an administrator of the site. */
#include "site/setting.h"
#include "call/call.h"
#include "call/json.h"
#include "call/shape.h"
#include "module/module.h"
#include "site/compile.h"
#include "site/enabled.h"
#include <stdlib.h>
#include <string.h>

static bool
find_setting(const struct loaded *l, const char *name, struct stet_setting_def *out)
{
	for (uint32_t i = 0; i < l->m.settings.count; i++) {
		stet_table_row(&l->m.settings, i, out, sizeof(*out));
		if (strcmp(out->member.name, name) == 0)
			return true;
	}
	return false;
}

/* Returns true if the value is valid; leaves the call's error unchanged. */
static bool
fits(struct stet_call *call, const struct stet_member *m, const json_t *value)
{
	__typeof__(call->error) error = call->error;
	bool good;

	memset(&call->error, 0, sizeof(call->error));
	shape_check(call, m, m->name, value);
	good = call->error.issues == NULL;
	call->error = error;
	return good;
}

static json_t *
parse(const char *text, size_t len)
{
	const char *why;
	size_t position;

	return json_parse(text, len, &why, &position);
}

static json_t *
fallbacks(const struct loaded *l)
{
	json_t *all = json_object();

	for (uint32_t i = 0; i < l->m.settings.count; i++) {
		struct stet_setting_def def;
		json_t *value = NULL;

		stet_table_row(&l->m.settings, i, &def, sizeof(def));
		if (def.member.fallback != NULL)
			value = parse(def.member.fallback, strlen(def.member.fallback));
		if (json_object_set_new(
			all, def.member.name, value != NULL ? value : json_null()) != 0)
			abort();
	}
	return all;
}

/* A stored value that the module no longer accepts after an upgrade is ignored until it is set
 * again. */
enum stet_status
setting_read(struct stet_call *call, const struct loaded *l, json_t **out)
{
	struct stet_rows rows;

	*out = fallbacks(l);
	STET_TRY(stet_query(call, &rows, "SELECT name, value FROM module_setting WHERE module = ?1",
	    STET_ARGS(l->m.name)));
	while (stet_row(&rows)) {
		struct stet_setting_def def;
		const char *name = stet_col_str(&rows, 0);
		size_t len = 0;
		const char *text = stet_col_text(&rows, 1, &len);
		json_t *value = text != NULL ? parse(text, len) : NULL;

		if (value != NULL && find_setting(l, name, &def) &&
		    fits(call, &def.member, value)) {
			if (json_object_set_new(*out, name, value) != 0)
				abort();
			continue;
		}
		stet_log(call, STET_WARN, "module %s: the stored setting %s is not used", l->m.name,
		    name);
		json_decref(value);
	}
	return stet_rows_end(&rows);
}

const json_t *
stet_setting(struct stet_call *call, const char *name)
{
	const json_t *all = call->owner != NULL && call->gen != NULL
				? call->gen->setting[call->owner->index]
				: NULL;
	const json_t *value = json_object_get(all, name);

	return json_is_null(value) ? NULL : value;
}

const char *
stet_setting_str(struct stet_call *call, const char *name)
{
	return json_string_value(stet_setting(call, name));
}

static enum stet_status
find_module(struct stet_call *call, const char *name, const struct loaded **out)
{
	*out = modules_find(name);
	if (*out == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Plugin not found: %s", name);
	return STET_OK;
}

enum stet_status
stet_settings_get(struct stet_call *call, const char *module, json_t **out)
{
	const struct loaded *l;
	enum stet_status status;

	STET_TRY(find_module(call, module, &l));
	status = setting_read(call, l, out);
	stet_json_own(call, *out);
	return status;
}

static enum stet_status
check_values(struct stet_call *call, const struct loaded *l, json_t *values)
{
	struct stet_setting_def def;
	const char *name;
	json_t *value;

	json_object_foreach(values, name, value)
	{
		if (!find_setting(l, name, &def))
			stet_issue(call, name, "The module has no such setting");
		else if (!json_is_null(value))
			shape_check(call, &def.member, name, value);
	}
	return stet_issues(call);
}

static enum stet_status
put_value(struct stet_call *call, struct stet_tx *tx, const struct loaded *l, const char *name,
    const json_t *value)
{
	char *text;
	enum stet_status status;

	if (json_is_null(value))
		return stet_exec(call, tx,
		    "DELETE FROM module_setting WHERE module = ?1 AND name = ?2",
		    STET_ARGS(l->m.name, name));
	if ((text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)) == NULL)
		return stet_fault(call, "setting %s cannot be written as JSON", name);
	status = stet_exec(call, tx,
	    "INSERT INTO module_setting (module, name, value) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (module, name) DO UPDATE SET value = excluded.value",
	    STET_ARGS(l->m.name, name, text));
	free(text);
	return status;
}

enum stet_status
stet_settings_put(
    struct stet_call *call, struct stet_tx *tx, const char *module, const json_t *given)
{
	json_t *values = (json_t *)(uintptr_t)given, *value;
	const struct loaded *l;
	const char *name;

	STET_TRY(find_module(call, module, &l));
	if (!json_is_object(values))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "", "The settings must be a JSON object");
	STET_TRY(check_values(call, l, values));
	json_object_foreach(values, name, value)
	{
		STET_TRY(put_value(call, tx, l, name, value));
	}
	compile_later(call);
	return stet_run_media_holder_changed(call, tx, "module_setting", NULL);
}
