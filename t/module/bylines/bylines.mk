# Bylines: their records; the credits of items.
check_PROGRAMS += t/module/bylines/bylines.t
t_module_bylines_bylines_t_SOURCES = \
	t/module/bylines/bylines.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/bylines/credits.t
t_module_bylines_credits_t_SOURCES = \
	t/module/bylines/credits.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_LTLIBRARIES += t/plugins/listener/listener.la
t_plugins_listener_listener_la_SOURCES = t/plugins/listener.c
t_plugins_listener_listener_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_listener_listener_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_listener_listener_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_listener_listener_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/bylines/bylined.t
t_module_bylines_bylined_t_SOURCES = \
	t/module/bylines/bylined.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/bylines/bylinefilter.t
t_module_bylines_bylinefilter_t_SOURCES = \
	t/module/bylines/bylinefilter.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/bylines/avatars.t
t_module_bylines_avatars_t_SOURCES = t/module/bylines/avatars.c t/module/lib/posts.c t/module/lib/posts.h
