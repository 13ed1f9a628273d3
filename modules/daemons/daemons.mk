module_LTLIBRARIES += modules/daemons.la
modules_daemons_la_SOURCES = \
	modules/daemons/daemons.c
modules_daemons_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_daemons_la_CFLAGS = $(MODULE_CFLAGS)
modules_daemons_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_daemons_la_LIBADD = libstet.la $(DEPS_LIBS)
