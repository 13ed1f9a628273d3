# The tool server.
check_PROGRAMS += t/module/mcp.t
t_module_mcp_t_SOURCES = t/module/mcp.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h
t_module_mcp_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_mcp_t_CFLAGS = $(TEST_CFLAGS)
t_module_mcp_t_LDADD = $(HARNESS_LDADD)

check_PROGRAMS += t/module/surface.t
t_module_surface_t_SOURCES = t/module/surface.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h t/module/records.c t/module/records.h
t_module_surface_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_surface_t_CFLAGS = $(TEST_CFLAGS)
t_module_surface_t_LDADD = $(HARNESS_LDADD)

check_PROGRAMS += t/module/toolrights.t
t_module_toolrights_t_SOURCES = t/module/toolrights.c t/module/routes.c t/module/routes.h
t_module_toolrights_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_toolrights_t_CFLAGS = $(TEST_CFLAGS)
t_module_toolrights_t_LDADD = $(HARNESS_LDADD)
