/* settingstore.c - shows and stores settings of modules for an administrator of the site. */
#include "call/call.h"
#include "call/shape.h"
#include "module/module.h"
#include "site/compile.h"
#include "site/setting.h"
#include <stdlib.h>

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
		if (!setting_find(l, name, &def))
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
	STET_TRY(compile_later(call, tx));
	return stet_run_media_holder_changed(call, tx, "module_setting", NULL);
}
