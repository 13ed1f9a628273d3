module_LTLIBRARIES += modules/backups.la
modules_backups_la_SOURCES = \
	modules/backups/backups.c
modules_backups_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_backups_la_CFLAGS = $(MODULE_CFLAGS)
modules_backups_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_backups_la_LIBADD = libstet.la $(DEPS_LIBS)
