# The tool server.
check_PROGRAMS += t/module/mcp.t
t_module_mcp_t_SOURCES = t/module/mcp.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/surface.t
t_module_surface_t_SOURCES = t/module/surface.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h t/module/records.c t/module/records.h

check_PROGRAMS += t/module/toolrights.t
t_module_toolrights_t_SOURCES = t/module/toolrights.c t/module/routes.c t/module/routes.h

check_PROGRAMS += t/module/resultblocks.t
t_module_resultblocks_t_SOURCES = t/module/resultblocks.c t/module/rpc.c t/module/rpc.h \
	t/module/posts.c t/module/posts.h t/module/inside.c t/module/inside.h

# What conformance suites call (t/mcp): a bundled module of the daemon there, a plugin in
# resultblocks.t.
check_LTLIBRARIES += t/mcp/fixtures/fixtures.la
t_mcp_fixtures_fixtures_la_SOURCES = t/mcp/fixtures.c
t_mcp_fixtures_fixtures_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_mcp_fixtures_fixtures_la_CFLAGS = $(MODULE_CFLAGS)
t_mcp_fixtures_fixtures_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_mcp_fixtures_fixtures_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/dryrun.t
t_module_dryrun_t_SOURCES = t/module/dryrun.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/toolargs.t
t_module_toolargs_t_SOURCES = t/module/toolargs.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h

check_PROGRAMS += t/module/batch.t
t_module_batch_t_SOURCES = t/module/batch.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h
