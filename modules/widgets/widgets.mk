module_LTLIBRARIES += modules/widgets.la
modules_widgets_la_SOURCES = \
	modules/widgets/area.c \
	modules/widgets/areas.c \
	modules/widgets/put.c \
	modules/widgets/widget.c \
	modules/widgets/widgets.c \
	modules/widgets/widgets.h
modules_widgets_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_widgets_la_CFLAGS = $(MODULE_CFLAGS)
modules_widgets_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_widgets_la_LIBADD = libstet.la $(DEPS_LIBS)
