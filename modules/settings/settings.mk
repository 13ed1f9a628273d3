module_LTLIBRARIES += modules/settings.la
modules_settings_la_SOURCES = \
	modules/settings/reply.c \
	modules/settings/settings.c \
	modules/settings/settings.h \
	modules/settings/stored.c \
	modules/settings/values.c
modules_settings_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_settings_la_CFLAGS = $(MODULE_CFLAGS)
modules_settings_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_settings_la_LIBADD = libstet.la $(DEPS_LIBS)
