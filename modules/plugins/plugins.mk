module_LTLIBRARIES += modules/plugins.la
modules_plugins_la_SOURCES = \
	modules/plugins/plugins.c
modules_plugins_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_plugins_la_CFLAGS = $(MODULE_CFLAGS)
modules_plugins_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_plugins_la_LIBADD = libstet.la $(DEPS_LIBS)
