module_LTLIBRARIES += modules/media-usage.la
modules_media_usage_la_SOURCES = \
	modules/media-usage/entry.c modules/media-usage/extract.c modules/media-usage/media-usage.c \
	modules/media-usage/media-usage.h
modules_media_usage_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_media_usage_la_CFLAGS = $(MODULE_CFLAGS)
modules_media_usage_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_media_usage_la_LIBADD = libstet.la $(DEPS_LIBS)
