/* mcp.h - the service of the mcp module, the tool server for AI assistants. */
#ifndef STET_MCP_H
#define STET_MCP_H

#include <stet/call.h>

#define STET_MCP_1 "mcp/1"
struct stet_mcp_1 {
	/* The names of the plugins whose tools an administrator has turned on, and which have
	 * not changed since. NULL-terminated; owned by the call. */
	enum stet_status (*plugins)(struct stet_call *, const char *const **out);
	/* The error code for a status, as tool results name it. */
	const char *(*code)(enum stet_status);
	/* New functions go here, and nowhere else. */
};

#endif
