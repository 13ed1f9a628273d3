/*
 * surface.c - which plugins' tools assistants may use. A plugin's tools are off until an
 * administrator turns them on. A digest of their definitions is stored then; if the plugin changes
 * them, they are off until an administrator turns them on again.
 */
#include "mcp.h"
#include <sodium.h>
#include <string.h>

#define DIGEST_BYTES 32
#define DIGEST_SIZE (2 * DIGEST_BYTES + 1)

const struct stet_migration mcp_migrations[MCP_MIGRATIONS] = {
	{ 1, "tools of plugins",
	    "CREATE TABLE mcp_surface ("
	    " plugin TEXT NOT NULL PRIMARY KEY,"
	    " digest TEXT NOT NULL," /* hex; of the tools' definitions when turned on */
	    " enabled_at TEXT NOT NULL)" },
	{ 2, "house rules",
	    "CREATE TABLE mcp_guide ("
	    " id TEXT NOT NULL PRIMARY KEY," /* there is one row (guide.c) */
	    " text TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL)",
	    .flags = STET_ADDITIVE },
};

/* Prompts are offered as tools are. A tool without a permission (anybody may run it, or anybody who
 * is signed in) is not offered: it gives an administrator nothing to judge it by. */
static bool
is_offered(const struct stet_op_info *tool)
{
	return !tool->bundled && ((tool->op->flags & STET_TOOL) != 0 || prompt_is(tool)) &&
	       (tool->op->flags & STET_PUBLIC) == 0 && tool->op->permission != NULL;
}

static bool
is_destructive(const struct stet_op_info *tool)
{
	return (tool->op->flags & STET_DESTRUCTIVE) != 0;
}

const char *
surface_route(struct stet_call *call, const struct stet_op_info *tool)
{
	const char *route = tool->op->route, *path = route != NULL ? strchr(route, '/') : NULL;

	if (path == NULL)
		return NULL;
	return stet_printf(call, "%.*s/plugins/%s%s", (int)(path - route), route, tool->module,
	    path[1] != '\0' ? path : "");
}

static void
put_tool(struct stet_call *call, struct stet_json *out, const struct stet_op_info *tool)
{
	stet_object(out, NULL);
	stet_put_str(out, "pluginId", tool->module);
	stet_put_str(out, "name", tool->name);
	stet_put_str(out, "description", tool->op->about);
	stet_put_str(out, "route", surface_route(call, tool));
	stet_put_str(out, "permission", tool->op->permission);
	stet_put_bool(out, "destructive", is_destructive(tool));
	stet_close(out);
}

/* ---- the digest ---- */

/* Digests the definitions of all tools of a plugin, by name. Returns false if it has none. */
static bool
digest(struct stet_call *call, const char *plugin, char hex[DIGEST_SIZE])
{
	unsigned char sum[DIGEST_BYTES];
	struct stet_json *all = stet_json_new(call);
	const struct stet_op_info *const *op;
	size_t count = stet_ops(call, &op), len;
	const char *text;
	bool any = false;

	stet_array(all, NULL);
	for (size_t i = 0; i < count; i++) {
		if (!is_offered(op[i]) || strcmp(op[i]->module, plugin) != 0)
			continue;
		any = true;
		put_tool(call, all, op[i]);
		stet_object(all, NULL);
		stet_put_schema(all, "in", op[i]->op->in);
		stet_put_schema(all, "out", op[i]->op->out);
		stet_close(all);
	}
	stet_close(all);
	text = stet_json_text(all, &len);
	crypto_generichash(sum, sizeof(sum), (const unsigned char *)text, len, NULL, 0);
	sodium_bin2hex(hex, DIGEST_SIZE, sum, sizeof(sum));
	return any;
}

static bool
is_same(struct stet_call *call, const char *plugin, const char *kept)
{
	char now[DIGEST_SIZE];

	return digest(call, plugin, now) && strcmp(now, kept) == 0;
}

/* ---- plugins whose tools are on ---- */

enum stet_status
surface_plugins(struct stet_call *call, const char *const **out)
{
	size_t count = 0, room = 8;
	const char **plugin = stet_alloc(call, room * sizeof(char *));
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT plugin, digest FROM mcp_surface", STET_NO_ARGS));
	while (stet_row(&rows)) {
		if (!is_same(call, stet_col_str(&rows, 0), stet_col_str(&rows, 1)))
			continue;
		if (count + 1 == room) {
			const char **more = stet_alloc(call, 2 * room * sizeof(char *));

			memcpy(more, plugin, count * sizeof(char *));
			plugin = more;
			room *= 2;
		}
		plugin[count++] = stet_strdup(call, stet_col_str(&rows, 0));
	}
	*out = plugin;
	return stet_rows_end(&rows);
}

bool
surface_holds(const char *const *plugins, const struct stet_op_info *tool)
{
	if (tool->bundled)
		return true;
	for (; is_offered(tool) && *plugins != NULL; plugins++)
		if (strcmp(*plugins, tool->module) == 0)
			return true;
	return false;
}

enum stet_status
surface_shows(struct stet_call *call, const struct stet_op_info *tool, bool *out)
{
	struct stet_rows rows;

	*out = tool->bundled;
	if (tool->bundled || !is_offered(tool))
		return STET_OK;
	STET_TRY(stet_query(call, &rows, "SELECT digest FROM mcp_surface WHERE plugin = ?1",
	    STET_ARGS(tool->module)));
	if (stet_row(&rows))
		*out = is_same(call, tool->module, stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

/* ---- turning them on and off ---- */

const struct stet_member surface_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Name of the plugin" },
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member tool_shape[] = {
	{ "pluginId", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED, .about = "As a tool client sees it" },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "route", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "permission", STET_STRING, STET_REQUIRED },
	{ "destructive", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
const struct stet_member surface_out[] = {
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ "tools", STET_ARRAY, STET_REQUIRED, .of = tool_shape },
	{ 0 },
};

static bool
has_tools(const struct stet_module_info *info)
{
	for (uint32_t i = 0; !info->bundled && i < info->module->ops.count; i++) {
		struct stet_op row;

		stet_table_row(&info->module->ops, i, &row, sizeof(row));
		if ((row.flags & STET_TOOL) != 0 && (row.flags & STET_PUBLIC) == 0 &&
		    row.permission != NULL)
			return true;
	}
	return false;
}

static enum stet_status
turn_on(struct stet_call *call, const struct stet_module_info *info)
{
	const char *plugin = info->module->name;
	char hex[DIGEST_SIZE];

	if (!digest(call, plugin, hex))
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The plugin %s is not enabled: enable it first", plugin);
	return stet_exec(call, stet_write_tx(call),
	    "INSERT INTO mcp_surface (plugin, digest, enabled_at) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (plugin) DO UPDATE SET digest = excluded.digest,"
	    " enabled_at = excluded.enabled_at",
	    STET_ARGS(plugin, (const char *)hex, stet_time_text(call, stet_now(call))));
}

enum stet_status
surface_put(struct stet_call *call)
{
	const struct stet_module_info *info = NULL;
	const struct stet_op_info *const *op;
	size_t count = stet_ops(call, &op);
	struct stet_json *out = stet_reply(call);
	bool on = stet_arg_bool(call, "enabled");

	STET_TRY(stet_module_find(call, stet_arg(call, "id"), &info));
	if (!has_tools(info))
		return stet_fail(call, stet_code(call, "NO_MCP_TOOLS"), NULL,
		    "Plugin does not declare MCP tools");
	if (on)
		STET_TRY(turn_on(call, info));
	else
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "DELETE FROM mcp_surface WHERE plugin = ?1", STET_ARGS(info->module->name)));
	stet_object(out, NULL);
	stet_put_bool(out, "enabled", on);
	stet_array(out, "tools");
	for (size_t i = 0; i < count; i++)
		if (is_offered(op[i]) && strcmp(op[i]->module, info->module->name) == 0)
			put_tool(call, out, op[i]);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}
