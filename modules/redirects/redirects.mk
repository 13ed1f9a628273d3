module_LTLIBRARIES += modules/redirects.la
modules_redirects_la_SOURCES = \
	modules/redirects/export.c \
	modules/redirects/find.c \
	modules/redirects/list.c \
	modules/redirects/redirects.c \
	modules/redirects/redirects.h \
	modules/redirects/moves.c
modules_redirects_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_redirects_la_CFLAGS = $(MODULE_CFLAGS)
modules_redirects_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_redirects_la_LIBADD = libstet.la $(DEPS_LIBS)
