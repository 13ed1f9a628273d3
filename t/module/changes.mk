# The change feed.
check_PROGRAMS += t/module/changes.t
t_module_changes_t_SOURCES = t/module/changes.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h
t_module_changes_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_changes_t_CFLAGS = $(TEST_CFLAGS)
t_module_changes_t_LDADD = $(HARNESS_LDADD)

check_PROGRAMS += t/http/changes.t
t_http_changes_t_SOURCES = t/http/changes.c $(REMOTE_SOURCES)
t_http_changes_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_http_changes_t_CFLAGS = $(TEST_CFLAGS)
t_http_changes_t_LDADD = $(TEST_LDADD)
