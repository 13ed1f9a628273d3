# The tool server.
check_PROGRAMS += t/module/mcp/mcp.t
t_module_mcp_mcp_t_SOURCES = \
	t/module/mcp/mcp.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/mcp/surface.t
t_module_mcp_surface_t_SOURCES = \
	t/module/mcp/surface.c \
	t/module/lib/metric.c \
	t/module/lib/metric.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/records.c \
	t/module/lib/records.h

check_PROGRAMS += t/module/mcp/toolrights.t
t_module_mcp_toolrights_t_SOURCES = \
	t/module/mcp/toolrights.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/routes.c \
	t/module/lib/routes.h

check_PROGRAMS += t/module/mcp/resultblocks.t
t_module_mcp_resultblocks_t_SOURCES = \
	t/module/mcp/resultblocks.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# What conformance suites call (t/mcp): a bundled module of the daemon there, a plugin in
# resultblocks.t.
check_LTLIBRARIES += t/mcp/fixtures/fixtures.la
t_mcp_fixtures_fixtures_la_SOURCES = t/mcp/fixtures.c
t_mcp_fixtures_fixtures_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_mcp_fixtures_fixtures_la_CFLAGS = $(MODULE_CFLAGS)
t_mcp_fixtures_fixtures_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_mcp_fixtures_fixtures_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/mcp/dryrun.t
t_module_mcp_dryrun_t_SOURCES = \
	t/module/mcp/dryrun.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/mcp/toolargs.t
t_module_mcp_toolargs_t_SOURCES = t/module/mcp/toolargs.c t/module/lib/rpc.c t/module/lib/rpc.h t/module/lib/posts.c \
	t/module/lib/posts.h

check_PROGRAMS += t/module/mcp/longanswers.t
t_module_mcp_longanswers_t_SOURCES = \
	t/module/mcp/longanswers.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/mcp/looks.t
t_module_mcp_looks_t_SOURCES = \
	t/module/mcp/looks.c \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/mcp/resources.t
t_module_mcp_resources_t_SOURCES = \
	t/module/mcp/resources.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/mcp/tokenlimits.t
t_module_mcp_tokenlimits_t_SOURCES = \
	t/module/mcp/tokenlimits.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# Tools with an action for each of several ops; the schema in one call.
check_PROGRAMS += t/module/mcp/actions.t
t_module_mcp_actions_t_SOURCES = \
	t/module/mcp/actions.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# Questions of the tool server to the person at a client.
check_PROGRAMS += t/module/mcp/elicit.t
t_module_mcp_elicit_t_SOURCES = \
	t/module/mcp/elicit.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
