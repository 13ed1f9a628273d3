module_LTLIBRARIES += modules/import.la
modules_import_la_SOURCES = \
	modules/import/import.c modules/import/import.h modules/import/probe.c
modules_import_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(XML_CFLAGS)
modules_import_la_CFLAGS = $(MODULE_CFLAGS)
modules_import_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_import_la_LIBADD = libstet.la $(DEPS_LIBS) $(XML_LIBS)
