/*
 * plugins - administration of the modules of a site: lists them, enables and disables them, and
 * reads and writes their settings.
 */
#include <stet/mcp.h>
#include <stet/module.h>
#include <string.h>

/* ---- the record of a module ---- */

static const char *const point_names[] = {
#define STET_HOOK(name, phase, params, args) #name,
#include <stet/hooks.def>
#undef STET_HOOK
};

static const struct stet_member tool_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "As a tool client sees it" },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "route", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "permission", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "destructive", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member suspended_shape[] = {
	{ "since", STET_TIME, STET_REQUIRED },
	{ "reason", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member plugin_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Name of the module, and of its file" },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "version", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "source", STET_STRING, STET_REQUIRED, STET_CHOICES("bundled", "plugin") },
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ "status", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("active", "inactive", "refused", "suspended") },
	{ "reason", STET_STRING,
	    .about = "Why it is refused or suspended, or that its migrations failed" },
	{ "suspended", STET_OBJECT, .of = suspended_shape,
	    .about = "The server died while it ran, too often; enabling it ends this" },
	{ "required", STET_BOOLEAN, STET_REQUIRED, .about = "It cannot be disabled" },
	{ "needs", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Modules that must be enabled with it" },
	{ "hooks", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "routes", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "tools", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "permissions", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Permissions that it declares" },
	{ "capabilities", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "What it asks for beyond its own tables, by its own word" },
	{ "pages", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Pages that it adds to the admin pages" },
	{ "fieldWidgets", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Controls that it offers for fields, as a field names them" },
	{ "hasHooks", STET_BOOLEAN, STET_REQUIRED },
	{ "hasSettings", STET_BOOLEAN, STET_REQUIRED },
	{ "mcpToolsEnabled", STET_BOOLEAN, STET_REQUIRED },
	{ "mcpTools", STET_ARRAY, STET_REQUIRED, .of = tool_shape },
	{ "installedAt", STET_TIME },
	{ "activatedAt", STET_TIME },
	{ "deactivatedAt", STET_TIME },
	{ 0 },
};

static struct stet_op
op_at(const struct stet_module *m, uint32_t i)
{
	struct stet_op row;

	stet_table_row(&m->ops, i, &row, sizeof(row));
	return row;
}

static const char *
tool_name(struct stet_call *call, const struct stet_module_info *info, const struct stet_op *op)
{
	if (info->bundled)
		return op->name;
	return stet_printf(call, "%s__%s", info->module->name, op->name);
}

/* The route as clients request it, below the root of the API. */
static const char *
route_text(struct stet_call *call, const struct stet_module_info *info, const struct stet_op *op)
{
	const char *path = strchr(op->route, '/');

	if (info->bundled)
		return op->route;
	return stet_printf(call, "%.*s/plugins/%s%s", (int)(path - op->route), op->route,
	    info->module->name, path[1] != '\0' ? path : "");
}

static void
put_hooks(struct stet_json *out, const struct stet_module *m)
{
	bool seen[STET_HOOK_POINTS] = { false };

	stet_array(out, "hooks");
	for (uint32_t i = 0; i < m->hooks.count; i++) {
		struct stet_hook row;

		stet_table_row(&m->hooks, i, &row, sizeof(row));
		if (row.at >= STET_HOOK_POINTS || seen[row.at])
			continue;
		seen[row.at] = true;
		stet_put_str(out, NULL, point_names[row.at]);
	}
	stet_close(out);
}

static void
put_ops(struct stet_call *call, struct stet_json *out, const struct stet_module_info *info)
{
	const struct stet_module *m = info->module;

	stet_array(out, "routes");
	for (uint32_t i = 0; i < m->ops.count; i++) {
		struct stet_op op = op_at(m, i);

		if (op.route != NULL)
			stet_put_str(out, NULL, route_text(call, info, &op));
	}
	stet_close(out);
	stet_array(out, "tools");
	for (uint32_t i = 0; i < m->ops.count; i++) {
		struct stet_op op = op_at(m, i);

		if ((op.flags & STET_TOOL) != 0)
			stet_put_str(out, NULL, tool_name(call, info, &op));
	}
	stet_close(out);
}

static void
put_tools(struct stet_call *call, struct stet_json *out, const struct stet_module_info *info)
{
	stet_array(out, "mcpTools");
	for (uint32_t i = 0; i < info->module->ops.count; i++) {
		struct stet_op op = op_at(info->module, i);

		if ((op.flags & STET_TOOL) == 0)
			continue;
		stet_object(out, NULL);
		stet_put_str(out, "name", tool_name(call, info, &op));
		stet_put_str(out, "description", op.about);
		stet_put_str(out, "route", op.route != NULL ? route_text(call, info, &op) : NULL);
		stet_put_str(out, "permission", op.permission);
		stet_put_bool(out, "destructive", (op.flags & STET_DESTRUCTIVE) != 0);
		stet_close(out);
	}
	stet_close(out);
}

static void
put_names(struct stet_json *out, const struct stet_module *m)
{
	stet_array(out, "needs");
	for (size_t i = 0; m->needs != NULL && m->needs[i] != NULL; i++)
		stet_put_str(out, NULL, m->needs[i]);
	stet_close(out);
	stet_array(out, "permissions");
	for (uint32_t i = 0; i < m->permissions.count; i++) {
		struct stet_permission row;

		stet_table_row(&m->permissions, i, &row, sizeof(row));
		stet_put_str(out, NULL, row.name);
	}
	stet_close(out);
	stet_array(out, "capabilities");
	for (uint32_t i = 0; i < m->capabilities.count; i++) {
		struct stet_capability row;

		stet_table_row(&m->capabilities, i, &row, sizeof(row));
		stet_put_str(out, NULL, row.name);
	}
	stet_close(out);
}

static void
put_pages(struct stet_call *call, struct stet_json *out, const struct stet_module *m)
{
	stet_array(out, "pages");
	for (uint32_t i = 0; i < m->admin_pages.count; i++) {
		struct stet_admin_page row;

		stet_table_row(&m->admin_pages, i, &row, sizeof(row));
		stet_put_str(out, NULL, row.title);
	}
	stet_close(out);
	stet_array(out, "fieldWidgets");
	for (uint32_t i = 0; i < m->field_widgets.count; i++) {
		struct stet_field_widget row;

		stet_table_row(&m->field_widgets, i, &row, sizeof(row));
		stet_put_str(out, NULL, stet_printf(call, "%s:%s", m->name, row.name));
	}
	stet_close(out);
}

static void
put_times(struct stet_json *out, const struct stet_module_info *info)
{
	if (info->installed_at != NULL)
		stet_put_str(out, "installedAt", info->installed_at);
	if (info->activated_at != NULL)
		stet_put_str(out, "activatedAt", info->activated_at);
	if (info->deactivated_at != NULL)
		stet_put_str(out, "deactivatedAt", info->deactivated_at);
}

static bool
is_among(const char *name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

/* Finds the plugins whose tools assistants may use, besides the tools of bundled modules. */
static enum stet_status
find_with_tools(struct stet_call *call, const struct stet_module_info *const *info, size_t count,
    const char *const **out)
{
	static const char *const none[] = { NULL };
	const struct stet_mcp_1 *mcp = stet_service(call, STET_MCP_1);

	*out = none;
	while (count > 0 && (*info)->bundled)
		info++, count--;
	return mcp != NULL && count > 0 ? mcp->plugins(call, out) : STET_OK;
}

static void
put_status(struct stet_json *out, const struct stet_module_info *info)
{
	stet_put_str(out, "status",
	    info->suspended_at != NULL ? "suspended"
	    : info->refused != NULL    ? "refused"
	    : info->enabled            ? "active"
				       : "inactive");
	if (info->refused != NULL)
		stet_put_str(out, "reason", info->refused);
	if (info->suspended_at == NULL)
		return;
	stet_object(out, "suspended");
	stet_put_str(out, "since", info->suspended_at);
	stet_put_str(out, "reason", info->refused);
	stet_close(out);
}

static void
put_plugin(struct stet_call *call, struct stet_json *out, const char *key,
    const struct stet_module_info *info, const char *const *with_tools)
{
	const struct stet_module *m = info->module;
	bool works = info->enabled && info->refused == NULL,
	     tools = info->bundled || is_among(m->name, with_tools);

	stet_object(out, key);
	stet_put_str(out, "id", m->name);
	stet_put_str(out, "name", m->name);
	stet_put_str(out, "version", m->version);
	stet_put_str(out, "description", m->summary);
	stet_put_str(out, "source", info->bundled ? "bundled" : "plugin");
	stet_put_bool(out, "enabled", info->enabled);
	put_status(out, info);
	stet_put_bool(out, "required", info->essential);
	put_names(out, m);
	put_pages(call, out, m);
	put_hooks(out, m);
	put_ops(call, out, info);
	stet_put_bool(out, "hasHooks", m->hooks.count > 0);
	stet_put_bool(out, "hasSettings", m->settings.count > 0);
	/* A plugin's tools wait until an administrator turns them on; those of bundled modules
	 * are always there. */
	stet_put_bool(out, "mcpToolsEnabled", tools && works);
	put_tools(call, out, info);
	put_times(out, info);
	stet_close(out);
}

/* ---- reading ---- */

static enum stet_status
plugin_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_module_info *const *all;
	const char *const *with_tools;
	size_t count;

	STET_TRY(stet_modules(call, &all, &count));
	STET_TRY(find_with_tools(call, all, count, &with_tools));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < count; i++)
		put_plugin(call, out, NULL, all[i], with_tools);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
plugin_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_module_info *info;
	const char *const *with_tools;

	STET_TRY(stet_module_find(call, stet_arg(call, "id"), &info));
	STET_TRY(find_with_tools(call, &info, 1, &with_tools));
	stet_object(out, NULL);
	put_plugin(call, out, "item", info, with_tools);
	stet_close(out);
	return STET_OK;
}

/* ---- enabling and disabling ---- */

static enum stet_status
plugin_enable(struct stet_call *call)
{
	STET_TRY(stet_module_enable(call, stet_write_tx(call), stet_arg(call, "id"), true));
	return plugin_get(call);
}

static enum stet_status
disable(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	STET_TRY(stet_module_enable(call, tx, stet_arg(call, "id"), false));
	return plugin_get(call);
}

/* If the site accepts no writes, this module may be why, or not the only one. */
static enum stet_status
plugin_disable(struct stet_call *call)
{
	bool writable;

	if (stet_writing(call))
		return disable(call, stet_write_tx(call), NULL);
	STET_TRY(stet_module_leave(call, stet_arg(call, "id"), &writable));
	return writable ? stet_write_lane(call, disable, NULL) : plugin_get(call);
}

/* The core invokes it once for each suspension, so that the audit log has a record of it. */
static enum stet_status
plugin_suspended(struct stet_call *call)
{
	const struct stet_module_info *info;

	STET_TRY(stet_module_find(call, stet_arg(call, "id"), &info));
	if (info->suspended_at == NULL)
		return stet_fail(call, STET_CONFLICT, NULL, "The plugin %s is not suspended",
		    info->module->name);
	return plugin_get(call);
}

/* ---- settings ---- */

/* Writes {schema, values}: a JSON Schema of an object with a member for each setting, and the
 * values. */
static enum stet_status
put_settings(struct stet_call *call, const struct stet_module_info *info)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_table *table = &info->module->settings;
	struct stet_member *shape = stet_alloc(call, (table->count + 1) * sizeof(*shape));
	json_t *values;

	STET_TRY(stet_settings_get(call, info->module->name, &values));
	for (uint32_t i = 0; i < table->count; i++) {
		struct stet_setting_def row;

		stet_table_row(table, i, &row, sizeof(row));
		shape[i] = row.member;
	}
	stet_object(out, NULL);
	stet_put_schema(out, "schema", shape);
	stet_put_json(out, "values", values);
	stet_close(out);
	return STET_OK;
}

/* Finds a module that is loaded: a file that was refused has no settings. */
static enum stet_status
find_loaded(struct stet_call *call, const struct stet_module_info **out)
{
	const char *id = stet_arg(call, "id");

	STET_TRY(stet_module_find(call, id, out));
	if ((*out)->module->size == 0)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "The plugin %s is refused: %s", id, (*out)->refused);
	return STET_OK;
}

static enum stet_status
plugin_settings_get(struct stet_call *call)
{
	const struct stet_module_info *info;

	STET_TRY(find_loaded(call, &info));
	return put_settings(call, info);
}

static enum stet_status
plugin_settings_put(struct stet_call *call)
{
	const struct stet_module_info *info;

	STET_TRY(find_loaded(call, &info));
	STET_TRY(stet_settings_put(
	    call, stet_write_tx(call), info->module->name, stet_arg_json(call, "values")));
	return put_settings(call, info);
}

/* ---- tables ---- */

static const struct stet_member by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Name of the plugin" },
	{ 0 },
};
static const struct stet_member settings_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Name of the plugin" },
	{ "values", STET_OBJECT, STET_REQUIRED,
	    .about = "New values by name; null takes a value back. The rest stays" },
	{ 0 },
};
static const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = plugin_shape },
	{ 0 },
};
static const struct stet_member item_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = plugin_shape },
	{ 0 },
};
static const struct stet_member settings_out[] = {
	{ "schema", STET_OBJECT, STET_REQUIRED, .about = "JSON Schema of the values" },
	{ "values", STET_OBJECT, STET_REQUIRED,
	    .about = "What is set, else the fallback, else null" },
	{ 0 },
};

static const struct stet_op ops[] = {
	{ "plugin_list", "List Plugins",
	    .about = "All modules and plugins that are there, and whether this site uses them.",
	    .route = "GET /admin/plugins", .lane = STET_READ, .permission = "plugins:read",
	    .scope = "admin", .out = list_out, .run = plugin_list, .fault = "PLUGIN_LIST_ERROR" },
	{ "plugin_get", "Get Plugin", .about = "One module or plugin.",
	    .route = "GET /admin/plugins/:id", .lane = STET_READ, .permission = "plugins:read",
	    .scope = "admin", .in = by_id, .out = item_out, .run = plugin_get,
	    .fault = "PLUGIN_GET_ERROR" },
	{ "plugin_enable", "Enable Plugin",
	    .about = "Use a plugin on this site. It serves the requests that come after.",
	    .route = "POST /admin/plugins/:id/enable", .flags = STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "plugins:manage", .scope = "admin", .in = by_id, .out = item_out,
	    .run = plugin_enable, .fault = "PLUGIN_ENABLE_ERROR" },
	{ "plugin_disable", "Disable Plugin",
	    .about = "Stop using a plugin on this site. What it stored stays. Works although the"
		     " plugin's failed migration keeps the site from writing.",
	    .route = "POST /admin/plugins/:id/disable", .flags = STET_IDEMPOTENT,
	    .more = STET_MORE_MENDS, .lane = STET_WRITE, .permission = "plugins:manage",
	    .scope = "admin", .in = by_id, .out = item_out, .run = plugin_disable,
	    .fault = "PLUGIN_DISABLE_ERROR" },
	{ "plugin_suspended", "Record a Suspension",
	    .about = "Put on record that the server has suspended a plugin.",
	    .flags = STET_IDEMPOTENT, .lane = STET_WRITE, .permission = "plugins:manage",
	    .scope = "admin", .in = by_id, .out = item_out, .run = plugin_suspended,
	    .fault = "PLUGIN_DISABLE_ERROR" },
	{ "plugin_settings_get", "Get Plugin Settings",
	    .about = "What can be set for a plugin on this site, and what is.",
	    .route = "GET /admin/plugins/:id/settings", .lane = STET_READ,
	    .permission = "plugins:manage", .scope = "admin", .in = by_id, .out = settings_out,
	    .run = plugin_settings_get, .fault = "PLUGIN_SETTINGS_READ_ERROR" },
	{ "plugin_settings_put", "Set Plugin Settings",
	    .about = "Set some of a plugin's settings: all of the given ones, or none.",
	    .route = "PUT /admin/plugins/:id/settings", .flags = STET_IDEMPOTENT,
	    .lane = STET_WRITE, .permission = "plugins:manage", .scope = "admin", .in = settings_in,
	    .out = settings_out, .run = plugin_settings_put,
	    .fault = "PLUGIN_SETTINGS_UPDATE_ERROR" },
};

static const struct stet_command commands[] = {
	{ "module list", "plugin_list",
	    .print = "id version source enabled status capabilities description",
	    .about = "List modules and plugins." },
	{ "module enable", "plugin_enable", .operands = "id",
	    .about = "Use a module or plugin on this site." },
	{ "module disable", "plugin_disable", .operands = "id",
	    .about = "Stop using a module or plugin on this site." },
};

static const char *const needs[] = { "auth", NULL };

static const struct stet_permission permissions[] = {
	{ "plugins:read", 40 },
	{ "plugins:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "PLUGIN_LIST_ERROR", 500, "Failed to list plugins" },
	{ "PLUGIN_GET_ERROR", 500, "Failed to read the plugin" },
	{ "PLUGIN_ENABLE_ERROR", 500, "Failed to enable the plugin" },
	{ "PLUGIN_DISABLE_ERROR", 500, "Failed to disable the plugin" },
	{ "PLUGIN_SETTINGS_READ_ERROR", 500, "Failed to read plugin settings" },
	{ "PLUGIN_SETTINGS_UPDATE_ERROR", 500, "Failed to store plugin settings" },
};

STET_MODULE(plugins) = {
	STET_MODULE_HEAD(plugins),
	.version = "1.0",
	.summary = "Modules and plugins: list, enable, disable, settings",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.commands = STET_TABLE(commands),
	.statuses = STET_TABLE(statuses),
};
