# The change feed.
check_PROGRAMS += t/module/changes/changes.t
t_module_changes_changes_t_SOURCES = \
	t/module/changes/changes.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/changes/followed.t
t_module_changes_followed_t_SOURCES = \
	t/module/changes/followed.c \
	t/module/lib/chance.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/http/changes.t
t_http_changes_t_SOURCES = t/http/changes.c $(REMOTE_SOURCES)
