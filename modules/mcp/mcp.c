/* mcp.c - the tool server: its routes. */
#include "mcp.h"

static const struct stet_op ops[] = {
	{ "mcp_post", "Tool Server",
	    .about = "The Model Context Protocol: JSON-RPC messages, answered one by one.",
	    .route = "POST /mcp", .flags = STET_RAW | STET_ANY_SCOPE, .lane = STET_SLOW,
	    .run = mcp_post, .choose = mcp_choose, .refuse = mcp_refuse },
	{ "mcp_get", "No Event Stream", .about = "There are no streams: 405.", .route = "GET /mcp",
	    .flags = STET_PUBLIC, .lane = STET_READ, .run = mcp_not_allowed },
	{ "mcp_delete", "No Session", .about = "There are no sessions: 405.",
	    .route = "DELETE /mcp", .flags = STET_PUBLIC, .lane = STET_READ,
	    .run = mcp_not_allowed },
};

static const char *const needs[] = { "auth", NULL };

STET_MODULE(mcp) = {
	STET_MODULE_HEAD(mcp),
	.version = "1.0",
	.summary = "The tool server for assistants (MCP)",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
};
