/* setting.c - reads the settings of modules. */
#include "site/setting.h"
#include "call/call.h"
#include "call/json.h"
#include "call/shape.h"
#include <stdlib.h>
#include <string.h>

bool
setting_find(const struct loaded *l, const char *name, struct stet_setting_def *out)
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

		if (value != NULL && setting_find(l, name, &def) &&
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
