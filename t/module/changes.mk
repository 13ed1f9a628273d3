# The change feed.
check_PROGRAMS += t/module/changes.t
t_module_changes_t_SOURCES = t/module/changes.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/http/changes.t
t_http_changes_t_SOURCES = t/http/changes.c $(REMOTE_SOURCES)
