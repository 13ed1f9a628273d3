/*
 * mcp.h - which plugins' tools assistants may use: the service of the tool server.
 */
#ifndef STET_MCP_H
#define STET_MCP_H

#include <stet/call.h>

#define STET_MCP_1 "mcp/1"
struct stet_mcp_1 {
	/* Names of the plugins whose tools an administrator has turned on, and which are what they
	 * were then. NULL ends them; owned by the call. */
	enum stet_status (*plugins)(struct stet_call *, const char *const **out);
	/* A failure's code as tools say it. */
	const char *(*code)(enum stet_status);
	/* New functions go here, and nowhere else. */
};

#endif
