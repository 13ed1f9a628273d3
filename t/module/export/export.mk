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
