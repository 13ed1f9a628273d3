/*
 * mcp.c - the tool server for AI assistants (Model Context Protocol): the table of its routes.
 *
 * A POST goes through these files: transport.c reads it, rpc.c parses the JSON-RPC messages,
 * era.c finds the protocol's revision, tools.c lists tools, invoke.c runs one.
 */
#include "mcp.h"
#include <stet/mcp.h>
#include <stet/prompt.h>

static const struct stet_member post_in[] = {
	{ "tools", STET_STRING, STET_QUERY,
	    .about = "compact: tools to find, describe and call the others, in place of them; "
		     "omitted: as the token says (mcp:compact)",
	    STET_CHOICES("all", "compact") },
	{ 0 },
};

/* clang-format off */
#define PROMPT .lane = STET_READ, .permission = "guide:read", .scope = "content:read", \
	.more = STET_MORE_PROMPT | STET_MORE_COLLECTIONS, .out = prompt_out, .run = prompt_run
/* clang-format on */

static const struct stet_op ops[] = {
	{ "mcp_post", "Tool Server",
	    .about = "The Model Context Protocol: JSON-RPC messages, answered one by one.",
	    .route = "POST /mcp",
	    .flags = STET_RAW | STET_ANY_SCOPE | STET_ANY_QUERY | STET_UNTOLD | STET_RERUN,
	    .lane = STET_SLOW, .in = post_in, .run = mcp_post, .choose = mcp_choose,
	    .refuse = mcp_refuse, .answers = "application/json text/event-stream" },
	{ "mcp_get", "No Event Stream", .about = "There are no streams: 405.", .route = "GET /mcp",
	    .flags = STET_PUBLIC, .lane = STET_READ, .run = mcp_not_allowed, .refuse = mcp_refuse,
	    .answers = "application/json" },
	{ "mcp_delete", "No Session", .about = "There are no sessions: 405.",
	    .route = "DELETE /mcp", .flags = STET_PUBLIC, .lane = STET_READ, .run = mcp_not_allowed,
	    .refuse = mcp_refuse, .answers = "application/json" },
	{ "plugin_mcp_put", "Enable Tools of Plugin",
	    .about =
		"Let assistants use the tools of a plugin, or no longer. They are off at first, and "
		"again when the plugin changes them.",
	    .route = "PUT /admin/plugins/:id/mcp", .flags = STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "plugins:manage", .scope = "admin", .in = surface_in, .out = surface_out,
	    .run = surface_put, .fault = "PLUGIN_SETTINGS_UPDATE_ERROR" },
	{ "guide_get", "Get House Rules",
	    .about = "What editors want assistants to know: tone, words, how pictures are named.",
	    .route = "GET /guide", .lane = STET_READ, .permission = "guide:read",
	    .scope = "content:read", .more = STET_MORE_COLLECTIONS, .out = guide_out,
	    .run = guide_get },
	{ "guide_put", "Set House Rules",
	    .about = "Write what assistants are told with the instructions of the tool server.",
	    .route = "PUT /guide", .flags = STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "guide:write", .scope = "admin", .in = guide_in, .out = guide_out,
	    .run = guide_put },
	{ "new_article", "New Article",
	    .about = "Write a draft on a topic, in the tone of the site.", PROMPT,
	    .in = prompt_article_in },
	{ "weekly_review", "Weekly Review",
	    .about = "What waits, what is missing, and what to do first.", PROMPT,
	    .in = prompt_none_in },
	{ "alt_texts", "Alt Texts", .about = "Write alt texts for images that have none.", PROMPT,
	    .in = prompt_none_in },
	{ "tools_search", "Find Tools",
	    .about = "Tools for a task, the best first. Then read one with tools_describe.",
	    .flags = STET_ANY_SCOPE, .lane = STET_READ, .in = compact_search_in,
	    .out = compact_search_out, .run = compact_search },
	{ "tools_describe", "Describe Tool",
	    .about = "The arguments and the result of one tool, for tools_call.",
	    .flags = STET_ANY_SCOPE, .lane = STET_READ, .in = compact_describe_in,
	    .out = compact_describe_out, .run = compact_describe },
};

static const struct stet_setting_def settings[] = {
	{ { MCP_CALLS, STET_INTEGER, STET_RANGE(0, 1000000), .fallback = "600",
	    .about = "Tool calls of a token each minute; 0: any number" } },
};

static const struct stet_mcp_1 service = { surface_plugins, invoke_code };
static const struct stet_service_def services[] = { STET_SERVICE(STET_MCP_1, service) };
static const char *const needs[] = { "auth", NULL };

static const struct stet_status_def statuses[] = {
	{ "NO_MCP_TOOLS", 400, "The plugin declares no tools" },
	{ "INSUFFICIENT_PERMISSIONS", 403, "Insufficient permissions for this operation" },
};

static const struct stet_permission permissions[] = {
	{ "guide:read", 20 },
	{ "guide:write", 40 },
};

static const struct stet_metric metrics[] = {
	{ "tool_lists_total",
	    "Lists of tools that were made; others are given as they were kept." },
};

STET_MODULE(mcp) = {
	STET_MODULE_HEAD(mcp),
	.version = "1.0",
	.summary = "The tool server for assistants (MCP)",
	.license = "MIT",
	.needs = needs,
	.state_size = sizeof(struct mcp_state),
	.open = listed_open,
	.close = listed_close,
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(mcp_migrations),
	.settings = STET_TABLE(settings),
	.permissions = STET_TABLE(permissions),
	.transfers = STET_TABLE(guide_transfers),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
	.metrics = STET_TABLE(metrics),
};
