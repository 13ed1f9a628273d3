# Bylines: their records; the credits of items.
check_PROGRAMS += t/module/bylines.t
t_module_bylines_t_SOURCES = t/module/bylines.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/credits.t
t_module_credits_t_SOURCES = t/module/credits.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_LTLIBRARIES += t/module/listener/listener.la
t_module_listener_listener_la_SOURCES = t/module/listener.c
t_module_listener_listener_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_listener_listener_la_CFLAGS = $(MODULE_CFLAGS)
t_module_listener_listener_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_listener_listener_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/bylined.t
t_module_bylined_t_SOURCES = t/module/bylined.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/bylinefilter.t
t_module_bylinefilter_t_SOURCES = t/module/bylinefilter.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h
