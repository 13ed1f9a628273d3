module_LTLIBRARIES += modules/bylines.la
modules_bylines_la_SOURCES = \
	modules/bylines/bylines.c \
	modules/bylines/bylines.h \
	modules/bylines/credits.c \
	modules/bylines/edit.c \
	modules/bylines/filter.c \
	modules/bylines/person.c \
	modules/bylines/read.c \
	modules/bylines/records.c \
	modules/bylines/shown.c
modules_bylines_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_bylines_la_CFLAGS = $(MODULE_CFLAGS)
modules_bylines_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_bylines_la_LIBADD = libstet.la $(DEPS_LIBS)
