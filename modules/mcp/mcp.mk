module_LTLIBRARIES += modules/mcp.la
modules_mcp_la_SOURCES = \
	modules/mcp/approve.c \
	modules/mcp/compact.c \
	modules/mcp/dry.c \
	modules/mcp/elicit.c \
	modules/mcp/era.c \
	modules/mcp/find.c \
	modules/mcp/fit.c \
	modules/mcp/guide.c \
	modules/mcp/invoke.c \
	modules/mcp/limits.c \
	modules/mcp/listed.c \
	modules/mcp/mcp.c \
	modules/mcp/mcp.h \
	modules/mcp/meant.c \
	modules/mcp/omit.c \
	modules/mcp/prompts.c \
	modules/mcp/reply.c \
	modules/mcp/resources.c \
	modules/mcp/rpc.c \
	modules/mcp/schema.c \
	modules/mcp/surface.c \
	modules/mcp/tools.c \
	modules/mcp/transport.c \
	modules/mcp/weight.c
modules_mcp_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_mcp_la_CFLAGS = $(MODULE_CFLAGS)
modules_mcp_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_mcp_la_LIBADD = libstet.la $(DEPS_LIBS)
