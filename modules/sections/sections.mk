module_LTLIBRARIES += modules/sections.la
modules_sections_la_SOURCES = \
	modules/sections/sections.c
modules_sections_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_sections_la_CFLAGS = $(MODULE_CFLAGS)
modules_sections_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_sections_la_LIBADD = libstet.la $(DEPS_LIBS)
