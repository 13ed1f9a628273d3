# The tool server.
check_PROGRAMS += t/module/mcp.t
t_module_mcp_t_SOURCES = t/module/mcp.c t/module/rpc.c t/module/rpc.h t/module/posts.c \
	t/module/posts.h t/module/inside.c t/module/inside.h
t_module_mcp_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_mcp_t_CFLAGS = $(TEST_CFLAGS)
t_module_mcp_t_LDADD = $(HARNESS_LDADD)
