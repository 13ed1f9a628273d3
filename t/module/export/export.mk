check_PROGRAMS += t/module/export/leaving.t
t_module_export_leaving_t_SOURCES = \
	t/module/export/leaving.c \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h \
	t/module/lib/plain.c \
	t/module/lib/plain.h \
	t/module/lib/whole.c \
	t/module/lib/whole.h \
	$(WXR_SOURCES)
t_module_export_leaving_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_export_leaving_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/export/shape.t
t_module_export_shape_t_SOURCES = \
	t/module/export/shape.c \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h \
	$(WXR_SOURCES)
t_module_export_shape_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_export_shape_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/export/kinds.t
t_module_export_kinds_t_SOURCES = \
	t/module/export/kinds.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h \
	t/module/lib/plain.c \
	t/module/lib/plain.h \
	t/module/lib/whole.c \
	t/module/lib/whole.h
EXTRA_t_module_export_kinds_t_DEPENDENCIES = t/plugins/kinds/kinds.la
check_LTLIBRARIES += t/plugins/kinds/kinds.la
t_plugins_kinds_kinds_la_SOURCES = t/plugins/kinds.c
t_plugins_kinds_kinds_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_kinds_kinds_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_kinds_kinds_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_kinds_kinds_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/export/outgoing.t
t_module_export_outgoing_t_SOURCES = \
	t/module/export/outgoing.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h \
	t/module/lib/plain.c \
	t/module/lib/plain.h \
	t/module/lib/whole.c \
	t/module/lib/whole.h
